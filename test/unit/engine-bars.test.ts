import { describe, expect, test } from 'vitest';
import { Agenda } from '../../src/engine/agenda.ts';
import { Bars } from '../../src/engine/bars.ts';
import { btc } from '../support/engine-kit.ts';

function builder(periodMs = 1000, graceMs = 500) {
  const agenda = new Agenda();
  const bars: Record<string, unknown>[] = [];
  const it = new Bars(btc(), periodMs, graceMs, agenda, { bar: (b) => bars.push({ ...b.done }) });
  const until = (now: number): void => {
    for (let id = agenda.take(now); id >= 0; id = agenda.take(now)) agenda.run(id, now);
  };
  return { it, bars, until, agenda };
}

describe('bars of trades', () => {
  test('open, high, low, close, volume and count; complete with the first trade of a later bar', () => {
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

  test('or when its end plus the grace has passed; a span without a trade has no bar', () => {
    const { it, bars, until, agenda } = builder();
    it.trade(10_000, 1, 60_100);
    until(61_499);
    expect(bars).toHaveLength(0);
    until(61_500);
    expect(bars).toHaveLength(1);
    expect(agenda.next).toBe(Infinity);
    it.trade(10_001, 1, 75_000);
    until(80_000);
    expect(bars.map((b) => b['start'])).toEqual([60_000, 75_000]);
  });

  test('a trade that comes after its bar is late: counted, and in no bar', () => {
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

  test('lost trades mark the bar they are lost in', () => {
    const { it, bars, until } = builder();
    it.trade(10_000, 1, 60_100);
    it.gap();
    it.trade(10_000, 1, 60_200);
    it.trade(10_000, 1, 61_200);
    until(70_000);
    expect(bars.map((b) => b['hasGap'])).toEqual([true, false]);
  });
});
