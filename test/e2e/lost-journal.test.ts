/**
 * The journal is lost or restored to an earlier state, or another bot writes. Own orders are recognised by their ids, no id is used twice,
 * and the log names the command to type. Judged by the exchange's ledger.
 */
import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../src/edge/file/read-ledger.ts';
import { hasRedis, startRedis, type RedisServer } from '../support/redis.ts';
import { addressOf, cleanUp, freshFolder, runToEnd, type Program } from './process.ts';
import { Scene } from './scene.ts';

let redis: RedisServer | null = null;
afterEach(async () => {
  await cleanUp();
  await redis?.remove();
  redis = null;
});

/** Client ids of placed orders, in the order of the ledger. */
function idsIn(scene: Scene): string[] {
  const own = readLedger(scene.ledgerFolder).orders.filter(({ order }) => order['byVenue'] !== true);
  return own.map(({ order }) => String(order['clientOid']));
}

function restingIn(scene: Scene): string[] {
  return readLedger(scene.ledgerFolder).orders.flatMap(({ order, ended }) => (ended === null ? [String(order['clientOid'])] : []));
}

function epochOf(id: string): string {
  return id.split('-')[1] ?? '';
}

/** Lets the bot trade, then kills it while orders rest far from the market, where they do not fill. */
async function killResting(scene: Scene, bot: Program): Promise<string[]> {
  await bot.untilLogged('fill', 2);
  writeFileSync(scene.calmFile, '');
  await bot.until('an order rests for a while', () => restingIn(scene).length > 0);
  await sleep(1_500);
  await bot.kill('SIGKILL');
  rmSync(scene.calmFile);
  return restingIn(scene);
}

function rotate(scene: Scene, settings: readonly string[] = []): Promise<Program> {
  const set = [`store.folder=${scene.botFolder}`, ...settings].flatMap((one) => ['--set', one]);
  return runToEnd(['rotate-epoch', '--config', 'config/paper.yaml', ...set]);
}

function expectUnique(ids: readonly string[]): void {
  expect(new Set(ids).size, 'no client id was used twice').toBe(ids.length);
}

describe('a bot whose store was deleted', () => {
  it('finds its resting orders by id and cancels them; new ids have a new epoch [outcomes 3.3]', { timeout: 60_000 }, async () => {
    const scene = new Scene(31);
    const url = await addressOf(scene.exchange());
    const resting = await killResting(scene, scene.run(url));
    expect(resting.length).toBeGreaterThan(0);
    rmSync(scene.botFolder, { recursive: true });
    const before = idsIn(scene).length;
    await sleep(1_000); // The epoch of a new journal is the second in which it was created.
    const bot = scene.run(url);
    await bot.untilLogged('fill', 1);
    const left = (): string[] => restingIn(scene).filter((id) => resting.includes(id));
    await bot.until('the orders of the lost journal are cancelled', () => left().length === 0);
    expect(
      bot
        .logged('journal-lost')
        .map((line) => String(line['clientId']))
        .sort(),
    ).toEqual([...resting].sort());
    expect(bot.logged('foreign-order')).toEqual([]);
    expect(bot.logged('split-brain')).toEqual([]);
    await bot.kill('SIGTERM');
    const ids = idsIn(scene);
    expectUnique(ids);
    expect(ids.length).toBeGreaterThan(before);
    expect(ids.slice(before).map(epochOf)).not.toContain(epochOf(resting[0]!));
  });

  it.each([
    ['adopt', []],
    ['halt', ['unknown-own-orders']],
  ] as const)('leaves them if recovery.unknownOwnOrders is %s', { timeout: 60_000 }, async (policy, halts) => {
    const scene = new Scene(32);
    const url = await addressOf(scene.exchange());
    const resting = await killResting(scene, scene.run(url));
    rmSync(scene.botFolder, { recursive: true });
    await sleep(1_000);
    const bot = scene.run(url, [`recovery.unknownOwnOrders=${policy}`]);
    await bot.untilLogged('armed');
    expect(bot.logged('order-adopted').length).toBeGreaterThanOrEqual(resting.length);
    await bot.until('the halt', () => bot.logged('opens-halted').length >= halts.length);
    await sleep(500);
    expect(bot.logged('opens-halted').map((line) => String(line['code']))).toEqual(halts);
    expect(bot.logged('foreign-order')).toEqual([]);
    const left = restingIn(scene);
    expect(
      resting.filter((id) => !left.includes(id)),
      'nobody cancelled them',
    ).toEqual([]);
  });
});

