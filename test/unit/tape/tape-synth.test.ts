import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTape } from '../../../src/tape/read.ts';
import { Random } from '../../../src/base/random.ts';
import { Quantiles } from '../../../src/tape/synth/chance.ts';
import { ETH_PROFILE, profileOf } from '../../../src/tape/synth/profile.ts';
import { SynthMarket, synthTape, type SynthSymbol } from '../../../src/tape/synth/synth.ts';
import { mergedByRuns, rowsOf, withFolder, type Row } from '../../support/tape/tape-rows.ts';

const START = 1_704_067_200_000;
const SYMBOLS: readonly SynthSymbol[] = [
  { symbol: 'BTCUSDT', grid: { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 }, price: 618_000 },
  { symbol: 'ETHUSDT', grid: { priceDecimals: 2, tickStep: 5, sizeDecimals: 3, lotStep: 10 }, price: 53_632 },
  { symbol: 'PENNY', grid: { priceDecimals: 4, tickStep: 1, sizeDecimals: 0, lotStep: 1 }, price: 2, profile: ETH_PROFILE },
];

/** Rows with their symbol, up to `end`. */
function live(seed: number, end: number, firstId = 1, symbols = SYMBOLS): { symbol: number; trade: boolean; row: Row }[] {
  const market = new SynthMarket({ symbols, seed, start: START, firstId });
  const rows = [];
  while (market.nextTime < end) {
    const announced = market.nextTime;
    market.next();
    if (market.time !== announced) expect.fail(`a row at ${market.time} was announced for ${announced}`);
    const { time, isTrade, symbol } = market;
    const row: Row = isTrade
      ? [time, market.id, market.price, market.size, market.side]
      : [time, market.bid, market.bidSize, market.ask, market.askSize];
    rows.push({ symbol, trade: isTrade, row });
  }
  return rows;
}

describe('a synthetic market', () => {
  test('is the same for the same seed and another for another', () => {
    expect(live(5, START + 20_000)).toEqual(live(5, START + 20_000));
    expect(live(5, START + 20_000)).not.toEqual(live(6, START + 20_000));
  });

  test('is the same on every machine and in every version, until changed on purpose', () => {
    const text = live(7, START + 60_000)
      .map(({ symbol, row }) => `${symbol} ${row.join(' ')}`)
      .join('\n');
    expect(crc32(text).toString(16)).toBe('b92c19f4');
    // What a minute shows too rarely: each figure of a profile, and draws from each of its distributions.
    const random = new Random(7);
    const draws = (of: Quantiles): number[] => Array.from({ length: 5_000 }, () => of.draw(random));
    const figures = SYMBOLS.map(({ symbol }) =>
      Object.values(profileOf(symbol)).map((one) => (one instanceof Quantiles ? draws(one) : one)),
    );
    expect(crc32(JSON.stringify(figures)).toString(16)).toBe('66cb2bef');
  });

  test.each([1, 2, 3])('is consistent: uncrossed quotes before trades, trades at the touch or through it, ids by one (seed %i)', (seed) => {
    const rows = live(seed, START + 60_000, 1000);
    const quotes: (Row | undefined)[] = [];
    const ids = [999, 999, 999];
    let before = START;
    const taken = [0, 0, 0];
    let narrow = 0;
    let told = 0;
    for (const { symbol, trade, row } of rows) {
      expect(row[0]).toBeGreaterThanOrEqual(before);
      before = row[0];
      if (!row.every((value) => Number.isSafeInteger(value))) expect.fail(`whole numbers were expected, found ${row.join(', ')}`);
      if (!trade) {
        quotes[symbol] = row;
        taken[symbol] = 0;
        const [, bid, bidSize, ask, askSize] = row;
        expect(bid > 0 && ask > bid && bidSize > 0 && askSize > 0).toBe(true);
        if (ask - bid === 1) narrow++;
        told++;
        continue;
      }
      const quote = quotes[symbol]!;
      const [, id, price, size, side] = row;
      const [touch, there] = side === 0 ? [quote[3], quote[4]] : [quote[1], quote[2]];
      expect(id).toBe(ids[symbol]! + 1);
      expect(size).toBeGreaterThan(0);
      // An order takes the best level first; only one that takes all of it trades beyond.
      if (price === touch) taken[symbol]! += size;
      else expect([side === 0 ? price > touch : price < touch, taken[symbol]]).toEqual([true, there]);
      expect(taken[symbol]).toBeLessThanOrEqual(there);
      ids[symbol] = id;
    }
    expect(narrow / told).toBeGreaterThan(0.85);
    expect(rows.slice(0, 3).map((r) => [r.symbol, r.trade, r.row[0]])).toEqual([0, 1, 2].map((s) => [s, false, START]));
  });

  test('moves enough for averages of 5 and 20 seconds to cross several times a minute', () => {
    for (const seed of [1, 2, 3, 4]) {
      const closes: number[] = [];
      for (const { symbol, trade, row } of live(seed, START + 600_000, 1, [SYMBOLS[0]!]))
        if (symbol === 0 && trade) closes[Math.floor((row[0] - START) / 1000)] = row[2];
      let fast = 618_000;
      let slow = 618_000;
      let last = 618_000;
      let above = true;
      let crosses = 0;
      for (let i = 0; i < 600; i++) {
        last = closes[i] ?? last;
        fast += ((last - fast) * 2) / 6;
        slow += ((last - slow) * 2) / 21;
        if (fast > slow !== above) crosses++;
        above = fast > slow;
      }
      expect(crosses / 10).toBeGreaterThan(2.5);
    }
  });

  test('has the same rows as a tape and live, in the same order, at the symbol’s decimals', async () => {
    await withFolder((folder) => {
      const path = join(folder, 't');
      synthTape(path, { symbols: SYMBOLS, seed: 9, start: START, seconds: 60 });
      const gridOf = (name: string) => SYMBOLS.find((s) => s.symbol === name)!.grid;
      const streams = openTape(path, { gridOf }).open();
      const rows = streams.map(rowsOf);
      const expected = live(9, START + 60_000).map(({ symbol, trade, row }) => [symbol * 2 + (trade ? 0 : 1), row]);
      expect(mergedByRuns(streams).map(({ stream, row }) => [stream, rows[stream]![row]])).toEqual(expected);
      const plain = rowsOf(openTape(path).open()[2]!);
      expect(plain.map((row) => row[2])).toEqual(rows[2]!.map((row) => row[2] * 5));
    });
  });

  test('has the same bytes as a tape for the same seed', async () => {
    await withFolder((folder) => {
      for (const name of ['a', 'b']) synthTape(join(folder, name), { symbols: SYMBOLS, seed: 9, start: START, seconds: 20 });
      for (const file of readdirSync(join(folder, 'a'))) {
        expect(readFileSync(join(folder, 'b', file)).equals(readFileSync(join(folder, 'a', file)))).toBe(true);
      }
    });
  });

  test('refuses a start below two ticks and no symbols at all', () => {
    const [first] = SYMBOLS;
    expect(() => new SynthMarket({ symbols: [{ ...first!, price: 1 }], seed: 1, start: START })).toThrow(/at least 2 ticks/);
    expect(() => new SynthMarket({ symbols: [], seed: 1, start: START })).toThrow(/at least one symbol/);
  });
});
