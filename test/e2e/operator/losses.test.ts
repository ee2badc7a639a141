/**
 * Loss limits across SIGKILL: the bot is killed while it loses and right after, and its store is deleted or restored. The exchange's ledger
 * counts the opening orders. No loss may be forgotten.
 */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { OPEN } from '../../../src/domain/codes.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, type Program } from '../process.ts';

const WIDE = { maxNotionalOrder: 'off', maxNotionalPosition: 'off', maxNotionalTotal: 'off' };
const LOSER = 'test/e2e/strategies/loser.ts';
/** The bot does not use the token of the exchange's admin interface. */
const ENV = { ...DEMO, TICKWRIGHT_ADMIN_TOKEN: 'of-the-exchange' };

class Losing {
  readonly folder = freshFolder();
  readonly bot = join(this.folder, 'bot');
  readonly #exchange: Program;
  readonly #risk: Readonly<Record<string, unknown>>;

  constructor(seed: number, risk: Readonly<Record<string, unknown>>) {
    this.#risk = risk;
    const state = ['--port', '0', '--state', join(this.folder, 'exchange')];
    this.#exchange = launch(['exchange', '--synth', '--seed', String(seed), ...state], {});
  }

  /** Writes the bot's configuration, with which a process opens at most so many positions, and returns the path. */
  async config(rounds = 1_000): Promise<string> {
    const config = join(this.folder, 'bot.yaml');
    const paper = {
      bot: 'paper',
      venue: { baseUrl: await addressOf(this.#exchange) },
      limits: join(process.cwd(), 'config/limits.paper.json'),
      poll: { quotes: 100, trades: 250, orders: 250, positions: 250, account: 250 },
      orderHorizonMs: 2000,
      listLagMs: 1000,
      risk: { ...WIDE, ...this.#risk },
      strategies: [{ file: join(process.cwd(), LOSER), symbols: ['BTCUSDT'], params: { rounds } }],
      store: { kind: 'embedded', folder: this.bot },
    };
    writeFileSync(config, stringify(paper));
    return config;
  }

  async start(rounds?: number): Promise<Program> {
    const bot = launch(['run', '--config', await this.config(rounds)], ENV);
    await bot.untilLogged('armed');
    return bot;
  }

  /** Starts without the store of the bots before, and confirms that. */
  async startNew(rounds?: number): Promise<Program> {
    const bot = await this.start(rounds);
    await bot.untilLogged('opens-halted');
    await runToEnd(['resume', '--i-know', '--state', this.bot]);
    return bot;
  }

  /** Number of the bot's filled orders in the ledger that opened, or that closed. */
  filled(effect: 'opened' | 'closed'): number {
    const { fills } = readLedger(join(this.folder, 'exchange'));
    return new Set(fills.filter((fill) => (fill.effect === OPEN) === (effect === 'opened')).map(({ orderNo }) => orderNo)).size;
  }

  /** Lots held after all fills. A position open at a kill may be closed by two orders. */
  get lots(): number {
    return readLedger(join(this.folder, 'exchange')).fills.reduce((sum, { effect, size }) => sum + (effect === OPEN ? size : -size), 0);
  }

  /** Result of all fills, less fees, in USDT. */
  get result(): number {
    return readLedger(join(this.folder, 'exchange')).fills.reduce((sum, { realised, fee }) => sum + realised - fee, 0) / 1e8;
  }

  /** Kills the bot as soon as the exchange has closed `count` positions, whether the bot knows it or not. */
  async killAfter(bot: Program, count: number): Promise<void> {
    await bot.until(`${count} positions closed`, () => this.filled('closed') >= count);
    await bot.kill('SIGKILL');
  }

  /** Kills the bot as soon as it has counted so many losses. A loss that it has not counted cannot survive the loss of the store. */
  async killCounted(bot: Program, count: number): Promise<void> {
    await bot.until(`${count} losses counted`, () => this.#streak() >= count);
    await bot.kill('SIGKILL');
  }

  #streak(): number {
    if (!existsSync(`${this.bot}.losses.json`)) return 0;
    const counted = JSON.parse(readFileSync(`${this.bot}.losses.json`, 'utf8')) as { losses: { scopes: { bot: { streak: number } } } };
    return counted.losses.scopes.bot.streak;
  }

  async end(): Promise<void> {
    await this.#exchange.kill('SIGTERM');
  }
}

afterEach(cleanUp);

it('losses in a row are counted across kills, a deleted store and a restored one', async () => {
  const world = new Losing(41, { maxConsecutiveLosses: 5 });
  // One position each: a close that is unknown to a copy or a deleted store would count twice or never, and its moment is chance.
  await world.killCounted(await world.start(1), 1);
  const backup = freshFolder();
  cpSync(world.bot, backup, { recursive: true });

  // Killed when the venue closes, whether the bot knows it or not, and started again.
  await world.killAfter(await world.start(1), 2);

  // The store is deleted: the file beside it has the counters.
  await world.killCounted(await world.start(1), 3);
  rmSync(world.bot, { recursive: true });
  await world.killCounted(await world.startNew(1), 4);

  // An old copy is restored, and the operator continues with it.
  rmSync(world.bot, { recursive: true });
  cpSync(backup, world.bot, { recursive: true });
  await runToEnd(['rotate-epoch', '--config', await world.config()], DEMO);
  const last = await world.start();
  await last.until('opens are halted', () => last.logged('opens-halted').some(({ code }) => code === 'consecutive-losses'));
  await sleep(2_000);
  await last.kill('SIGTERM');
  expect(world.filled('opened')).toBe(5);
  expect(world.lots).toBe(0);
  await world.end();
});

it('the daily loss and the drawdown are counted across kills and a deleted store', async () => {
  // A round costs about 7 USDT: the fourth exceeds the limit.
  const world = new Losing(42, { maxDailyLoss: '25 USDT', maxDrawdown: '25 USDT' });
  await world.killAfter(await world.start(), 1);
  await world.killAfter(await world.start(), 2);
  rmSync(world.bot, { recursive: true });
  const third = await world.startNew();
  const halted = (bot: Program): string[] => bot.logged('opens-halted').map(({ code }) => String(code));
  await third.until('opens are halted', () => ['daily-loss', 'drawdown'].every((code) => halted(third).includes(code)));
  await third.kill('SIGKILL');
  await sleep(500);
  const opened = world.filled('opened');
  // Read a moment later: another round may have started.
  expect(world.result).toBeGreaterThan(-25 - 15);

  // Right after the loss: killed, and killed with its store deleted.
  const fourth = await world.start();
  await sleep(1_500);
  await fourth.kill('SIGKILL');
  rmSync(world.bot, { recursive: true });
  const fifth = await world.start();
  await sleep(1_500);
  await fifth.kill('SIGTERM');
  expect(world.filled('opened')).toBe(opened);
  await world.end();
});
