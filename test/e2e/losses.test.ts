/**
 * Loss limits across SIGKILL: the bot is killed while it loses and right after, and its store is deleted or restored. The exchange's ledger
 * counts the opening orders. No loss may be forgotten.
 */
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { OPEN } from '../../src/domain/codes.ts';
import { readLedger } from '../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, runToEnd, type Program } from './process.ts';

const WIDE = ['maxNotionalOrder', 'maxNotionalPosition', 'maxNotionalTotal'].map((key) => `risk.${key}=off`);
const LOSER = 'test/e2e/strategies/loser.ts';
/** The bot does not use the token of the exchange's admin interface. */
const ENV = { ...DEMO, TICKWRIGHT_ADMIN_TOKEN: 'of-the-exchange' };

class Losing {
  readonly folder = freshFolder();
  readonly bot = join(this.folder, 'bot');
  readonly #exchange: Program;
  readonly #settings: readonly string[];

  constructor(seed: number, settings: readonly string[]) {
    this.#settings = settings;
    const state = ['--port', '0', '--state', join(this.folder, 'exchange')];
    this.#exchange = launch(['exchange', '--synth', '--seed', String(seed), ...state], {});
  }

  async set(): Promise<string[]> {
    const url = await addressOf(this.#exchange);
    const own = [`venue.baseUrl=${url}`, `store.folder=${this.bot}`, 'orderHorizonMs=2000', 'poll.account=250', 'listLagMs=1000'];
    return [...own, ...WIDE, ...this.#settings].flatMap((one) => ['--set', one]);
  }

  async start(): Promise<Program> {
    const set = await this.set();
    const bot = launch(['run', '--config', 'config/paper.yaml', '--strategy', LOSER, '--symbol', 'BTCUSDT', ...set], ENV);
    await bot.untilLogged('armed');
    return bot;
  }

  /** Starts without the store of the bots before, and confirms that. */
  async startNew(): Promise<Program> {
    const bot = await this.start();
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
    const counted = JSON.parse(readFileSync(`${this.bot}.losses.json`, 'utf8')) as { losses: { scopes: { bot: { streak: number } } } };
    return counted.losses.scopes.bot.streak;
  }

  async end(): Promise<void> {
    await this.#exchange.kill('SIGTERM');
  }
}

afterEach(cleanUp);

it('losses in a row are counted across kills, a deleted store and a restored one', async () => {
  const world = new Losing(41, ['risk.maxConsecutiveLosses=5']);
  const first = await world.start();
  await first.untilLogged('fill', 2);
  // Counted before the copy is made: a close unknown to the copy would count twice, which halts a round earlier.
  await world.killCounted(first, 1);
  const backup = freshFolder();
  cpSync(world.bot, backup, { recursive: true });

  // Killed while it loses, and started again.
  await world.killAfter(await world.start(), 2);

  // The store is deleted: the file beside it has the counters.
  await world.killCounted(await world.start(), 3);
  rmSync(world.bot, { recursive: true });
  await world.killCounted(await world.startNew(), 4);

  // An old copy is restored, and the operator continues with it.
  rmSync(world.bot, { recursive: true });
  cpSync(backup, world.bot, { recursive: true });
  await runToEnd(['rotate-epoch', '--config', 'config/paper.yaml', ...(await world.set())], DEMO);
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
  const world = new Losing(42, ['risk.maxDailyLoss=25 USDT', 'risk.maxDrawdown=25 USDT']);
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
