/**
 * Keeps what strategies said and drew in a run, for the chart of prices, and the indicators that they declared. Of a line the last value in
 * each of the finest bars of the chart is kept, of the notes a few hundred, evenly spread over the run: each time there are too many, every
 * second one is dropped.
 */
import type { ChartLevels } from './chart-bars.ts';
import { packedPoints } from './packed-bars.ts';

/** Columns of one line: the value at the end of each bar in which it was drawn. */
export interface DrawnLine {
  readonly name: string;
  /** Begin of the bar in milliseconds since 1970. */
  readonly time: readonly number[];
  readonly value: readonly number[];
  /** Begins of those bars before which the line had no value; absent for none, and in reports of older versions. */
  readonly breaks?: readonly number[] | undefined;
  /** The same for finer bars; absent if there are none, and in reports of older versions. */
  readonly finer?: PackedPoints | undefined;
}

/** Points as text: see packed-bars.ts. */
export interface PackedPoints {
  readonly barMs: number;
  readonly from: number;
  readonly decimals: number;
  readonly points: string;
  readonly breaks?: readonly number[] | undefined;
}

export interface MarketDrawing {
  readonly lines: readonly DrawnLine[];
  readonly notes: readonly { readonly time: number; readonly text: string }[];
  /** Number of notes, of which `notes` may be a part. */
  readonly notesOf: number;
}

const NOTES_MOST = 1_000;

/** A list that keeps at most `most` of what it is given, evenly spread. */
class Thinned<T> {
  kept: T[] = [];
  count = 0;
  readonly #most: number;
  #every = 1;

  constructor(most: number) {
    this.#most = most;
  }

  add(one: T): void {
    if (this.count++ % this.#every !== 0) return;
    this.kept.push(one);
    if (this.kept.length < this.#most) return;
    this.kept = this.kept.filter((_, k) => k % 2 === 0);
    this.#every *= 2;
  }
}

/** The last value of each bar. What ends a bar belongs to it. */
class BarLine {
  readonly time: number[] = [];
  readonly value: number[] = [];
  readonly #barMs: number;
  /** Places of the values before which there was none. */
  readonly #breaks: number[] = [];
  #isBroken = false;
  #end = -Infinity;

  constructor(barMs: number) {
    this.#barMs = barMs;
  }

  /** NaN: no value until the next one. A bar keeps what it has. */
  add(time: number, value: number): void {
    if (Number.isNaN(value)) {
      this.#isBroken = this.time.length > 0;
      return;
    }
    if (time <= this.#end) {
      this.value[this.value.length - 1] = value;
      return;
    }
    this.#end = Math.ceil(time / this.#barMs) * this.#barMs;
    if (this.#isBroken) this.#breaks.push(this.time.length);
    this.#isBroken = false;
    this.time.push(this.#end - this.#barMs);
    this.value.push(value);
  }

  /** `levels.finerMs` is the length of its bars. */
  drawn(name: string, { barMs, finerMs }: ChartLevels): DrawnLine {
    const bars = new Map(this.time.map((at, k) => [Math.floor(at / barMs) * barMs, this.value[k]!]));
    const whole = { name, time: [...bars.keys()], value: [...bars.values()], ...this.#breaksIn(barMs) };
    if (barMs === finerMs) return whole;
    return { ...whole, finer: { barMs: finerMs, ...packedPoints(this.time, this.value, finerMs), ...this.#breaksIn(finerMs) } };
  }

  /** A bar with values on both sides of a break has none. */
  #breaksIn(barMs: number): Pick<DrawnLine, 'breaks'> {
    const barOf = (k: number): number => Math.floor(this.time[k]! / barMs) * barMs;
    const breaks = this.#breaks.filter((k) => barOf(k) !== barOf(k - 1)).map(barOf);
    return breaks.length === 0 ? {} : { breaks };
  }
}

interface Drawn {
  readonly lines: Map<string, BarLine>;
  readonly notes: Thinned<{ readonly time: number; readonly text: string }>;
}

export class Drawings {
  readonly #byInstrument = new Map<number, Drawn>();
  readonly #levels: ChartLevels;
  /** True if several strategies run: lines and notes then name theirs. */
  readonly #isNamed: boolean;

  constructor(levels: ChartLevels, isNamed: boolean) {
    this.#levels = levels;
    this.#isNamed = isNamed;
  }

  note(time: number, strategy: string, instrument: number, text: string): void {
    this.#of(instrument).notes.add({ time, text: this.#isNamed ? `${strategy}: ${text}` : text });
  }

  /** The line of this name. Its points come in order of time. */
  line(strategy: string, instrument: number, name: string): BarLine {
    const { lines } = this.#of(instrument);
    const key = this.#isNamed ? `${strategy}: ${name}` : name;
    let line = lines.get(key);
    if (line === undefined) lines.set(key, (line = new BarLine(this.#levels.finerMs)));
    return line;
  }

  /** What is drawn on the chart of an instrument; undefined for nothing. */
  chart(instrument: number): MarketDrawing | undefined {
    const drawn = this.#byInstrument.get(instrument);
    if (drawn === undefined) return undefined;
    const lines = [...drawn.lines].flatMap(([name, line]) => (line.time.length === 0 ? [] : [line.drawn(name, this.#levels)]));
    return { lines, notes: drawn.notes.kept, notesOf: drawn.notes.count };
  }

  #of(instrument: number): Drawn {
    let drawn = this.#byInstrument.get(instrument);
    if (drawn === undefined) this.#byInstrument.set(instrument, (drawn = { lines: new Map(), notes: new Thinned(NOTES_MOST) }));
    return drawn;
  }
}
