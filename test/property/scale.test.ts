import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { Decimal } from '../../src/domain/amounts/decimal.ts';
import {
  createInstrument,
  feeOf,
  formatLots,
  formatTicks,
  lotsOf,
  parseLots,
  parseTicks,
  priceOf,
  ticksOf,
} from '../../src/domain/instrument.ts';
import {
  decimalsOf,
  formatScaled,
  formatScaledShort,
  mulDivCeil,
  mulDivFloor,
  parseScaled,
  ScaleError,
} from '../../src/domain/amounts/scale.ts';

const btc = createInstrument(
  {
    symbol: 'BTCUSDT',
    product: 'futures',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tickSize: '0.10',
    lotSize: '0.001',
    priceDecimals: 2,
    minSize: '0.001',
    maxSize: '1000',
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0006',
  },
  0,
);

describe('scaled integers against Decimal', () => {
  it('a million random values survive format and parse, and agree with Decimal', () => {
    const random = new Random(1);
    for (let i = 0; i < 1_000_000; i++) {
      const decimals = random.below(11);
      const magnitude = 10 ** random.below(15);
      const value = (random.below(2) === 0 ? 1 : -1) * Math.floor(random.uniform() * magnitude);
      const text = formatScaled(value, decimals);
      const back = parseScaled(text, decimals);
      if (back !== value && !(back === 0 && value === 0)) throw new Error(`${value} at ${decimals} came back as ${back}`);
      if (i % 20 === 0) {
        const exact = new Decimal(text).mul(new Decimal(10).pow(decimals));
        if (!exact.eq(value)) throw new Error(`${text} at ${decimals} is ${exact.toString()} by Decimal, ${value} by integer`);
      }
    }
  });

  it('rounds toward minus infinity for down and plus infinity for up', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 6 }), (units, decimals) => {
        const text = formatScaled(units, 6);
        const exact = new Decimal(text).mul(new Decimal(10).pow(decimals));
        expect(parseScaled(text, decimals, 'down')).toBe(exact.floor().toNumber() + 0);
        expect(parseScaled(text, decimals, 'up') + 0).toBe(exact.ceil().toNumber() + 0);
      }),
      { numRuns: 20_000 },
    );
  });

  it('accepts only plain notation', () => {
    for (const text of [
      '',
      '-',
      '.',
      '1.',
      '.5',
      '-.5',
      '+1',
      '1e3',
      '0x10',
      ' 1',
      '1 ',
      '1_000',
      'NaN',
      'Infinity',
      '1.2.3',
      '--1',
      '١',
    ]) {
      expect(() => parseScaled(text, 8), text).toThrow(ScaleError);
    }
  });

  it('refuses excess precision unless it is zeros', () => {
    expect(parseScaled('1.500', 1)).toBe(15);
    expect(() => parseScaled('1.55', 1)).toThrow(/at most 1 decimals/);
    expect(parseScaled('9007199254740991', 0)).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => parseScaled('9007199254740992', 0)).toThrow(ScaleError);
    expect(() => parseScaled('90071992547409.92', 2)).toThrow(ScaleError);
    expect(Object.is(parseScaled('-0.00', 2), 0)).toBe(true);
  });

  it('shortens without losing a digit', () => {
    expect(formatScaledShort(1200, 2)).toBe('12');
    expect(formatScaledShort(1250, 2)).toBe('12.5');
    expect(formatScaledShort(0, 8)).toBe('0');
    expect(formatScaledShort(1000, 0)).toBe('1000');
    expect(decimalsOf('0.0500')).toBe(2);
    expect(decimalsOf('5')).toBe(0);
  });

  it('multiplies and divides exactly beyond the safe range', () => {
    const safe = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(safe, fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 1, max: 1e9 }), (a, b, d) => {
        fc.pre((BigInt(a) * BigInt(b)) / BigInt(d) <= BigInt(Number.MAX_SAFE_INTEGER) - 1n);
        const product = BigInt(a) * BigInt(b);
        expect(BigInt(mulDivFloor(a, b, d))).toBe(product / BigInt(d));
        expect(BigInt(mulDivCeil(a, b, d))).toBe((product + BigInt(d) - 1n) / BigInt(d));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is exact where the product of the remainder is beyond the safe range and the quotient is not', () => {
    // As doubles, the quotient is the whole number above.
    expect(mulDivFloor(2_674_403_292, 1_066_494_796_210, 366_685_525)).toBe(7_778_428_651_866);
    expect(mulDivCeil(2_674_403_292, 1_066_494_796_210, 366_685_525)).toBe(7_778_428_651_867);
  });
});

