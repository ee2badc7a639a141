/** Fills of one market that wait until 1, 5 and 30 s have passed. The distance from their price to the mid at that time is the markout. @hot */

import { firstFrom, type RowColumn } from './shown-rows.ts';

export const MARKOUT_MS: readonly number[] = [1_000, 5_000, 30_000];

/** Numbers per fill: time, price in ticks, 1 for a buy and −1 for a sell. */
const STRIDE = 3;

export class MarkoutQueue {
  #fills = new Float64Array(16 * STRIDE);
  #end = 0;
  /** By horizon: the first fill that still waits. */
  readonly #next = new Int32Array(MARKOUT_MS.length);
  /** Mid after the last row, 0 if unknown. */
  mid = 0;
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
    for (let h = 0; h < MARKOUT_MS.length; h++) this.#passHorizon(h, time, bid, ask, from, to);
    this.mid = (bid[to - 1]! + ask[to - 1]!) / 2;
    return (this.#next[MARKOUT_MS.length - 1]! - before) / STRIDE;
  }

  #passHorizon(h: number, time: RowColumn, bid: RowColumn, ask: RowColumn, from: number, to: number): void {
    const fills = this.#fills;
    const end = this.#end;
    const ms = MARKOUT_MS[h]!;
    const last = time[to - 1]!;
    let sum = this.#sums[h]!;
    let count = this.#counts[h]!;
    let row = from;
    let at = this.#next[h]!;
    // A row at the due time still counts, so a fill is due only when a later row is known.
    for (; at < end && fills[at]! + ms < last; at += STRIDE) {
      const due = fills[at]! + ms;
      // Times are whole milliseconds.
      if (row < to && time[row]! <= due) row = firstFrom(time, due + 1, row + 1, to);
      const mid = row > from ? (bid[row - 1]! + ask[row - 1]!) / 2 : this.mid;
      if (mid > 0 && mid < Number.MAX_SAFE_INTEGER / 2) {
        const price = fills[at + 1]!;
        sum += (fills[at + 2]! * (mid - price)) / price;
        count++;
      }
    }
    this.#next[h] = at;
    this.#sums[h] = sum;
    this.#counts[h] = count;
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
