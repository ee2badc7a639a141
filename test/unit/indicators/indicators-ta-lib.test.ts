/** Every function of TA-Lib against the vectors of `test/golden/ta-lib-vectors.py`. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AVERAGES } from '../../../src/indicators/kernels/averages/average-of.ts';
import { INDICATORS, type AnyIndicatorFunction } from '../../../src/indicators/table.ts';
import { sampleBars } from '../../../src/indicators/core/synthetic-bars.ts';
import { patternBars } from '../../support/tape/pattern-bars.ts';

interface Vector {
  readonly name: string;
  readonly params: readonly number[];
  readonly lookback: number;
  readonly step: number;
  readonly outputs: readonly (readonly (number | null)[])[];
}

interface Golden {
  readonly functions: readonly string[];
  readonly rows: number;
  readonly vectors: readonly Vector[];
}

const golden = JSON.parse(readFileSync(new URL('../../golden/ta-lib.json', import.meta.url), 'utf8')) as Golden;
const bars = sampleBars(golden.rows);
const others = sampleBars(golden.rows, 2);
/** The vectors have 12 digits; what is smaller than this is the rounding of a difference of prices near 100. */
const RELATIVE = 1e-9;
const ABSOLUTE = 1e-11;

/** TA-Lib numbers its averages; it has one number between "none" and the zero lag average that no function here takes. */
const TYPES = [...AVERAGES.slice(0, 11), undefined, ...AVERAGES.slice(11)];

/** Functions of numbers: they are given numbers from 0.4 to 0.7, so that each is defined. */
const TRANSFORMS = new Set('acos asin atan ceil cos cosh exp floor ln log10 sin sinh sqrt tan tanh'.split(' '));

const byName = new Map(INDICATORS.flatMap((make) => (make.row.talib === undefined ? [] : [[make.row.talib, make] as const])));

function inputOf(make: AnyIndicatorFunction, index: number): readonly unknown[] {
  const bar = bars[index]!;
  if (make.row.name === 'mavp') return [bar.close, 2 + (Math.round(bar.high * 64) % 13)];
  if (make.row.input === 'pair') return [bar.close, others[index]!.close];
  return [TRANSFORMS.has(make.row.name) ? bar.close / 200 : bar];
}

/** The largest relative error of a vector, or what is wrong. */
function errorOf(vector: Vector): number | string {
  const make = byName.get(vector.name)!;
  const { row } = make;
  const params = vector.params.map((value, index) => (row.params[index]!.kind === 'choice' ? TYPES[value] : value));
  const indicator = make(...params);
  if (row.outputs.length !== vector.outputs.length) return `${vector.outputs.length} outputs expected`;
  if (indicator.lookback !== vector.lookback) return `lookback ${indicator.lookback}, expected ${vector.lookback}`;
  let worst = 0;
  for (let i = 0; i < bars.length; i++) {
    const [input, second] = inputOf(make, i);
    indicator.update(input, second);
    if (indicator.isReady !== i >= vector.lookback) return `isReady is ${indicator.isReady} at ${i}`;
    if (i % vector.step !== 0 || i < vector.lookback) continue;
    for (const [k, output] of row.outputs.entries()) {
      const expected = vector.outputs[k]![i / vector.step]!;
      const found = indicator.at(0, output);
      const error = Math.abs(found - expected);
      if (!(error <= ABSOLUTE || error <= RELATIVE * Math.abs(expected))) return `${output} at ${i} is ${found}, expected ${expected}`;
      if (error > ABSOLUTE) worst = Math.max(worst, error / Math.abs(expected));
    }
  }
  return worst;
}

interface PatternVector {
  readonly name: string;
  readonly params: readonly number[];
  readonly lookback: number;
  readonly hits: number;
  readonly checksum: number;
  /** Row and value of the first hits. */
  readonly first: readonly (readonly [row: number, value: number])[];
}

const patterns = JSON.parse(readFileSync(new URL('../../golden/ta-lib-patterns.json', import.meta.url), 'utf8')) as {
  readonly rows: number;
  readonly vectors: readonly PatternVector[];
};

describe('candlestick patterns and TA-Lib', () => {
  const candles = patternBars(patterns.rows);

  it.each(patterns.vectors.map((vector) => [`${vector.name}(${vector.params.join(', ')})`, vector] as const))('%s agrees', (_, vector) => {
    const indicator = byName.get(vector.name)!(...vector.params);
    const first: [number, number][] = [];
    let [hits, checksum] = [0, 0];
    for (const [row, candle] of candles.entries()) {
      const value = indicator.update(candle);
      if (!indicator.isReady || value === 0) continue;
      hits++;
      checksum = (checksum * 31 + row * 7 + value + 1000) % 1_000_000_007;
      if (first.length < vector.first.length) first.push([row, value]);
    }
    expect({ ...vector, lookback: indicator.lookback, first, hits, checksum }).toEqual(vector);
  });
});

describe('indicators and TA-Lib', () => {
  it.each(golden.vectors.map((vector) => [`${vector.name}(${vector.params.join(', ')})`, vector] as const))('%s agrees', (_, vector) => {
    expect(errorOf(vector)).toBeLessThanOrEqual(RELATIVE);
  });

  it('the table has every function of TA-Lib and names no other', () => {
    expect([...byName.keys()].toSorted()).toEqual([...golden.functions].toSorted());
    expect(golden.functions.length).toBeGreaterThanOrEqual(158);
  });

  it('every function has a vector', () => {
    const names = new Set([...golden.vectors, ...patterns.vectors].map((vector) => vector.name));
    expect([...byName.keys()].filter((name) => !names.has(name))).toEqual([]);
  });
});
