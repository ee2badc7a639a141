/** Market data for readers: book, mark, rolling 24 hours, recent trades. */
import { describe, expect, test } from 'vitest';
import { BUY, SELL } from '../../../src/domain/codes.ts';
import { venueOf } from '../../support/sim/sim-kit.ts';

const HOUR = 3_600_000;

describe('market data', () => {
  test('is empty before the first row', () => {
    const { sim } = venueOf();
    expect(sim.bookTicker(0)).toBeNull();
    expect(sim.ticker(0)).toBeNull();
    expect(sim.trades(0, { limit: 10 })).toEqual([]);
  });

  test('has the best bid and ask, and 0 if nobody offers', () => {
    const { sim } = venueOf();
    sim.quote(0, 90, 1, 0, 0, 5);
    expect(sim.bookTicker(0)).toMatchObject({ instrument: 0, bid: 90, bidSize: 1, ask: 0, askSize: 0, time: 5 });
  });

  test('recent trades are newest first, bounded, by id and time', () => {
    const { sim } = venueOf({ keepTrades: 5 });
    for (let k = 1; k <= 8; k++) sim.trade(0, 100 + k, k, k % 2, k * 10, 1_000 + k);
    const ids = (request: Parameters<typeof sim.trades>[1]): number[] => sim.trades(0, request).map((x) => x.id);
    expect(ids({ limit: 10 })).toEqual([1_008, 1_007, 1_006, 1_005, 1_004]);
    expect(ids({ limit: 2 })).toEqual([1_008, 1_007]);
    expect(ids({ limit: 2, before: 1_007 })).toEqual([1_006, 1_005]);
    expect(ids({ limit: 10, start: 50, end: 70 })).toEqual([1_007, 1_006, 1_005]);
    expect(sim.trades(0, { limit: 1 })[0]).toEqual({ id: 1_008, price: 108, size: 8, aggressor: BUY, time: 80 });
  });

  test('the 24 hours roll: older trades drop out', () => {
    const { sim } = venueOf();
    sim.trade(0, 5_000, 7, BUY, 0, 1);
    sim.trade(0, 900, 2, SELL, HOUR, 2);
    sim.trade(0, 1_100, 4, BUY, 2 * HOUR, 3);
    sim.trade(0, 990, 1, SELL, 3 * HOUR, 4);
    expect(sim.ticker(0)).toEqual({
      instrument: 0,
      last: 990,
      lastSize: 1,
      open: 5_000,
      high: 5_000,
      low: 900,
      change: -4_010,
      changePercent: -80_200,
      // (5,000·7 + 900·2 + 1,100·4 + 990·1) / 14 = 3,013.5714 ticks of 0.1; quote volume 42,190 · 0.0001 = 4.219.
      weightedPrice: 30_135_714_286,
      volume: 14,
      quoteVolume: 421,
      openTime: 0,
      closeTime: 3 * HOUR,
      firstId: 1,
      lastId: 4,
      count: 4,
    });
    sim.trade(0, 1_000, 1, BUY, 24.5 * HOUR, 5);
    expect(sim.ticker(0)).toMatchObject({ open: 900, high: 1_100, low: 900, volume: 8, count: 4, firstId: 2, openTime: HOUR });
    sim.trade(0, 1_000, 1, BUY, 60 * HOUR, 6);
    expect(sim.ticker(0)).toMatchObject({ open: 1_000, high: 1_000, low: 1_000, volume: 1, count: 1, change: 0, changePercent: 0 });
  });

  test('a simulator that keeps no trades reports none and no 24 hours', () => {
    const { sim } = venueOf({ keepTrades: 0, keepStats: false });
    sim.trade(0, 100, 1, BUY, 1, 1);
    expect(sim.ticker(0)).toBeNull();
    expect(sim.trades(0, { limit: 5 })).toEqual([]);
    expect(sim.markPrice(0)).toBe(100);
  });
});
