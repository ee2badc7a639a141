/**
 * A running bot while its Redis fails over: real servers, a real sentinel, the exchange's ledger. It waits for a primary, goes on where
 * nothing is lost, and where something is, the next start opens nothing until a person says so.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OPEN } from '../../../src/domain/codes.ts';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { openRedisStore } from '../../../src/edge/redis/redis-store.ts';
import {
  hasRedis,
  movableAddress,
  startRedis,
  startReplica,
  startSentinel,
  untilSaid,
  type MovableAddress,
  type RedisServer,
} from '../../support/stores/redis.ts';
import { CLEAN, journalOf, type Journal } from '../audit.ts';
import { addressOf, cleanUp, type LogLine, type Program, runToEnd, STOPPED } from '../process.ts';
import { Scene } from '../scene.ts';

async function journalAt(url: string): Promise<Journal> {
  return journalOf(await openRedisStore({ url, prefix: 'tickwright:paper', waitMs: 16_000 }), 'paper');
}

function settingsOf(url: string): string[] {
  return ['store.kind=redis', `store.url=${url}`, 'venue.timeoutMs=3000'];
}

interface Placed {
  readonly id: string;
  readonly isOpen: boolean;
}

/** Orders that the bot placed, in the order of the ledger. */
function placedIn(scene: Scene): Placed[] {
  const own = readLedger(scene.ledgerFolder).orders.filter(({ order }) => order['byVenue'] !== true);
  return own.map(({ order }) => ({ id: String(order['clientOid']), isOpen: order['effect'] === OPEN }));
}

const epochOf = ({ id }: Placed): number => parseInt(id.split('-')[1] ?? '', 36);

/** Waits until the bot has placed orders that open again, and returns everything placed since. */
async function untilOpened(scene: Scene, bot: Program): Promise<Placed[]> {
  const before = placedIn(scene).length;
  const since = (): Placed[] => placedIn(scene).slice(before);
  await bot.until('it opens again', () => since().filter(({ isOpen }) => isOpen).length >= 3);
  return since();
}

/** True if `end` came within a tenth of a second. */
async function isDone(end: Promise<unknown>): Promise<boolean> {
  return Promise.race([end.then(() => true), sleep(100).then(() => false)]);
}

