/**
 * The log of a backtest. It counts warnings and errors by event, and keeps the first of each event and reason. It passes on what strategies
 * write by `ctx.log`, and nothing else.
 */
import type { Clock } from '../../../ports/clock.ts';
import type { Log, LogFields } from '../../../ports/log.ts';
import type { Blockage } from './blockage.ts';
import type { TakeStrategyLine } from '../../setup/options.ts';

export class QuietLog implements Log {
  readonly #counts = new Map<string, number>();
  readonly #first = new Map<string, LogFields>();
  readonly #take: TakeStrategyLine | undefined;
  readonly #blockage: Blockage | undefined;
  /** Virtual time. */
  clock: Pick<Clock, 'now'> | null = null;

  constructor(take?: TakeStrategyLine, blockage?: Blockage) {
    this.#take = take;
    this.#blockage = blockage;
  }

  debug(): void {}

  info(event: string, fields?: LogFields): void {
    if (event === 'strategy-log' && this.#take !== undefined && this.clock !== null) this.#take(this.clock.now(), fields ?? {});
  }

  warn(event: string, fields?: LogFields): void {
    // A symbol that left a universe, or a limit that flattens, closes in this way. Reports have their own words for both.
    if (fields?.['code'] === 'flatten' && fields['by'] === 'bot') return;
    this.#count(event, fields);
  }

  error(event: string, fields?: LogFields): void {
    this.#count(event, fields);
  }

  /** The most frequent events except those in `except`, each with the fields of its first occurrence. */
  worst(limit: number, except: ReadonlySet<string>): (readonly [string, number])[] {
    const sorted = [...this.#counts].filter(([event]) => !except.has(event)).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    return sorted.slice(0, limit).map(([event, count]) => {
      const words = this.first(event);
      return [words === '' ? event : `${event} (first: ${words})`, count];
    });
  }

  /** Number of times that `event` was logged. */
  count(event: string): number {
    return this.#counts.get(event) ?? 0;
  }

  /** Detail of the first `event` with the reason `why`; "" if there is none. */
  detail(event: string, why: string): string {
    return plain(this.#first.get(`${event} ${why}`)?.['detail'] ?? '');
  }

  /** `field` of the first `event` of a strategy; "" if there is none. */
  detailOf(event: string, strategy: string, field: string): string {
    return plain(this.#first.get(`${event} of ${strategy}`)?.[field] ?? '');
  }

  /** Fields of the first occurrence of `event`; "" if there are none. */
  first(event: string): string {
    const fields = Object.entries(this.#first.get(event) ?? {});
    const parts = fields.filter(([, value]) => value !== '').map(([key, value]) => `${key} ${plain(value)}`);
    return parts.join(', ');
  }

  /** The first external event of each kind: kind, action, description. */
  externals(): [kind: string, action: string, what: string][] {
    const firsts = [...this.#first].filter(([key]) => key.startsWith('external kind '));
    return firsts.map(([, { kind, action, text }]) => [plain(kind), plain(action), plain(text)]);
  }

  #count(event: string, fields: LogFields | undefined): void {
    const before = this.#counts.get(event) ?? 0;
    if (before === 0 && fields !== undefined) this.#first.set(event, fields);
    const { why, strategy, kind } = fields ?? {};
    if (event === 'external') this.#keepFirst(`external kind ${plain(kind)}`, fields!);
    if (event === 'intent-refused') this.#blockage?.refused(this.clock?.now() ?? 0, plain(why));
    if (typeof why === 'string') this.#keepFirst(`${event} ${why}`, fields!);
    if (typeof strategy === 'string') this.#keepFirst(`${event} of ${strategy}`, fields!);
    this.#counts.set(event, before + 1);
  }

  #keepFirst(key: string, fields: LogFields): void {
    if (!this.#first.has(key)) this.#first.set(key, fields);
  }
}

/** A value as one line. A stack becomes message and place without folders, so that a report is the same on every machine. */
function plain(value: unknown): string {
  const text = value instanceof Error ? (value.stack ?? value.message) : String(value);
  const [line = '', ...stack] = text.split('\n');
  const place = stack.map((frame) => /([^/\\(]+):(\d+):\d+\)?$/.exec(frame)).find((found) => found !== null);
  const shown = line.length > 160 ? `${line.slice(0, 160)}…` : line;
  return place === undefined ? shown : `${shown} at ${place[1]}:${place[2]}`;
}
