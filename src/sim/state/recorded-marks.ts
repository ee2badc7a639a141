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

  /** The last mark at or before `now`, which never goes back; 0 before the first. */
  at(now: number): number {
    const time = this.#time;
    let next = this.#next;
    while (next < time.length && time[next]! <= now) next++;
    this.#next = next;
    return next === 0 ? 0 : this.#ticks[next - 1]!;
  }
}
