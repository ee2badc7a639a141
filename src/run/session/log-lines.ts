/** The lines of a kernel's log in a part of a session, as `why` shows them. */
import type { WhyAnswer } from '../../control/answers.ts';
import type { Log, LogFields } from '../../ports/log.ts';

/** Lines that are kept; further ones are dropped. */
export const LINES_MOST = 200;
/** Lines that say nothing about orders. */
const NOT_SHOWN: ReadonlySet<string> = new Set(['poll-plan', 'strategy-plot']);

export type LogLine = WhyAnswer['lines'][number];

export class LogLines implements Log {
  clock: { now(): number } = { now: () => -Infinity };
  readonly #from: number;
  readonly #to: number;
  #lines: LogLine[] = [];

  /** Keeps the lines from one time up to another, exclusive. */
  constructor(from: number, to: number) {
    this.#from = from;
    this.#to = to;
  }

  /** The lines since the last call. */
  take(): readonly LogLine[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  debug(): void {
    // Lines of every order are too many.
  }

  info(event: string, fields?: LogFields): void {
    const time = this.clock.now();
    if (time < this.#from || time >= this.#to || this.#lines.length >= LINES_MOST || NOT_SHOWN.has(event)) return;
    this.#lines.push({ time, event, text: fieldWords(fields) });
  }

  warn(event: string, fields?: LogFields): void {
    this.info(event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.info(event, fields);
  }
}

function fieldWords(fields: LogFields = {}): string {
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
}
