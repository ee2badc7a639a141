/**
 * Takes what a strategy says by `ctx.note` and draws by `ctx.plot`. The newest note is kept for `why`, a bounded number of lines goes to
 * the log, and all of it to the sink, which a backtest has for the chart of its report. A session that is replayed says and draws the same.
 */
import type { EventCounters } from '../../state/events/event-counters.ts';
import type { LogFields } from '../../../ports/log.ts';
import type { Core } from '../../state/core.ts';

/** Receives every note and every point, at the time of the step. It bounds what it keeps. */
export interface DrawingSink {
  note(time: number, strategy: string, instrument: number, text: string): void;
  line(strategy: string, instrument: number, name: string): LineSink;
}

/** Receives the points of one line, in order of time. NaN: the line has no value from here to its next one. */
interface LineSink {
  add(time: number, value: number): void;
}

/** What an indicator of this package shows of itself. */
interface Drawable {
  readonly name: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly facts: { readonly outputs: readonly string[] };
  /** NaN while it has no value. */
  read(output: number): number;
}

/** Draws what the engine feeds with bars. */
export interface Drawn {
  /** Call after each update, with the end of its bar and what the update gave. */
  draw(time: number, value: unknown): void;
}

/** The lines of an indicator of this package, one for each output. */
class DrawnIndicator implements Drawn {
  readonly #indicator: Drawable;
  readonly #lines: readonly LineSink[];

  constructor(indicator: Drawable, lines: readonly LineSink[]) {
    this.#indicator = indicator;
    this.#lines = lines;
  }

  draw(time: number): void {
    for (let k = 0; k < this.#lines.length; k++) this.#lines[k]!.add(time, drawable(this.#indicator.read(k)));
  }
}

/** The lines of an object that the strategy made itself: of each number that an update gives. */
class DrawnObject implements Drawn {
  readonly #lines = new Map<string, LineSink>();
  readonly #begin: (field: string) => LineSink;

  constructor(begin: (field: string) => LineSink) {
    this.#begin = begin;
  }

