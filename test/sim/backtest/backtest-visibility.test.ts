/** What a strategy sees in a backtest, and when: polls show the market at their arrival at the venue, and only after they return. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { StrategyHandlers } from '../../../src/engine/strategy/definition/types.ts';
import type { Query } from '../../../src/ports/venue.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { pollsOf, rigOf, runFast, type Rig, type RunSpec } from '../../support/backtest/reference-kit.ts';
import { INSTRUMENTS, openRandomTape, writeRandomTape } from '../../support/backtest/reference-strategy.ts';
import { rowsOf, withFolder, type Row } from '../../support/tape/tape-rows.ts';

interface Seen {
  readonly at: number;
  readonly time: number;
  readonly what: readonly number[];
}

function watcher(quotes: Seen[][], trades: Seen[][]): StrategyHandlers {
  return {
    onQuote(market, ctx) {
      const { index, time, bidTicks, bidLots, askTicks, askLots } = market;
      quotes[index]!.push({ at: ctx.now, time, what: [bidTicks, bidLots, askTicks, askLots] });
    },
    onTrade(trade, market, ctx) {
      trades[market.index]!.push({ at: ctx.now, time: trade.time, what: [trade.ticks, trade.lots] });
    },
  };
}

/** True for a quote with both sides; a bot ignores others. */
function isWhole([, bid, , ask]: Row): boolean {
  return bid > 0 && ask > bid;
}

const UP = 23;
const DOWN = 31;
const base: Omit<RunSpec, 'strategies' | 'polls'> = { instruments: INSTRUMENTS, fillModel: 'queue', upMs: UP, downMs: DOWN };

/** Runs a watching strategy on two symbols. `sent` has the send times of polls, by kind. */
function watch(
  folder: string,
  spec: Partial<RunSpec>,
  seed: number,
): { rig: Rig; rows: Row[][]; quotes: Seen[][]; trades: Seen[][]; sent: Map<string, number[]> } {
  const path = join(folder, 't');
  writeRandomTape(path, { seed, rows: 6000, symbols: 2, stepMs: 12 });
  const tape = openRandomTape(path);
  const quotes: Seen[][] = [[], []];
  const trades: Seen[][] = [[], []];
  const strategy = defineStrategy({ name: 'watcher', create: () => watcher(quotes, trades) });
  const rig = rigOf(tape, { ...base, strategies: [{ strategy, instruments: [0, 1] }], polls: pollsOf(40, 90), ...spec });
  const sent = new Map<string, number[]>();
  const { port, clock } = rig.parts as unknown as { port: { query(query: Query): void }; clock: { time: number } };
  const ask = port.query.bind(port);
  port.query = (query) => {
    const key = `${query.kind} ${query.instrument}`;
    sent.set(key, [...(sent.get(key) ?? []), clock.time]);
    ask(query);
  };
  runFast(rig);
  return { rig, rows: rig.streams.map((stream) => rowsOf(stream)), quotes, trades, sent };
}

describe('polls', () => {
  test.each([1, 2, 3])('show the quote at their arrival, delayed by the return latency (seed %i)', async (seed) => {
    await withFolder((folder) => {
      const { rows, quotes, sent, rig } = watch(folder, {}, seed);
      const end = rig.parts.clock.time;
      const arrivals = (sent.get('quotes -1') ?? []).map((at) => at + UP).filter((at) => at + DOWN <= end);
      expect(arrivals.length).toBeGreaterThan(100);
      for (const i of [0, 1]) {
        const book = rows[i * 2 + 1]!;
        const expected: Seen[] = [];
        for (const arrival of arrivals) {
          // The venue has processed all rows of a millisecond before a query of that millisecond.
          const row = book.findLast(([time]) => time <= arrival);
          if (row === undefined || !isWhole(row)) continue;
          const [time, ...what] = row;
          // An unchanged quote is not delivered.
          if (expected.at(-1)?.what.join() !== what.join()) expected.push({ at: arrival + DOWN, time, what });
        }
        // The strategy starts once two reads of the positions have agreed; it does not see earlier data.
        const start = quotes[i]![0]!.at;
        expect(start).toBeLessThan(arrivals[0]! + 200);
        expect(quotes[i]).toEqual(expected.filter(({ at }) => at >= start));
      }
    });
  });

  test.each([1, 2])('show each trade once, in order, and none after their arrival (seed %i)', async (seed) => {
    await withFolder((folder) => {
      const { rows, trades, sent, rig } = watch(folder, {}, seed);
      const end = rig.parts.clock.time;
      for (const i of [0, 1]) {
        const tape = rows[i * 2]!;
        const arrivals = (sent.get(`trades ${i}`) ?? []).map((at) => at + UP).filter((at) => at + DOWN <= end);
        // Trades in the first poll are history.
        const news = tape.filter(([time]) => time > arrivals[0]! && time <= arrivals.at(-1)!);
        const expected = news.map(([time, , price, size]): Seen => {
          const arrival = arrivals.find((at) => at >= time)!;
          return { at: arrival + DOWN, time, what: [price, size] };
        });
        expect(trades[i]).toEqual(expected);
        expect(trades[i]!.length).toBeGreaterThan(500);
      }
    });
  });
});

