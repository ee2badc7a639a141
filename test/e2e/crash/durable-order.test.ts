/**
 * No order leaves before its journal record is durable. For the embedded store the system calls of the bot say when a record was on the disk
 * and when its order left, also where the process is killed at a sync or a sync fails. For Redis, a wire that holds the confirmation of a
 * commit. The exchange's ledger says which orders arrived.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { hasRedis, startRedis } from '../../support/stores/redis.ts';
import { hasStrace, readSyncTrace, underStrace, type SyncTrace } from '../../support/stores/sync-trace.ts';
import { journalIn } from '../audit.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, type Program } from '../process.ts';

const KILLS = Number(process.env['TICKWRIGHT_SYNC_KILLS'] ?? 3);
/** Syncs of a start, before the first order. */
const SYNCS_OF_START = 12;

afterEach(cleanUp);

class Numbered {
  readonly folder = freshFolder();
  readonly store = join(this.folder, 'bot');
  readonly trace = join(this.folder, 'trace');
  readonly exchange: Program;

  constructor(seed: number) {
    this.exchange = launch(['exchange', '--synth', '--seed', String(seed), '--port', '0', '--state', join(this.folder, 'exchange')]);
  }

  async run(settings: readonly string[], under: readonly string[] = []): Promise<Program> {
    const own = [`venue.baseUrl=${await addressOf(this.exchange)}`, `store.folder=${this.store}`, 'orderHorizonMs=2000', 'listLagMs=1000'];
    const set = [...own, ...settings].flatMap((one) => ['--set', one]);
    const strategy = ['--strategy', 'test/e2e/strategies/numbered.ts', '--symbol', 'BTCUSDT'];
    return launch(['run', '--config', 'config/paper.yaml', ...strategy, ...set], DEMO, { under });
  }

  /** Client ids of the orders that arrived. */
  get arrived(): string[] {
    return readLedger(join(this.folder, 'exchange')).orders.map(({ order }) => String(order['clientOid']));
  }

  /** What left, and what of it left before its record was on the disk; orders that arrived and that the trace does not show. */
  async traced(): Promise<SyncTrace & { readonly untraced: readonly string[] }> {
    const { records, clientIdOf } = await journalIn(this.store, 'paper');
    const commands = records.filter(({ kind }) => kind === 'command');
    const numbers = new Map(commands.map(({ seq, data }) => [clientIdOf(seq), /\d+/.exec(String(data['reason']))?.[0]]));
    const trace = readSyncTrace(this.trace, (clientId) => numbers.get(clientId));
    return { ...trace, untraced: this.arrived.filter((clientId) => !trace.sent.includes(clientId)) };
  }
}

const NONE_EARLY = { early: [], untraced: [] };

describe.skipIf(!hasStrace('the order of sync and send'))('an order of a bot with the embedded store', () => {
  it('leaves after the sync of its record', async () => {
    const world = new Numbered(51);
    const bot = await world.run([], underStrace(world.trace, ''));
    await bot.untilLogged('fill', 20);
    await bot.kill('SIGTERM');
    const trace = await world.traced();
    expect(trace).toMatchObject(NONE_EARLY);
    expect(trace.sent.length).toBeGreaterThanOrEqual(20);
  });

  it(`leaves after the sync of its record, over ${KILLS} kills at a sync`, { timeout: 300_000 + 60_000 * KILLS }, async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const world = new Numbered(60 + kill);
      const when = SYNCS_OF_START + 3 + 5 * kill;
      const bot = await world.run([], underStrace(world.trace, `fsync,fdatasync:signal=SIGKILL:when=${when}`));
      await bot.ended;
      expect(await world.traced()).toMatchObject(NONE_EARLY);
      await world.exchange.kill('SIGKILL');
    }
  });

  it('does not leave if the sync of its record fails', async () => {
    const world = new Numbered(53);
    const bot = await world.run([], underStrace(world.trace, `fsync,fdatasync:error=EIO:when=${SYNCS_OF_START + 20}+`));
    await bot.ended;
    expect(bot.logged('journal-failed')).toHaveLength(1);
    const trace = await world.traced();
    expect(trace).toMatchObject(NONE_EARLY);
    expect(trace.sent.length).toBeGreaterThan(0);
  });
});

/** Passes bytes between the bot and Redis. From a commit that contains `mark` on, nothing that Redis says arrives until `release`. */
async function holdingWire(port: number, mark: string): Promise<{ url: string; isHeld: () => boolean; release: () => void }> {
  let isHeld = false;
  let isReleased = false;
  const held: (() => void)[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((bot) => {
    const redis = connect(port, '127.0.0.1');
    let tail = '';
    bot.on('data', (bytes: Buffer) => {
      const text = tail + bytes.toString('latin1');
      tail = text.slice(-mark.length);
      if (!isReleased && text.includes(mark)) isHeld = true;
      redis.write(bytes);
    });
    redis.on('data', (bytes: Buffer) => (isHeld ? held.push(() => bot.write(bytes)) : bot.write(bytes)));
    for (const [one, other] of [
      [bot, redis],
      [redis, bot],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`,
    isHeld: () => isHeld,
    release: () => {
      isHeld = false;
      isReleased = true;
      for (const write of held.splice(0)) write();
    },
  };
}

describe.skipIf(!hasRedis('the order of commit and send'))('an order of a bot with its journal in Redis', () => {
  it('waits for the confirmation of its record', async () => {
    const redis = await startRedis();
    onTestFinished(() => redis.remove());
    const world = new Numbered(54);
    const wire = await holdingWire(redis.port, 'order 9.');
    const bot = await world.run(['store.kind=redis', `store.url=${wire.url}`, 'venue.timeoutMs=1000']);
    await bot.until('the record of the ninth order is at Redis', wire.isHeld);
    const before = world.arrived.length;
    expect(before).toBeGreaterThan(0);
    // Longer than an order takes to leave, shorter than a call may take.
    await sleep(1_200);
    expect(world.arrived).toHaveLength(before);
    wire.release();
    await bot.until('orders leave again', () => world.arrived.length > before + 2);
    await bot.kill('SIGTERM');
  });
});
