/** A bot whose wall clock is set, and one on a venue with a wrong clock: real processes, judged by the exchange's ledger. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, adminOf, cleanUp, DEMO, freshFolder, launch, ROOT, STOPPED, type Program } from '../process.ts';

const TOKEN = 'token-of-the-test';
const HOUR = 3_600_000;

afterEach(cleanUp);

class Scene {
  readonly folder = freshFolder();
  readonly exchange: Program;

  constructor(venueOffMs = 0) {
    this.setClock('venue', venueOffMs);
    const args = ['exchange', '--synth', '--seed', '6', '--speed', '4', '--port', '0', '--state', join(this.folder, 'exchange')];
    this.exchange = launch([...args, '--admin-port', '0'], { TICKWRIGHT_ADMIN_TOKEN: TOKEN, ...this.#clockOf('venue') });
  }

  /** Sets a wall clock this many milliseconds off the true time. */
  setClock(whose: 'bot' | 'venue', offMs: number): void {
    writeFileSync(join(this.folder, whose), String(offMs));
  }

  async bot(): Promise<Program> {
    this.setClock('bot', 0);
    const set = [`venue.baseUrl=${await addressOf(this.exchange)}`, `store.folder=${join(this.folder, 'store')}`];
    const args = ['run', '--config', 'config/paper.yaml', '--strategy', 'test/e2e/strategies/busy.ts', '--symbol', 'BTCUSDT'];
    // The strategy reads a file.
    const env = { ...DEMO, TICKWRIGHT_STRATEGY_GUARD: 'off', TICKWRIGHT_STATE_HOME: this.folder, ...this.#clockOf('bot') };
    return launch([...args, ...set.flatMap((one) => ['--set', one])], env);
  }

  async faults(...rules: readonly object[]): Promise<void> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    await fetch(`${await adminOf(this.exchange)}/faults`, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
  }

  get orders(): number {
    return readLedger(join(this.folder, 'exchange')).orders.length;
  }

  /** Number of opening orders: closing ones are never halted. */
  get opens(): number {
    return readLedger(join(this.folder, 'exchange')).orders.filter(({ order }) => order['effect'] === 0).length;
  }

  /** Waits for more orders at the venue: the bot reads, decides and sends. */
  async untilTrading(bot: Program): Promise<void> {
    const before = this.orders;
    await bot.until('more orders', () => this.orders > before + 3);
  }

  #clockOf(whose: string): Record<string, string> {
    const hook = pathToFileURL(join(ROOT, 'test/support/processes/stepping-clock.ts')).href;
    return { NODE_OPTIONS: `--import=${hook}`, WALL_CLOCK_FILE: join(this.folder, whose) };
  }
}

describe('the clock', () => {
  it('of the machine is set back and forth: the bot reports it and continues to trade [N12]', async () => {
    const scene = new Scene();
    const bot = await scene.bot();
    await bot.untilLogged('armed');
    await scene.untilTrading(bot);
    let off = 0;
    for (const [k, by] of [-20_000, -HOUR, 2 * HOUR].entries()) {
      off += by;
      scene.setClock('bot', off);
      await bot.untilLogged('clock-stepped', k + 1);
      // The lines are ordered by their times, which jump too.
      const steps = bot.logged('clock-stepped').map((line) => Number(line['byMs']));
      expect(Math.min(...steps.map((one) => Math.abs(one - by))), steps.join()).toBeLessThan(1_000);
      await scene.untilTrading(bot);
    }
    // Every request was signed with a time that the venue accepts, and nothing was wrong.
    expect(bot.log.filter(({ event }) => /unauthorized|clock-skew|halted/.test(event))).toEqual([]);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
  });

  it('of the venue is an hour off for a while: opens wait, and the log says why [N12] [outcomes 2.10]', async () => {
    const scene = new Scene();
    const bot = await scene.bot();
    await bot.untilLogged('armed');
    await scene.untilTrading(bot);
    for (const [k, ms] of [HOUR, -HOUR].entries()) {
      await scene.faults({ fault: 'skew', endpoints: 'all', ms });
      await bot.untilLogged('clock-skew', k + 1);
      expect(bot.logged('clock-skew')[k]).toMatchObject({ level: 'error', halted: true });
      await bot.until('opens are halted', () => bot.logged('opens-halted').length > k);
      await sleep(500);
      const before = scene.opens;
      await sleep(1_500);
      expect(scene.opens).toBe(before);
      await scene.faults();
      await bot.untilLogged('halt-lifted', k + 1);
      await scene.untilTrading(bot);
    }
    expect(bot.log.filter(({ event }) => event.includes('unauthorized'))).toEqual([]);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
  });

  it('of the venue, by which it checks signatures, is an hour off: the bot arms, and opens once they agree [N12]', async () => {
    const scene = new Scene(HOUR);
    const bot = await scene.bot();
    await bot.untilLogged('armed');
    await bot.untilLogged('clock-skew');
    await sleep(500);
    const before = scene.opens;
    await sleep(1_500);
    expect(scene.opens).toBe(before);
    scene.setClock('bot', HOUR);
    await bot.untilLogged('clock-stepped');
    await bot.untilLogged('halt-lifted');
    await scene.untilTrading(bot);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
  });
});
