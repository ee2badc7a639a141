/** The market of the paper exchange: rows of a tape, re-timed, looped and mirrored; and the synthetic market. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createInstrument } from '../../../src/domain/instrument.ts';
import {
  ROWS_A_TURN,
  synthFeed,
  tapeFeed,
  type MarketFeed,
  type MarketSink,
  type TapeFeedOptions,
} from '../../../src/run/market/market-feed.ts';
import { feedOf, instrumentsFor, instrumentsOf } from '../../../src/run/setup/instruments/instruments.ts';
import { synthSymbols } from '../../../src/run/market/synthetic.ts';
import { withSynthetic } from '../../../src/run/setup/instruments/synthetic-instruments.ts';
import type { ExchangeOptions } from '../../../src/run/setup/options.ts';
import { speedOf } from '../../../src/run/market/served-market.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { BTC, ETH, SPOT_BTC } from '../../support/sim/sim-kit.ts';

const folder = mkdtempSync(join(tmpdir(), 'market-feed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const T = 1_700_000_000_000;
const FUTURES = [BTC, ETH].map((spec, index) => createInstrument(spec, index));
const WITH_SPOT = [BTC, ETH, SPOT_BTC].map((spec, index) => createInstrument(spec, index));

/** BTC: trades at 0, 10, 10 and 40 ms, quotes at 10 and 30; ETH: trades at 10 and 20. */
function writeTape(): string {
  const path = join(folder, 'tape');
  const writer = new TapeWriter(path, { overwrite: true });
  const scale = { priceDecimals: 2, sizeDecimals: 3 };
  const trades = writer.stream('BTCUSDT', 'trades', scale);
  const quotes = writer.stream('BTCUSDT', 'quotes', scale);
  const eth = writer.stream('ETHUSDT', 'trades', scale);
  for (const [at, id] of [
    [0, 901],
    [10, 902],
    [10, 903],
    [40, 904],
  ] as const)
    trades.trade(T + at, id, 6_000_000 + id * 10, 5, id & 1);
  for (const at of [10, 30]) quotes.quote(T + at, 6_000_000 + at * 10, 1000, 6_000_100 + at * 10, 2000);
  for (const [at, id] of [
    [10, 71],
    [20, 72],
  ] as const)
    eth.trade(T + at, id, 260_000 + id, 8, 0);
  writer.finish();
  return path;
}

const tape = writeTape();

type Row = readonly (string | number)[];

class Sink implements MarketSink {
  readonly rows: Row[] = [];
  quote(...row: readonly number[]): void {
    this.rows.push(['quote', ...row]);
  }
  trade(...row: readonly number[]): void {
    this.rows.push(['trade', ...row]);
  }
}

function take(feed: MarketFeed, now: number): readonly Row[] {
  const sink = new Sink();
  feed.feed(now, sink);
  return sink.rows;
}

function open(given: Partial<TapeFeedOptions> = {}): MarketFeed {
  return tapeFeed({ folder: tape, instruments: FUTURES, speed: 1, loop: false, start: T, skip: 0, ...given });
}

/** Kind, instrument, time and trade id; the rest follows from them. */
const shortly = (rows: readonly Row[]): string[] =>
  rows.map((row) => (row[0] === 'trade' ? `T${row[1]} ${Number(row[5]) - T} #${row[6]}` : `Q${row[1]} ${Number(row[6]) - T}`));

const ONCE = ['T0 0 #901', 'T0 10 #902', 'T0 10 #903', 'Q0 10', 'T1 10 #71', 'T1 20 #72', 'Q0 30', 'T0 40 #904'];