describe.skipIf(!hasRedis('the failover of a bot on Redis'))('a bot whose Redis fails over', () => {
  let primary: RedisServer;
  const servers: RedisServer[] = [];
  let address: MovableAddress | null = null;
  const serving = async (server: Promise<RedisServer>): Promise<RedisServer> => {
    servers.push(await server);
    return server;
  };
  beforeEach(async () => {
    primary = await serving(startRedis());
  });
  afterEach(async () => {
    for (const server of servers) server.signal('SIGCONT');
    await cleanUp();
    address?.close();
    address = null;
    for (const server of servers.splice(0)) await server.remove();
  });

  it('follows the sentinels twice while it trades: ids of a new epoch, nothing lost, nothing twice [D2] [outcomes 3.7]', async () => {
    const replica = await serving(startReplica(primary));
    const sentinel = await serving(startSentinel(primary));
    await untilSaid(sentinel, 'SENTINEL master group', /num-slaves\r\n\$1\r\n1\r\n/);
    const scene = new Scene(17);
    const exchange = scene.exchange();
    const bot = scene.run(await addressOf(exchange), settingsOf(`redis-sentinel://127.0.0.1:${sentinel.port}/group`));
    await bot.untilLogged('fill', 2);
    for (const [n, from, to] of [
      [1, primary, replica],
      [2, replica, primary],
    ] as const) {
      const last = Math.max(...placedIn(scene).map(epochOf));
      await from.kill();
      await bot.untilLogged('journal-moved', n);
      const opened = (await untilOpened(scene, bot)).filter(({ isOpen }) => isOpen);
      expect(opened.filter((placed) => epochOf(placed) <= last)).toEqual([]);
      // The former primary comes back as a replica of the new one.
      await from.start();
      await untilSaid(to, 'INFO replication', /state=online/);
      // What was committed before may be on its way to it. From the next order on, the bot waits for it.
      await untilOpened(scene, bot);
    }
    await scene.calmDown(bot);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('two failovers', 2, bot, await journalAt(primary.url))).toMatchObject(CLEAN);
  });

  it('waits while its primary is a replica, places nothing, and trades on when it is a primary again', async () => {
    const scene = new Scene(18);
    const exchange = scene.exchange();
    const bot = scene.run(await addressOf(exchange), settingsOf(primary.url));
    await bot.untilLogged('fill', 2);
    await primary.say('REPLICAOF 127.0.0.1 1');
    await bot.untilLogged('journal-away');
    const before = placedIn(scene).length;
    await sleep(2_000);
    expect(placedIn(scene).slice(before)).toEqual([]);
    await primary.say('REPLICAOF NO ONE');
    await bot.untilLogged('journal-back');
    await untilOpened(scene, bot);
    await scene.calmDown(bot);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
    await exchange.kill('SIGTERM');
    expect(await scene.compare('demoted and promoted', 0, bot, await journalAt(primary.url))).toMatchObject(CLEAN);
  });

  it('ends with 75 if its primary stays a replica for longer than store.outageMs, and at a start there', async () => {
    const scene = new Scene(22);
    const url = await addressOf(scene.exchange());
    const settings = [...settingsOf(primary.url), 'store.outageMs=2000'];
    const bot = scene.run(url, settings);
    await bot.untilLogged('fill', 1);
    await primary.say('REPLICAOF 127.0.0.1 1');
    await bot.ended;
    expect([bot.code, bot.logged('journal-failed').length]).toEqual([75, 1]);
    const again = scene.run(url, settings);
    await again.ended;
    expect([again.code, again.err]).toEqual([75, expect.stringContaining('it is a replica')]);
  });

  it('with store.acceptReplicaLoss ends with 75 where records are lost, then opens nothing until rotate-epoch [D2]', async () => {
    const replica = await serving(startReplica(primary));
    address = await movableAddress(primary.port);
    const scene = new Scene(19);
    const url = await addressOf(scene.exchange());
    const settings = [...settingsOf(address.url), 'store.acceptReplicaLoss=true'];
    const bot = scene.run(url, settings);
    await bot.untilLogged('fill', 2);
    await replica.say('REPLICAOF 127.0.0.1 1');
    await untilOpened(scene, bot);
    await replica.say('REPLICAOF NO ONE');
    await primary.kill();
    address.moveTo(replica.port);
    await bot.ended;
    expect(bot.code).toBe(75);
    expect(bot.logged('opens-halted').map((line) => line['code'])).toContain('journal-rollback');
    expect(readFileSync(`${scene.botFolder}-paper.halts.json`, 'utf8')).toContain('journal-rollback');

    const next = scene.run(url, settings);
    await next.untilLogged('armed');
    const before = placedIn(scene).length;
    const status = await runToEnd(['status', '--state', `${scene.botFolder}-paper`]);
    expect(status.out).toContain('journal-rollback');
    expect(
      placedIn(scene)
        .slice(before)
        .filter(({ isOpen }) => isOpen),
    ).toEqual([]);
    const rotated = await runToEnd(['rotate-epoch', '--state', `${scene.botFolder}-paper`]);
    expect(rotated.code).toBe(0);
    // A fill whose record was lost changed the position of its leg without an order that the bot knows.
    const changed = (): LogLine[] => next.logged('leg-halted');
    const opened = untilOpened(scene, next);
    for (let resumed = 0; !(await isDone(opened));) {
      for (const { code, scope } of changed().slice(resumed)) {
        expect(code).toBe('external-position');
        const answer = await runToEnd(['resume', String(scope).replace('leg:', ''), '--state', `${scene.botFolder}-paper`]);
        expect([answer.code, answer.err]).toEqual([0, '']);
        resumed++;
      }
    }
    const ids = placedIn(scene).map(({ id }) => id);
    expect(new Set(ids).size, 'no client id was used twice').toBe(ids.length);
  });

  it('opens nothing while no replica confirms or a setting is unsafe, closes on, and opens again by itself [D3]', async () => {
    const replica = await serving(startReplica(primary));
    const scene = new Scene(20);
    const bot = scene.run(await addressOf(scene.exchange()), settingsOf(primary.url));
    await bot.untilLogged('fill', 3);
    for (const [n, spoil, mend] of [
      [1, () => replica.signal('SIGSTOP'), () => replica.signal('SIGCONT')],
      [2, () => primary.say('CONFIG SET appendonly no'), () => primary.say('CONFIG SET appendonly yes')],
    ] as const) {
      await spoil();
      const spoilt = performance.now();
      await bot.untilLogged('journal-unsafe', n);
      expect(performance.now() - spoilt).toBeLessThan(60_000);
      const halts = (): number => bot.logged('opens-halted').filter((line) => line['code'] === 'journal-unsafe').length;
      await bot.until('opens are halted', () => halts() === n);
      const before = placedIn(scene).length;
      const since = (): Placed[] => placedIn(scene).slice(before);
      await bot.until('it closes', () => since().some(({ isOpen }) => !isOpen));
      expect(since().filter(({ isOpen }) => isOpen)).toEqual([]);
      await mend();
      await bot.untilLogged('journal-safe', n);
      await untilOpened(scene, bot);
    }
  });

  it('is refused by doctor with the words of a start: a replica, a wrong password, a setting, a list', async () => {
    const said = async (url: string): Promise<string> => {
      const { out, err } = await runToEnd(['doctor', '--set', 'store.kind=redis', '--set', `store.url=${url}`]);
      return (out + err).replace(/\s+/g, ' ');
    };
    expect(await said(primary.url)).toMatch(/ok store redis \S+ at \S+ is a primary with 0 replicas/);
    expect(await said('redis://127.0.0.1:1,127.0.0.1:2')).toContain('redis-sentinel://HOST:26379,HOST:26379/NAME');
    expect(await said(`redis://tickwright:hunter2@127.0.0.1:${primary.port}`)).toContain('check user and password');
    await primary.say('CONFIG SET maxmemory-policy allkeys-lru');
    expect(await said(primary.url)).toContain('set "maxmemory-policy noeviction"');
    await primary.say('REPLICAOF 127.0.0.1 1');
    expect(await said(primary.url)).toContain('it is a replica');
  });

  it('ends with 78 for a wrong password at the start and while it runs, and for a list of servers', async () => {
    const scene = new Scene(21);
    const url = await addressOf(scene.exchange());
    await primary.say('ACL SETUSER tickwright on >secret ~* +@all');
    const at = (login: string): string[] => settingsOf(`redis://${login}@127.0.0.1:${primary.port}`);
    const wrong = scene.run(url, at('tickwright:hunter2'));
    await wrong.ended;
    expect([wrong.code, wrong.err]).toEqual([78, expect.stringContaining('check user and password')]);
    expect(wrong.out + wrong.err).not.toContain('hunter2');
    const listed = scene.run(url, settingsOf('redis://127.0.0.1:1,127.0.0.1:2'));
    await listed.ended;
    expect([listed.code, listed.err]).toEqual([78, expect.stringContaining('redis-sentinel://HOST:26379,HOST:26379/NAME')]);
    const running = scene.run(url, at('tickwright:secret'));
    await running.untilLogged('fill', 1);
    await primary.say('ACL SETUSER tickwright resetpass >other');
    await primary.say('CLIENT KILL TYPE normal');
    await running.ended;
    expect([running.code, running.logged('journal-failed')[0]]).toMatchObject([78, { error: { code: 'refused' } }]);
  });
});
