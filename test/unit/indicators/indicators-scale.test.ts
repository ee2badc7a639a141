/**
 * Indicators on real prices. Decimals have no exact double, so each indicator is run on whole ticks and on the same bars at other tick and lot
 * sizes: what it says may differ in nothing but the unit, in calm, wild, frozen and empty markets.
 */
import { describe, expect, it } from 'vitest';
import { cci, cmo, correl, mfi, minusDi, plusDi, rsi } from '../../../src/index.ts';
import type { Unit } from '../../../src/indicators/core/whole-numbers.ts';
import type { Candle } from '../../../src/indicators/core/inputs.ts';
import { INDICATORS, type AnyIndicatorFunction } from '../../../src/indicators/table.ts';
import { Random } from '../../../src/base/random.ts';

type Bar = Required<Candle>;

const ROWS = 700;
/** Of the range of the output. */
const TOLERANCE = 1e-9;

/** Prices in ticks and volumes in lots. */
function marketOf(kind: 'wild' | 'tight' | 'frozen' | 'stops' | 'gaps'): Bar[] {
  const random = new Random(kind.length * 31);
  const below = (n: number): number => random.below(n);
  let price = 9_000;
  return Array.from({ length: ROWS }, (_, k) => {
    let volume = 100 + below(900);
    const isStill = kind === 'frozen' ? k > 200 && k < 600 : kind === 'stops' && k % 90 > 45;
    let open = price;
    let [wick, body] = [0, 0];
    if (!isStill) {
      [wick, body] = kind === 'tight' ? [2, 3] : [40, 97];
      open += below(kind === 'tight' ? 3 : 5) - (kind === 'tight' ? 1 : 2);
      if (kind === 'gaps' && below(40) === 0) open += below(3_000) - 1_500;
      if (open < 3_000) open += 3_000;
    } else if (kind === 'stops') volume = 0;
    const close = isStill ? open : open + below(body) - (body >> 1);
    const high = Math.max(open, close) + (isStill ? 0 : below(wick));
    const low = Math.min(open, close) - (isStill ? 0 : below(wick));
    price = close;
    return { open, high, low, close, volume, start: k * 60_000 };
  });
}

/** A tick and a lot as powers of ten: prices near 9·10⁻⁵, 0.009, 90, 900,000. */
const GRIDS = [
  { tick: -2, lot: -3 },
  { tick: -8, lot: 0 },
  { tick: 2, lot: -8 },
  { tick: -6, lot: -1 },
] as const;

/** The decimal as a program reads it from a text, such as "90.01". */
function decimal(whole: number, exponent: number): number {
  return Number(`${whole}e${exponent}`);
}

function inputOf(
  { row }: AnyIndicatorFunction,
  { open, high, low, close, volume, start }: Bar,
  tick: number,
  lot: number,
): readonly unknown[] {
  const price = (ticks: number): number => decimal(ticks, tick);
  const size = decimal(volume, lot);
  if (row.input === 'quote') return [{ bid: price(low), ask: price(high + 1), bidSize: size, askSize: decimal(1_100 - volume, lot) }];
  if (row.input === 'trade') return [{ price: price(close), size, side: close >= open ? 'BUY' : 'SELL' }];
  if (row.input === 'pair') return [price(close), price(open)];
  return [{ open: price(open), high: price(high), low: price(low), close: price(close), volume: size, start }];
}

function outputsOf(make: AnyIndicatorFunction, bars: readonly Bar[], tick = 0, lot = 0): number[][] {
  const indicator = make() as unknown as { update: (...input: readonly unknown[]) => number; isReady: boolean } & Record<string, number>;
  const series = make.row.outputs.map((): number[] => []);
  for (const bar of bars) {
    indicator.update(...inputOf(make, bar, tick, lot));
    for (const [k, output] of make.row.outputs.entries()) series[k]!.push(indicator.isReady ? indicator[output]! : Number.NaN);
  }
  return series;
}

/** Powers of the tick and of the lot. */
const POWERS: Readonly<Record<Exclude<Unit, 'raw'>, readonly [tick: number, lot: number]>> = {
  ratio: [0, 0],
  price: [1, 0],
  'price²': [2, 0],
  size: [0, 1],
  turnover: [1, 1],
  'price per size': [1, -1],
  'per turnover': [-1, -1],
};

const unitsOf = ({ row: { outputs, unit = 'ratio' } }: AnyIndicatorFunction): readonly Unit[] =>
  typeof unit === 'string' ? outputs.map(() => unit) : unit;

