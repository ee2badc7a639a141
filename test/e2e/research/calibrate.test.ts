/** `calibrate` finds the fill model and the delays of the venue that a session traded on, and a backtest takes what it writes. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { RunReport } from '../../../src/report/run-report.ts';
import type { Calibration } from '../../../src/run/live/counterfactual/calibrate.ts';
import { writeRows } from '../../../src/run/testing/written-rows.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, STOPPED } from '../process.ts';

afterEach(cleanUp);

const STRATEGY = 'test/e2e/strategies/joiner.ts';

/** The bid stands behind a large size, and small trades at it come all the time. */
function standingMarket(folder: string): void {
  const rows = Array.from({ length: 900 }, (_, k) => [
    { at: k * 100, bid: 60_000, bidSize: k % 2 === 0 ? 50 : 51, ask: '60000.1', askSize: 50 },
    { at: k * 100, symbol: 'ETHUSDT', bid: 2600, ask: '2600.01' },
    { at: k * 100 + 50, trade: 60_000, size: '0.050', side: 'SELL' as const },
  ]).flat();
  writeRows(folder, { rows, symbol: 'BTCUSDT', start: Date.UTC(2026, 0, 1), barMs: 60_000 });
}

it('finds that orders fill when touched and that half a second passes on the way, and the next backtest does the same', async () => {
  const folder = freshFolder();
  const [bot, tape, plan, file] = ['bot', 'tape', 'plan.yaml', 'fitted.yaml'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  standingMarket(tape);
  writeFileSync(plan, 'seed: 3\nrules:\n  - { fault: delay, phase: before, endpoints: [E12], ms: 500 }\n');
  const market = [
    '--tape',
    tape,
    '--port',
    '0',
    '--state',
    join(folder, 'exchange'),
    '--set',
    'simulation.fillModel=touch',
    '--faults',
    plan,
  ];
  const url = await addressOf(launch(['exchange', ...market]));
  const set = [`venue.baseUrl=${url}`, `store.folder=${bot}`, 'poll.trades=100'].flatMap((one) => ['--set', one]);
  const run = ['run', '--config', 'config/paper.yaml', '--strategy', STRATEGY, '--symbol', 'BTCUSDT'];
  const program = launch([...run, ...set], DEMO);
  await program.untilLogged('fill', 48);
  await program.kill('SIGINT');
  expect(STOPPED).toContain(program.code);

  const fitted = await runToEnd(['calibrate', '--session', bot, '--out', file, '--json']);
  expect(fitted.code, fitted.err).toBe(0);
  const { chosen, fills, latency, notes } = JSON.parse(fitted.out) as Calibration;
  expect([chosen.fillModel, notes], fitted.out).toEqual(['touch', []]);
  const scores = Object.fromEntries(fills.models.map(({ model, score }) => [model, score]));
  expect(scores['touch']).toBeLessThan(0.2);
  for (const model of ['through', 'queue', 'prob-queue']) expect(scores[model]).toBeGreaterThan(0.5);
  const [orders, reads] = latency;
  expect(orders!.median).toBeGreaterThanOrEqual(500);
  expect(orders!.score).toBeLessThan(orders!.defaultScore / 2);
  expect(reads!.median).toBeLessThan(orders!.median);
  expect(Math.min(...chosen.latency!.orders.up)).toBeGreaterThanOrEqual(499);

  expect(readFileSync(file, 'utf8')).toContain('  fillModel: touch\n  latency:\n    model: measured\n    file: "fitted.delays.json"\n');
  expect(existsSync(join(folder, 'fitted.delays.json'))).toBe(true);
  const args = ['backtest', '--tape', tape, '--strategy', STRATEGY, '--symbol', 'BTCUSDT', '--no-bracket', '--json'];
  const [like, unlike] = (await Promise.all([runToEnd([...args, '--config', file]), runToEnd(args)])).map(
    ({ out }) => JSON.parse(out) as RunReport,
  );
  expect(like!.stats.makerFills).toBeGreaterThan(100);
  expect(unlike!.stats.makerFills).toBe(0);
  expect(like!.execution.timeToFill.meanMs).toBeGreaterThan(500);
  // A second fit prints the same table for people.
  const text = await runToEnd(['calibrate', '--session', bot]);
  expect(text.out).toMatch(/Chosen: latency: the measured delays, fill model: touch/);
});
