/**
 * Complete lists in a row that do not show a thing. A list may omit what is there, so absence counts after several lists over some time.
 */

/** So many lists of different times, over so many milliseconds. */
export const LEAST = 3;
export const OVER_MS = 1_000;

export class Absences {
  #times: number[] = [];
  /** The newest row that counts; null before. */
  counted: { readonly first: number; readonly answered: number } | null = null;

  /** A complete list of time `answered` shows it, or does not. Returns true if the absence counts. */
  listed(isShown: boolean, answered: number): boolean {
    if (!isShown) return this.absent(answered);
    this.#times = this.#times.filter((time) => time > answered);
    return false;
  }

  absent(answered: number): boolean {
    if (this.#times.includes(answered)) return false;
    this.#times.push(answered);
    this.#times.sort((a, b) => a - b);
    const end = this.#times.length - 1;
    const from = this.#times.findLastIndex((time, k) => end - k >= LEAST - 1 && this.#times[end]! - time >= OVER_MS);
    if (from < 0) return false;
    this.#times.splice(0, from);
    this.counted = { first: this.#times[0]!, answered: this.#times.at(-1)! };
    return true;
  }
}