describe('a tape', () => {
  test('comes in the order of its times, symbol by symbol, trades before quotes, each row in ticks and lots', () => {
    const rows = take(open(), T + 40);
    expect(shortly(rows)).toEqual(ONCE);
    expect(rows[1]).toEqual(['trade', 0, 600_902, 5, 0, T + 10, 902]);
    expect(rows[3]).toEqual(['quote', 0, 600_010, 1000, 600_020, 2000, T + 10]);
    expect(rows[4]).toEqual(['trade', 1, 260_071, 8, 0, T + 10, 71]);
  });

  test('returns the rows that are due, and the time of the next row', () => {
    const feed = open();
    expect(feed.nextTime).toBe(T);
    expect(take(feed, T - 1)).toEqual([]);
    expect(shortly(take(feed, T))).toEqual(ONCE.slice(0, 1));
    expect(take(feed, T + 9)).toEqual([]);
    expect(feed.nextTime).toBe(T + 10);
    expect(shortly(take(feed, T + 25))).toEqual(ONCE.slice(1, 6));
    expect(feed.nextTime).toBe(T + 30);
    expect(shortly(take(feed, T + 1e9))).toEqual(ONCE.slice(6));
    expect(feed.nextTime).toBe(Infinity);
    expect(take(feed, T + 2e9)).toEqual([]);
  });

  test('starts at its start time, at its speed', () => {
    const feed = open({ start: T + 5000, speed: 4 });
    expect(feed.nextTime).toBe(T + 5000);
    expect(shortly(take(feed, T + 2e9)).map((row) => row.split(' ')[1])).toEqual([
      '5000',
      '5002',
      '5002',
      '5002',
      '5002',
      '5005',
      '5007',
      '5010',
    ]);
  });

  test.each([0.001, 0.5, 3, 10_000])('keeps its order and its ids over loops at %s times its speed', (speed) => {
    const feed = open({ speed, loop: true });
    const rows: Row[] = [];
    for (let now = T; rows.length < 40; now = Math.max(now + 1, feed.nextTime)) rows.push(...take(feed, now));
    const timeOf = (row: Row): number => Number(row[0] === 'trade' ? row[5] : row[6]);
    for (const [k, row] of rows.entries()) {
      expect(shortly([row])[0]!.split(' ')[0]).toBe(ONCE[k % 8]!.split(' ')[0]);
      expect(timeOf(row)).toBeGreaterThanOrEqual(k === 0 ? T : timeOf(rows[k - 1]!));
      const round = Math.floor(k / 8) * (Math.floor(40 / speed) + 1);
      expect(timeOf(row)).toBe(T + round + Math.floor(Number(ONCE[k % 8]!.split(' ')[1]) / speed));
    }
    const ids = rows.filter((row) => row[0] === 'trade' && row[1] === 0).map((row) => Number(row[6]));
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
  });

  test('that is faster than it can be served returns its rows in slices and falls behind', () => {
    const feed = open({ speed: 10_000, loop: true });
    const first = take(feed, T + 60_000);
    expect(first.length).toBe(ROWS_A_TURN);
    const [left, place] = [feed.nextTime, feed.place()];
    expect(left).toBeLessThanOrEqual(T + 60_000);
    feed.slip(T + 60_001 - left);
    expect([feed.nextTime, feed.place()]).toEqual([T + 60_001, place]);
    expect(take(feed, T + 60_000)).toEqual([]);
    const [next] = take(feed, T + 60_001);
    expect(Number(next![next![0] === 'trade' ? 5 : 6])).toBe(T + 60_001);
  });

  test('starts again a millisecond after its end, with growing trade ids', () => {
    const feed = open({ loop: true });
    const rows = take(feed, T + 41 + 40);
    expect(shortly(rows).slice(0, 8)).toEqual(ONCE);
    // The ids of the tape run from 71 to 904: each loop adds 834.
    expect(shortly(rows).slice(8)).toEqual([
      'T0 41 #1735',
      'T0 51 #1736',
      'T0 51 #1737',
      'Q0 51',
      'T1 51 #905',
      'T1 61 #906',
      'Q0 71',
      'T0 81 #1738',
    ]);
    const ids = new Map<number, number>();
    for (const row of take(open({ loop: true }), T + 41 * 50)) {
      if (row[0] !== 'trade') continue;
      expect(Number(row[6])).toBeGreaterThan(ids.get(Number(row[1])) ?? 0);
      ids.set(Number(row[1]), Number(row[6]));
    }
    expect(feed.nextTime).toBe(T + 82);
  });

  test('continues after the rows that were returned before, from the current time', () => {
    for (const loop of [true, false]) {
      const all = take(open({ loop }), T + 3 * 41 - 1);
      for (let skip = 0; skip < all.length; skip++) {
        const feed = open({ loop, skip, start: T + 777 });
        const rest = take(feed, T + 777 + 3 * 41);
        const expected = all.slice(skip, skip + 8);
        const shift = T + 777 - Number(expected[0]![expected[0]![0] === 'trade' ? 5 : 6]);
        const moved = expected.map((row) => row.map((value, k) => (k === (row[0] === 'trade' ? 5 : 6) ? Number(value) + shift : value)));
        expect(rest.slice(0, expected.length), `after ${skip}`).toEqual(moved);
      }
    }
  });

  test('ends when all rows were returned', () => {
    expect(open({ skip: 8 }).nextTime).toBe(Infinity);
    expect(open({ skip: 99 }).nextTime).toBe(Infinity);
  });

  test('is mirrored to spot on the spot grid, right after the row', () => {
    const rows = take(open({ instruments: WITH_SPOT }), T + 10);
    expect(rows.slice(0, 2)).toEqual([
      ['trade', 0, 600_901, 5, 1, T, 901],
      ['trade', 2, 6_009_010, 5000, 1, T, 901],
    ]);
    expect(rows.filter((row) => row[0] === 'quote')).toEqual([
      ['quote', 0, 600_010, 1000, 600_020, 2000, T + 10],
      ['quote', 2, 6_000_100, 1_000_000, 6_000_200, 2_000_000, T + 10],
    ]);
    const mirrored = take(open({ instruments: WITH_SPOT, skip: 4, start: T }), T);
    expect(shortly(mirrored).slice(0, 2)).toEqual(['T0 0 #903', 'T2 0 #903']);
  });
});

