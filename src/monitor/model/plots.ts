/** Keeps the lines that the strategies of a bot draw with `ctx.plot`: by symbol and name, one value a minute. */
import { MINUTE_MS } from '../../base/time/time-spans.ts';
import type { NoteRow } from '../../control/changes.ts';

export interface PlotLine {
  readonly strategy: string;
  readonly name: string;
  /** Begin of the minute in milliseconds since 1970, and the last value in it as a decimal string; oldest first. */
  readonly rows: readonly (readonly [time: number, value: string])[];
}

/** Lines of a symbol that are kept; of more, those that began first are dropped. */
const LINES_MOST = 20;

interface Drawn extends PlotLine {
  readonly rows: [time: number, value: string][];
}

export class Plots {
  readonly #most: number;
  readonly #bySymbol = new Map<string, Drawn[]>();

  /** Keeps so many minutes of each line. */
  constructor(most: number) {
    this.#most = most;
  }

  take({ strategy, symbol, line, value }: NoteRow, time: number): void {
    if (line === undefined || value === undefined) return;
    let lines = this.#bySymbol.get(symbol);
    if (lines === undefined) this.#bySymbol.set(symbol, (lines = []));
    let drawn = lines.find((one) => one.strategy === strategy && one.name === line);
    if (drawn === undefined) lines.push((drawn = { strategy, name: line, rows: [] }));
    if (lines.length > LINES_MOST) lines.shift();
    const minute = time - (time % MINUTE_MS);
    const last = drawn.rows.at(-1);
    if (last?.[0] === minute) last[1] = value;
    else drawn.rows.push([minute, value]);
    if (drawn.rows.length > this.#most) drawn.rows.shift();
  }

  /** The lines of a symbol. */
  of(symbol: string): readonly PlotLine[] {
    return [...(this.#bySymbol.get(symbol) ?? [])];
  }
}
