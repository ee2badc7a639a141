/**
 * kill -9 of the bot while managed trades, which are added to and reduced, and executions of two strategies work on the same legs: it goes on
 * with the same ones. What they say at their end is, lot by lot and coin by coin, what the exchange's ledger has; durable state and calendar
 * lose nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { readLedger, type LedgerFill } from '../../../src/edge/file/ledger/read-ledger.ts';
import type { Replayed } from '../../../src/run/replay/replay.ts';
import { CLEAN, journalIn } from '../audit.ts';
import { addressOf, cleanUp, DEMO, launch, runToEnd, STOPPED, type Program } from '../process.ts';
import { alarms, Scene } from '../scene.ts';

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
  readonly adds: Readonly<Record<string, number>>;
  readonly cuts: Readonly<Record<string, number>>;
  readonly ended: Readonly<Record<string, { entered: number; left: number; realised: number; why: string }>>;
  readonly worked: Readonly<Record<string, { kind: string; size: number; filled: number; average: number | null; why: string }>>;
}

const LOT = 0.001;
const NAMES = ['lasting', 'others'] as const;

it(`${KILLS} kills amid trades and executions of two strategies`, { timeout: 300_000 + KILLS * 30_000 }, async () => {
  const scene = new Scene(11);
  const random = new Random(SEED);
  const exchange = scene.exchange();
  const url = await addressOf(exchange);
  const settings = { 'venue.baseUrl': url, 'store.folder': scene.botFolder, orderHorizonMs: 2000, listLagMs: 2000 };
  const set = Object.entries(settings).flatMap(([key, value]) => ['--set', `${key}=${value}`]);
  const config = configIn(scene.folder);
  const run = (): Program => launch(['run', '--config', config, ...set], DEMO);
  let bot = run();
  const alarmed: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    await bot.untilLogged('armed');
    await bot.until('an order was placed', () => bot.logged('order-placed').length > 0 || isDone(bot));
    await sleep(500 + random.below(2_500));
    await scene.killAtMoment(bot, random);
    alarmed.push(...alarms(bot));
    bot = run();
  }
  await bot.until('all trades and executions have ended', () => isDone(bot));
  const states = NAMES.map((name) => saidBy(bot, name)!);
  // What the last orders filled is known to the bot; it stops.
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGTERM');
  const journal = await journalIn(scene.botFolder, 'paper');
  expect(await scene.compare('bot', KILLS, bot, journal)).toMatchObject(CLEAN);
  expect(alarmed).toEqual([]);

  const { fills, orders: placed } = readLedger(scene.ledgerFolder);
  const clientIds = new Map(placed.map(({ order }) => [order.no, String(order['clientOid'])]));
  const lots = (some: readonly LedgerFill[]): number => some.reduce((sum, { size }) => sum + size, 0);
  const part = (side: number, effect: number): LedgerFill[] => fills.filter((fill) => fill.side === side && fill.effect === effect);
  const [opened, closed, sold] = [part(0, 0), part(0, 1), part(1, 0)];
  const ended = states.flatMap((state) => Object.values(state.ended));
  expect([...states.map(({ trades }) => trades), ended.length]).toEqual([ROUNDS, ROUNDS, 2 * ROUNDS]);
  console.info(ended.map(({ why }) => why).join(' | '));
  for (const { left } of ended) expect(left).toBeCloseTo(0, 9);
  const entered = ended.reduce((sum, one) => sum + one.entered, 0);
  expect(lots(opened) * LOT).toBeCloseTo(entered, 9);
  expect(lots(closed)).toBe(lots(opened));
  // Each trade entered what its entry and its addition filled, and was reduced.
  for (const { adds, cuts, ended: trades } of states) {
    for (const [id, { entered: size, why }] of Object.entries(trades)) {
      const orders = [Number(id), adds[id] ?? 0].map(journal.clientIdOf);
      expect(lots(opened.filter(({ orderNo }) => orders.includes(clientIds.get(orderNo)!))) * LOT, `trade ${id}: ${why}`).toBeCloseTo(
        size,
        9,
      );
    }
    expect(Object.values(adds).filter((order) => order > 0).length).toBeGreaterThan(KILLS);
    expect(Object.values(cuts).filter((count) => count > 0).length).toBeGreaterThan(KILLS);
  }
  // Prices of the ledger are in ticks of 0.1.
  const value = (some: readonly LedgerFill[]): number => some.reduce((sum, { price, size }) => sum + (price / 10) * size * LOT, 0);
  const realised = ended.reduce((sum, one) => sum + one.realised, 0);
  // "elsewhere" is a stop-loss of an ended trade of the other strategy, which lives as long as the leg.
  expect(ended.filter(({ why }) => why.includes('external'))).toEqual([]);
  expect(realised).toBeCloseTo(value(closed) - value(opened), 4);

  const worked = states.flatMap((state) => Object.values(state.worked));
  expect([...states.map(({ executions }) => executions), worked.length]).toEqual([3 * ROUNDS, 3 * ROUNDS, 6 * ROUNDS]);
  console.info(worked.map(({ kind, filled, why }) => `${kind} ${filled} ${why}`).join(' | '));
  for (const { filled, size } of worked) expect(filled).toBeLessThanOrEqual(size + 1e-9);
  expect(lots(sold) * LOT).toBeCloseTo(
    worked.reduce((sum, { filled }) => sum + filled, 0),
    9,
  );
  const told = worked.reduce((sum, { filled, average }) => sum + filled * (average ?? 0), 0);
  expect(told).toBeCloseTo(value(sold), 4);

  // Each second had its call, or is counted as missed: none twice, none lost. A bot that is back within a second misses none.
  for (const { runs, missed } of states) {
    expect(new Set(runs).size).toBe(runs.length);
    expect((runs.at(-1)! - runs[0]!) / 1_000 + 1).toBe(runs.length + missed);
  }

  const replay = await runToEnd(['replay', join(scene.botFolder, 'sessions'), '--json']);
  const sessions = replay.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Replayed);
  expect(sessions.map(({ divergence }) => divergence)).toEqual(sessions.map(() => null));
  expect([replay.code, sessions.length]).toEqual([0, KILLS + 1]);
});

/** The configuration of the paper exchange with the strategy twice; the stop-losses of the second are near enough to fire. */
function configIn(folder: string): string {
  const path = join(folder, 'two.yaml');
  const file = resolve('test/e2e/strategies/lasting.ts');
  const entry = (name: string, stop: number): string =>
    `  - { name: ${name}, file: ${file}, symbols: [BTCUSDT], params: { rounds: ${ROUNDS}, stop: ${stop} } }\n`;
  const paper = readFileSync('config/paper.yaml', 'utf8')
    .replace('limits: limits.paper.json', `limits: ${resolve('config/limits.paper.json')}`)
    .replace(/^strategies:\n(?: .*\n)+/m, `strategies:\n${entry(NAMES[0], 0.01)}${entry(NAMES[1], 0.0002)}`);
  writeFileSync(path, paper);
  return path;
}

function isDone(bot: Program): boolean {
  return NAMES.every((name) => saidBy(bot, name) !== null);
}

function saidBy(bot: Program, name: string): State | null {
  const lines = bot.logged('strategy-log').filter(({ strategy }) => strategy === name);
  if (!lines.some((one) => one['says'] === 'all done')) return null;
  const parts = lines.filter((one) => one['says'] === 'state').map(({ part }) => part);
  return JSON.parse(parts.join('')) as State;
}
