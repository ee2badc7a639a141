/**
 * Counts frequent events and logs them rarely. Each event and key gets at most one line a second; while it lasts the interval doubles up to
 * 64 seconds. A line says how many events it covers.
 */
import type { Log, LogFields } from '../../../ports/log.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 64_000;

interface Counter {
  total: number;
  unlogged: number;
  loggedAt: number;
  /** Shortest time to the next line, in milliseconds. */
  pauseMs: number;
}

export class EventCounters {
  readonly #log: Log;
  readonly #counters = new Map<string, Counter>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Counts one `event` of `key` that is logged elsewhere. */
  add(event: string, key: string): void {
    this.#counterOf(event, key).total++;
  }

  /** Counts one `event` of `key`, and logs it if the pause since the last line has passed. */
  count(event: string, key: string, now: number, fields: LogFields): void {
    const counter = this.#counterOf(event, key);
    counter.total++;
    counter.unlogged++;
    const silentMs = now - counter.loggedAt;
    if (silentMs < counter.pauseMs) return;
    // The pause doubles while events keep coming; after a longer silence it starts at one second again.
    counter.pauseMs = silentMs < 2 * counter.pauseMs ? Math.min(LONGEST_MS, 2 * counter.pauseMs) : FIRST_MS;
    this.#log.warn(event, { ...fields, times: counter.unlogged });
    counter.unlogged = 0;
    counter.loggedAt = now;
  }

  #counterOf(event: string, key: string): Counter {
    const name = `${event} ${key}`;
    let counter = this.#counters.get(name);
    if (counter === undefined) this.#counters.set(name, (counter = { total: 0, unlogged: 0, loggedAt: -Infinity, pauseMs: FIRST_MS }));
    return counter;
  }

  /** Totals by "event key", for the status page and the report. */
  totals(): Record<string, number> {
    return Object.fromEntries([...this.#counters].map(([name, counter]) => [name, counter.total]));
  }
}
