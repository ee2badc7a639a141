/** What every indicator of the table promises: save and restore, reset, bad inputs, parameters, history, composition, no drift. */
import { describe, expect, it } from 'vitest';
import * as door from '../../../src/index.ts';
import { atr, bbands, correl, ema, macd, rsi, sma, stddev, wma, type Indicator } from '../../../src/index.ts';
import { sampleBars, sampleInput } from '../../../src/indicators/core/synthetic-bars.ts';
import { INDICATORS, type AnyIndicatorFunction } from '../../../src/indicators/table.ts';

type Any = ReturnType<AnyIndicatorFunction>;

const all = INDICATORS.map((make) => [make.row.name, make] as const);
/** Enough for the longest lookback of the defaults and a window more. */
const ROWS = 420;
const bars = sampleBars(ROWS, 7);

function feed(indicator: Any, make: AnyIndicatorFunction, from: number, to: number): void {
  for (const bar of bars.slice(from, to)) {
    const [input, second] = sampleInput(make.row.input, bar);
    indicator.update(input, second);
  }
}

/** All outputs, bit for bit. */
function outputsOf(indicator: Any, make: AnyIndicatorFunction): string {
  return JSON.stringify([indicator.isReady, make.row.outputs.map((output) => bitsOf((indicator as any)[output]))]);
}

function bitsOf(value: number): string {
  return new BigUint64Array(new Float64Array([value]).buffer)[0]!.toString(16);
}

/** Where to stop: another place for each indicator, the same in each run. */
function placeOf(name: string): number {
  return 1 + ([...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 10007, 7) % (ROWS - 20));
}

describe('the table', () => {
  it('has 150 indicators and more, each under one name, each behind the public door', () => {
    expect(INDICATORS.length).toBeGreaterThanOrEqual(150);
    expect(new Set(INDICATORS.map(({ row }) => row.name)).size).toBe(INDICATORS.length);
    const exported = door as unknown as Record<string, unknown>;
    expect(INDICATORS.filter((make) => exported[make.row.name] !== make).map(({ row }) => row.name)).toEqual([]);
  });

  it('says what each one is', () => {
    const silent = INDICATORS.filter(({ row }) => row.title === '' || row.formula === '' || row.source === '' || row.outputs.length === 0);
    expect(silent.map(({ row }) => row.name)).toEqual([]);
  });
});

describe.each(all)('%s', (name, make) => {
  it('goes on from a saved state as if nothing had happened', () => {
    const whole = make();
    for (const place of new Set([placeOf(name), ROWS - 10])) {
      whole.reset();
      feed(whole, make, 0, place);
      const copy = make();
      feed(copy, make, 30, 60);
      copy.restore(JSON.parse(JSON.stringify(whole.save())));
      for (let i = place; i < Math.min(ROWS, place + 60); i++) {
        feed(whole, make, i, i + 1);
        feed(copy, make, i, i + 1);
        expect(outputsOf(copy, make), `row ${i}`).toBe(outputsOf(whole, make));
      }
      expect(copy.save()).toEqual(whole.save());
    }
  });

  it('is like new after reset', () => {
    const used = make();
    feed(used, make, 0, placeOf(name));
    used.reset();
    expect(used.save()).toEqual(make().save());
    const fresh = make();
    for (let i = 0; i < 150; i++) {
      feed(used, make, i, i + 1);
      feed(fresh, make, i, i + 1);
      expect(outputsOf(used, make)).toBe(outputsOf(fresh, make));
    }
  });

  it('has outputs of those names, a lookback, and NaN before', () => {
    const indicator = make();
    const { lookback } = indicator;
    // Where the data decide (a full bucket, a session that is over), the lookback is that of the first sample bars.
    for (const bar of sampleBars(lookback + 1)) {
      if (indicator.isReady || !Number.isNaN(indicator.at(0))) expect.fail('ready too early');
      const [input, second] = sampleInput(make.row.input, bar);
      indicator.update(input, second);
    }
    expect(indicator.isReady).toBe(true);
    const fields = indicator as unknown as Record<string, unknown>;
    for (const output of make.row.outputs) expect(typeof fields[output], output).toBe('number');
    expect(fields[make.row.outputs[0]!]).toEqual(indicator.value);
  });

  it('throws for what is not finite, and stays as it was', () => {
    const indicator = make();
    feed(indicator, make, 0, 5);
    const before = JSON.stringify(indicator.save());
    for (const bad of badInputs(make)) {
      expect(() => indicator.update(...(bad as [unknown, unknown])), JSON.stringify(bad)).toThrow(new RegExp(`^${name} takes .*found`));
    }
    expect(JSON.stringify(indicator.save())).toBe(before);
  });

  it('refuses parameters that are none', () => {
    expect(() => make({ nonsense: 1 })).toThrow(`${name} has no parameter "nonsense": it takes`);
    expect(() => make(...make.row.params.map((param) => param.initial), 1)).toThrow(`${name} takes`);
    for (const param of make.row.params) {
      const bad = param.kind === 'choice' ? ['no such', 3] : [param.min - 1, param.max * 2 + 1, Number.NaN, '7', null];
      for (const value of bad) expect(() => make({ [param.name]: value })).toThrow(`${name}: ${param.name} is`);
      expect(make({ [param.name]: param.initial }).params).toEqual(make().params);
    }
  });
});