describe('the grid of an instrument', () => {
  it('reads and writes prices in ticks and sizes in lots', () => {
    expect(parseTicks('61800.20', btc)).toBe(618002);
    expect(formatTicks(618002, btc)).toBe('61800.20');
    expect(() => parseTicks('61800.25', btc)).toThrow(/multiple of 0.10/);
    expect(parseTicks('61800.25', btc, 'down')).toBe(618002);
    expect(parseTicks('61800.25', btc, 'up')).toBe(618003);
    expect(parseLots('2.507', btc)).toBe(2507);
    expect(formatLots(7, btc)).toBe('0.007');
  });

  it('gives the nearest double of the decimal string, for every price', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (ticks) => {
        expect(priceOf(ticks, btc)).toBe(Number(formatTicks(ticks, btc)));
        expect(ticksOf(priceOf(ticks, btc), btc, 'exact')).toBe(ticks);
        expect(ticksOf(priceOf(ticks, btc), btc, 'down')).toBe(ticks);
        expect(ticksOf(priceOf(ticks, btc), btc, 'up')).toBe(ticks);
      }),
      { numRuns: 50_000 },
    );
  });

  it('accepts float noise as the nearest tick, and rounds values in between', () => {
    expect(ticksOf(0.1 + 0.2, btc, 'down')).toBe(3);
    expect(ticksOf(61800.25, btc, 'down')).toBe(618002);
    expect(ticksOf(61800.25, btc, 'up')).toBe(618003);
    expect(lotsOf(0.0019999, btc, 'down')).toBe(1);
    for (const bad of [Number.NaN, Infinity, -Infinity, 1e300]) expect(() => ticksOf(bad, btc, 'down')).toThrow(ScaleError);
  });

  it('values and fees are exact; a fee never rounds in the trader’s favour', () => {
    // 0.007 BTC at 61800.20: 432.6014; taker fee 0.06 %: 0.25956084
    expect(618_002 * 7 * btc.unitValue).toBe(43_260_140_000);
    expect(feeOf(43260140000, btc.takerFeeRate)).toBe(25956084);
    expect(feeOf(1, 60_000)).toBe(1);
    expect(feeOf(100_000_000, -20_000)).toBe(-20_000);
    expect(feeOf(1, -20_000)).toBe(0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 9e15 }), fc.integer({ min: -1e6, max: 1e6 }), (value, rate) => {
        const exact = new Decimal(value).mul(rate).div(100_000_000);
        expect(feeOf(value, rate)).toBe(exact.ceil().toNumber() + 0);
      }),
      { numRuns: 20_000 },
    );
  });

  it('refuses a grid beyond the precision of money', () => {
    const spec = {
      symbol: 'X',
      product: 'spot',
      baseCoin: 'X',
      quoteCoin: 'USDT',
      minSize: '1',
      maxSize: '9',
      makerFeeRate: '0',
      takerFeeRate: '0',
    } as const;
    expect(() => createInstrument({ ...spec, tickSize: '0.00001', lotSize: '0.0001' }, 0)).toThrow(/together are at most 8/);
    expect(() => createInstrument({ ...spec, tickSize: '0', lotSize: '1' }, 0)).toThrow(ScaleError);
  });
});
