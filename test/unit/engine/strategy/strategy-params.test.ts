import { defineStrategy, ema, param, ParamError, sma, StrategyError } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { parseParams } from '../../../../src/engine/strategy/definition/params.ts';

const SHAPE = {
  fast: param.integer(12, { min: 1, max: 500, doc: 'Period of the fast average.' }),
  share: param.number(0.5, { min: 0 }),
  size: param.decimal('0.01'),
  bar: param.duration('1s'),
  on: param.boolean(true),
  side: param.choice(['both', 'long'], 'both'),
  note: param.text(''),
};

describe('parameters', () => {
  test('defaults, values and texts from a command line', () => {
    expect(parseParams('s', SHAPE, {})).toEqual({ fast: 12, share: 0.5, size: '0.01', bar: 1000, on: true, side: 'both', note: '' });
    const given = { fast: '10', share: '0.25', size: '1.50', bar: '5m', on: 'false', side: 'long', note: 'x' };
    expect(parseParams('s', SHAPE, given)).toEqual({
      fast: 10,
      share: 0.25,
      size: '1.50',
      bar: 300_000,
      on: false,
      side: 'long',
      note: 'x',
    });
    expect(parseParams('s', SHAPE, { fast: 1, size: 2, bar: 250 })).toMatchObject({ fast: 1, size: '2', bar: 250 });
  });

  test.each([
    ['fast', '0', 'an integer from 1 to 500'],
    ['fast', '501', 'an integer from 1 to 500'],
    ['fast', '1.5', 'an integer from 1 to 500'],
    ['fast', '1e2', 'an integer from 1 to 500'],
    ['fast', '', 'an integer from 1 to 500'],
    ['share', 'NaN', 'a number of at least 0'],
    ['share', Number.NaN, 'a number of at least 0'],
    ['size', '0', 'a plain decimal above zero'],
    ['size', '1e-3', 'a plain decimal above zero'],
    ['size', '-1', 'a plain decimal above zero'],
    ['bar', '1 week', 'a duration such as "1s"'],
    ['bar', '0s', 'a duration such as "1s"'],
    ['on', 'yes', 'true or false'],
    ['side', 'short', 'one of both, long'],
  ])('%s=%s is refused with what was expected', (name, value, expects) => {
    expect(() => parseParams('probe', SHAPE, { [name]: value })).toThrow(ParamError);
    expect(() => parseParams('probe', SHAPE, { [name]: value })).toThrow(`probe: parameter "${name}": ${expects}`);
  });

  test('an unknown name is refused with a suggestion, and inherited names are unknown', () => {
    expect(() => parseParams('probe', SHAPE, { fsat: 1 })).toThrow(/unknown parameter "fsat" \(did you mean "fast"\?\)/);
    expect(() => parseParams('probe', SHAPE, { toString: 1 })).toThrow(/unknown parameter "toString"/);
  });

  test('an invalid default is an error of the definition', () => {
    expect(() => param.integer(0, { min: 1 })).toThrow(ParamError);
  });
});

describe('a definition', () => {
  test.each(['', 'Upper', 'two words', '-x', 'wallet', 'netting', 'all'])('the name "%s" is refused', (name) => {
    expect(() => defineStrategy({ name, create: () => ({}) })).toThrow(StrategyError);
  });

  test('handlers that are not functions, and a bar of no length', () => {
    const made = (handlers: object): void => void defineStrategy({ name: 'x', create: () => handlers as never }).create({}, []);
    expect(() => made({ onQuote: 5 })).toThrow(/x: onQuote must be a function/);
    expect(() => made({ barMs: 0 })).toThrow(/barMs must be a whole number/);
    expect(() => made(null as never)).toThrow(/must return an object/);
  });

  test('a refusal by create is a parameter error, a bug in it is not; both keep their cause', () => {
    const thrown = (cause: unknown): unknown => {
      const strategy = defineStrategy({
        name: 'x',
        create: () => {
          throw cause;
        },
      });
      try {
        return strategy.create({}, []);
      } catch (error) {
        return error;
      }
    };
    const refusal = new RangeError('fast must be below slow');
    expect(thrown(refusal)).toMatchObject({ name: 'ParamError', message: 'x: fast must be below slow', cause: refusal });
    const own = new ParamError('fast must be odd');
    expect(thrown(own)).toMatchObject({ name: 'ParamError', message: 'x: fast must be odd', cause: own });
    const mistake = new TypeError('a is undefined');
    const told = /^x: create threw TypeError: a is undefined\n {4}at .*strategy-params\.test\.ts:\d+:\d+/;
    expect(thrown(mistake)).toMatchObject({ name: 'StrategyError', message: expect.stringMatching(told), cause: mistake });
    expect(thrown('what')).toMatchObject({ name: 'StrategyError', message: 'x: create threw what' });
  });
});

describe('moving averages', () => {
  test('sma is the mean of the last values', () => {
    const average = sma(3);
    expect([1, 2, 3, 4, 8].map((x) => average.next(x))).toEqual([Number.NaN, Number.NaN, 2, 3, 5]);
    expect(average.isReady).toBe(true);
  });

  test('ema starts with the mean and then moves by 2 / (period + 1)', () => {
    const average = ema(3);
    expect([1, 2, 3, 4, 4].map((x) => average.next(x))).toEqual([Number.NaN, Number.NaN, 2, 3, 3.5]);
  });

  test('sma does not drift: after a million steps it is still the mean of its window', () => {
    const average = sma(7);
    const last: number[] = [];
    for (let k = 0; k < 1_000_000; k++) {
      const x = 60_000 + Math.sin(k) * 1e-3 + (k % 13) * 0.1;
      average.next(x);
      last.push(x);
      if (last.length > 7) last.shift();
    }
    expect(average.value).toBeCloseTo(last.reduce((a, b) => a + b, 0) / 7, 9);
  });

  test('a bad period or value is refused', () => {
    expect(() => sma(0)).toThrow(RangeError);
    expect(() => ema(1.5)).toThrow(RangeError);
    expect(() => ema(2).next(Number.NaN)).toThrow(RangeError);
  });
});
