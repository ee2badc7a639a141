/** Historical trades (E8) of the paper exchange from before those that the simulator keeps. */
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { MINUTE_MS } from '../../../../src/base/time/time-spans.ts';
import { defaultConfig } from '../../../../src/config/defaults.ts';
import { instrumentsOf } from '../../../../src/run/setup/instruments/instruments.ts';
import type { DrawnBars } from '../../../../src/tape/synth/synth-past.ts';
import { DrawnMinutes } from '../../../../src/run/market/drawn-minutes.ts';
import { PastTrades, TRADES_A_MINUTE, type PastTradesDeps } from '../../../../src/run/market/past-trades.ts';
import { pastDrawer } from '../../../../src/run/market/synthetic.ts';
import { withSynthetic } from '../../../../src/run/setup/instruments/synthetic-instruments.ts';
import { VenueSim } from '../../../../src/sim/core/venue-core.ts';
import { specOf } from '../../../support/sim/sim-kit.ts';
import type { SimTrade, TradesRequest } from '../../../../src/sim/state/types.ts';

/** More than happen within a minute, as on the exchange: what was not kept of the minute in hand would be lost at a kill. */
const KEPT = 120;
const PAST = { start: 1_700_000_005_000, minutes: 90, minuteMs: MINUTE_MS, seed: 3, season: false };
const instruments = instrumentsOf(defaultConfig().instruments);
const futures = instruments.filter(({ product }) => product === 'futures').map(({ index }) => index);

const draw: PastTradesDeps['draw'] = pastDrawer(instruments);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'past-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Bar {
  open: number;
  high: number;
  low: number;
  close: number;
  lots: number;
}

/** Bars of a minute, made from trades in order. */
function barsOf(trades: readonly Pick<SimTrade, 'price' | 'size' | 'time'>[], minuteMs: number): Map<number, Bar> {
  const bars = new Map<number, Bar>();
  for (const { price, size, time } of trades) {
    const start = Math.floor(time / minuteMs) * minuteMs;
    const bar = bars.get(start);
    if (bar === undefined) bars.set(start, { open: price, high: price, low: price, close: price, lots: size });
    else {
      bar.high = Math.max(bar.high, price);
      bar.low = Math.min(bar.low, price);
      bar.close = price;
      bar.lots += size;
    }
  }
  return bars;
}

/** An exchange's market: the simulator, the past beside it, and every trade that happened. */
class Market {
  readonly sim = new VenueSim(specOf(instruments, { keepTrades: KEPT }), null);
  readonly happened: SimTrade[] = [];
  past: PastTrades;
  #id: number;
  #time = PAST.start;

  constructor(past: typeof PAST | null) {
    this.past = this.#open();
    this.#id = this.past.begin(this.sim, past);
  }

