/** Rows of one market that are stored and processed later, many at once. @hot */

/** A column of rows; prices are in ticks. */
export type RowColumn = Float64Array | Int32Array;

const ROOM = 256;

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

export class ShownRows {
  readonly time = new Float64Array(ROOM);
  readonly bid = new Float64Array(ROOM);
  readonly ask = new Float64Array(ROOM);
  end = 0;
  /** Rows before this one widened the extremes already. */
  seen = 0;

  hasRoom(rows: number): boolean {
    return this.end + rows <= ROOM;
  }

  /** Adds rows `from` to `to`, for which there is room. */
  add(time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    let at = this.end;
    for (let row = from; row < to; row++, at++) {
      this.time[at] = time[row]!;
      this.bid[at] = bid[row]!;
      this.ask[at] = ask[row]!;
    }
    this.end = at;
  }

  clear(): void {
    this.end = 0;
    this.seen = 0;
  }
}

/** Lowest and highest price of some rows. */
export class Extremes {
  low = 0;
  high = 0;

  /** At least one row. */
  find(price: RowColumn, from: number, to: number): void {
    let low = price[from]!;
    let high = low;
    for (let row = from + 1; row < to; row++) {
      const one = price[row]!;
      if (one < low) low = one;
      else if (one > high) high = one;
    }
    this.low = low;
    this.high = high;
  }
}