describe('the synthetic market', () => {
  const options = { instruments: WITH_SPOT, seed: 5, start: T, speed: 1, lastPrices: new Map<number, number>(), firstId: 1 };

  test('is the same for the same seed, another for another', () => {
    const rows = take(synthFeed(options), T + 20_000);
    expect(take(synthFeed(options), T + 20_000)).toEqual(rows);
    expect(take(synthFeed({ ...options, seed: 6 }), T + 20_000)).not.toEqual(rows);
    expect(rows.length).toBeGreaterThan(50);
  });

  test('does not depend on how often it is read', () => {
    const whole = take(synthFeed(options), T + 10_000);
    const feed = synthFeed(options);
    const parts: Row[] = [];
    for (let now = T; now <= T + 10_000; now += 137) parts.push(...take(feed, now));
    parts.push(...take(feed, T + 10_000));
    expect(parts).toEqual(whole);
    expect(feed.nextTime).toBeGreaterThan(T + 10_000);
  });

  test('falls behind like a tape: later, but the same rows', () => {
    const whole = take(synthFeed(options), T + 10_000);
    const feed = synthFeed(options);
    const first = take(feed, T + 4000);
    feed.slip(500);
    const rest = take(feed, T + 10_500).map((row) =>
      row.map((value, k) => (k === (row[0] === 'trade' ? 5 : 6) ? Number(value) - 500 : value)),
    );
    expect([...first, ...rest]).toEqual(whole);
  });

  test('continues with earlier prices and ids', () => {
    const rows = take(synthFeed({ ...options, lastPrices: new Map([[0, 123_456]]), firstId: 5000 }), T + 5000);
    const trades = rows.filter((row) => row[0] === 'trade' && row[1] === 0);
    expect(trades.length).toBeGreaterThan(3);
    expect(Math.min(...rows.filter((row) => row[0] === 'trade').map((row) => Number(row[6])))).toBeGreaterThanOrEqual(5000);
    for (const row of trades) expect(Math.abs(Number(row[2]) / 123_456 - 1)).toBeLessThan(0.01);
  });
});

