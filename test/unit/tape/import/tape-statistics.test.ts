/** Market statistics compared with manual sums, with sorting, and with the recordings behind the synthetic market. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { statisticsText } from '../../../../src/cli/tapes/statistics-text.ts';
import { BUY, SELL } from '../../../../src/domain/codes.ts';
import { importFiles } from '../../../../src/tape/import/import.ts';
import { tapeStatistics, type FigureKey, type SymbolStatistics } from '../../../../src/tape/statistics/statistics.ts';
import { synthTape } from '../../../../src/tape/synth/synth.ts';
import { Histogram, Series } from '../../../../src/tape/statistics/histogram.ts';
import { TapeWriter } from '../../../../src/tape/write.ts';
import { withFolder } from '../../../support/tape/tape-rows.ts';

const DATA = resolve(import.meta.dirname, '../../../../../shared/data');
const HAS_RECORDINGS = existsSync(DATA);
if (!HAS_RECORDINGS) console.warn('SKIPPED: the recordings are not at ../shared/data; the figures learnt from them are taken as they are');

describe('tallies', () => {
  test('a quantile equals that of the sorted list, within 3 percent', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 2_000_000_000 }), { minLength: 1, maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (values, share) => {
          const histogram = new Histogram();
          for (const value of values) histogram.add(value);
          const sorted = values.toSorted((a, b) => a - b);
          const exact = sorted[Math.min(values.length - 1, Math.floor(share * values.length))]!;
          expect(Math.abs(histogram.quantile(share) - exact)).toBeLessThanOrEqual(exact < 64 ? 0 : 0.03 * exact);
        },
      ),
    );
  });

  test('autocorrelation equals the sums over all pairs', () => {
    const values = Array.from({ length: 500 }, (_, i) => Math.sin(i / 7) + ((i * 7919) % 13) / 13);
    const series = new Series([1, 10]);
    for (const value of values) series.add(value);
    const mean = values.reduce((a, b) => a + b, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    for (const [place, lag] of [1, 10].entries()) {
      const products = values.slice(lag).map((x, i) => x * values[i]!);
      const expected = (products.reduce((a, b) => a + b, 0) / products.length - mean * mean) / variance;
      expect(series.autocorrelation(place)).toBeCloseTo(expected, 10);
    }
    expect(series.kurtosis).toBeCloseTo(
      values.reduce((sum, x) => sum + x ** 4, 0) / 500 / (values.reduce((sum, x) => sum + x * x, 0) / 500) ** 2,
      10,
    );
  });
});

test('a tape small enough to compute by hand', async () => {
  await withFolder((folder) => {
    const writer = new TapeWriter(join(folder, 't'));
    const scale = { priceDecimals: 1, sizeDecimals: 2 };
    const quotes = writer.stream('XUSDT', 'quotes', scale);
    const trades = writer.stream('XUSDT', 'trades', scale);
    // Steps of 0.5 and 0.02. The best prices are 100.0 / 100.5, then 100.0 / 101.5 in the second half.
    for (let i = 0; i < 10; i++) quotes.quote(1_000_000 + i * 400, 1000, 10, i < 5 ? 1005 : 1015, 20);
    trades.trade(1_000_100, 1, 1005, 4, BUY);
    trades.trade(1_000_100, 2, 1005, 2, BUY);
    trades.trade(1_001_900, 3, 1005, 20, BUY);
    trades.trade(1_001_900, 4, 1010, 6, BUY);
    trades.trade(1_004_000, 5, 1000, 2, SELL);
    writer.finish();
    const [found] = tapeStatistics(join(folder, 't'));
    expect(found!.symbol).toBe('XUSDT');
    expect(found!.figures).toMatchObject({
      tradesPerSecond: 5 / 4,
      ordersPerSecond: 3 / 4,
      quotesPerSecond: 10 / 4,
      tradeGapMean: 3900 / 4,
      oneTick: 0.5,
      spread95: 3,
      depth10: 0.1,
      depth90: 0.2,
      tradeSize99: 0.2,
      orderSize50: 0.06,
      tradesPerOrder: 5 / 3,
      walking: 1 / 3,
      atTouch: 4 / 5,
      priceChange: 0.1,
      move50: 1,
      stillSeconds: 2 / 3,
    });
    // The mid price goes from 401 to 403 half ticks, once in three seconds.
    expect(found!.figures.volatility).toBeCloseTo((2 / 401) * 1e4 * Math.sqrt(1 / 3), 6);
  });
});

/** Statistics of the two recordings, BTCUSDT and ETHUSDT; compared with the recordings if they are present. */
const LEARNT: Readonly<Partial<Record<FigureKey, readonly [btc: number, eth: number]>>> = {
  tradesPerSecond: [61.9, 40.8],
  ordersPerSecond: [15.8, 10.2],
  quotesPerSecond: [192, 157],
  orderGap50: [27, 39],
  orderGap90: [178, 268],
  quoteGap50: [1, 1],
  quoteGap90: [14, 18],
  quoteBurstiness: [0.492, 0.471],
  quoteDispersion: [44.2, 31.6],
  oneTick: [0.942, 0.953],
  spread99: [29, 9],
  depth50: [2.66, 13.4],
  depth90: [8.58, 41.5],
  tradeSize50: [0.016, 0.071],
  tradeSize90: [0.268, 1.62],
  tradeSize99: [1.14, 8.58],
  orderSize50: [0.03, 0.21],
  tradesPerOrder: [3.92, 4.01],
  walking: [0.12, 0.169],
  atTouch: [0.557, 0.628],
  sign1: [0.794, 0.83],
  sign10: [0.581, 0.547],
  orderSign1: [0.199, 0.318],
  orderSign10: [0.118, 0.0944],
  priceChange: [0.0307, 0.0441],
  move50: [4, 2],
  move90: [21, 10],
  volatility: [1.22, 1.21],
  stillSeconds: [0.466, 0.376],
  kurtosis: [21.9, 8.26],
};

