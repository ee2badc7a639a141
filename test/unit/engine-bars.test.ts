import { describe, expect, test } from 'vitest';
import { TimerQueue } from '../../src/base/timer-queue.ts';
import { Bars } from '../../src/engine/market/bars.ts';
import { VenueOffset } from '../../src/engine/market/venue-offset.ts';
import { btc } from '../support/engine-kit.ts';

function builder(periodMs = 1000, graceMs = 500, offset = new VenueOffset()) {
  const timerQueue = new TimerQueue();
  const bars: Record<string, unknown>[] = [];
  const it = new Bars(btc(), periodMs, graceMs, timerQueue, { bar: (b) => bars.push({ ...b.done }) }, offset);
  const until = (now: number): void => {
    for (let id = timerQueue.take(now); id >= 0; id = timerQueue.take(now)) timerQueue.run(id, now);
  };
  return { it, bars, until, timerQueue };
}

describe('time bars from trades', () => {
  test('a bar has open, high, low, close, volume and count, and completes with a later trade', () => {
    const { it, bars } = builder();
    it.trade(10_000, 5, 60_000);
    it.trade(10_010, 1, 60_400);
    it.trade(9_990, 2, 60_999);
    expect(bars).toEqual([]);
    it.trade(10_000, 1, 61_000);
    expect(bars).toEqual([
      { start: 60_000, end: 61_000, open: 1000, high: 1001, low: 999, close: 999, volume: 0.008, count: 3, hasGap: false },
    ]);
  });

  test('a bar completes at its end plus the grace; a period without a trade has no bar', () => {
    const { it, bars, until, timerQueue } = builder();
    it.trade(10_000, 1, 60_100);
    until(61_499);
    expect(bars).toHaveLength(0);
    until(61_500);
    expect(bars).toHaveLength(1);
    expect(timerQueue.next).toBe(Infinity);
    it.trade(10_001, 1, 75_000);
    until(80_000);
    expect(bars.map((b) => b['start'])).toEqual([60_000, 75_000]);
  });

  test('a trade after its bar is complete counts as late and is in no bar', () => {
    const { it, bars, until } = builder();
    it.trade(10_000, 1, 60_100);
    until(62_000);
    it.trade(99_999, 9, 60_900);
    expect(it.late).toBe(1);
    it.trade(10_000, 1, 61_000);
    it.trade(99_999, 9, 60_999);
    until(70_000);
    expect(it.late).toBe(2);
    expect(bars.map((b) => [b['start'], b['high']])).toEqual([
      [60_000, 1000],
      [61_000, 1000],
    ]);
  });

  test.each([3_600_000, -3_600_000, 10_000])(
    'with our clock %i ms ahead of the venue, bars complete by the venue’s clock [N12]',
    (ahead) => {
      const offset = new VenueOffset();
      const { it, bars, until } = builder(1000, 500, offset);
      const base = 10_000_000;
      for (const at of [100, 600, 900]) {
        offset.heard(base + at + 50, base + at + 40 + ahead, base + at + 60 + ahead);
        until(base + at + 60 + ahead);
        it.trade(10_000, 1, base + at);
      }
      until(base + 1_450 + ahead);
      expect(bars).toEqual([]);
      until(base + 1_600 + ahead);
      expect(bars).toMatchObject([{ start: base, count: 3 }]);
      expect(it.late).toBe(0);
    },
  );

  test('an answer with a wrong time does not move bars', () => {
    const offset = new VenueOffset();
    const { it, bars, until } = builder(1000, 500, offset);
    offset.heard(3_660_150, 60_100, 60_200);
    it.trade(10_000, 1, 60_100);
    until(61_400);
    expect(bars).toEqual([]);
    until(61_500);
    expect(bars).toHaveLength(1);
  });

  test('lost trades mark the bar in which they were lost', () => {
    const { it, bars, until } = builder();
    it.trade(10_000, 1, 60_100);
    it.gap();
    it.trade(10_000, 1, 60_200);
    it.trade(10_000, 1, 61_200);
    until(70_000);
    expect(bars.map((b) => b['hasGap'])).toEqual([true, false]);
  });
});
