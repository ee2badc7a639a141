/** Rows of a file that is newest first: kept in memory, handed out from the last to the first. */
import { SLOTS } from '../formats/format.ts';
import type { RowValues } from './lines/csv-lines.ts';

/** Beyond, such a file is refused: turn it round before. */
export const STORED_MAX = 50_000_000;

export class RowStore<Target> {
  rows = 0;
  #values = new Float64Array(SLOTS * 1024);
  #decimals = new Uint8Array(2 * SLOTS * 1024);
  readonly #targets: Target[] = [];
  #targetOf = new Uint16Array(1024);
  #last = -1;

  add(row: RowValues, target: Target): void {
    const at = this.rows++;
    if (at === this.#targetOf.length) this.#grow();
    this.#values.set(row.value, at * SLOTS);
    for (let slot = 0; slot < SLOTS; slot++) {
      this.#decimals[(at * SLOTS + slot) * 2] = row.decimals[slot]!;
      this.#decimals[(at * SLOTS + slot) * 2 + 1] = Math.min(255, row.written[slot]!);
    }
    if (this.#last < 0 || this.#targets[this.#last] !== target) {
      this.#last = this.#targets.indexOf(target);
      if (this.#last < 0) this.#last = this.#targets.push(target) - 1;
    }
    this.#targetOf[at] = this.#last;
  }

  /** `number` counts the rows as they were added, from 0. */
  backwards(take: (row: RowValues, target: Target, number: number) => void): void {
    const row = { value: new Float64Array(SLOTS), decimals: new Int32Array(SLOTS), written: new Int32Array(SLOTS) };
    for (let at = this.rows - 1; at >= 0; at--) {
      for (let slot = 0; slot < SLOTS; slot++) {
        row.value[slot] = this.#values[at * SLOTS + slot]!;
        row.decimals[slot] = this.#decimals[(at * SLOTS + slot) * 2]!;
        row.written[slot] = this.#decimals[(at * SLOTS + slot) * 2 + 1]!;
      }
      take(row, this.#targets[this.#targetOf[at]!]!, at);
    }
  }

  #grow(): void {
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
    const decimals = new Uint8Array(this.#decimals.length * 2);
    decimals.set(this.#decimals);
    this.#decimals = decimals;
    const targets = new Uint16Array(this.#targetOf.length * 2);
    targets.set(this.#targetOf);
    this.#targetOf = targets;
  }
}
