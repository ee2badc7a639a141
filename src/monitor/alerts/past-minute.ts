/** Folds what alerts look at into rows by the minute: how long each level held, and how often each event happened. */
import type { PastRow } from '../../base/tables/alert-rules.ts';
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { Happening, Level } from './alert-inputs.ts';

/** Rows of one minute: a bot in a storm of causes is cut, and the storm itself is seen by then. */
const ROWS_MOST = 200;

type Writable = { -readonly [Key in keyof PastRow]: PastRow[Key] };

export class PastMinute {
  readonly #rows = new Map<string, Writable>();
  /** Keys of the levels at the last look, and when that was. */
  #held = new Set<string>();
  #seenAt = 0;

  observe(levels: readonly Level[], now: number): void {
    const ms = this.#seenAt === 0 ? 0 : Math.min(now - this.#seenAt, MINUTE_MS);
    this.#seenAt = now;
    const held = new Set<string>();
    for (const { kind, name, cause } of levels) {
      const key = `${kind} ${name} ${cause}`;
      held.add(key);
      const row = this.#row(kind, name, cause, now);
      if (row === undefined) continue;
      if (this.#held.has(key)) row.ms += ms;
      else row.count++;
    }
    this.#held = held;
  }

  happened({ name, cause, isError }: Happening, now: number): void {
    const row = this.#row(isError ? 'error' : 'event', name, cause, now);
    if (row !== undefined) row.count++;
  }

  /** The rows of minutes that are over at `now`, which are forgotten here. */
  taken(now: number): PastRow[] {
    const over = [...this.#rows].filter(([, { minute }]) => minute + MINUTE_MS <= now);
    for (const [key] of over) this.#rows.delete(key);
    return over.map(([, row]) => row);
  }

  #row(kind: PastRow['kind'], name: string, cause: string, now: number): Writable | undefined {
    const minute = now - (now % MINUTE_MS);
    const key = `${minute} ${kind} ${name} ${cause}`;
    let row = this.#rows.get(key);
    if (row === undefined && this.#rows.size < ROWS_MOST)
      this.#rows.set(key, (row = { minute, kind, name, cause, at: now, ms: 0, count: 0 }));
    return row;
  }
}
