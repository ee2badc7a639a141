/** The log of a backtest: warnings and errors are counted by event and the first of each is kept; nothing is printed. */
import type { Log, LogFields } from '../ports/log.ts';

export class QuietLog implements Log {
  readonly #counts = new Map<string, number>();
  readonly #first = new Map<string, LogFields>();

  debug(): void {}
  info(): void {}

  warn(event: string, fields?: LogFields): void {
    this.#count(event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.#count(event, fields);
  }

  /** The commonest events with the words of their first occurrence, most frequent first. */
  worst(limit: number): (readonly [string, number])[] {
    const sorted = [...this.#counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return sorted.slice(0, limit).map(([event, count]) => [`${event}${describe(this.#first.get(event))}`, count]);
  }

  #count(event: string, fields: LogFields | undefined): void {
    const before = this.#counts.get(event) ?? 0;
    if (before === 0 && fields !== undefined) this.#first.set(event, fields);
    this.#counts.set(event, before + 1);
  }
}

function describe(fields: LogFields | undefined): string {
  if (fields === undefined) return '';
  const parts = Object.entries(fields).map(([key, value]) => `${key} ${value instanceof Error ? value.message : String(value)}`);
  return ` (first: ${parts.join(', ').slice(0, 160)})`;
}
