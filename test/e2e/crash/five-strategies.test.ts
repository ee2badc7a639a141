/**
 * The five strategies as one bot on the paper exchange, killed with kill -9: what the exchange's ledger has is what the bot's journal has,
 * and each recorded session, replayed, gives the same decisions again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import type { StatusAnswer } from '../../../src/control/answers.ts';
import { FIVE, FIVE_NAMES, type FiveName } from '../../support/backtest/five-strategies.ts';
import { CLEAN } from '../audit.ts';
import { addressOf, cleanUp, DEMO, launch, ROOT, runToEnd, STOPPED, type Program } from '../process.ts';
import { alarms, Scene } from '../scene.ts';

const KILLS = 3;
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
/** How many of the symbols each trades; one where not said. */
const TRADES: Partial<Record<FiveName, number>> = { pairs: 2, 'rsi-atr': 3 };

afterEach(cleanUp);

/** The instruments of the default configuration, and a third futures symbol. */
function withThird(folder: string): string {
  const given = JSON.parse(readFileSync(join(ROOT, 'config/instruments.json'), 'utf8')) as readonly { readonly symbol: string }[];
  const ether = given.find(({ symbol }) => symbol === 'ETHUSDT');
  const file = join(folder, 'instruments.json');
  writeFileSync(file, JSON.stringify([...given, { ...ether, symbol: 'SOLUSDT', baseCoin: 'SOL' }]));
  return file;
}

it(`${KILLS} kills of the five strategies on paper`, async () => {
  const scene = new Scene(21);
  const random = new Random(8);
  const instruments = { TICKWRIGHT_INSTRUMENTS: withThird(scene.folder) };
  const exchange = scene.exchange('0', [], instruments);
  const file = join(scene.folder, 'five.json');
  const strategies = FIVE_NAMES.map((name) => ({
    file: join(ROOT, `strategies/${name}.ts`),
    params: FIVE[name],
    symbols: SYMBOLS.slice(0, TRADES[name] ?? 1),
  }));
  const settings = {
    bot: 'paper',
    venue: { baseUrl: await addressOf(exchange) },
    limits: join(ROOT, 'config/limits.paper.json'),
    poll: { quotes: 100, trades: 250, orders: 250, positions: 250, account: 1000, stats: 5000 },
    risk: { maxNotionalOrder: '20000 USDT', maxNotionalPosition: '50000 USDT', maxNotionalTotal: '100000 USDT' },
    listLagMs: 2000,
    orderHorizonMs: 2000,
    strategies,
    store: { kind: 'embedded', folder: scene.botFolder },
  };
  writeFileSync(file, JSON.stringify(settings));
  const run = (): Program => launch(['run', '--config', file], { ...DEMO, ...instruments });
  const traded = new Set<string>();
  const alarmed: string[] = [];
  const note = (bot: Program): void => {
    for (const fill of bot.logged('fill')) traded.add(String(fill['strategy']));
    alarmed.push(...alarms(bot));
  };
  let bot = run();
  for (let kill = 0; kill < KILLS; kill++) {
    const before = bot;
    await bot.until('orders were placed', () => before.logged('order-placed').length >= 4);
    await scene.killAtMoment(bot, random);
    note(bot);
    bot = run();
  }
  const last = bot;
  await bot.until('each strategy has traded', () => new Set([...traded, ...last.logged('fill').map((one) => one['strategy'])]).size >= 5);
  // Flattening halts opens, which is among the alarms.
  await bot.untilLogged('armed');
  note(bot);
  // No order may fill between the end of the bot and the end of the exchange. A flatten alone would let opens go on when all is flat.
  expect((await runToEnd(['halt', '--state', scene.botFolder])).code).toBe(0);
  const flattened = await runToEnd(['flatten', '--wait', '20000', '--state', scene.botFolder]);
  expect(flattened.code, flattened.err + flattened.out).toBe(0);
  // The exchange cancels closing orders of a flat leg, which the bot finds by a read.
  for (;;) {
    const { out } = await runToEnd(['status', '--json', '--state', scene.botFolder]);
    if ((JSON.parse(out) as StatusAnswer).orders === 0) break;
  }
  await bot.kill('SIGINT');
  expect(STOPPED).toContain(bot.code);
  await exchange.kill('SIGTERM');
  expect(FIVE_NAMES.filter((name) => !traded.has(name))).toEqual([]);
  expect(alarmed).toEqual([]);
  expect(await scene.compare('bot', KILLS, bot, undefined, instruments.TICKWRIGHT_INSTRUMENTS)).toMatchObject(CLEAN);
  const replay = await runToEnd(['replay', join(scene.botFolder, 'sessions'), '--json']);
  const sessions = replay.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly divergence: unknown });
  expect(sessions.map(({ divergence }) => divergence)).toEqual(Array.from({ length: KILLS + 1 }, () => null));
});
