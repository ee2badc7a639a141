import { describe, expect, test } from 'vitest';
import { BUY } from '../../../../src/domain/codes.ts';
import type { TradeReport } from '../../../../src/domain/report.ts';
import type { BarRow } from '../../../../src/engine/market/series.ts';
import type { Bar } from '../../../../src/engine/market/bar.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { POLLS, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

const MINUTE = 60_000;
/** A whole minute of venue time, some time after the bot starts to listen. */
const NOW = Math.ceil(START / MINUTE) * MINUTE + 30_000;

/** A trade every 100 ms: a price of its time, ids that grow. */
const trade = (id: number): TradeReport =>
  ({
    instrument: 0,
    tradeId: String(id),
    price: 10_000 + ((id * 7) % 100),
    size: 1 + (id % 3),
    aggressor: BUY,
    venueTime: NOW + id * 100,
  }) as never;

/** The venue's list up to its `newest` trade, in pages, newest first. Ids below `oldest` are gone. */
function page(newest: number, before: string, limit: number, oldest: number): TradeReport[] {
  const end = before === '' ? newest : Math.min(newest, Number(before) - 1);
  const ids = Array.from({ length: Math.max(0, Math.min(limit, end - oldest + 1)) }, (_, k) => end - k);
  return ids.map(trade);
}

const FIRST = 1_000_000;

interface Answered {
  newest: number;
  readonly oldest?: number;
  readonly fails?: (before: string) => boolean;
}

function answerAll(r: Rig, venue: Answered): number {
  let pages = 0;
  for (;;) {
    const at = r.open.findIndex((query) => query.kind === 'trades');
    if (at < 0) break;
    const [query] = r.open.splice(at, 1);
    if (query?.kind !== 'trades') break;
    if (query.limit === 1000) pages++;
    if (venue.fails?.(query.before) === true) r.venue.failed(query, 'time-out');
    else {
      const trades = page(venue.newest, query.before, query.limit, venue.oldest ?? 0);
      r.venue.answered(query, { kind: 'trades', trades }, r.clock.time, r.clock.time);
    }
  }
  settleReads(r, [], []);
  return pages;
}

/** A polled kernel whose trades begin at id FIRST; `until` seconds later everything that was traded is known. */
function run(handlers: StrategyHandlers, venue: Answered, pages = 100, seconds = 200, barSpeed = 1): Rig {
  const r = rig(handlers, { polls: { ...POLLS, historyPages: pages }, timings: { barSpeed } });
  r.clock.time = NOW + FIRST * 100;
  r.kernel.inbox.start();
  answerAll(r, venue);
  for (let s = 0; s < 4 * seconds; s++) {
    r.advance(250);
    venue.newest = FIRST + Math.floor((r.clock.time - NOW - FIRST * 100) / 100);
    answerAll(r, venue);
  }
  return r;
}

function recorder(timeframe: string, count: number, seen: Record<string, unknown>[][]): StrategyHandlers {
  return {
    needs: { bars: { [timeframe]: count } },
    onBar(bar: Bar, market) {
      const { time, open, high, low, close, volume } = market.bars(timeframe);
      seen.push([...time].map((t, i) => ({ t, o: open[i], h: high[i], l: low[i], c: close[i], v: volume[i]!.toFixed(3) })));
      expect(bar.start).toBe(time.at(-1));
    },
  };
}

/** The bars by a slow, plain definition. */
function plain(starts: number[], period: number): Record<string, unknown>[] {
  return starts.map((t) => {
    const ids = Array.from({ length: period / 100 }, (_, k) => (t - NOW) / 100 + k);
    const prices = ids.map((id) => (10_000 + ((id * 7) % 100)) / 10);
    const lots = ids.reduce((sum, id) => sum + 1 + (id % 3), 0);
    return { t, o: prices[0], h: Math.max(...prices), l: Math.min(...prices), c: prices.at(-1), v: (lots / 1000).toFixed(3) };
  });
}