function badInputs(make: AnyIndicatorFunction): unknown[][] {
  const bad = [Number.NaN, Infinity, -Infinity, undefined, '7'];
  const [input, second] = sampleInput(make.row.input, bars[5]!);
  if (make.row.input === 'pair')
    return bad.flatMap((value) => [
      [value, second],
      [input, value],
    ]);
  const fields = make.row.input === 'value' ? ['close'] : Object.keys(input as object).filter((key) => isRead(make, key));
  const broken = fields.flatMap((field) => bad.map((value) => [{ ...(input as object), [field]: value }]));
  return make.row.input === 'value' ? [...bad.map((value) => [value]), ...broken] : [...broken, [5], [undefined]];
}

function isRead(make: AnyIndicatorFunction, key: string): boolean {
  if (key === 'volume') return make.row.input === 'volumeBar' || make.row.input === 'timedBar';
  return key === 'start' ? make.row.input === 'timedBar' : true;
}

describe('an indicator', () => {
  const closes = bars.map((bar) => bar.close);

  it('keeps 64 values, or as many as asked', () => {
    const average = sma(3);
    const seen = closes.map((close) => average.update(close));
    expect([0, 1, 63].map((back) => average.at(back))).toEqual([seen.at(-1), seen.at(-2), seen.at(-64)]);
    expect(() => average.at(64)).toThrow('sma keeps 64 values, found at(64): call keep(65) when you make it');
    const long = sma(3).keep(200);
    for (const close of closes) long.update(close);
    expect(long.at(199)).toBe(seen.at(-200));
    const copy = sma(3);
    copy.restore(long.save());
    expect(copy.at(199)).toBe(seen.at(-200));
  });

  it('feeds another one', () => {
    const [inner, outer, whole] = [rsi(14), ema(9), ema(rsi(14), 9)];
    for (const bar of bars) {
      inner.update(bar);
      if (inner.isReady) outer.update(inner.value);
      whole.update(bar);
      // Numbers are put on a grid, what an indicator gives is not: the last bits may differ.
      if (whole.isReady || outer.isReady) expect(whole.value).toBeCloseTo(outer.value, 11);
    }
    expect(whole.lookback).toBe(14 + 8);
    const ofBars: Indicator<'value', [bar: door.Candle]> = ema(atr(14), 9);
    expect(ofBars.lookback).toBe(14 + 8);
  });

  it('feeds another one by an output, and two feed one', () => {
    const [plain, smooth] = [macd(), ema(macd().output('signal'), 5)];
    const second = ema(5);
    const both = correl(sma(5), ema(5), 20);
    for (const bar of bars) {
      plain.update(bar);
      if (plain.isReady) second.update(plain.signal);
      smooth.update(bar);
      both.update(bar);
    }
    expect(smooth.value).toBe(second.value);
    expect(both.value).toBeGreaterThan(0.9);
    const copy = ema(macd().output('signal'), 5);
    copy.restore(JSON.parse(JSON.stringify(smooth.save())));
    expect(copy.update(100)).toBe(smooth.update(100));
  });

  it('belongs to one other, which updates it', () => {
    const inner = rsi(14);
    ema(inner, 9);
    expect(() => inner.update(1)).toThrow('rsi feeds ema: update that one, it updates this one');
    expect(() => sma(inner, 9)).toThrow('rsi feeds ema already: make a second one for sma');
    expect(() => (atr as any)(rsi(3), 9)).toThrow('atr can be fed by 0 other indicators, found 1');
  });

  it('does not pass on what is no number', () => {
    const outer = sma(door.ln(), 2);
    for (const x of [1, 1, -1, 1]) outer.update(x);
    expect(outer.value).toBe(0);
  });

  it('refuses the state of another one and stays as it was', () => {
    const one = ema(5);
    for (const close of closes) one.update(close);
    const before = JSON.stringify(one.save());
    expect(() => one.restore(ema(6).save())).toThrow('ema({"period":5}) cannot take the state of ema({"period":6})');
    expect(() => one.restore({})).toThrow('something that save() did not make');
    expect(() => one.restore({ ...one.save(), kernel: { isReady: true } })).toThrow('no usable field');
    expect(() => one.restore({ ...one.save(), rings: [{ values: [1, 'x'] }] })).toThrow('no usable field');
    expect(JSON.stringify(one.save())).toBe(before);
  });

  it('names parameters by position or by name', () => {
    expect(macd(5, 34).params).toEqual(macd({ fast: 5, slow: 34 }).params);
    expect(() => (macd as any)({ fast: 5 }, 34)).toThrow('found both: use one form');
    expect(() => sma(0)).toThrow('sma: period is an integer from 1 to 100000, found 0');
    expect(() => bbands({ average: 'median' as 'sma' })).toThrow('bbands: average is one of sma, ema');
  });
});