/** The largest distance of an output from that on whole ticks, as a share of its range, and where. */
function worstOf(whole: readonly number[], found: readonly number[], factor: number): { readonly error: number; readonly at: number } {
  const numbers = whole.filter(Number.isFinite);
  const range = Math.max(...numbers) - Math.min(...numbers) || Math.abs(numbers[0] ?? 0) || 1;
  let worst = { error: 0, at: -1 };
  for (const [at, x] of whole.entries()) {
    const error = Object.is(x, found[at]! * factor) ? 0 : Math.abs(x - found[at]! * factor) / range;
    if (!(error <= worst.error)) worst = { error, at };
  }
  return worst;
}

const scaled = INDICATORS.filter((make) => !unitsOf(make).includes('raw'));

describe.each(['wild', 'tight', 'frozen', 'stops', 'gaps'] as const)('in a %s market', (kind) => {
  const bars = marketOf(kind);

  it.each(scaled.map((make) => [make.row.name, make] as const))('%s is the same at each tick and lot size', (_, make) => {
    const whole = outputsOf(make, bars);
    for (const { tick, lot } of GRIDS) {
      const found = outputsOf(make, bars, tick, lot);
      for (const [k, unit] of unitsOf(make).entries()) {
        const [ticks, lots] = POWERS[unit as Exclude<Unit, 'raw'>];
        const { error, at } = worstOf(whole[k]!, found[k]!, 10 ** -(ticks * tick + lots * lot));
        const where = `${make.row.outputs[k]} at ${at}, tick 1e${tick}, lot 1e${lot}: ${whole[k]![at]} and ${found[k]![at]}`;
        expect(error, where).toBeLessThanOrEqual(TOLERANCE);
      }
    }
  });
});

it('few indicators take their inputs as they are, each for a reason', () => {
  const raw = INDICATORS.filter((make) => unitsOf(make).includes('raw')).map(({ row }) => row);
  // Two inputs may be of two markets.
  expect(raw.filter(({ input }) => input === 'pair').length).toBe(INDICATORS.filter(({ row }) => row.input === 'pair').length);
  // Functions of the number itself; angles and logarithms; noise, buckets and a start in units of the price or volume.
  const others = 'acos asin atan ceil cos cosh exp floor halfLife linearregAngle ln log10 sarext sin sinh sqrt tan tanh vpin';
  expect(raw.flatMap(({ input, name }) => (input === 'pair' ? [] : [name])).toSorted()).toEqual(others.split(' ').toSorted());
});

describe('where nothing moves', () => {
  const bars = marketOf('frozen');
  const at = (k: number): Bar => {
    const { open, high, low, close, volume, start } = bars[k]!;
    return { open: decimal(open, -6), high: decimal(high, -6), low: decimal(low, -6), close: decimal(close, -6), volume, start };
  };

  it('rsi, cmo and ±DI stay as they were for 400 bars: both sides shrink alike', () => {
    for (const indicator of [rsi(), cmo(), plusDi(), minusDi()]) {
      for (let k = 0; k <= 202; k++) indicator.update(at(k));
      const before = indicator.value;
      expect(Math.abs(before)).toBeGreaterThan(1);
      for (let k = 203; k < 600; k++) expect(indicator.update(at(k))).toBe(before);
    }
  });

  it('cci and mfi are 0 once the window is flat', () => {
    const [distance, flow] = [cci(), mfi()];
    for (let k = 0; k < 600; k++) {
      distance.update(at(k));
      flow.update(at(k));
      if (k > 230) expect([distance.value, flow.value]).toEqual([0, 0]);
    }
  });

  it('correl of returns of a cheap coin is what their covariance says, and 0 if one side is flat', () => {
    const correlation = correl(20);
    const random = new Random(5);
    const pairs = Array.from({ length: 60 }, () => {
      const x = (random.uniform() - 0.5) * 1e-8;
      return [x, 0.7 * x + (random.uniform() - 0.5) * 1e-9] as const;
    });
    for (const [x, y] of pairs) correlation.update(x, y);
    const window = pairs.slice(-20);
    const mean = (side: 0 | 1): number => window.reduce((sum, pair) => sum + pair[side], 0) / 20;
    const product = (a: 0 | 1, b: 0 | 1): number => window.reduce((sum, pair) => sum + (pair[a] - mean(a)) * (pair[b] - mean(b)), 0);
    expect(correlation.value).toBeCloseTo(product(0, 1) / Math.sqrt(product(0, 0) * product(1, 1)), 9);
    expect(correlation.value).toBeGreaterThan(0.9);
    for (let k = 0; k < 20; k++) correlation.update(0.1 + 0.2, random.uniform());
    expect(correlation.value).toBe(0);
  });
});
