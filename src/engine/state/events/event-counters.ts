/**
 * Counts frequent events and logs them rarely. Each event and key gets at most one line a second; while it lasts the interval doubles up to
 * 64 seconds. A line says how many events it covers.
 */
import type { Log, LogFields } from '../../../ports/log.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 64_000;

interface Line {
  total: number;
  unlogged: number;
  loggedAt: number;
  /** Shortest time to the next line, in milliseconds. */
  pauseMs: number;
}

export class EventCounters {
  readonly #log: Log;
  readonly #lines = new Map<string, Line>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts one `event` of `key` that is logged elsewhere. */
  add(event: string, key: string): void {
    this.#line(event, key).total++;
  }

  /** Counts one `event` of `key`, and logs it if the pause since the last line has passed. */
  count(event: string, key: string, now: number, fields: LogFields): void {
    const line = this.#line(event, key);
    line.total++;
    line.unlogged++;
    const silentMs = now - line.loggedAt;
    if (silentMs < line.pauseMs) return;
    // The pause doubles while events keep coming; after a longer silence it starts at one second again.
    line.pauseMs = silentMs < 2 * line.pauseMs ? Math.min(LONGEST_MS, 2 * line.pauseMs) : FIRST_MS;
    this.#log.warn(event, { ...fields, times: line.unlogged });
    line.unlogged = 0;
    line.loggedAt = now;
  }

  #line(event: string, key: string): Line {
    const name = `${event} ${key}`;
    let line = this.#lines.get(name);
    if (line === undefined) this.#lines.set(name, (line = { total: 0, unlogged: 0, loggedAt: -Infinity, pauseMs: FIRST_MS }));
    return line;
  }

  /** Totals by "event key", for the status page and the report. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#lines].map(([name, line]) => [name, line.total]));
  }
}