  draw(time: number, value: unknown): void {
    const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [['', value] as const];
    for (const [field, one] of fields) {
      if (typeof one !== 'number') continue;
      let line = this.#lines.get(field);
      if (line === undefined && (!Number.isFinite(one) || this.#lines.size >= NAMES_MOST)) continue;
      if (line === undefined) this.#lines.set(field, (line = this.#begin(field)));
      line.add(time, drawable(one));
    }
  }
}

const drawable = (value: number): number => (Number.isFinite(value) ? value : Number.NaN);

/** The shared state that this file uses. */
interface DrawingCore extends Core {
  readonly counters: EventCounters;
}

/** Characters of a note and of the name of a line. */
const TEXT_MOST = 200;
const NAME_MOST = 40;
/** Lines of notes in the log in any second, and lines that a strategy may draw in one market. */
const NOTES_A_SECOND = 10;
const NAMES_MOST = 20;
/** The log has at most one point of a line in this time. */
const POINT_EVERY_MS = 1_000;

export class Drawing {
  /** The newest note by instrument; undefined for none. */
  readonly last = new Map<number, string>();
  readonly #core: DrawingCore;
  readonly #strategy: string;
  readonly #sink: DrawingSink | null;
  /** By instrument and name: when the log had the last point. */
  readonly #points = new Map<number, Map<string, number>>();
  /** Names of own objects, by what `track` gave. */
  readonly #names = new Map<object, string>();
  #secondEndsAt = -Infinity;
  #inSecond = 0;

  constructor(core: DrawingCore, strategy: string, sink: DrawingSink | null) {
    this.#core = core;
    this.#strategy = strategy;
    this.#sink = sink;
  }

  /** A line of the log. */
  log(says: string, fields?: LogFields): void {
    this.#core.log.info('strategy-log', { strategy: this.#strategy, says, ...(readable(fields ?? {}) as LogFields) });
  }

  /** The text that a market has already says nothing new. */
  note(text: string, instrument: number): void {
    const { counters, instruments, log, now } = this.#core;
    const strategy = this.#strategy;
    const said = text.length > TEXT_MOST ? `${text.slice(0, TEXT_MOST)}…` : text;
    if (this.last.get(instrument) === said) return;
    this.last.set(instrument, said);
    this.#sink?.note(now, strategy, instrument, said);
    if (now >= this.#secondEndsAt) {
      this.#secondEndsAt = now + 1_000;
      this.#inSecond = 0;
    }
    const { symbol } = instruments[instrument]!;
    if (++this.#inSecond <= NOTES_A_SECOND) return log.info('strategy-note', { strategy, symbol, text: said });
    counters.count('notes-left-out', strategy, now, { strategy, most: NOTES_A_SECOND });
  }

  /** What draws what `tracked` made; null without a sink. */
  indicator(indicator: object, tracked: object, timeframe: string, instrument: number): Drawn | null {
    const sink = this.#sink;
    if (sink === null) return null;
    if (!isDrawable(indicator)) {
      const own = `${this.#nameOf(indicator, tracked)} ${timeframe}`;
      return new DrawnObject((field) => sink.line(this.#strategy, instrument, field === '' ? own : `${own}: ${field}`));
    }
    const { name, params, facts } = indicator;
    const title = `${name}(${Object.values(params).join(', ')}) ${timeframe}`;
    const titles = facts.outputs.length < 2 ? [title] : facts.outputs.map((output) => `${title}: ${output}`);
    const lines = titles.slice(0, NAMES_MOST).map((one) => sink.line(this.#strategy, instrument, one));
    return new DrawnIndicator(indicator, lines);
  }

  /** The class of an own object; the second of a class is number 2. */
  #nameOf(indicator: object, tracked: object): string {
    const known = this.#names.get(tracked);
    if (known !== undefined) return known;
    const { name } = indicator.constructor;
    const base = (name === 'Object' || name === '' ? 'own' : name).slice(0, NAME_MOST);
    const same = [...this.#names.values()].filter((one) => one === base || one.startsWith(`${base} `)).length;
    const found = same === 0 ? base : `${base} ${same + 1}`;
    this.#names.set(tracked, found);
    return found;
  }

  /** A value that is not finite is a gap. */
  plot(name: string, value: number, instrument: number): void {
    const { counters, instruments, log, now } = this.#core;
    const strategy = this.#strategy;
    const line = name.slice(0, NAME_MOST);
    let points = this.#points.get(instrument);
    if (!Number.isFinite(value)) {
      if (points?.has(line) === true) this.#sink?.line(strategy, instrument, line).add(now, Number.NaN);
      return;
    }
    if (points === undefined) this.#points.set(instrument, (points = new Map()));
    const loggedAt = points.get(line);
    if (loggedAt === undefined && points.size >= NAMES_MOST) {
      return counters.count('lines-left-out', strategy, now, { strategy, name: line, most: NAMES_MOST });
    }
    this.#sink?.line(strategy, instrument, line).add(now, value);
    if (loggedAt !== undefined && now - loggedAt < POINT_EVERY_MS) return;
    points.set(line, now);
    log.info('strategy-plot', { strategy, symbol: instruments[instrument]!.symbol, name: line, value });
  }
}

/** Digits of a number in the log: sums and products of sizes and prices are exact to more, and what is beyond is noise of doubles. */
const DIGITS = 12;

/** The same values; numbers, also in lists and plain objects, without noise: 0.3 for 0.1 + 0.2. */
function readable(value: unknown): unknown {
  if (typeof value === 'number') return Number.isFinite(value) && !Number.isInteger(value) ? Number(value.toPrecision(DIGITS)) : value;
  if (Array.isArray(value)) return value.map(readable);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, readable(one)]));
}

function isDrawable(indicator: object): indicator is Drawable {
  return 'facts' in indicator && 'params' in indicator && 'read' in indicator;
}
