/** Bars of a synthetic market that are drawn without its trades. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { resampleTape } from '../../../src/tape/edit/resample.ts';
import { readManifest } from '../../../src/tape/read.ts';
import { streamsOf } from '../../../src/tape/streams-of.ts';
import { synthTape, type SynthSymbol, type SynthTapeOptions } from '../../../src/tape/synth/synth.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const START = 1_704_067_200_000;
const MINUTE = 60_000;
const SYMBOLS: readonly SynthSymbol[] = [
  { symbol: 'BTCUSDT', grid: { priceDecimals: 1, tickStep: 1, sizeDecimals: 3, lotStep: 1 }, price: 600_000 },
  { symbol: 'ETHUSDT', grid: { priceDecimals: 2, tickStep: 5, sizeDecimals: 3, lotStep: 10 }, price: 52_000 },
];

type Bar = readonly [time: number, open: number, high: number, low: number, close: number, volume: number];

/** The bars of each symbol, as the tape has them. */
function barsOf(folder: string): Bar[][] {
  return [...streamsOf(folder, readManifest(folder), () => true, true)].map((stream) => {
    const bars: Bar[] = [];
    while (stream.next())
      for (let i = 0; i < stream.length; i++)
        bars.push([stream.time[i]!, stream.open[i]!, stream.high[i]!, stream.low[i]!, stream.last[i]!, stream.volume[i]!]);
    stream.close();
    return bars;
  });
}

function drawn(folder: string, name: string, more: Partial<SynthTapeOptions> = {}): string {
  const path = join(folder, name);
  synthTape(path, { symbols: SYMBOLS, seed: 9, start: START, seconds: 7200, barMs: MINUTE, ...more });
  return path;
}

test('bars follow each other without holes, and hold what prices did in them', async () => {
  await withFolder((folder) => {
    for (const bars of barsOf(drawn(folder, 'a'))) {
      expect(bars.map(([time]) => time)).toEqual(Array.from({ length: 120 }, (_, k) => START + k * MINUTE));
      for (const [k, [, open, high, low, close, volume]] of bars.entries()) {
        expect(high >= Math.max(open, close) && low <= Math.min(open, close) && low > 0 && volume > 0).toBe(true);
        if (k > 0) expect(open).toBe(bars[k - 1]![4]);
      }
    }
  });
});

test('longer bars of a seed are made of its shorter ones', async () => {
  await withFolder((folder) => {
    resampleTape(drawn(folder, 'minutes'), join(folder, 'made'), 15 * MINUTE);
    const [made, direct] = [join(folder, 'made'), drawn(folder, 'direct', { barMs: 15 * MINUTE })].map(barsOf);
    expect(direct!.map((bars) => bars.map((bar) => bar.slice(0, 5)))).toEqual(made!.map((bars) => bars.map((bar) => bar.slice(0, 5))));
    // Sums of fractions of lots may differ in their last digit.
    for (const [s, bars] of made!.entries())
      for (const [k, bar] of bars.entries()) expect(Math.abs(bar[5] - direct![s]![k]![5])).toBeLessThanOrEqual(SYMBOLS[s]!.grid.lotStep);
  });
});

test('the same for the same seed on every machine, and another for another', async () => {
  await withFolder((folder) => {
    const rows = (path: string): string => JSON.stringify(barsOf(path));
    expect(crc32(rows(drawn(folder, 'a', { season: true }))).toString(16)).toBe('35c18ffe');
    expect(rows(drawn(folder, 'b', { seed: 10 }))).not.toBe(rows(drawn(folder, 'c')));
    const path = drawn(folder, 'd');
    const again = drawn(folder, 'e');
    expect(readFileSync(join(path, 'tape.json'))).toEqual(readFileSync(join(again, 'tape.json')));
  });
});

test('moves and trades as the market of the events does', async () => {
  await withFolder((folder) => {
    // A minute of that market, in 24 markets of an hour: deviation of returns a second, value of what trades.
    const wanted = [
      { deviation: 1.351e-4, value: 39.7e6 },
      { deviation: 1.28e-4, value: 6.7e6 },
    ];
    const seeds = Array.from({ length: 40 }, (_, k) => k + 1);
    const sums = SYMBOLS.map(() => ({ squares: 0, value: 0, count: 0 }));
    let together = 0;
    for (const seed of seeds) {
      const all = barsOf(drawn(folder, String(seed), { seed, seconds: 6 * 3600 }));
      const returns = all.map((bars) => bars.map(([, open, , , close]) => close / open - 1));
      for (const [s, bars] of all.entries()) {
        const { priceDecimals, sizeDecimals } = SYMBOLS[s]!.grid;
        for (const [k, bar] of bars.entries()) {
          sums[s]!.squares += returns[s]![k]! ** 2;
          sums[s]!.value += (bar[4] / 10 ** priceDecimals) * (bar[5] / 10 ** sizeDecimals);
          sums[s]!.count++;
        }
      }
      for (const [k, one] of returns[0]!.entries()) together += one * returns[1]![k]!;
    }
    for (const [s, { squares, value, count }] of sums.entries()) {
      const deviation = Math.sqrt(squares / count / 60);
      expect(Math.abs(deviation / wanted[s]!.deviation - 1)).toBeLessThan(0.2);
      expect(Math.abs(value / count / wanted[s]!.value - 1)).toBeLessThan(0.3);
    }
    // About two thirds of the variance is that of the common price.
    const correlation = together / Math.sqrt(sums[0]!.squares * sums[1]!.squares);
    expect(correlation).toBeGreaterThan(0.5);
    expect(correlation).toBeLessThan(0.95);
  });
});

test('refuses lengths that are no multiple of its steps, and a market that ends before its first bar', async () => {
  await withFolder((folder) => {
    expect(() => drawn(folder, 'a', { barMs: 7_000 })).toThrow(/multiple of 5 s were expected, found 7 s/);
    expect(() => drawn(folder, 'b', { barMs: 86_400_000 })).toThrow(/at least one bar of 86400 s was expected/);
  });
});