describe('instruments of a run', () => {
  const ON_GRID = { priceStep: 100, sizeStep: 1 };
  const info = {
    symbol: 'XYZUSDC',
    priceDecimals: 3,
    sizeDecimals: 1,
    priceStep: 5,
    sizeStep: 2,
    writtenPriceDecimals: 4,
    writtenSizeDecimals: 1,
  };

  test('are those of the tape, as configured; spot comes last', () => {
    const { instruments, guessed } = instrumentsFor(
      {
        symbols: [
          { ...info, ...ON_GRID, symbol: 'ETHUSDT' },
          { ...info, ...ON_GRID, symbol: 'BTCUSDT' },
        ],
        streams: [],
      },
      [SPOT_BTC, BTC, ETH],
    );
    expect(instruments.map((i) => [i.index, i.symbol, i.product])).toEqual([
      [0, 'ETHUSDT', 'futures'],
      [1, 'BTCUSDT', 'futures'],
      [2, 'BTCUSDT', 'spot'],
    ]);
    expect(guessed).toEqual([]);
  });

  test('a row that somebody wrote and the tape does not fit are both named, with the line to write', () => {
    const own = { ...BTC, tickSize: '0.2' };
    expect(() => instrumentsFor({ symbols: [{ ...info, ...ON_GRID, symbol: 'BTCUSDT' }], streams: [] }, [own])).toThrow(
      expect.objectContaining({
        code: 'off-grid',
        problems: [
          expect.objectContaining({
            what: 'BTCUSDT: the file of instruments says tickSize 0.2, and the tape moves in steps of 0.1',
            hint: 'write "tickSize": "0.1" in its row',
          }),
        ],
      }),
    );
  });

  test('without configuration get the grid of the recording', () => {
    const { instruments, guessed } = instrumentsFor({ symbols: [info], streams: [] }, [BTC]);
    expect(guessed).toEqual(['XYZUSDC']);
    expect(instruments[0]).toMatchObject({
      symbol: 'XYZUSDC',
      baseCoin: 'XYZ',
      quoteCoin: 'USDC',
      tickSize: '0.005',
      lotSize: '0.2',
      priceDecimals: 4,
      minSize: 1,
    });
  });

  test('of a venue are all, futures first', () => {
    expect(instrumentsOf([SPOT_BTC, BTC, ETH]).map((i) => `${i.index} ${i.symbol} ${i.product}`)).toEqual([
      '0 BTCUSDT futures',
      '1 ETHUSDT futures',
      '2 BTCUSDT spot',
    ]);
  });

  test('are fed by symbol, spot only if enabled and if its grid divides the futures grid', () => {
    expect(feedOf('BTCUSDT', WITH_SPOT, () => true)).toEqual({
      instrument: 0,
      mirrors: [{ instrument: 2, priceRatio: 10, sizeRatio: 1000 }],
    });
    expect(feedOf('BTCUSDT', WITH_SPOT, () => false)).toEqual({ instrument: 0, mirrors: [] });
    expect(() => feedOf('NOPE', WITH_SPOT, () => true)).toThrow('no instrument for NOPE');
    const coarse = [BTC, { ...SPOT_BTC, tickSize: '0.25' }].map((spec, index) => createInstrument(spec, index));
    expect(() => feedOf('BTCUSDT', coarse, () => true)).toThrow(
      'the spot grid 0.25 / 0.000001 must divide the futures grid 0.1 / 0.001 evenly',
    );
  });
});

describe('a stretched tape', () => {
  test('takes the configured time for one round', () => {
    const options = { tape, speed: 7, stretchMs: 4000 } as ExchangeOptions;
    expect(speedOf(options)).toBe(0.01);
    expect(speedOf({ ...options, stretchMs: undefined })).toBe(7);
    const feed = open({ speed: speedOf(options) });
    expect(shortly(take(feed, T + 4000)).at(-1)).toBe('T0 4000 #904');
  });
});

describe('synthetic instruments', () => {
  test.each([1, 2, 50, 1000])('are %s futures, each with its own grid, the same every time', (count) => {
    const specs = withSynthetic([BTC, ETH, SPOT_BTC], count);
    expect(withSynthetic([BTC, ETH, SPOT_BTC], count)).toEqual(specs);
    const futures = instrumentsOf(specs).filter((i) => i.product === 'futures');
    expect(futures.length).toBe(count);
    expect(new Set(futures.map((i) => i.symbol)).size).toBe(count);
    expect(specs.filter((spec) => spec.product === 'spot')).toEqual([SPOT_BTC]);
    for (const { price, symbol } of synthSymbols(futures)) expect(price, symbol).toBeGreaterThanOrEqual(500);
  });
});
