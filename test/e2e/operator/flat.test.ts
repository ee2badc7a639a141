/** `kill` and `flatten` say flat only when the account is: real processes, judged by the exchange's ledger. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { cleanUp, launch, ROOT, runToEnd, type Program } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

/** Lots that the account holds, by the ledger of the exchange: "ETHUSDT LONG" → 20. */
function held(stage: Stage): Record<string, number> {
  const lots: Record<string, number> = {};
  for (const { instrument, side, effect, size } of readLedger(join(stage.folder, 'exchange')).fills) {
    const leg = `${['BTCUSDT', 'ETHUSDT'][instrument]} ${side === 0 ? 'LONG' : 'SHORT'}`;
    lots[leg] = (lots[leg] ?? 0) + (effect === 0 ? size : -size);
  }
  return Object.fromEntries(Object.entries(lots).filter(([, size]) => size !== 0));
}

const at = (stage: Stage): string[] => ['--state', join(stage.folder, 'bot')];
const statusOf = async (stage: Stage): Promise<StatusAnswer> =>
  JSON.parse((await runToEnd(['status', '--json', ...at(stage)])).out) as StatusAnswer;

/** What a program wrote, in one line. */
const lineOf = ({ out }: Program): string => out.replaceAll(/\s+/g, ' ');

it('a symbol that left the configuration is named at the start, and kill closes it', async () => {
  const stage = new Stage({ symbols: ['BTCUSDT', 'ETHUSDT'] });
  await stage.startBot();
  await stage.untilHeld(2);
  await stage.bot.kill('SIGTERM');
  const bot = await stage.startBot({ symbols: ['BTCUSDT'] });
  await bot.untilLogged('position-without-strategy');
  expect(bot.logged('position-without-strategy')).toMatchObject([{ symbol: 'ETHUSDT', side: 'LONG', size: '0.100', own: '0.100' }]);
  const status = await statusOf(stage);
  expect(status.positions.map(({ symbol, own, strategies }) => [symbol, own, strategies])).toEqual([
    ['BTCUSDT', '0.100', ['holder']],
    ['ETHUSDT', '0.100', []],
  ]);
  expect((await runToEnd(['positions', ...at(stage)])).out).toContain('ETHUSDT LONG: no strategy here trades it');
  const killed = await runToEnd(['kill', ...at(stage)]);
  expect([killed.code, held(stage)], killed.out).toEqual([0, {}]);
  await stage.end();
});

