/** Mark prices of a recording, in the order of their times. @hot */

export class RecordedMarks {
  readonly #time: Float64Array;
  readonly #ticks: Float64Array;
  #next = 0;

  /** `time` in milliseconds since 1970, ascending; `ticks` beside it. */
  constructor(time: Float64Array, ticks: Float64Array) {
    this.#time = time;
    this.#ticks = ticks;
  }

  /** Times of the marks after `from` and up to `to`. */
  times(from: number, to: number): readonly number[] {
    this.at(from);
    let end = this.#next;
    while (end < this.#time.length && this.#time[end]! <= to) end++;
    return [...this.#time.subarray(this.#next, end)]; // hot-ok: once for each bar
  }

  /** The last mark at or before `now`; 0 before the first. It is fastest if `now` never goes far. */
  at(now: number): number {
    const time = this.#time;
    let next = this.#next;
    while (next < time.length && time[next]! <= now) next++;
    while (next > 0 && time[next - 1]! > now) next--;
    this.#next = next;
    return next === 0 ? 0 : this.#ticks[next - 1]!;
  }
}
