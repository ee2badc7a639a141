/** Commands that ask how far a result may be believed, as real processes on a small synthetic tape. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MonteCarloResult } from '../../../src/report/research/monte-carlo-result.ts';
import type { SearchResult } from '../../../src/report/research/search-result.ts';
import type { WalkForwardResult } from '../../../src/report/research/walk-forward-result.ts';
import { cleanUp, runToEnd } from '../process.ts';

let folder = '';
const CROSS = ['--strategy', 'strategies/ema-cross.ts', '--every-tick'];
const SPACE = ['--param', 'fast=2..10', '--param', 'slow=11..60', '--sampler', 'random', '--workers', '1'];

async function jsonOf<T>(...args: readonly string[]): Promise<T> {
  const tape = args.includes('--tape') ? [] : ['--tape', join(folder, 'tape')];
  const { out, err, code } = await runToEnd([...args, ...tape, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out) as T;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-research-'));
  await runToEnd(['tape', 'synth', '--out', join(folder, 'tape'), '--symbol', 'BTCUSDT', '--duration', '4m', '--seed', '5']);
  await runToEnd(['tape', 'resample', join(folder, 'tape'), '--timeframe', '1s', '--out', join(folder, 'bars')]);
  await runToEnd(['tape', 'cut', join(folder, 'tape'), '--to', '2024-01-01T00:03', '--out', join(folder, 'start')]);
});
afterEach(cleanUp);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('optimize', () => {
  it('says what the search itself explains: on a drawn market no skill is found', async () => {
    const { selectionBias } = await jsonOf<SearchResult>('optimize', ...CROSS, ...SPACE, '--trials', '24');
    expect(selectionBias?.cost?.verdict).toBe('not shown');
    expect(selectionBias?.cost?.sentence).toMatch(
      /^The best of \d+ tries on noise would look this good .* the search alone may explain this result\.$/,
    );
    expect(selectionBias?.cost?.effectiveTrials).toBeLessThanOrEqual(selectionBias?.cost?.trials ?? 0);
    expect(selectionBias?.crossValidation).toMatchObject({ splits: 28, paths: 7 });
    expect(selectionBias?.plateau?.neighbours).toBeGreaterThanOrEqual(3);
  });
});

describe('walk-forward', () => {
  /** The threads of the windows before do not show in the last one. */
  async function expectAlone({ folds }: WalkForwardResult, args: readonly string[] = []): Promise<void> {
    const { searched, judged, best, defaults, hash } = folds[2]!;
    const part = (judged.to - judged.from) / (judged.to - searched.from);
    const span = ['--from', String(searched.from), '--to', String(judged.to), '--holdout', String(part)];
    const alone = await jsonOf<SearchResult>('optimize', ...CROSS, ...SPACE, '--trials', '4', ...span, ...args);
    expect(alone).toMatchObject({ searched, holdout: judged, best, defaults, hash });
  }
  const run = (...args: readonly string[]): Promise<WalkForwardResult> =>
    jsonOf('walk-forward', ...CROSS, ...SPACE, '--trials', '4', '--folds', '3', ...args);

  it('searches a growing past, and judges on what follows it', async () => {
    const { folds, totalReturn, isComplete } = await run('--purge', '5s');
    expect(isComplete).toBe(true);
    expect(folds).toHaveLength(3);
    for (const [k, { searched, judged, best }] of folds.entries()) {
      expect(searched.from).toBe(folds[0]?.searched.from);
      expect(judged.from - searched.to).toBeCloseTo(5_000, -1);
      expect(judged.from).toBe(k === 0 ? judged.from : folds[k - 1]?.judged.to);
      expect(best?.holdout).not.toBeNull();
    }
    const compounded = folds.reduce((value, { best }) => value * (1 + (best?.holdout?.['totalReturn'] ?? 0)), 1) - 1;
    expect(totalReturn).toBeCloseTo(compounded, 14);
    // The last search ran in the threads of those before it.
    const { searched, hash } = folds[2]!;
    const span = ['--from', String(searched.from), '--to', String(searched.to), '--holdout', '0%'];
    expect((await jsonOf<SearchResult>('optimize', ...CROSS, ...SPACE, '--trials', '4', ...span)).hash).toBe(hash);
  });
  it('or a window that moves; gives the same twice, and what a search of its own gives', async () => {
    const [one, two] = [await run('--rolling'), await run('--rolling')];
    expect(one).toEqual(two);
    await expectAlone(one);
    const lengths = one.folds.map(({ searched }) => searched.to - searched.from);
    for (const length of lengths) expect(Math.abs(length - lengths[0]!)).toBeLessThanOrEqual(2);
  });
  it('runs each window on finer data as if it were alone, though the data ends before the last', async () => {
    const finer = ['--tape', join(folder, 'bars'), '--detail', join(folder, 'start')];
    await expectAlone(await run(...finer), finer);
  });
});

describe('monte-carlo', () => {
  it('draws the same courses for a seed, and late entries change the run', async () => {
    const run = (): Promise<MonteCarloResult> => jsonOf('monte-carlo', ...CROSS, '--curves', '200', '--runs', '3', '--markets', '0');
    const [one, two] = [await run(), await run()];
    expect(one).toEqual(two);
    expect(one.trades).toBeGreaterThan(5);
    expect(one.shuffled?.final.p5).toBeCloseTo(one.shuffled?.final.p95 ?? 0, 8);
    expect(one.redrawn?.lines).toHaveLength(5);
    expect(one.delays.map(({ delayMs }) => delayMs)).toEqual([100, 1_000, 5_000]);
    expect(one.delays.some(({ net }) => net !== one.net)).toBe(true);
    expect(one.missed.map(({ share }) => share)).toEqual([0.05, 0.2]);
  });
});
