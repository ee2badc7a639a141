/** `cross-validate` as a real process: its splits against single backtests of the same parts. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CrossValidationResult } from '../../../src/report/research/cross-validation-result.ts';
import { loadMarket, openTrials } from '../../../src/run/backtest/trials.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { cleanUp, runToEnd } from '../process.ts';

let folder = '';
const CROSS = ['--strategy', 'strategies/ema-cross.ts', '--every-tick', '--param', 'fast=2..6:2', '--param', 'slow=11..31:10'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-cv-'));
  await runToEnd(['tape', 'synth', '--out', join(folder, 'tape'), '--symbol', 'BTCUSDT', '--duration', '4m', '--seed', '5']);
});
afterEach(cleanUp);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]): ReturnType<typeof runToEnd> =>
  runToEnd(['cross-validate', ...CROSS, '--tape', join(folder, 'tape'), '--workers', '1', ...args]);

describe('cross-validate', () => {
  it('chooses on each training set by backtests without purge and embargo, and judges on the rest', async () => {
    const gap = ['--purge', '4s', '--embargo', '2s'];
    const { out, code } = await run('--sampler', 'grid', '--groups', '4', '--judging', '2', ...gap, '--by', 'totalReturn', '--json');
    expect(code).toBe(0);
    const result = JSON.parse(out) as CrossValidationResult;
    expect(result.trials).toBe(9);
    expect(result.splits.map(({ groups }) => groups.join(''))).toEqual(['01', '02', '03', '12', '13', '23']);
    expect(result.paths).toHaveLength(3);
    for (const { groups, searched } of result.splits) {
      for (const { from, to } of searched) {
        for (const group of groups) {
          const judge = result.groups[group]!;
          expect(to <= judge.from - 4_000 || from >= judge.to + 2_000).toBe(true);
        }
      }
      expect(searched).toHaveLength(2);
    }

    // The same by hand: every set of parameters on every part of one split, one backtest after the other.
    const market = loadMarket(join(folder, 'tape'), defaultConfig());
    const strategies = [{ file: resolve('strategies/ema-cross.ts'), params: {}, symbols: [] }];
    const trials = await openTrials(market, { strategies, config: defaultConfig(), everyTick: true, speed: 1, seed: defaultConfig().seed });
    const returnOf = (params: Record<string, string>, part: { from: number; to: number }): number => {
      const { equity } = trials.run([params], part);
      return Number(equity.end) / Number(equity.start) - 1;
    };
    const sets = ['2', '4', '6'].flatMap((fast) => ['11', '21', '31'].map((slow) => ({ fast, slow })));
    const { chosen, searched, groups } = result.splits[1]!;
    const mean = (params: Record<string, string>, parts: readonly { from: number; to: number }[]): number => {
      const whole = parts.reduce((sum, { from, to }) => sum + to - from, 0);
      return parts.reduce((sum, part) => sum + returnOf(params, part) * (part.to - part.from), 0) / whole;
    };
    const means = sets.map((params) => mean(params, searched));
    const best = sets[means.indexOf(Math.max(...means))]!;
    expect(chosen?.params).toEqual(best);
    expect(chosen?.searched['totalReturn']).toBeCloseTo(Math.max(...means), 12);
    const judges = groups.map((group) => result.groups[group]!);
    expect(chosen?.judged['totalReturn']).toBeCloseTo(mean(best, judges), 12);
    const worse = sets.filter((params) => mean(params, judges) < mean(best, judges)).length;
    expect(chosen?.rank).toBeCloseTo(worse / 8, 12);

    // Path n goes through each group with the n-th split that judges it.
    const ends = [0, 1, 2].map((path) =>
      result.groups.reduce((value, part, group) => {
        const split = result.splits.filter((one) => one.groups.includes(group))[path]!;
        return value * (1 + returnOf(split.chosen!.params, part));
      }, 1),
    );
    for (const [path, end] of ends.entries()) expect(result.paths[path]!.at(-1)).toBeCloseTo(end, 12);
  });

  it('is the same with two workers, and writes its page', async () => {
    const flags = ['--trials', '6', '--groups', '3', '--judging', '1', '--seed', '2'];
    const page = join(folder, 'cv.html');
    const [one, two] = [await run(...flags, '--json'), await run(...flags, '--json', '--workers', '2', '--html', page)];
    expect(JSON.parse(two.out)).toEqual(JSON.parse(one.out));
    expect(readFileSync(page, 'utf8')).toContain('Cross-validation of ema-cross: 3 splits');
  });

  it('refuses a sampler that needs results, and a purge that leaves nothing', async () => {
    const tpe = await run('--sampler', 'tpe');
    expect([tpe.code, tpe.err]).toEqual([2, expect.stringContaining("expected one of sobol, grid, random, found 'tpe'")]);
    const purge = await run('--groups', '2', '--judging', '1', '--purge', '1h');
    expect([purge.code, purge.err]).toEqual([2, expect.stringContaining('purge and embargo leave nothing to choose on')]);
  });
});
