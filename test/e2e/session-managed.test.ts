/** The report of a live session has figures for each managed trade, and its closed trades as CSV. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/run-report.ts';
import { cleanUp, freshFolder, launch, runToEnd, STOPPED } from './process.ts';

afterEach(cleanUp);

it('several managed trades on one leg are several, and their net profit is that of the session', async () => {
  const folder = freshFolder();
  const [bot, csv] = [join(folder, 'bot'), join(folder, 'trades.csv')];
  const both = launch(['start', '--seed', '4', '--state', folder, '--strategy', 'test/e2e/strategies/ten-trades.ts']);
  await both.until('all trades', () => both.logged('strategy-log').some(({ says }) => says === 'all entered'));
  // Each lasts four seconds at most.
  const positions = async (): Promise<string> => (await runToEnd(['positions', '--json', '--state', bot])).out;
  await expect.poll(async () => JSON.parse(await positions()) as unknown, { timeout: 120_000 }).toMatchObject({ positions: [] });
  await both.kill('SIGINT');
  expect(STOPPED).toContain(both.code);

  const shown = await runToEnd(['report', '--session', bot, '--json', '--trades', csv]);
  expect(shown.code, shown.err).toBe(0);
  const { managed = [], pnl, fills, trades } = JSON.parse(shown.out) as RunReport;
  expect(managed.length).toBeGreaterThanOrEqual(5);
  expect(new Set(managed.map(({ entryReason }) => entryReason))).toEqual(new Set(['odd', 'even']));
  expect(fills.length).toBeGreaterThan(managed.length);
  const sum = (values: readonly string[]): number => values.reduce((total, value) => total + Number(value), 0);
  expect(pnl.unrealised).toBe('0.00000000');
  expect(sum(managed.map(({ fees }) => fees))).toBeCloseTo(Number(pnl.fees), 6);
  expect(sum(managed.map(({ net }) => net))).toBeCloseTo(Number(pnl.net), 6);
  expect(readFileSync(csv, 'utf8').trim().split('\n')).toHaveLength(trades.length + 1);
  expect((await runToEnd(['report', '--session', bot])).out).toMatch(/managed trades +\d+/);
});
