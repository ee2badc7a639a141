/** A stop while the venue refuses: cancels are retried, remaining orders are named, and the exit code reports them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { addressOf, adminOf, cleanUp, DEMO, freshFolder, launch, type Program } from '../process.ts';

const TOKEN = 'token-of-the-test';

/** Rests five orders and cancels them at the stop. With `churns`, each quote cancels one and places another. */
const RESTS = `
import { defineStrategy, param } from 'tickwright';
export default defineStrategy({
  name: 'rests',
  doc: 'Rests five orders, cancels them at the stop.',
  params: { churns: param.boolean(false, { doc: 'Cancels one at each quote.' }) },
  create: ({ churns }) => ({
    onQuote(market, ctx) {
      if (!market.hasQuote) return;
      if (churns && market.orders.length > 2) ctx.cancel(market.orders[0].number);
      if (market.orders.length < 5) ctx.limit(market, 'LONG', 'OPEN', market.mid * 0.985, '0.001', true, 'rests');
    },
    onStop: (ctx) => void ctx.cancelAll(),
  }),
});
`;

afterEach(cleanUp);

class Scene {
  readonly folder = freshFolder();
  readonly exchange: Program;

  constructor() {
    const args = ['exchange', '--synth', '--seed', '5', '--port', '0', '--state', join(this.folder, 'exchange'), '--admin-port', '0'];
    this.exchange = launch(args, { TICKWRIGHT_ADMIN_TOKEN: TOKEN });
  }

  async bot(churns = false): Promise<Program> {
    const file = join(this.folder, 'rests.ts');
    writeFileSync(file, RESTS);
    const set = [`venue.baseUrl=${await addressOf(this.exchange)}`, `store.folder=${join(this.folder, 'bot')}`];
    const args = [
      'run',
      '--config',
      'config/paper.yaml',
      '--strategy',
      file,
      '--symbol',
      'BTCUSDT',
      '--param',
      `churns=${churns}`,
      ...set.flatMap((one) => ['--set', one]),
    ];
    const bot = launch(args, { ...DEMO, TICKWRIGHT_STATE_HOME: this.folder });
    await bot.untilLogged('armed');
    if (!churns) await this.untilOpen(5);
    return bot;
  }

  async faults(...rules: readonly object[]): Promise<void> {
    await fetch(`${await adminOf(this.exchange)}/faults`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify({ rules }),
    });
  }

  /** Client ids of open orders, by the ledger. */
  open(): string[] {
    const { orders } = readLedger(join(this.folder, 'exchange'));
    return orders.filter(({ ended }) => ended === null).map(({ order }) => String(order['clientOid']));
  }

  async untilOpen(count: number): Promise<void> {
    for (let k = 0; k < 9_000 && this.open().length < count; k++) await sleep(20);
    if (this.open().length !== count) throw new Error(`${count} open orders were expected, found ${this.open().length}`);
  }
}

const LATE = { fault: 'status', phase: 'before', status: 429, retryAfter: '60' };

describe('a stop under 429', () => {
  it('names every order that it leaves and ends with 3 [P3]', async () => {
    const scene = new Scene();
    const bot = await scene.bot();
    await scene.faults({ ...LATE, endpoints: ['E15'] });
    await bot.kill('SIGTERM');
    expect(bot.code).toBe(3);
    const told = bot.logged('order-left');
    expect(new Set(told.map((line) => String(line['clientId'])))).toEqual(new Set(scene.open()));
    expect(told).toHaveLength(5);
    for (const line of told) expect(line).toMatchObject({ symbol: 'BTCUSDT', venueId: expect.stringMatching(/./), strategy: 'rests' });
    expect(bot.logged('orders-left')).toMatchObject([{ level: 'error', orders: 5 }]);
  });

  it('cancels all of them if the refusals end within its time, and ends with 0', async () => {
    const scene = new Scene();
    const bot = await scene.bot();
    // Every read of orders is refused as well, so the cancels must be retried without reads.
    await scene.faults({ ...LATE, endpoints: ['E15'], count: 6 }, { ...LATE, endpoints: ['E17', 'E18'] });
    await bot.kill('SIGTERM');
    expect(bot.logged('order-left')).toEqual([]);
    expect([bot.code, scene.open()]).toEqual([0, []]);
  });

  it('cancels at once while opens are refused for a minute, and sends none of those meanwhile [N7]', async () => {
    const scene = new Scene();
    const bot = await scene.bot(true);
    await sleep(1_000);
    await scene.faults({ ...LATE, endpoints: ['E12', 'E13', 'E14'] });
    await bot.until('an open is refused', () => bot.logged('rate-limited').some((line) => line['lane'] === 'open'));
    await sleep(2_000);
    expect(bot.logged('symbol-halted'), 'an exhausted bucket halts no symbol').toEqual([]);
    const { faults } = readLedger(join(scene.folder, 'exchange'));
    // Those in flight when the first was refused, and none after that.
    expect(faults.filter(({ time }) => time > faults[0]!.time + 1_000)).toEqual([]);
    await bot.kill('SIGTERM');
    expect(scene.open()).toEqual([]);
    // The outcome of the refused opens is unknown: they are named, and nothing else is.
    expect(bot.code).toBe(3);
    expect(new Set(bot.logged('order-left').map((line) => line['state']))).toEqual(new Set(['unknown']));
  });
});