  /** Trades `count` times, each up to `gapMs` after the last. */
  trade(random: Random, count: number, gapMs: number): void {
    for (let k = 0; k < count; k++) {
      this.#time += random.below(gapMs);
      const price = 600_000 + random.below(1_000);
      const size = 1 + random.below(9);
      const aggressor = random.below(2);
      const id = ++this.#id;
      for (const index of futures) {
        this.sim.trade(index, price, size, aggressor, this.#time, id);
        this.past.trade(index, price, size, this.#time, id);
      }
      this.happened.push({ id, price, size, aggressor, time: this.#time } as SimTrade);
    }
  }

  /** As after kill -9: the simulator is restored from its ledger, the past from its file. */
  restart(): void {
    this.past = this.#open();
    this.past.begin(this.sim, null);
  }

  /** All trades from the newest to the oldest, in pages of `limit`. */
  all(limit: number, request: Partial<TradesRequest> = {}): SimTrade[] {
    const source = this.past.over(this.sim);
    const out: SimTrade[] = [];
    for (let before: number | undefined = request.before; ; before = out.at(-1)!.id) {
      const page = source(futures[0]!, { ...request, limit, before });
      out.push(...page);
      if (page.length < limit) return out;
    }
  }

  #open(): PastTrades {
    return new PastTrades({ instruments, folder, draw });
  }
}

describe('trades of before', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('give the bars that the market had, in pages of any size, also after restarts (seed %i)', (seed) => {
    const random = new Random(seed);
    const minuteMs = seed > 4 ? MINUTE_MS / 60 : MINUTE_MS;
    const market = new Market({ ...PAST, minuteMs });
    for (let life = 0; life < 4; life++) {
      market.trade(random, 1 + random.below(200), ([2_000, 5_000, 30_000, 200_000][random.below(4)]! * minuteMs) / MINUTE_MS);
      const shown = market.all(1 + random.below(100));
      const ids = shown.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
      expect(shown.every(({ time }, k) => k === 0 || time <= shown[k - 1]!.time)).toBe(true);
      const since = PAST.start - (PAST.start % minuteMs);
      expect(barsOf(shown.filter(({ time }) => time >= since).toReversed(), minuteMs)).toEqual(barsOf(market.happened, minuteMs));
      expect(new Set(shown.map(({ time }) => Math.floor(time / minuteMs))).size).toBeGreaterThanOrEqual(PAST.minutes);
      market.restart();
    }
  });

  it('are exact as long as the simulator keeps them, and four a minute beyond', () => {
    const market = new Market(PAST);
    market.trade(new Random(9), 400, 2_000);
    const shown = market.all(25);
    const kept = market.happened.slice(-KEPT);
    const whole = kept.filter(({ time }) => time >= Math.floor(kept[0]!.time / MINUTE_MS) * MINUTE_MS + MINUTE_MS);
    expect(shown.slice(0, whole.length)).toEqual(whole.toReversed());
    const perMinute = new Map<number, number>();
    for (const { time } of shown.slice(whole.length))
      perMinute.set(Math.floor(time / MINUTE_MS), (perMinute.get(Math.floor(time / MINUTE_MS)) ?? 0) + 1);
    expect(Math.max(...perMinute.values())).toBe(TRADES_A_MINUTE);
  });

  it('end at the first price of the market, and are the same at every start', () => {
    const [first, second] = [new Market(PAST), new Market(null)].map((market) => market.all(1_000));
    expect(first).toHaveLength(PAST.minutes * TRADES_A_MINUTE);
    expect(second).toEqual(first);
    expect(first![0]).toMatchObject({ price: 600_000, id: PAST.minutes * TRADES_A_MINUTE });
    expect(first!.at(-1)!.id).toBe(1);
  });

  it('are drawn in slices, and are the same as drawn at once', async () => {
    const long = { ...PAST, minutes: 5_000 };
    const [sliced, whole] = [0, 1].map(() => {
      const past = new PastTrades({ instruments, folder: null, draw });
      const sim = new VenueSim(specOf(instruments, {}), null);
      past.begin(sim, long);
      return { past, source: past.over(sim) };
    });
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const [first, second] = futures.map((index) => sliced!.past.prepare(index));
    expect(first).not.toBeNull();
    expect(sliced!.past.prepare(futures[0]!)).toBe(first);
    await Promise.all([first, second]);
    isOver = true;
    expect(turns).toBeGreaterThan(10);
    for (const index of futures) {
      expect(sliced!.past.prepare(index)).toBeNull();
      expect(sliced!.source(index, { limit: Infinity })).toEqual(whole!.source(index, { limit: Infinity }));
    }
    const digest = createHash('sha256').update(JSON.stringify(whole!.source(futures[0]!, { limit: Infinity })));
    expect(digest.digest('hex').slice(0, 16)).toBe('07d9487a35c124fa');
  });

  it.each([100, 400])('are all there on a market of %i symbols', (count) => {
    const many = instrumentsOf(withSynthetic(defaultConfig().instruments, count));
    const past = new PastTrades({ instruments: many, folder: null, draw: pastDrawer(many) });
    const sim = new VenueSim(specOf(many, { keepTrades: KEPT }), null);
    const minutes = 28_800;
    const firstId = past.begin(sim, { ...PAST, minutes }) + 1;
    const source = past.over(sim);
    const oldest = (): SimTrade | undefined => source(0, { limit: 1, before: 2 })[0];
    expect(oldest()).toMatchObject({ id: 1 });
    for (let k = 0; k < 3; k++) past.trade(0, 600_000, 1, PAST.start + k * MINUTE_MS, firstId + k);
    expect(oldest()).toMatchObject({ id: 1 });
    expect(source(0, { limit: Infinity, before: firstId })).toHaveLength(minutes * TRADES_A_MINUTE);
  });

  it('leave no hole once the oldest minutes of the market itself were dropped', () => {
    const many = instrumentsOf(withSynthetic(defaultConfig().instruments, 1_400));
    const past = new PastTrades({ instruments: many, folder: null, draw: pastDrawer(many) });
    const sim = new VenueSim(specOf(many, { keepTrades: KEPT }), null);
    const firstId = past.begin(sim, PAST) + 1;
    for (let k = 0; k < 3_000; k++) past.trade(0, 600_000, 1, PAST.start + k * MINUTE_MS, firstId + k);
    const times = past
      .over(sim)(0, { limit: Infinity })
      .map(({ time }) => Math.floor(time / MINUTE_MS));
    expect(times.length).toBeGreaterThanOrEqual(1_440);
    expect(times.every((time, k) => k === 0 || time === times[k - 1]! - 1)).toBe(true);
  });

  it('are those of a slower market in so much less time', () => {
    const [slow, fast] = [MINUTE_MS, MINUTE_MS / 60].map((minuteMs) => {
      rmSync(join(folder, 'minutes.jsonl'), { force: true });
      return new Market({ ...PAST, minuteMs }).all(1_000).toReversed();
    });
    const plain = (trades: readonly SimTrade[]): unknown[] => trades.map(({ id, price, size, aggressor }) => [id, price, size, aggressor]);
    expect(plain(fast!)).toEqual(plain(slow!));
    expect(fast!.at(-1)!.time - fast![0]!.time).toBeLessThan(PAST.minutes * 1_000);
  });

  it('stay within the times that are asked for', () => {
    const market = new Market(PAST);
    const all = market.all(1_000);
    const [start, end] = [all[200]!.time, all[100]!.time];
    expect(market.all(7, { start, end })).toEqual(all.filter(({ time }) => time >= start && time <= end));
  });

  it('are none where the market is older than the file', () => {
    expect(new Market(null).all(10)).toEqual([]);
  });

  it('lose at most a line that was not written whole', () => {
    const market = new Market(PAST);
    market.trade(new Random(4), 300, 5_000);
    market.past.close();
    const before = market.all(50);
    appendFileSync(join(folder, 'minutes.jsonl'), '["BTCUSDT",17000');
    market.restart();
    expect(market.all(50)).toEqual(before);
  });
});

it('minutes that could not be drawn are tried again, and hold up no other instrument', async () => {
  let failures = 1;
  const begun: number[] = [];
  const drawn = new DrawnMinutes((instrument) => {
    begun.push(instrument);
    if (failures-- > 0) throw new Error('no memory');
    return { step: () => ({ instrument }) as unknown as DrawnBars };
  });
  const first = drawn.prepare(0)!;
  const second = drawn.prepare(1)!;
  await expect(first).rejects.toThrow('no memory');
  await second;
  expect(drawn.of(1)).toEqual({ instrument: 1 });
  // Drawn at once while its turn is awaited: not drawn again.
  const third = drawn.prepare(0)!;
  drawn.of(0);
  await third;
  expect([begun, drawn.prepare(0)]).toEqual([[0, 1, 0], null]);
});
