/** The report of a live session has figures for each managed trade, and its closed trades as CSV; of a killed bot it lacks no close. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, STOPPED, type Program } from '../process.ts';

afterEach(cleanUp);

it('several managed trades on one leg are several, and their net profit is that of the session', async () => {
  const folder = freshFolder();
  const [bot, csv] = [join(folder, 'bot'), join(folder, 'trades.csv')];
  const both = launch(['start', '--seed', '4', '--state', folder, '--strategy', 'test/e2e/strategies/ten-trades.ts']);
  await both.until('all trades', () => both.logged('strategy-log').some(({ says }) => says === 'all entered'));
  // Each lasts four seconds at most. A leg may be flat for a moment before another trade is entered.
  const listed = async (what: string): Promise<unknown> => JSON.parse((await runToEnd([what, '--json', '--state', bot])).out) as unknown;
  for (let look = 0; look < 2; look++) {
    await expect.poll(() => listed('positions'), { timeout: 120_000 }).toMatchObject({ positions: [] });
    await expect.poll(() => listed('orders'), { timeout: 120_000 }).toMatchObject({ orders: [] });
  }
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

it(
  'a bot that is killed twice and lists no position has none in its report, and the fees of the ledger',
  { timeout: 300_000 },
  async () => {
    const folder = freshFolder();
    const [bot, ledger] = [join(folder, 'bot'), join(folder, 'exchange')];
    const exchange = launch(['exchange', '--synth', '--seed', '4', '--port', '0', '--state', ledger]);
    const settings = [`venue.baseUrl=${await addressOf(exchange)}`, `store.folder=${bot}`, 'orderHorizonMs=2000', 'listLagMs=2000'];
    const args = ['--config', 'config/paper.yaml', '--strategy', 'test/e2e/strategies/ten-trades.ts'];
    const run = (): Program => launch(['run', ...args, ...settings.flatMap((one) => ['--set', one])], DEMO);
    let program = run();
    for (let kill = 0; kill < 2; kill++) {
      // The recording lacks up to a second before the kill: this fill, and others.
      await program.untilLogged('fill', 4);
      await program.kill('SIGKILL');
      program = run();
    }
    await program.until('all trades', () => program.logged('strategy-log').some(({ says }) => says === 'all entered'));
    const positions = async (): Promise<string> => (await runToEnd(['positions', '--json', '--state', bot])).out;
    await expect.poll(async () => JSON.parse(await positions()) as unknown, { timeout: 120_000 }).toMatchObject({ positions: [] });
    await program.kill('SIGINT');
    expect(STOPPED).toContain(program.code);
    await exchange.kill('SIGTERM');

    const { code, out, err } = await runToEnd(['report', '--session', bot, '--json']);
    expect(code, err).toBe(0);
    const { pnl, fills, notes } = JSON.parse(out) as RunReport;
    const truth = readLedger(ledger);
    expect(notes.join(' ')).toContain('it joins 3 sessions');
    expect(pnl.unrealised).toBe('0.00000000');
    const lots = fills.reduce((sum, { size }) => sum + Math.round(Number(size) * 1_000), 0);
    expect(lots).toBe(truth.fills.reduce((sum, { size }) => sum + size, 0));
    // A taker's fee of the smallest fill is 0.0016.
    const paid = truth.cash.reduce((sum, { why, amount }) => (why === 'fee' ? sum - amount : sum), 0);
    expect(Number(pnl.fees)).toBeCloseTo(paid / 1e8, 3);
  },
);