describe('every tick', () => {
  test('shows every plausible row at its own time, and none before', async () => {
    await withFolder((folder) => {
      const { rows, quotes, trades } = watch(folder, { polls: null }, 4);
      for (const i of [0, 1]) {
        expect(quotes[i]).toEqual(rows[i * 2 + 1]!.filter(isWhole).map(([time, ...what]) => ({ at: time, time, what })));
        expect(trades[i]).toEqual(rows[i * 2]!.map(([time, , price, size]) => ({ at: time, time, what: [price, size] })));
      }
    });
  });
});

describe('the edges of the run', () => {
  test.each([true, false])('rows from `from` to before `to` are seen, and no others (every tick %s)', async (isEveryTick) => {
    await withFolder((folder) => {
      const first = watch(folder, { polls: null }, 5);
      const times = first.rows
        .flat()
        .map(([time]) => time)
        .toSorted((a, b) => a - b);
      const [from, to] = [times[1000]!, times[4000]!];
      const inside = times.filter((time) => time >= from && time < to);
      const { rig, quotes, trades } = watch(folder, { from, to, ...(isEveryTick ? { polls: null } : {}) }, 5);
      expect(runLength(rig)).toEqual([inside[0], inside.at(-1)]);
      const seen = [...quotes, ...trades].flat();
      const shown = first.rows.flatMap((stream, k) => (k % 2 === 1 ? stream.filter(isWhole) : stream));
      if (isEveryTick) expect(seen.length).toBe(shown.filter(([time]) => time >= from && time < to).length);
      expect(Math.min(...seen.map(({ time }) => time))).toBeGreaterThanOrEqual(from);
      expect(Math.max(...seen.map(({ time }) => time))).toBeLessThan(to);
    });
  });

  test('an empty range is refused', async () => {
    await withFolder((folder) => {
      const { rig, rows } = watch(folder, {}, 6);
      const last = Math.max(...rows.flat().map(([time]) => time));
      expect(runLength(rig)[1]).toBe(last);
      const after = watch(folder, { from: last + 1 }, 6);
      expect(after.sent.size).toBe(0);
      expect(after.rig.parts.kernel.phase).toBe('new');
    });
  });
});

/** Times of the first possible equity sample less one step, and of the last sample. */
function runLength({ parts }: Rig): (number | undefined)[] {
  const { points } = parts.curve;
  return [points[0] === undefined ? undefined : points[0].time - parts.sampleMs, points.at(-1)?.time];
}

test.each([true, false])('a leg has its isolated margin and its liquidation price, with every tick %s', async (everyTick) => {
  await withFolder(async (folder) => {
    const tape = join(folder, 't');
    writeRandomTape(tape, { seed: 5, rows: 2000, symbols: 1, stepMs: 20 });
    const body = `return { onQuote(market: any, ctx: any) {
      const { orders, long, ask } = market;
      if (long.size === 0 && orders.length === 0) ctx.open(market, 'LONG', { size: '0.01', marginMode: 'ISOLATED' });
      else if (long.margin > 0) (globalThis as any).seenMargin = [long.margin / (0.01 * long.entryPrice), long.liquidationPrice / ask];
    } };`;
    const seen = globalThis as { seenMargin?: readonly [number, number] };
    delete seen.seenMargin;
    await backtest(tape, strategyFile(folder, body), { everyTick, config: configWith() });
    const [margin, liquidation] = seen.seenMargin ?? [0, 0];
    // One part in the leverage of the configuration.
    expect(margin).toBeCloseTo(1 / configWith().simulation.leverage, 3);
    expect(liquidation).toBeGreaterThan(0.8);
    expect(liquidation).toBeLessThan(1);
  });
});