describe('a million values', () => {
  it('do not wear the sums out', () => {
    const rows = 1_000_000;
    const period = 50;
    const windowed = [
      sma(period),
      stddev(period),
      wma(period),
      bbands(period),
      door.linearregSlope(period),
      correl(period),
    ] as unknown as Any[];
    const tail: [number, number][] = [];
    let state = 1;
    for (let i = 0; i < rows; i++) {
      state = (state * 48271) % 2147483647;
      // A price that went from 60,000 to a thousandth of it in the course of the rows: old large values must leave no trace.
      const x = (60_000 + (state % 1000) / 7) * (i < rows / 2 ? 1 : 1e-3);
      const y = x * (1 + (state % 77) / 1000);
      for (const [k, one] of windowed.entries()) one.update(x, k === 5 ? y : undefined);
      if (i >= rows - period) tail.push([x, y]);
    }
    const xs = tail.map(([x]) => x);
    const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const m = mean(xs);
    const deviation = Math.sqrt(mean(xs.map((x) => (x - m) ** 2)));
    const middle = (period - 1) / 2;
    const my = mean(tail.map(([, y]) => y));
    const expected = [
      m,
      deviation,
      xs.reduce((sum, x, i) => sum + (i + 1) * x, 0) / ((period * (period + 1)) / 2),
      m + 2 * deviation,
      xs.reduce((sum, x, i) => sum + (i - middle) * (x - m), 0) / xs.reduce((sum, _, i) => sum + (i - middle) ** 2, 0),
      mean(tail.map(([x, y]) => (x - m) * (y - my))) /
        Math.sqrt(mean(xs.map((x) => (x - m) ** 2)) * mean(tail.map(([, y]) => (y - my) ** 2))),
    ];
    for (const [k, one] of windowed.entries()) {
      expect(Math.abs(one.value / expected[k]! - 1), one.name).toBeLessThan(1e-9);
    }
  });
});
