/** Fills of one market that wait until 1, 5 and 30 s have passed. The middle then against their price is the markout. @hot */

/** A column of rows; prices are in ticks. */
export type RowColumn = Float64Array | Int32Array;

export const MARKOUT_MS: readonly number[] = [1_000, 5_000, 30_000];

/** Numbers per fill: time, price in ticks, 1 for a buy and −1 for a sell. */
const STRIDE = 3;

export class MarkoutQueue {
  #fills = new Float64Array(16 * STRIDE);
  #end = 0;
  /** By horizon: the first fill that still waits. */
  readonly #next = new Int32Array(MARKOUT_MS.length);
  /** Middle after the last row, 0 if unknown. */
  #mid = 0;
  readonly #sums: Float64Array;
  readonly #counts: Float64Array;

  constructor(sums: Float64Array, counts: Float64Array) {
    this.#sums = sums;
    this.#counts = counts;
  }

  /** True while a fill waits for its last horizon. */
  get isWaiting(): boolean {
    return this.#next[MARKOUT_MS.length - 1]! < this.#end;
  }

  add(time: number, price: number, sign: number): void {
    if (this.#end === this.#fills.length) this.#makeRoom();
    this.#fills[this.#end] = time;
    this.#fills[this.#end + 1] = price;
    this.#fills[this.#end + 2] = sign;
    this.#end += STRIDE;
  }

  /** Rows were taken. Returns the number of fills that have all their markouts now. */
  pass(time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): number {
    const before = this.#next[MARKOUT_MS.length - 1]!;
    const last = time[to - 1]!;
    for (let h = 0; h < MARKOUT_MS.length; h++) {
      let row = from;
      let at = this.#next[h]!;
      // A row at the due time still counts, so a fill is due only when a later row is known.
      for (; at < this.#end && this.#fills[at]! + MARKOUT_MS[h]! < last; at += STRIDE) {
        const due = this.#fills[at]! + MARKOUT_MS[h]!;
        while (row < to && time[row]! <= due) row++;
        const mid = row > from ? (bid[row - 1]! + ask[row - 1]!) / 2 : this.#mid;
        if (mid > 0 && mid < Number.MAX_SAFE_INTEGER / 2) this.#count(h, at, mid);
      }
      this.#next[h] = at;
    }
    this.#mid = (bid[to - 1]! + ask[to - 1]!) / 2;
    return (this.#next[MARKOUT_MS.length - 1]! - before) / STRIDE;
  }

  #count(h: number, at: number, mid: number): void {
    const price = this.#fills[at + 1]!;
    this.#sums[h] = this.#sums[h]! + (this.#fills[at + 2]! * (mid - price)) / price;
    this.#counts[h] = this.#counts[h]! + 1;
  }

  /** Drops the fills that wait for nothing, or doubles the room. */
  #makeRoom(): void {
    const done = this.#next[MARKOUT_MS.length - 1]!;
    if (done >= this.#end / 2) {
      this.#fills.copyWithin(0, done, this.#end);
      this.#end -= done;
      for (let h = 0; h < MARKOUT_MS.length; h++) this.#next[h] = this.#next[h]! - done;
      return;
    }
    const larger = new Float64Array(this.#fills.length * 2); // hot-ok: growth
    larger.set(this.#fills);
    this.#fills = larger;
  }
}
