/**
 * kill -9 of the bot while managed trades and executions work: it goes on with the same ones. What they say at their end is, lot by lot and
 * coin by coin, what the exchange's ledger has; durable state and calendar lose nothing.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { readLedger, type LedgerFill } from '../../src/edge/file/read-ledger.ts';
import type { Replayed } from '../../src/run/replay/replay.ts';
import { CLEAN } from './audit.ts';
import { addressOf, cleanUp, DEMO, launch, runToEnd, STOPPED, type Program } from './process.ts';
import { alarms, Scene } from './scene.ts';

const KILLS = Number(process.env['TICKWRIGHT_TRADE_KILLS'] ?? 5);
/** Moments of the kills. */
const SEED = Number(process.env['TICKWRIGHT_TRADE_SEED'] ?? 5);
/** So many that the last kill still meets work. */
const ROUNDS = 3 + KILLS;

afterEach(cleanUp);

interface State {
  readonly trades: number;
  readonly executions: number;
  readonly runs: readonly number[];
  readonly missed: number;
  readonly ended: Readonly<Record<string, { entered: number; left: number; realised: number; why: string }>>;
  readonly worked: Readonly<Record<string, { kind: string; size: number; filled: number; average: number | null; why: string }>>;
}

const LOT = 0.001;

it(`${KILLS} kills amid trades and executions`, { timeout: 120_000 + KILLS * 30_000 }, async () => {
  const scene = new Scene(11);
  const random = new Random(SEED);
  const exchange = scene.exchange();
  const url = await addressOf(exchange);
  const settings = { 'venue.baseUrl': url, 'store.folder': scene.botFolder, orderHorizonMs: 2000, listLagMs: 2000 };
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const strategy = ['--strategy', 'test/e2e/strategies/lasting.ts', '--symbol', 'BTCUSDT', '--param', `rounds=${ROUNDS}`];
  const run = (): Program => launch(['run', '--config', 'config/paper.yaml', ...strategy, ...set], DEMO);
  let bot = run();
  const alarmed: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await bot.untilLogged('armed', 1, 60_000);
    await bot.until('an order was placed', () => bot.logged('order-placed').length > 0 || saidBy(bot) !== null, 60_000);
    await sleep(500 + random.below(2_500));
    await scene.killAtMoment(bot, random);
    alarmed.push(...alarms(bot));
    bot = run();
  }
  await bot.until('all trades and executions have ended', () => saidBy(bot) !== null, 240_000);
  const state = saidBy(bot)!;
  // What the last orders filled is known to the bot; it stops.
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGTERM');
  expect(await scene.compare('bot', KILLS, bot)).toMatchObject(CLEAN);
  expect(alarmed).toEqual([]);

  const fills = readLedger(scene.ledgerFolder).fills;
  const lots = (some: readonly LedgerFill[]): number => some.reduce((sum, { size }) => sum + size, 0);
  const part = (side: number, effect: number): LedgerFill[] => fills.filter((fill) => fill.side === side && fill.effect === effect);
  const [opened, closed, sold] = [part(0, 0), part(0, 1), part(1, 0)];
  const ended = Object.values(state.ended);
  expect([state.trades, ended.length]).toEqual([ROUNDS, ROUNDS]);
  console.info(ended.map(({ why }) => why).join(' | '));
  for (const { left } of ended) expect(left).toBeCloseTo(0, 9);
  const entered = ended.reduce((sum, one) => sum + one.entered, 0);
  expect(lots(opened) * LOT).toBeCloseTo(entered, 9);
  expect(lots(closed)).toBe(lots(opened));
  // Prices of the ledger are in ticks of 0.1.
  const value = (some: readonly LedgerFill[]): number => some.reduce((sum, { price, size }) => sum + (price / 10) * size * LOT, 0);
  const realised = ended.reduce((sum, one) => sum + one.realised, 0);
  expect(ended.filter(({ why }) => /external|elsewhere/.test(why))).toEqual([]);
  expect(realised).toBeCloseTo(value(closed) - value(opened), 4);

  const worked = Object.values(state.worked);
  expect([state.executions, worked.length]).toEqual([3 * ROUNDS, 3 * ROUNDS]);
  console.info(worked.map(({ kind, filled, why }) => `${kind} ${filled} ${why}`).join(' | '));
  for (const { filled, size } of worked) expect(filled).toBeLessThanOrEqual(size + 1e-9);
  expect(lots(sold) * LOT).toBeCloseTo(
    worked.reduce((sum, { filled }) => sum + filled, 0),
    9,
  );
  const told = worked.reduce((sum, { filled, average }) => sum + filled * (average ?? 0), 0);
  expect(told).toBeCloseTo(value(sold), 4);

  // Each second had its call, or is counted as missed: none twice, none lost. A bot that is back within a second misses none.
  const { runs, missed } = state;
  expect(new Set(runs).size).toBe(runs.length);
  expect((runs.at(-1)! - runs[0]!) / 1_000 + 1).toBe(runs.length + missed);

  const replay = await runToEnd(['replay', join(scene.botFolder, 'sessions'), '--json']);
  const sessions = replay.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);
  expect(sessions.map(({ divergence }) => divergence)).toEqual(sessions.map(() => null));
  expect([replay.code, sessions.length]).toEqual([0, KILLS + 1]);
});

function saidBy(bot: Program): State | null {
  const lines = bot.logged('strategy-log');
  if (!lines.some((one) => one['says'] === 'all done')) return null;
  const parts = lines.filter((one) => one['says'] === 'state').map(({ part }) => part);
  return JSON.parse(parts.join('')) as State;
}