describe('history from past trades', () => {
  test('pages are read back as far as the bars need, and the bars have no hole and no difference', () => {
    const seen: Record<string, unknown>[][] = [];
    const r = run(recorder('1m', 20, seen), { newest: FIRST });
    expect(r.log.lines.find(({ event }) => event === 'history-read')?.fields).toMatchObject({ symbol: 'BTCUSDT', bars: ['20 of 20 1m'] });
    expect(seen.length).toBe(3);
    for (const bars of seen) {
      expect(bars).toHaveLength(20);
      expect(bars).toEqual(
        plain(
          bars.map(({ t }) => t as number),
          MINUTE,
        ),
      );
      expect(bars.map(({ t }) => t)).toEqual(bars.map((_, k) => (bars[0]!['t'] as number) + k * MINUTE));
    }
  });

  test('on a market that moves 60 times as fast, an hour is a minute, in the past and live', () => {
    const [fast, real] = [
      { timeframe: '1h', speed: 60 },
      { timeframe: '1m', speed: 1 },
    ].map(({ timeframe, speed }) => {
      const seen: Record<string, unknown>[][] = [];
      run(recorder(timeframe, 20, seen), { newest: FIRST }, 100, 200, speed);
      return seen;
    });
    expect(real).toHaveLength(3);
    expect(fast).toEqual(real);
  });

  test('a page that fails is asked for again up to ten times, and live bars that came meanwhile fit', () => {
    const seen: Record<string, unknown>[][] = [];
    const failures = new Map<string, number>();
    const fails = (before: string): boolean => {
      const count = failures.get(before) ?? 0;
      failures.set(before, count + 1);
      return before !== '' && count < 10;
    };
    const r = run(recorder('10s', 60, seen), { newest: FIRST, fails }, 100, 120);
    expect(failures.size).toBeGreaterThan(5);
    expect(r.log.events()).toContain('history-read');
    expect(seen.length).toBeGreaterThan(3);
    for (const bars of seen)
      expect(bars).toEqual(
        plain(
          bars.map(({ t }) => t as number),
          10_000,
        ),
      );
  });

  test('where older trades do not exist, or pages are limited, the rest is waited for, and this is said', () => {
    const none: Record<string, unknown>[][] = [];
    const short = run(recorder('1m', 20, none), { newest: FIRST, oldest: FIRST - 3_000 });
    expect(none).toEqual([]);
    expect(short.kernel.status().strategies[0]!.warmingUp).toMatch(/^\d of 20 1m bars of BTCUSDT$/);
    const cut = run(recorder('1m', 20, none), { newest: FIRST }, 2);
    expect(cut.log.events()).toContain('history-cut');
    const off = run(recorder('1m', 20, none), { newest: FIRST }, 0);
    expect(off.log.events()).not.toContain('history-read');
  });

  test('a strategy that waits for no bars costs no page', () => {
    const r = rig({ onBar: () => undefined }, { polls: { ...POLLS, historyPages: 100 } });
    r.clock.time = NOW + FIRST * 100;
    r.kernel.inbox.start();
    expect(answerAll(r, { newest: FIRST })).toBe(0);
  });
});

describe('history from recordings', () => {
  /** Bars of a recording that ends `secondsAgo` before the start, as PastBars would make them. */
  function recorded(period: number, count: number, secondsAgo: number): { rows: BarRow[]; until: number } {
    const until = NOW + FIRST * 100 - secondsAgo * 1000;
    const boundary = Math.floor(until / period) * period;
    const starts = Array.from({ length: count }, (_, k) => boundary - (count - 1 - k) * period);
    const rows = starts.map((start): BarRow => {
      const ids = Array.from({ length: period / 100 }, (_, k) => (start - NOW) / 100 + k).filter((id) => NOW + id * 100 < until);
      const prices = ids.map((id) => (10_000 + ((id * 7) % 100)) / 10);
      const lots = ids.reduce((sum, id) => sum + 1 + (id % 3), 0);
      return [start, prices[0]!, Math.max(...prices), Math.min(...prices), prices.at(-1)!, lots / 1000];
    });
    return { rows, until };
  }

  function runWith(
    count: number,
    secondsAgo: number,
    venue: Answered,
    pages = 100,
  ): { r: Rig; seen: Record<string, unknown>[][]; asked: number } {
    const seen: Record<string, unknown>[][] = [];
    const r = rig(recorder('1m', count, seen), { polls: { ...POLLS, historyPages: pages } });
    r.clock.time = NOW + FIRST * 100;
    const { rows, until } = recorded(MINUTE, count + 1, secondsAgo);
    r.kernel.inbox.recorded(0, '1m', rows, until);
    r.kernel.inbox.start();
    let asked = answerAll(r, venue);
    for (let s = 0; s < 800; s++) {
      r.advance(250);
      venue.newest = FIRST + Math.floor((r.clock.time - NOW - FIRST * 100) / 100);
      asked += answerAll(r, venue);
    }
    return { r, seen, asked };
  }

  test('spares pages: only what came after it is read, and the bars are those of all trades', () => {
    const { r, seen, asked } = runWith(60, 150, { newest: FIRST });
    // 600 trades a minute: without a recording 36 pages.
    expect(asked).toBeLessThanOrEqual(4);
    expect(r.log.lines.find(({ event }) => event === 'history-read')?.fields).toMatchObject({
      bars: [expect.stringMatching(/^60 of 60 1m, 5[0-9] of them recorded$/)],
    });
    expect(seen.length).toBe(3);
    for (const bars of seen) {
      const starts = bars.map(({ t }) => t as number);
      expect(bars).toEqual(plain(starts, MINUTE));
      expect(starts).toEqual(starts.map((_, k) => starts[0]! + k * MINUTE));
    }
  });

  test('is left aside where the venue does not reach it: no bar with a hole', () => {
    const { r, seen } = runWith(20, 600, { newest: FIRST, oldest: FIRST - 2000 }, 2);
    expect(r.log.events()).toContain('history-cut');
    expect(seen).toEqual([]);
  });

  test('that ends before the wanted bars begin is of no use', () => {
    const { asked } = runWith(5, 3600, { newest: FIRST });
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(8);
  });
});

test('a first read of trades that fails is repeated at once, however rarely trades are polled', () => {
  const asked: number[] = [];
  let failures = 3;
  const r = rig({ onTrade: () => undefined }, { polls: { ...POLLS, periods: { ...POLLS.periods, trades: 60_000 } } });
  r.clock.time = NOW;
  r.kernel.inbox.start();
  for (let s = 0; s < 240; s++) {
    const reads = r.open.filter(({ kind }) => kind === 'trades');
    if (reads.length > 0) asked.push(r.clock.time - NOW);
    answerAll(r, { newest: FIRST, fails: () => failures-- > 0 });
    r.advance(250);
  }
  expect(asked.length).toBe(5);
  expect(asked[3]).toBeLessThan(5_000);
  expect(asked[4], 'then at multiples of the period').toBeGreaterThan(25_000);
});