it('flatten closes the own lots of a leg and kill all of it; what others hold is listed by name', async () => {
  const stage = new Stage({ config: { external: { position: 'adopt' } } });
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  await runToEnd(['halt', ...at(stage)]);
  await stage.byHand('BTCUSDT', 'LONG', 'OPEN', '0.05');
  await stage.byHand('ETHUSDT', 'SHORT', 'OPEN', '0.2');
  await bot.untilLogged('external', 2);
  const rehearsed = await runToEnd(['flatten', '--rehearse', ...at(stage)]);
  expect([rehearsed.code, held(stage)], rehearsed.out).toEqual([0, { 'BTCUSDT LONG': 150, 'ETHUSDT SHORT': 200 }]);
  expect(lineOf(rehearsed)).toMatch(/closes BTCUSDT LONG 0\.100 by a market order at about [\d.]+ \(book ticker, \d+\.\d s old/);
  const flattened = await runToEnd(['flatten', ...at(stage)]);
  expect(lineOf(flattened)).toContain('BTCUSDT LONG 0.150: 0.100 of it are of this bot, 0.050 of others; 0.100 are closed, 0.050 stay');
  expect(lineOf(flattened)).toContain('not closed, because no order of this bot opened it: ETHUSDT SHORT 0.200');
  expect([flattened.code, held(stage)], flattened.out).toEqual([0, { 'BTCUSDT LONG': 50, 'ETHUSDT SHORT': 200 }]);
  expect(lineOf(flattened)).toMatch(/BTCUSDT LONG: forecast 0\.100 at [\d.]+; outcome 0\.100 at [\d.]+ it did what was forecast/);
  // A kill that is rehearsed writes no halt, also where no bot runs.
  expect((await runToEnd(['kill', '--rehearse', ...at(stage)])).code).toBe(0);
  expect((await runToEnd(['kill', '--all', '--rehearse', ...at(stage)])).code).toBe(2);
  expect((await statusOf(stage)).halts.map(({ code }) => code)).toEqual(['operator']);
  // What was forecast is known after a kill -9.
  await bot.kill('SIGKILL');
  await stage.startBot();
  expect((await statusOf(stage)).phase).toBe('armed');
  const killed = await runToEnd(['kill', ...at(stage)]);
  expect(lineOf(killed)).toContain('ETHUSDT SHORT 0.200');
  expect([killed.code, held(stage)], killed.out).toEqual([0, { 'ETHUSDT SHORT': 200 }]);
  expect(lineOf(killed)).toMatch(/forecast 0 cancels, .*; outcome 0 cancels/);
  await stage.end();
});

it('a position whose symbol has no row in the file of instruments is named, and kill ends with 4', async () => {
  const stage = new Stage({ symbols: ['BTCUSDT', 'ETHUSDT'] });
  await stage.startBot();
  await stage.untilHeld(2);
  await stage.bot.kill('SIGTERM');
  const rows = JSON.parse(readFileSync(join(ROOT, 'config/instruments.json'), 'utf8')) as { symbol: string }[];
  const instruments = join(stage.folder, 'instruments.json');
  writeFileSync(instruments, JSON.stringify(rows.filter(({ symbol }) => symbol === 'BTCUSDT')));
  const bot = await stage.startBot({ symbols: ['BTCUSDT'], config: { instruments } });
  await bot.untilLogged('position-without-strategy');
  expect(bot.logged('position-without-strategy')).toMatchObject([
    { symbol: 'ETHUSDT', side: 'LONG', hint: expect.stringContaining('instruments') },
  ]);
  const killed = await runToEnd(['kill', ...at(stage)]);
  expect([killed.code, held(stage)], killed.out).toEqual([4, { 'ETHUSDT LONG': 100 }]);
  expect(lineOf(killed)).toMatch(
    /ETHUSDT LONG 0\.1\d* is not closed, because its rules are unknown: add the symbol to the file of instruments/,
  );
  expect((await runToEnd(['positions', ...at(stage)])).out).toContain('ETHUSDT LONG: no strategy here trades it');
  await bot.kill('SIGTERM');
  // The kill is in force, and the journal still knows whose the leg is.
  await stage.startBot({ config: {} });
  expect((await statusOf(stage)).positions).toMatchObject([{ symbol: 'ETHUSDT', own: '0.100' }]);
  const again = await runToEnd(['kill', ...at(stage)]);
  expect([again.code, held(stage)], again.out).toEqual([0, {}]);
  await stage.end();
});

const LAG_MS = 7_000;

it('kill answers within 5 s, then reports until a list and a single read begun listLagMs after the last own order show it flat', async () => {
  const stage = new Stage({ config: { listLagMs: LAG_MS, orderHorizonMs: 2 * LAG_MS } });
  const bot = await stage.startBot();
  await stage.untilHeld(1);
  const killed = launch(['kill', ...at(stage)]);
  await killed.until('the answer', () => killed.out.includes('in effect, still open:'));
  const [asked] = bot.logged('operator-command');
  expect(Date.now() - asked!.time).toBeLessThan(5_000);
  expect(held(stage), 'closed long before it is proven').toEqual({});
  expect((await runToEnd(['status', ...at(stage)])).out).toMatch(/^FLATTENING bot$/m);
  const impatient = await runToEnd(['kill', '--wait', '100', ...at(stage)]);
  expect([impatient.code, lineOf(impatient)]).toEqual([4, expect.stringContaining('the proof that it is flat')]);
  await killed.ended;
  expect([killed.code, killed.out]).toEqual([0, expect.stringMatching(/flat\n$/)]);
  const { fills } = readLedger(join(stage.folder, 'exchange'));
  const [{ time: saidAt } = { time: 0 }] = bot.logged('halt-lifted').filter(({ code }) => code === 'flatten');
  // The clocks of both processes are one, and the exchange fills before it answers.
  expect(saidAt - Math.max(...fills.map(({ time }) => time))).toBeGreaterThanOrEqual(LAG_MS);
  await stage.end();
});
