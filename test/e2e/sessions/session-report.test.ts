/** The report of a live session says what the ledger of the paper exchange says. */
import { cpSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { parseScaled } from '../../../src/domain/amounts/scale.ts';
import { FILLED } from '../../../src/domain/orders/order.ts';
import { formatMoney } from '../../../src/domain/instrument.ts';
import type { Divergence } from '../../../src/run/live/counterfactual/divergence.ts';
import type { RunReport } from '../../../src/report/run-report.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, STOPPED } from '../process.ts';

afterEach(cleanUp);

const UNGUARDED = { TICKWRIGHT_STRATEGY_GUARD: 'off' };

it('two sessions at twenty times the speed, with faults: profit, fees and fills are those of the ledger', async () => {
  const folder = freshFolder();
  const [bot, ledger, plan] = ['bot', 'exchange', 'plan.yaml'].map((name) => join(folder, name)) as [string, string, string];
  writeFileSync(
    plan,
    'seed: 3\nrules:\n  - { fault: drop, endpoints: writes, phase: after, probability: 0.03 }\n  - { fault: delay, endpoints: all, ms: 120, probability: 0.05 }\n',
  );
  const market = ['--synth', '--seed', '9', '--speed', '20', '--port', '0', '--state', ledger, '--faults', plan];
  const url = await addressOf(launch(['exchange', ...market]));
  const set = [`venue.baseUrl=${url}`, `store.folder=${bot}`, 'orderHorizonMs=1500', 'listLagMs=1500', 'venue.timeoutMs=600'];
  const config = join(folder, 'bot.yaml');
  const strategy = join(process.cwd(), 'test/e2e/strategies/busy.ts');
  const configure = (name: string): void =>
    writeFileSync(
      config,
      stringify({
        ...parse(readFileSync('config/paper.yaml', 'utf8')),
        limits: join(process.cwd(), 'config/limits.paper.json'),
        strategies: [
          { file: strategy, symbols: ['BTCUSDT', 'ETHUSDT'] },
          { name, file: strategy, symbols: ['BTCUSDT'] },
        ],
      }),
    );
  const args = ['run', '--config', config, ...set.flatMap((one) => ['--set', one])];
  const run = async (orders: number, isLast: boolean): Promise<void> => {
    const program = launch(args, { ...DEMO, ...UNGUARDED });
    await program.untilLogged('order-placed', orders);
    // Nothing may fill after the bot has stopped.
    if (isLast) {
      for (const command of ['halt', 'flatten']) expect((await runToEnd([command, '--state', bot, '--why', 'the end'])).code).toBe(0);
      await program.untilLogged('halt-lifted');
      await sleep(2_500);
    }
    await program.kill('SIGINT');
    expect(STOPPED).toContain(program.code);
  };
  configure('second');
  await run(60, false);
  // Its fills stay those of the old name.
  configure('renamed');
  await run(20, true);

  const reported = await runToEnd(['report', '--session', bot, '--json'], UNGUARDED);
  expect(reported.code, reported.err).toBe(0);
  const report = JSON.parse(reported.out) as RunReport;
  const truth = readLedger(ledger);
  const cash = (why: string): number => truth.cash.reduce((sum, one) => (one.why === why ? sum + one.amount : sum), 0);
  expect(report.kind).toBe('session');
  expect(report.pnl.fees).toBe(formatMoney(-cash('fee')));
  expect(report.pnl.realised).toBe(formatMoney(cash('realised')));
  expect(report.orders.filled).toBe(truth.orders.filter(({ ended }) => ended === FILLED).length);
  const lots = report.fills.reduce((sum, { size }) => sum + Math.round(Number(size) * 1000), 0);
  expect(lots).toBe(truth.fills.reduce((sum, { size }) => sum + size, 0));
  expect([report.pnl.unrealised, report.pnl.net]).toEqual(['0.00000000', formatMoney(cash('realised') + cash('fee'))]);
  expect(report.stats.makerFills + report.stats.takerFills).toBe(report.fills.length);
  expect(report.notes.join('\n')).toContain('it joins 2 sessions');
  const { strategies, rest, total } = report.portfolio!;
  expect(strategies.map(({ name }) => name)).toEqual(['busy', 'renamed', 'second']);
  // The part of each has its own fills and its share of the flattening, which names no strategy.
  const named = (wanted: string): number => report.fills.filter((fill) => fill.strategy === wanted).length;
  for (const { name, fills } of strategies) expect(fills).toBeGreaterThanOrEqual(named(name));
  expect(named('busy') * named('second')).toBeGreaterThan(0);
  expect(rest.filter(({ name }) => name !== 'netting')).toEqual([]);
  for (const column of ['realised', 'unrealised', 'fees', 'funding', 'net'] as const) {
    expect(total[column], column).toBe(report.pnl[column]);
    expect(formatMoney([...strategies, ...rest].reduce((sum, part) => sum + parseScaled(part[column], 8), 0)), column).toBe(total[column]);
  }
  expect(Number(report.equity.end) - Number(report.equity.start)).toBeCloseTo(Number(report.pnl.net), 6);

  const explained = await runToEnd(['report', 'divergence', '--session', bot, '--json'], UNGUARDED);
  const divergence = JSON.parse(explained.out) as Divergence;
  expect(divergence).toMatchObject({ live: report.pnl.net, residual: '0.00000000' });
  expect(divergence.sessions.length).toBe(2);
  expect(divergence.causes.map(({ cause }) => cause)).toContain('restarts');

  const [text, page] = [join(folder, 'report.json'), join(folder, 'report.html')];
  expect((await runToEnd(['report', '--session', join(bot, 'sessions'), '--out', text, '--html', page], UNGUARDED)).code).toBe(0);
  expect((JSON.parse(readFileSync(text, 'utf8')) as RunReport).hash).toBe(report.hash);
  expect(readFileSync(page, 'utf8')).toContain('Session of busy, renamed');
  expect((await runToEnd(['report', text])).out).toContain('Session of busy, renamed on BTCUSDT, ETHUSDT');

  const session = join(bot, 'sessions', readdirSync(join(bot, 'sessions'))[0]!);
  const damaged = join(folder, 'damaged');
  cpSync(session, damaged, { recursive: true });
  const segment = join(damaged, '000001.seg');
  truncateSync(segment, Math.round(readFileSync(segment).length / 2));
  for (const command of [['report'], ['report', 'divergence'], ['calibrate']]) {
    const { out, err } = await runToEnd([...command, '--session', damaged], UNGUARDED);
    expect(out.replaceAll(/\s+/g, ' '), `${command.join(' ')}: ${err}`).toMatch(/000001\.seg are not whole: what the session did after 20/);
  }
  const tape = join(folder, 'tape');
  expect((await runToEnd(['tape', 'synth', '--out', tape, '--symbol', 'ETHUSDT', '--duration', '20m'])).code).toBe(0);
  const started = String(divergence.sessions[0]!.from - 1_000);
  for (const command of [['report', 'divergence'], ['calibrate']]) {
    const other = await runToEnd([...command, '--session', session, '--tape', tape, '--speed', '20', '--start', started], UNGUARDED);
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('found none of BTCUSDT')]);
  }
});

it('report asks for a file or a session, and for one that exists', async () => {
  const both = await runToEnd(['report', 'one.json', '--session', 'var/bot']);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('expected either the JSON of a report or --session, found both')]);
  const missing = await runToEnd(['report', '--session', freshFolder()]);
  expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('expected the folder of a recorded session')]);
});