/** Allowed factor between the synthetic market and the recordings: 345 seconds of one evening do not represent the whole market. */
const WITHIN: Readonly<Partial<Record<FigureKey, number>>> = {
  oneTick: 1.05,
  sign1: 1.1,
  sign10: 1.3,
  depth50: 1.3,
  depth90: 1.3,
  atTouch: 1.4,
  tradesPerOrder: 1.5,
  tradeSize90: 1.5,
  tradeSize99: 1.5,
  orderSign1: 1.5,
  quoteBurstiness: 1.5,
  kurtosis: 3,
  spread99: 2.5,
  walking: 2.5,
  priceChange: 2.5,
};
const WITHIN_OTHERWISE = 2;

test('the synthetic market compared with the recordings', async () => {
  await withFolder(async (folder) => {
    const symbols = [
      { symbol: 'BTCUSDT', grid: { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 }, price: 600_000 },
      { symbol: 'ETHUSDT', grid: { priceDecimals: 2, tickStep: 1, sizeDecimals: 3, lotStep: 1 }, price: 260_000 },
    ];
    synthTape(join(folder, 'made'), { symbols, seed: 3, start: 1_704_067_200_000, seconds: 3600 });
    const made = tapeStatistics(join(folder, 'made'));
    let recorded: readonly SymbolStatistics[] = [];
    if (HAS_RECORDINGS) {
      const files = readdirSync(DATA)
        .filter((name) => name.includes('USDT'))
        .map((name) => join(DATA, name));
      await importFiles(files, join(folder, 'recorded'));
      recorded = tapeStatistics(join(folder, 'recorded'));
      console.info(
        statisticsText([
          { folder: 'recordings', symbols: recorded },
          { folder: 'synthetic', symbols: made },
        ]),
      );
    }
    for (const [key, learnt] of Object.entries(LEARNT) as [FigureKey, readonly [number, number]][]) {
      for (const k of [0, 1] as const) {
        const here = recorded[k]?.figures[key] ?? learnt[k];
        expect(Math.abs(here / learnt[k] - 1), `${symbols[k]!.symbol} ${key} of the recording: ${here}`).toBeLessThan(0.01);
        const factor = made[k]!.figures[key] / learnt[k];
        const within = WITHIN[key] ?? WITHIN_OTHERWISE;
        expect(
          Math.max(factor, 1 / factor),
          `${symbols[k]!.symbol} ${key}: synthetic ${made[k]!.figures[key]}, recorded ${learnt[k]}`,
        ).toBeLessThan(within);
      }
    }
    const common = made[1]!.figures.common;
    expect(common).toBeGreaterThan(0.4);
    expect(common).toBeLessThan(0.85);
    expect(Math.abs(made[0]!.figures.returns1)).toBeLessThan(0.05);
  });
});

test('days of it have the clusters and tails of a month of minutes', async () => {
  await withFolder((folder) => {
    const grid = { priceDecimals: 4, tickStep: 1, sizeDecimals: 0, lotStep: 1 };
    synthTape(join(folder, 'days'), {
      symbols: [{ symbol: 'MADE0002USDT', grid, price: 25_000 }],
      seed: 11,
      start: 0,
      seconds: 3 * 86_400,
    });
    const [{ figures }] = tapeStatistics(join(folder, 'days')) as [SymbolStatistics];
    console.info(`minutes of 3 days: kurtosis ${figures.minuteKurtosis}, |r| ${figures.minute1} ${figures.minute10} ${figures.minute60}`);
    // From 45,031 minutes of a BTC perpetual: kurtosis 26, |r| 0.325 at 1, 0.236 at 10, 0.175 at 60.
    expect(figures.minuteKurtosis).toBeGreaterThan(6);
    expect(figures.minuteKurtosis).toBeLessThan(60);
    expect(figures.minute1).toBeGreaterThan(0.12);
    expect(figures.minute10).toBeGreaterThan(0.08);
    expect(figures.minute60).toBeGreaterThan(0.04);
    expect(figures.minute1).toBeGreaterThan(figures.minute60);
  });
});
