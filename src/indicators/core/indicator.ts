/** What a user holds: a kernel with checked inputs, a history, named outputs and, if composed, the indicators that feed it. */
import { Grid, type Unit } from './whole-numbers.ts';
import { Kernel, type Candle, type InputKind } from './inputs.ts';
import { Part, type Saved } from './part.ts';
import { Ring } from './rolling.ts';
import { SampleBars, sampleInput } from './synthetic-bars.ts';

/** An incremental indicator: `O` are its named outputs, `A` what `update` takes. */
export type Indicator<O extends string = never, A extends readonly unknown[] = [input: number | Candle]> = IndicatorBase<O, A> & {
  readonly [K in O]: number;
};

/** What every indicator can do. */
export interface IndicatorBase<O extends string, A extends readonly unknown[]> {
  /** Name of the function that made it. */
  readonly name: string;
  readonly params: Readonly<Record<string, number | string>>;
  /** Number of updates before the first that gives a value. */
  readonly lookback: number;
  /** True once there is a value. */
  readonly isReady: boolean;
  /** The newest value, that of the first output; NaN until `isReady`. */
  readonly value: number;
  /** Takes the next input and returns the new value. @throws RangeError if the input is not finite; then nothing has changed */
  update(...input: A): number;
  /** The older name of `update`. */
  next(...input: A): number;
  /** The value of `back` updates ago (0 is the newest); NaN where there was none yet. @throws RangeError beyond what is kept */
  at(back: number, output?: O): number;
  /** Keeps `count` values for `at` instead of 64. What was kept so far is dropped. */
  keep(count: number): this;
  /** One of the outputs, to feed another indicator: `ema(macd().output('signal'), 9)`. */
  output(name: O): Indicator<never, A>;
  /** The whole state as plain JSON. */
  save(): Saved;
  /** Takes the state of `save`. @throws RangeError if it is of another indicator or other parameters; then nothing has changed */
  restore(saved: Saved): void;
  /** Forgets everything, as if just made. */
  reset(): void;
}

/** What the table says and an indicator has to know. */
export interface Facts {
  readonly name: string;
  readonly input: InputKind;
  readonly outputs: readonly string[];
  /** Of each output. */
  readonly units: readonly Unit[];
}

const KEPT = 64;
/** No lookback is longer; an indicator that is not ready after so many inputs waits for something in the data. */
const LONGEST_WAIT = 1_000_000;

export abstract class IndicatorObject extends Part {
  readonly facts: Facts;
  readonly params: Readonly<Record<string, number | string>>;
  kernel: Kernel;
  sources: IndicatorObject[];
  grid: Grid;
  rings: Ring[];
  /** Name of the indicator that this one feeds; '' for none. */
  owner = '';
  /** Makes another one like this, without its state. */
  readonly again: () => IndicatorObject;

  constructor(facts: Facts, params: Readonly<Record<string, number | string>>, parts: Parts) {
    super();
    this.facts = facts;
    this.params = params;
    this.kernel = parts.kernel;
    this.sources = parts.sources;
    this.again = parts.again;
    // What another indicator gives is no decimal.
    this.grid = new Grid(parts.sources.length > 0 ? facts.outputs.map(() => 'raw') : facts.units);
    this.rings = facts.outputs.map(() => new Ring(KEPT));
    for (const source of parts.sources) {
      if (source.owner !== '') throw new RangeError(`${source.name} feeds ${source.owner} already: make a second one for ${facts.name}`);
      source.owner = facts.name;
    }
  }

  abstract advance(input: unknown, second?: unknown): void;

  get name(): string {
    return this.facts.name;
  }

  get isReady(): boolean {
    return this.kernel.isReady;
  }

  get value(): number {
    return this.grid.newest;
  }

  /** The output at this place of the list. */
  read(index: number): number {
    const { grid, kernel } = this;
    if (index === 0) return grid.newest;
    if (!kernel.isReady) return Number.NaN;
    return (kernel as unknown as Record<string, number>)[this.facts.outputs[index]!]! / grid.divisors[index]!;
  }

  get lookback(): number {
    const fresh = this.again();
    const bars = new SampleBars();
    let kind = fresh;
    while (kind.sources[0] !== undefined) kind = kind.sources[0];
    for (let count = 0; count < LONGEST_WAIT; count++) {
      const [input, second] = sampleInput(kind.facts.input, bars.next());
      fresh.advance(input, second);
      if (fresh.isReady) return count;
    }
    return Infinity;
  }

