/** Counts what happens often and logs it seldom: one line per event and key at most once a second, with how many it stands for. */
import type { Log, LogFields } from '../ports/log.ts';

const EVERY_MS = 1000;

interface Line {
  total: number;
  unlogged: number;
  loggedAt: number;
}

export class Tally {
  readonly #log: Log;
  readonly #lines = new Map<string, Line>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts one `event` of `key`, and logs it when the last line about it is a second old. */
  count(event: string, key: string, now: number, fields: LogFields): void {
    const name = `${event} ${key}`;
    let line = this.#lines.get(name);
    if (line === undefined) this.#lines.set(name, (line = { total: 0, unlogged: 0, loggedAt: -Infinity }));
    line.total++;
    line.unlogged++;
    if (now - line.loggedAt < EVERY_MS) return;
    this.#log.warn(event, { ...fields, times: line.unlogged });
    line.unlogged = 0;
    line.loggedAt = now;
  }

  /** Totals by "event key", for the status page and the report. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#lines].map(([name, line]) => [name, line.total]));
  }
}
