/** A row of the table of indicators, and the function that a row becomes. */
import type { Unit } from './whole-numbers.ts';
import { IndicatorObject, type Indicator } from './indicator.ts';
import type { Candle, InputKind, KernelOf, TopOfBook, TradePrint } from './inputs.ts';
import { CLASSES } from './kinds.ts';
import { readParams, type IndicatorParam, type NamedValues, type ValuesOf } from './params.ts';

export type Family =
  | 'averages'
  | 'momentum'
  | 'trend'
  | 'volatility'
  | 'volume'
  | 'price'
  | 'cycle'
  | 'statistics'
  | 'math'
  | 'patterns'
  | 'order flow';

/** What is known of an indicator. Code, exports, pages and tests come from it. */
export interface Row<
  K extends InputKind = InputKind,
  P extends readonly IndicatorParam[] = readonly IndicatorParam[],
  O extends readonly string[] = readonly string[],
> {
  readonly name: string;
  readonly title: string;
  readonly family: Family;
  readonly input: K;
  readonly params: P;
  /** The first is `value`; the others are fields of the kernel. */
  readonly outputs: O;
  /** What all outputs or each of them are measured in. Default: ratio. */
  readonly unit?: Unit | readonly Unit[];
  readonly formula: string;
  /** Where it comes from: the TA-Lib function, or an author. */
  readonly source: string;
  /** The function of TA-Lib that gives the same numbers, if there is one. */
  readonly talib?: string;
  readonly kernel: new (...values: ValuesOf<P>) => KernelOf[K];
}

/** What `update` takes for each kind of input. */
export interface ArgsOf {
  readonly value: [input: number | Candle];
  readonly bar: [bar: Candle];
  readonly volumeBar: [bar: Candle & { readonly volume: number }];
  readonly timedBar: [bar: Candle & { readonly volume: number; readonly start: number }];
  readonly pair: [x: number, y: number];
  readonly quote: [quote: TopOfBook];
  readonly trade: [trade: TradePrint];
}

export interface Plain<K extends InputKind, P extends readonly IndicatorParam[], O extends string> {
  (...params: Partial<ValuesOf<P>>): Indicator<O, ArgsOf[K]>;
  (params: NamedValues<P>): Indicator<O, ArgsOf[K]>;
  readonly row: Row;
}

export interface OfValues<P extends readonly IndicatorParam[], O extends string> extends Plain<'value', P, O> {
  <A extends readonly unknown[]>(source: Indicator<never, A>, ...params: Partial<ValuesOf<P>>): Indicator<O, A>;
  <A extends readonly unknown[]>(source: Indicator<never, A>, params: NamedValues<P>): Indicator<O, A>;
}

export interface OfPairs<P extends readonly IndicatorParam[], O extends string> extends Plain<'pair', P, O> {
  <A extends readonly unknown[]>(x: Indicator<never, A>, y: Indicator<never, A>, ...params: Partial<ValuesOf<P>>): Indicator<O, A>;
  <A extends readonly unknown[]>(x: Indicator<never, A>, y: Indicator<never, A>, params: NamedValues<P>): Indicator<O, A>;
}

/** The function that a row becomes: parameters one after the other or in one object; before them the indicators that feed it. */
export type IndicatorFunction<K extends InputKind, P extends readonly IndicatorParam[], O extends string> = K extends 'value'
  ? OfValues<P, O>
  : K extends 'pair'
    ? OfPairs<P, O>
    : Plain<K, P, O>;

const SOURCES: Readonly<Record<InputKind, number>> = { value: 1, bar: 0, volumeBar: 0, timedBar: 0, pair: 2, quote: 0, trade: 0 };

/** Makes the function of a row. */
export function indicator<const K extends InputKind, const P extends readonly IndicatorParam[], const O extends readonly string[]>(
  row: Row<K, P, O>,
): IndicatorFunction<K, P, O[number]> {
  const { name, input, params, outputs, unit = 'ratio' } = row;
  const facts = { name, input, outputs, units: typeof unit === 'string' ? outputs.map(() => unit) : unit };
  const Base = CLASSES[input] as (typeof CLASSES)['bar'];
  class Own extends Base {}
  for (const [index, output] of outputs.entries()) {
    if (output === 'value') continue;
    Object.defineProperty(Own.prototype, output, {
      get(this: Own): unknown {
        return this.read(index);
      },
    });
  }
  const construct = (sources: IndicatorObject[], values: readonly (number | string)[]): IndicatorObject => {
    const kernel = new row.kernel(...(values as ValuesOf<P>));
    const named = Object.fromEntries(params.map((param, index) => [param.name, values[index]!]));
    const again = (): IndicatorObject =>
      construct(
        sources.map((source) => source.again()),
        values,
      );
    const made = new Own(facts, named, { kernel, sources, again });
    made.seal();
    return made;
  };
  const make = (...args: unknown[]): IndicatorObject => {
    const sources = args.filter((arg) => arg instanceof IndicatorObject);
    if (sources.length > 0 && sources.length !== SOURCES[input]) {
      throw new RangeError(`${name} can be fed by ${SOURCES[input]} other indicators, found ${sources.length}`);
    }
    return construct(sources, readParams(name, params, args.slice(sources.length)));
  };
  return Object.assign(make, { row: row as unknown as Row }) as unknown as IndicatorFunction<K, P, O[number]>;
}
