import { describe, expect, test } from 'vitest';
import { TimerQueue } from '../../../../src/base/time/timer-queue.ts';
import { Bars, type BarsOptions } from '../../../../src/engine/market/bars.ts';
import { parseTimeframe, periodStart, timeframeOf } from '../../../../src/domain/time/timeframe.ts';
import { VenueOffset } from '../../../../src/engine/market/venue-offset.ts';
import { MutableBar } from '../../../../src/engine/market/bar.ts';
import { Series } from '../../../../src/engine/market/series.ts';
import { builderOf } from '../../../../src/engine/strategy/bars/bar-feed.ts';
import { btc } from '../../../support/engine/engine-kit.ts';

function builder(periodMs = 1000, graceMs = 500, offset = new VenueOffset(), more: Partial<BarsOptions> = {}) {
  const timerQueue = new TimerQueue();
  const bars: Record<string, unknown>[] = [];
  const it = new Bars(btc(), parseTimeframe(timeframeOf(periodMs)), {
    graceMs,
    timerQueue,
    sink: { bar: (b) => bars.push({ ...b.done }) },
    offset,
    ...more,
  });
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
      {
        timeframe: '1s',
        start: 60_000,
        end: 61_000,
        open: 1000,
        high: 1001,
        low: 999,
        close: 999,
        volume: 0.008,
        count: 3,
        hasGap: false,
        isFlat: false,
      },
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
        offset.heard('quotes', true, base + at + 50, base + at + 40 + ahead, base + at + 60 + ahead);
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
    offset.heard('quotes', true, 3_660_150, 60_100, 60_200);
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

describe('time bars without holes', () => {
  const filling = () => builder(1000, 500, new VenueOffset(), { isFilling: true, isRealTime: true });

  test('a period without a trade has a flat bar at the last close; the first, incomplete period is left out', () => {
    const { it, bars } = filling();
    it.trade(10_000, 1, 60_100);
    it.trade(10_010, 1, 61_200);
    it.trade(10_005, 2, 64_500);
    expect(bars.map((b) => [b['start'], b['open'], b['close'], b['volume'], b['isFlat']])).toEqual([
      [61_000, 1001, 1001, 0.001, false],
      [62_000, 1001, 1001, 0, true],
      [63_000, 1001, 1001, 0, true],
    ]);
  });

  test('flat bars come at their time too, when no trade follows', () => {
    const { it, bars, until } = filling();
    it.trade(10_000, 1, 60_100);
    until(64_500);
    expect(bars.map((b) => [b['start'], b['isFlat']])).toEqual([
      [61_000, true],
      [62_000, true],
      [63_000, true],
    ]);
  });

  test('a flat bar waits while trades are not read, because there may have been some', () => {
    const { it, bars, until } = builder(1000, 500, new VenueOffset(), { isFilling: true });
    it.trade(10_000, 1, 60_100);
    until(65_000);
    expect(bars).toEqual([]);
    it.trade(10_020, 1, 61_900);
    it.caughtUp(65_000);
    until(66_000);
    expect(bars.map((b) => [b['start'], b['close'], b['isFlat']])).toEqual([
      [61_000, 1002, false],
      [62_000, 1002, true],
      [63_000, 1002, true],
      [64_000, 1002, true],
    ]);
  });

  test('history that ends inside a bar continues it', () => {
    const { it, bars } = filling();
    it.resume(60_400, { start: 60_000, open: 10_000, high: 10_050, low: 9_990, close: 10_020, lots: 7 });
    it.trade(10_080, 3, 60_500);
    it.trade(10_080, 1, 61_000);
    expect(bars).toMatchObject([{ start: 60_000, open: 1000, high: 1008, low: 999, close: 1008, volume: 0.01 }]);
  });

  test('history that ends between bars makes the next bar whole', () => {
    const { it, bars } = filling();
    it.resume(61_000, { start: 60_000, open: 10_000, high: 10_000, low: 10_000, close: 10_000, lots: 1 });
    it.trade(10_080, 3, 62_500);
    it.trade(10_080, 1, 63_000);
    expect(bars.map((b) => [b['start'], b['close'], b['isFlat']])).toEqual([
      [61_000, 1000, true],
      [62_000, 1008, false],
    ]);
  });
});

describe('bars by activity', () => {
  function build(timeframe: string) {
    const bars: Record<string, unknown>[] = [];
    const parts = { graceMs: 500, timerQueue: new TimerQueue(), isRealTime: true };
    const it = builderOf(btc(), parseTimeframe(timeframe), true, parts, { bar: (b) => bars.push({ ...b.done }) });
    return { it, bars };
  }

  test.each([
    ['tick:3', 3],
    ['volume:0.012', 3],
    ['value:9', 2],
    ['range:2', 4],
  ])('%s: the trade that fills a bar belongs to it', (timeframe, trades) => {
    const { it, bars } = build(timeframe);
    [10_000, 10_010, 9_995, 10_020, 10_020, 10_000].forEach((price, i) => it.trade(price, 5, 60_000 + i));
    expect(bars[0]).toMatchObject({ count: trades, start: 60_000, end: 59_999 + trades, open: 1000, volume: 0.005 * trades, timeframe });
  });

  test('renko: a brick per height, a turn takes two, and one trade may make several', () => {
    const { it, bars } = build('renko:1');
    const prices = [1000, 1000.9, 1001, 1003.2, 1002.1, 1001, 999.4];
    prices.forEach((price, i) => it.trade(price * 10, 1, 60_000 + i));
    expect(bars.map((b) => [b['open'], b['close'], b['count']])).toEqual([
      [1000, 1001, 3],
      [1001, 1002, 1],
      [1002, 1003, 0],
      [1002, 1001, 2],
      [1001, 1000, 1],
    ]);
  });

  test('Heikin-Ashi bars smooth the plain ones by the published rule', () => {
    const { it, bars } = build('ha:tick:2');
    [1000, 1004, 1006, 1010].forEach((price, i) => it.trade(price * 10, 1, 60_000 + i));
    expect(bars.map((b) => [b['open'], b['high'], b['low'], b['close']])).toEqual([
      [1002, 1004, 1000, 1002],
      [1002, 1010, 1002, 1008],
    ]);
    expect(bars[0]).toMatchObject({ timeframe: 'ha:tick:2' });
  });
});

describe('names of timeframes', () => {
  test.each([
    ['60s', '1m', 60_000],
    ['90m', '90m', 5_400_000],
    ['7d', '1w', 604_800_000],
    ['ha:60m', 'ha:1h', 3_600_000],
    ['tick:500', 'tick:500', 500],
  ])('%s is %s', (text, name, size) => {
    expect(parseTimeframe(text)).toMatchObject({ name, size });
  });

  test.each(['', '0s', '1x', '1.5m', 'tick:1.5', 'tick:0', 'renko:-1', '1M'])('"%s" is refused with the known forms', (text) => {
    expect(() => parseTimeframe(text)).toThrow(/a timeframe is a time such as "1s".*found "/);
  });

  test('weeks begin on Monday', () => {
    expect(new Date(periodStart(Date.UTC(2024, 7, 8, 12), 604_800_000)).toISOString()).toBe('2024-08-05T00:00:00.000Z');
  });
});

describe('series of bars', () => {
  test('keeps the newest bars, newest last, and takes history before them', () => {
    const series = new Series('1s', 3);
    const bar = (start: number) => ({ ...new MutableBar('1s'), start, close: start / 1000 });
    for (let k = 5; k < 7; k++) series.push(bar(k * 1000));
    series.prepend([3, 4, 5].map((k) => [k * 1000, 0, 0, 0, -k, 0] as const));
    expect([...series.close]).toEqual([-4, 5, 6]);
    // Far more than the columns hold.
    for (let k = 7; k < 700; k++) {
      series.push(bar(k * 1000));
      expect([...series.time]).toEqual([(k - 2) * 1000, (k - 1) * 1000, k * 1000]);
    }
    expect(series.length).toBe(3);
  });
});