describe('a bot whose store is deleted while it runs', () => {
  it('notices it within seconds, opens nothing more, cancels, and ends with 78 [D4]', { timeout: 60_000 }, async () => {
    const scene = new Scene(36);
    const url = await addressOf(scene.exchange());
    const bot = scene.run(url);
    await bot.untilLogged('fill', 2);
    // An idle bot writes nothing: only a check of the file can find it.
    writeFileSync(scene.calmFile, '');
    await bot.until('an order rests', () => restingIn(scene).length > 0);
    rmSync(scene.botFolder, { recursive: true });
    const before = performance.now();
    await bot.untilLogged('journal-failed');
    console.info(`noticed after ${(performance.now() - before).toFixed(0)} ms`);
    expect(performance.now() - before).toBeLessThan(20_000);
    await bot.ended;
    expect(bot.code).toBe(78);
    expect(bot.err).toContain('was deleted or replaced while the bot ran');
  });
});

describe('a bot whose store was restored to an earlier state', () => {
  it('opens nothing until `rotate-epoch`, which it names, and uses no id twice [outcomes 3.3] [D5]', { timeout: 90_000 }, async () => {
    const scene = new Scene(33);
    const url = await addressOf(scene.exchange());
    const first = scene.run(url);
    await first.untilLogged('fill', 2);
    await first.kill('SIGTERM');
    const backup = freshFolder();
    cpSync(scene.botFolder, backup, { recursive: true });

    await killResting(scene, scene.run(url));
    renameSync(scene.botFolder, `${scene.botFolder}.newer`);
    cpSync(backup, scene.botFolder, { recursive: true });
    const before = idsIn(scene).length;

    const second = scene.run(url);
    await second.untilLogged('armed');
    expect(second.logged('journal-rollback')).toHaveLength(1);
    expect(second.logged('opens-halted')).toMatchObject([{ code: 'journal-rollback', ends: 'tickwright rotate-epoch' }]);
    await sleep(1_500);
    expect(second.logged('foreign-order')).toEqual([]);
    await second.kill('SIGTERM');
    const opened = readLedger(scene.ledgerFolder)
      .orders.slice(before)
      .filter(({ order }) => order['byVenue'] !== true && order['effect'] === 0);
    expect(opened, 'nothing was opened').toEqual([]);

    const third = scene.run(url);
    await third.untilLogged('armed');
    expect(third.logged('armed')[0]?.['halts'], 'a restart does not end it').toBeGreaterThan(0);
    await third.kill('SIGTERM');

    const rotated = await rotate(scene);
    expect([rotated.code, rotated.out]).toEqual([
      0,
      expect.stringMatching(/^epoch \w+ → \w+, from order \d+ on; lifted: journal-rollback\ndone\n$/),
    ]);
    const last = scene.run(url);
    await last.untilLogged('fill', 2);
    expect(last.logged('journal-rollback')).toEqual([]);
    const live = await rotate(scene);
    expect([live.code, live.out], 'a running bot starts a new epoch too').toEqual([
      0,
      expect.stringMatching(/^new client ids are of epoch \w+/),
    ]);
    await last.untilLogged('fill', last.logged('fill').length + 2);
    await last.kill('SIGTERM');
    const ids = idsIn(scene);
    expectUnique(ids);
    expect(ids.length).toBeGreaterThan(before);
  });
});

describe('two bots on one account, on two machines', () => {
  it('both detect it, and both stop opening [outcomes 3.6]', { timeout: 60_000 }, async () => {
    const scene = new Scene(34);
    const other = new Scene(34);
    const url = await addressOf(scene.exchange());
    const first = scene.run(url);
    await first.untilLogged('fill', 1);
    const second = other.run(url, [], { TICKWRIGHT_STATE_HOME: freshFolder() });
    await second.untilLogged('split-brain', 1, 30_000);
    await first.untilLogged('split-brain', 1, 30_000);
    await sleep(1_000);
    const before = idsIn(scene).length;
    await sleep(1_500);
    const later = readLedger(scene.ledgerFolder)
      .orders.slice(before)
      .filter(({ order }) => order['byVenue'] !== true && order['effect'] === 0);
    expect(later).toEqual([]);
    for (const bot of [first, second]) {
      expect(bot.logged('opens-halted')).toMatchObject([{ code: 'split-brain', ends: 'tickwright rotate-epoch' }]);
      expect(bot.logged('foreign-order')).toEqual([]);
    }
    expectUnique(idsIn(scene));
  });
});

describe.skipIf(!hasRedis('the bot on an emptied Redis'))('a bot whose Redis was emptied while it was down', () => {
  it('recognises its orders by id and continues with new ids [D2]', { timeout: 60_000 }, async () => {
    redis = await startRedis();
    const scene = new Scene(35);
    const url = await addressOf(scene.exchange());
    const settings = ['store.kind=redis', `store.url=${redis.url}`];
    const resting = await killResting(scene, scene.run(url, settings));
    await redis.say('FLUSHALL');
    await sleep(1_000);
    const bot = scene.run(url, settings);
    await bot.untilLogged('fill', 1);
    expect(
      bot
        .logged('journal-lost')
        .map((line) => String(line['clientId']))
        .sort(),
    ).toEqual([...resting].sort());
    expect(bot.logged('foreign-order')).toEqual([]);
    await bot.kill('SIGTERM');
    expectUnique(idsIn(scene));
  });
});
