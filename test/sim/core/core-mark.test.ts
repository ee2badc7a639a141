/** The mark price by hand, and what depends on it. */
import { describe, expect, test } from 'vitest';
import { BUY, CLOSE, SELL } from '../../../src/domain/codes.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { order, venueOf } from '../../support/sim/sim-kit.ts';

/** A position is open, so the venue checks every second; the first check, at 1,000, saw a mid price of 1,001. */
function watched(): VenueSim {
  const { sim } = venueOf();
  sim.quote(0, 1_000, 100, 1_002, 100, 500);
  sim.trade(0, 1_001, 1, SELL, 500, 1);
  sim.place(0, order({ size: 1 }), 1, 500);
  sim.advance(1_000);
  return sim;
}

describe('without a position, the mark is', () => {
  test('0 before any market, the last trade without a book, the mid price without a trade, rounded down', () => {
    const { sim } = venueOf();
    expect(sim.markPrice(0)).toBe(0);
    sim.quote(0, 100, 1, 103, 1, 1);
    expect(sim.markPrice(0)).toBe(101);
    sim.quote(0, 90, 1, 0, 0, 2);
    expect(sim.markPrice(0)).toBe(90);
    sim.quote(0, 0, 0, 95, 1, 3);
    expect(sim.markPrice(0)).toBe(95);
    const { sim: trades } = venueOf();
    trades.trade(0, 100, 1, BUY, 1, 1);
    expect(trades.markPrice(0)).toBe(100);
  });

  test('the mid price, whatever trades', () => {
    const { sim } = venueOf();
    sim.quote(0, 100, 1, 104, 1, 1);
    sim.trade(0, 120, 1, BUY, 2, 1);
    expect(sim.markPrice(0)).toBe(102);
    sim.quote(0, 0, 0, 0, 0, 3);
    expect(sim.markPrice(0)).toBe(120);
  });
});

describe('with a position', () => {
  test('neither a single trade nor a single quote moves it, both together do', () => {
    const sim = watched();
    sim.trade(0, 900, 1, SELL, 1_100, 2);
    expect(sim.markPrice(0)).toBe(1_001);
    sim.quote(0, 2_000, 1, 2_002, 1, 1_200);
    expect(sim.markPrice(0)).toBe(1_001);
    sim.trade(0, 2_001, 1, BUY, 1_300, 3);
    expect(sim.markPrice(0)).toBe(2_001);
  });

  test('without smoothing, as on bars, it is the mid price at once and stays it', () => {
    const { sim } = venueOf({ noSlowMid: true });
    sim.quote(0, 1_000, 100, 1_002, 100, 500);
    sim.trade(0, 1_001, 1, SELL, 500, 1);
    sim.place(0, order({ size: 1 }), 1, 500);
    sim.advance(1_000);
    sim.quote(0, 2_000, 1, 2_002, 1, 1_200);
    expect(sim.markPrice(0)).toBe(2_001);
    sim.advance(2_000);
    expect(sim.markPrice(0)).toBe(2_001);
  });

  test('it moves towards the mid price by a thirtieth of the difference per second', () => {
    const sim = watched();
    sim.trade(0, 1_000, 1, SELL, 1_100, 2);
    sim.quote(0, 1_030, 1, 1_032, 1, 1_200);
    // 1,001 · 1,024 = 1,025,024; the mid price 1,031 · 1,024 = 1,055,744; a thirtieth of 30,720 is 1,024: 1,026,048 = 1,002 · 1,024.
    sim.advance(2_000);
    expect(sim.markPrice(0)).toBe(1_002);
    // floor(29,696 / 30) = 989: 1,027,037, or 1,002.96 ticks; then floor(28,707 / 30) = 956: 1,027,993, or 1,003.9; then 925: 1,004.8.
    const seen = [3_000, 4_000, 5_000].map((time) => {
      sim.advance(time);
      return sim.markPrice(0);
    });
    expect(seen).toEqual([1_002, 1_003, 1_004]);
    // Downwards the same: from 1,028,918 to 1,001 · 1,024, floor(3,894 / 30) = 129.
    sim.quote(0, 1_000, 1, 1_002, 1, 5_500);
    sim.advance(6_000);
    sim.trade(0, 1_020, 1, BUY, 6_100, 3);
    expect(sim.markPrice(0)).toBe(Math.floor((1_028_918 - 129) / 1_024));
    // After 30 s without a check it is the mid price.
    sim.advance(36_000);
    expect(sim.markPrice(0)).toBe(1_001);
    sim.audit();
  });

  test('it is forgotten with the last position', () => {
    const sim = watched();
    sim.trade(0, 1_020, 1, BUY, 1_100, 2);
    sim.quote(0, 1_018, 100, 1_020, 100, 1_200);
    sim.trade(0, 1_001, 1, SELL, 1_250, 3);
    expect(sim.markPrice(0)).toBe(1_001);
    sim.place(0, order({ effect: CLOSE, size: 1 }), 2, 1_300);
    sim.advance(2_000);
    expect(sim.nextDue).toBe(Infinity);
    expect(sim.markPrice(0)).toBe(1_019);
  });
});

test('bracket exits may watch the mark: a single trade does not fire them, a check does', () => {
  const { sim, log } = venueOf({ bracketsBy: 'mark' });
  sim.quote(0, 1_000, 100, 1_002, 100, 500);
  sim.trade(0, 1_001, 1, SELL, 500, 1);
  sim.place(0, order({ size: 5, stopLoss: 900, takeProfit: 1_100 }), 1, 500);
  sim.advance(1_000);
  sim.trade(0, 850, 1, SELL, 1_100, 2);
  sim.advance(2_000);
  expect(log.fills.length).toBe(1);
  sim.quote(0, 849, 100, 851, 100, 2_100);
  expect(log.fills.length).toBe(1);
  sim.advance(3_000);
  expect(log.fills.at(-1)).toMatchObject({ effect: CLOSE, size: 5, price: 849, time: 3_000 });
  sim.audit();
});
