/** Rows of one market that are looked at later, many at once. They stay in the columns of their stream. @hot */

/** A column of rows; prices are in ticks. */
export type RowColumn = Float64Array | Int32Array;

/** The first row of `from` to `to` that is not before `time`; the nearest rows are asked first. */
export function firstFrom(times: RowColumn, time: number, from: number, to: number): number {
  let low = from;
  let step = 1;
  while (low + step <= to && times[low + step - 1]! < time) {
    low += step;
    step *= 2;
  }
  let high = Math.min(to, low + step - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NONE = new Float64Array(0);

export class ShownRows {
  time: RowColumn = NONE;
  bid: RowColumn = NONE;
  ask: RowColumn = NONE;
  /** Rows `from` to `end` wait; those before `seen` have widened the extremes already. */
  from = 0;
  seen = 0;
  end = 0;

  /** True if row `from` of the column of times comes after the rows that wait. */
  isNext(time: RowColumn, from: number): boolean {
    return from === this.end && time === this.time;
  }

  /** The rows to come are in these columns. None may wait. */
  begin(time: RowColumn, bid: RowColumn, ask: RowColumn, from: number): void {
    this.time = time;
    this.bid = bid;
    this.ask = ask;
    this.from = from;
    this.seen = from;
    this.end = from;
  }
}