  update(input: unknown, second?: unknown): number {
    if (this.owner !== '') throw new RangeError(`${this.name} feeds ${this.owner}: update that one, it updates this one`);
    this.advance(input, second);
    return this.grid.newest;
  }

  next(input: unknown, second?: unknown): number {
    return this.update(input, second);
  }

  at(back: number, output?: string): number {
    const index = output === undefined ? 0 : this.facts.outputs.indexOf(output);
    const ring = this.rings[index];
    if (ring === undefined) throw new RangeError(`${this.name} has no output "${output}": it has ${this.facts.outputs.join(', ')}`);
    if (!(Number.isSafeInteger(back) && back >= 0 && back < ring.values.length)) {
      throw new RangeError(`${this.name} keeps ${ring.values.length} values, found at(${back}): call keep(${back + 1}) when you make it`);
    }
    return back < ring.count ? ring.get(back) : Number.NaN;
  }

  keep(count: number): this {
    if (!(Number.isSafeInteger(count) && count >= 1)) throw new RangeError(`keep takes an integer from 1, found ${count}`);
    this.rings = this.rings.map(() => new Ring(count));
    for (const ring of this.rings) ring.seal();
    return this;
  }

  output(name: string): IndicatorObject {
    const index = this.facts.outputs.indexOf(name);
    if (index < 0) throw new RangeError(`${this.name} has no output "${name}": it has ${this.facts.outputs.join(', ')}`);
    const again = (): IndicatorObject => this.again().output(name);
    const view = new OutputView(
      { ...this.facts, outputs: ['value'], units: ['raw'] },
      this.params,
      { kernel: new Seen(), sources: [this], again },
      name,
    );
    view.seal();
    return view;
  }

  override save(): Saved {
    return { name: this.name, params: this.params, ...super.save() };
  }

  override restore(saved: Saved): void {
    const [found, own] = [describe(saved), describe({ name: this.name, params: this.params })];
    if (found !== own) throw new RangeError(`${own} cannot take the state of ${found}: give what save() of the same indicator returned`);
    const before = super.save();
    const depth = keptIn(saved);
    if (depth !== this.rings[0]!.values.length) this.keep(depth);
    try {
      super.restore(saved);
    } catch (error) {
      this.keep(keptIn(before));
      super.restore(before);
      throw error;
    }
  }

  /** Notes the new outputs; called after each step of the kernel. */
  record(): void {
    const { grid, kernel, rings } = this;
    if (!kernel.isReady) return;
    rings[0]!.push(grid.take(kernel.value));
    if (rings.length > 1) this.#recordMore();
  }

  #recordMore(): void {
    const { rings } = this;
    const { outputs } = this.facts;
    const fields = this.kernel as unknown as Record<string, number>;
    const { divisors } = this.grid;
    for (let i = 1; i < rings.length; i++) rings[i]!.push(fields[outputs[i]!]! / divisors[i]!);
  }

  /** Feeds the source and says whether it has something to pass on; a result that is no finite number is not passed on. */
  isFed(source: IndicatorObject, input: unknown, second: unknown): boolean {
    source.advance(input, second);
    return source.isReady && Number.isFinite(source.grid.newest);
  }
}

/** What an indicator is made of. */
export interface Parts {
  readonly kernel: Kernel;
  readonly sources: IndicatorObject[];
  readonly again: () => IndicatorObject;
}

function describe(saved: Saved): string {
  const params = saved['params'];
  const name = saved['name'];
  const isRight = typeof name === 'string' && typeof params === 'object';
  return isRight ? `${name}(${JSON.stringify(params)})` : 'something that save() did not make';
}

function keptIn(saved: Saved): number {
  const [ring] = Array.isArray(saved['rings']) ? (saved['rings'] as Saved[]) : [];
  const values = ring?.['values'];
  return Array.isArray(values) && values.length > 0 ? values.length : KEPT;
}

class Seen extends Kernel {}

/** One output of another indicator. */
class OutputView extends IndicatorObject {
  readonly field: string;

  constructor(facts: Facts, params: Readonly<Record<string, number | string>>, parts: Parts, field: string) {
    super(facts, params, parts);
    this.field = field;
  }

  override advance(input: unknown, second?: unknown): void {
    const source = this.sources[0]!;
    source.advance(input, second);
    if (!source.isReady) return;
    this.kernel.value = (source as unknown as Record<string, number>)[this.field]!;
    this.kernel.isReady = true;
    this.record();
  }
}
