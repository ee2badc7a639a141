/**
 * What strategies said and drew in a run, for the chart of prices. Of a line at most a few thousand points are kept, of the notes a few
 * hundred, evenly spread over the run: each time there are too many, every second one is dropped.
 */

/** Columns of one line: the value at the end of each bar in which it was drawn. */
export interface DrawnLine {
  readonly name: string;
  /** Begin of the bar in milliseconds since 1970. */
  readonly time: readonly number[];
  readonly value: readonly number[];
}

export interface MarketDrawing {
  readonly lines: readonly DrawnLine[];
  readonly notes: readonly { readonly time: number; readonly text: string }[];
  /** Number of notes, of which `notes` may be a part. */
  readonly notesOf: number;
}

const POINTS_MOST = 20_000;
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

interface Drawn {
  readonly lines: Map<string, Thinned<readonly [time: number, value: number]>>;
  readonly notes: Thinned<{ readonly time: number; readonly text: string }>;
}

export class Drawings {
  readonly #byInstrument = new Map<number, Drawn>();
  /** True if several strategies run: lines and notes then name theirs. */
  readonly #isNamed: boolean;

  constructor(isNamed: boolean) {
    this.#isNamed = isNamed;
  }

  note(time: number, strategy: string, instrument: number, text: string): void {
    this.#of(instrument).notes.add({ time, text: this.#isNamed ? `${strategy}: ${text}` : text });
  }

  plot(time: number, strategy: string, instrument: number, name: string, value: number): void {
    const { lines } = this.#of(instrument);
    const key = this.#isNamed ? `${strategy}: ${name}` : name;
    let line = lines.get(key);
    if (line === undefined) lines.set(key, (line = new Thinned(POINTS_MOST)));
    line.add([time, value]);
  }

  /** What is drawn on a chart with bars of `barMs`; undefined for nothing. */
  chart(instrument: number, barMs: number): MarketDrawing | undefined {
    const drawn = this.#byInstrument.get(instrument);
    if (drawn === undefined) return undefined;
    const lines = [...drawn.lines].map(([name, { kept }]) => {
      const bars = new Map(kept.map(([time, value]) => [Math.floor(time / barMs) * barMs, value]));
      return { name, time: [...bars.keys()], value: [...bars.values()] };
    });
    return { lines, notes: drawn.notes.kept, notesOf: drawn.notes.count };
  }

  #of(instrument: number): Drawn {
    let drawn = this.#byInstrument.get(instrument);
    if (drawn === undefined) this.#byInstrument.set(instrument, (drawn = { lines: new Map(), notes: new Thinned(NOTES_MOST) }));
    return drawn;
  }
}
