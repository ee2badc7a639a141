/**
 * A live run on a recording compared with its backtest. First, repeated from the session's recording, every command and every fill
 * is identical, so that only time separates the two. Second, with measured latencies, the backtest stays close to the live run.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compare, type Comparison } from '../../../bench/compare/compare.ts';
import { causesOf, printed, sameFills } from '../../../bench/compare/print.ts';
import { importRecordings } from '../../../src/run/market/tapes.ts';
import { cleanUp, freshFolder, ROOT } from '../process.ts';

const DATA = resolve(ROOT, '../shared/data');
const HAS_RECORDINGS = existsSync(DATA);
if (!HAS_RECORDINGS) console.warn('SKIPPED: the recordings are not at ../shared/data; live and backtest are not compared');

const FILES = ['book', 'trades'].map((kind) => join(DATA, `BTCUSDT-perp-2024-08-08.${kind}.csv.gz`));
/** Seconds of the recording from when the bot is armed; 4.5 real seconds at this speed. */
const SECONDS = 90;
const SPEED = 20;

/** Largest difference between live and backtest, held where nine messages of ten took no longer than `messageMs` on this machine. */
const BOUNDS = {
  messageMs: 30,
  /** Smallest share of live orders with a counterpart within two polls. */
  paired: 0.5,
  /** Largest ratio of fills between the two. */
  fills: 2,
};

describe.skipIf(!HAS_RECORDINGS)('a live run compared with its backtest', () => {
  let tape = '';
  afterAll(cleanUp);

  beforeAll(async () => {
    tape = join(freshFolder(), 'tape');
    await importRecordings(FILES, tape, {});
  });

  async function compared(strategy: string, params: Readonly<Record<string, string>>, set: readonly string[]): Promise<Comparison> {
    const config = join(ROOT, 'config/paper.yaml');
    const file = join(ROOT, 'strategies', strategy);
    return compare({ strategy: file, tape, speed: SPEED, config, symbols: ['BTCUSDT'], params, set, seconds: SECONDS });
  }

  test.each([
    ['ema-cross.ts', { bar: '100ms', fast: '3', slow: '8' }, ['poll.trades=100']],
    ['quoter.ts', {}, []],
  ] as const)('%s', async (strategy, params, set) => {
    const comparison = await compared(strategy, params, set);
    const { runs, repeated, pairs } = comparison;
    const told = printed(comparison, 20);

    const { same, of } = sameFills(comparison);
    expect(repeated.divergence, told).toBeNull();
    expect(repeated.unmatched, told).toEqual([]);
    expect(of, told).toBeGreaterThan(0);
    expect(same, told).toBe(of);

    expect(runs.backtest.fills.length, told).toBeGreaterThan(0);
    expect([...causesOf(pairs).values()].reduce((sum, count) => sum + count, 0)).toBe(pairs.length);
    const { upMs, downMs, pollMs } = comparison.measured.spread;
    if (Math.max(upMs, downMs, pollMs) > BOUNDS.messageMs) {
      console.warn(
        `NOT JUDGED: ${strategy}: a busy machine kept messages for ${Math.max(upMs, downMs, pollMs)} ms; only the repetition was`,
      );
      return;
    }
    const ratio = runs.live.fills.length / runs.backtest.fills.length;
    expect(Math.max(ratio, 1 / ratio), told).toBeLessThanOrEqual(BOUNDS.fills);
    const paired = pairs.filter(({ live, backtest }) => live !== null && backtest !== null).length;
    expect(paired / runs.live.orders.length, told).toBeGreaterThanOrEqual(BOUNDS.paired);
  });
});
