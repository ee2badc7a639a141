/**
 * The journal is lost or restored to an earlier state, or another bot writes. Own orders are recognised by their ids, no id is used twice,
 * and the log names the command to type. Judged by the exchange's ledger.
 */
import { cpSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readLedger } from '../../../src/edge/file/ledger/read-ledger.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';
import { addressOf, cleanUp, freshFolder, runToEnd, untilArrived, type Program } from '../process.ts';
import { Scene } from '../scene.ts';
import { Stage } from '../stage.ts';

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

/** The next start on this machine begins an epoch that is ahead of the clock, as after starts within one second or a clock that was ahead. */
function advanceEpoch(stateHome: string): void {
  const [noted = ''] = globSync(join(stateHome, 'locks/*.epoch'));
  writeFileSync(noted, `${Number(readFileSync(noted, 'utf8')) + 3_600}\n`);
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

/** The bot halts because its journal is new; a person confirms what it found. */
async function confirm(state: string, bot: Program, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await bot.untilLogged('opens-halted');
  expect(bot.logged('opens-halted')[0]).toMatchObject({ code: 'journal-lost', ends: 'tickwright resume --i-know' });
  const resumed = await runToEnd(['resume', '--i-know', '--state', state], env);
  expect([resumed.code, resumed.out]).toEqual([0, expect.stringContaining('ended: bot journal-lost')]);
}

function rotate(scene: Scene, env: Readonly<Record<string, string>> = {}): Promise<Program> {
  return runToEnd(['rotate-epoch', '--config', 'config/paper.yaml', '--set', `store.folder=${scene.botFolder}`], env);
}

function expectUnique(ids: readonly string[]): void {
  expect(new Set(ids).size, 'no client id was used twice').toBe(ids.length);
}

describe('a bot whose store was deleted', () => {
  it('finds its resting orders by id and cancels them; new ids have a new epoch [outcomes 3.3]', async () => {
    const scene = new Scene(31);
    const url = await addressOf(scene.exchange());
    const resting = await killResting(scene, scene.run(url));
    expect(resting.length).toBeGreaterThan(0);
    rmSync(scene.botFolder, { recursive: true });
    const before = idsIn(scene).length;
    const bot = scene.run(url);
    await confirm(scene.botFolder, bot);
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
    ['adopt', ['journal-lost']],
    ['halt', ['journal-lost', 'unknown-own-orders']],
  ] as const)('leaves them if recovery.unknownOwnOrders is %s', async (policy, halts) => {
    const scene = new Scene(32);
    const url = await addressOf(scene.exchange());
    const resting = await killResting(scene, scene.run(url));
    rmSync(scene.botFolder, { recursive: true });
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

describe('a bot without its store on an account', () => {
  it('with a position and no order opens nothing until a person confirms, also after a restart [outcomes 3.3]', async () => {
    const stage = new Stage();
    const first = await stage.startBot();
    await stage.untilHeld(1);
    await first.kill('SIGKILL');
    rmSync(join(stage.folder, 'bot'), { recursive: true });
    const second = await stage.startBot();
    await second.untilLogged('opens-halted');
    const [halt] = second.logged('opens-halted');
    expect(halt).toMatchObject({ level: 'error', code: 'journal-lost', ends: 'tickwright resume --i-know' });
    expect(halt!['cause']).toMatch(
      /^the journal is new, but the account holds BTCUSDT LONG 0\.100, and the venue shows orders of this bot such as stage-\w+-\w+: the store was lost/,
    );
    // The position is closed by hand: the strategy would open again.
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    await second.untilLogged('external');
    await second.kill('SIGKILL');
    const third = await stage.startBot();
    await sleep(1_500);
    expect(stage.orders('OPEN')).toHaveLength(1);
    const state = join(stage.folder, 'bot');
    const plain = await runToEnd(['resume', '--state', state]);
    expect(plain.out).toContain('still halted: bot journal-lost');
    await sleep(500);
    expect(stage.orders('OPEN')).toHaveLength(1);
    await runToEnd(['resume', '--i-know', '--state', state]);
    await third.until('the leg is opened again', () => stage.orders('OPEN').length === 2);
    await stage.end();
  });

  it('with an own order in the history and nothing open opens nothing; without one it is a first start', async () => {
    const stage = new Stage({ config: { external: { position: 'adopt' } } });
    const first = await stage.startBot();
    expect(first.logged('opens-halted')).toEqual([]);
    await stage.untilHeld(1);
    await first.kill('SIGKILL');
    await stage.byHand('BTCUSDT', 'LONG', 'CLOSE', '0.1');
    rmSync(join(stage.folder, 'bot'), { recursive: true });
    const second = await stage.startBot();
    await second.untilLogged('opens-halted');
    expect(second.logged('opens-halted')[0]!['cause']).toMatch(
      /^the journal is new, but the venue shows orders of this bot such as stage-/,
    );
    await sleep(1_000);
    expect(stage.orders('OPEN')).toHaveLength(1);
    await stage.end();
  });
});

describe('a bot whose store is deleted while it runs', () => {
  it('notices it within seconds, opens nothing more, cancels, and ends with 78 [D4]', async () => {
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
  it('opens nothing until `rotate-epoch`, which it names, and uses no id twice [outcomes 3.3] [D5]', async () => {
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

  it('trades after `rotate-epoch`, also if the epochs of its account are ahead of the clock', async () => {
    const scene = new Scene(37);
    const env = { TICKWRIGHT_STATE_HOME: freshFolder() };
    const url = await addressOf(scene.exchange());
    await killResting(scene, scene.run(url, [], env));
    const backup = freshFolder();
    cpSync(scene.botFolder, backup, { recursive: true });

    advanceEpoch(env.TICKWRIGHT_STATE_HOME);
    const lost = scene.run(url, [], env);
    await lost.untilLogged('fill', 2);
    await lost.kill('SIGKILL');
    rmSync(scene.botFolder, { recursive: true });
    cpSync(backup, scene.botFolder, { recursive: true });
    const before = idsIn(scene).length;

    expect((await rotate(scene, env)).code).toBe(0);
    const bot = scene.run(url, [], env);
    await bot.until('the first fill, or a halt', () => bot.logged('fill').length + bot.logged('opens-halted').length > 0);
    expect(bot.logged('opens-halted')).toEqual([]);
    await bot.kill('SIGTERM');
    expectUnique(idsIn(scene));
    expect(idsIn(scene).length).toBeGreaterThan(before);
  });
});

describe('two bots on one account, on two machines', () => {
  it('both detect it, and both stop opening [outcomes 3.6]', async () => {
    const scene = new Scene(34);
    const other = new Scene(34);
    const url = await addressOf(scene.exchange());
    // The epoch of the second is not above that of the first.
    const home = { TICKWRIGHT_STATE_HOME: freshFolder() };
    const early = scene.run(url, [], home);
    await early.untilLogged('armed');
    await early.kill('SIGKILL');
    advanceEpoch(home.TICKWRIGHT_STATE_HOME);
    const first = scene.run(url, [], home);
    await first.untilLogged('fill', 1);
    writeFileSync(scene.calmFile, '');
    const env = { TICKWRIGHT_STATE_HOME: freshFolder() };
    const second = other.run(url, [], env);
    // Somebody believes that its store is lost, and makes it trade.
    await confirm(other.botFolder, second, env);
    await second.untilLogged('fill', 1);
    rmSync(scene.calmFile);
    await second.untilLogged('split-brain');
    await first.untilLogged('split-brain');
    await untilArrived(url);
    const before = idsIn(scene).length;
    await sleep(1_500);
    const later = readLedger(scene.ledgerFolder)
      .orders.slice(before)
      .filter(({ order }) => order['byVenue'] !== true && order['effect'] === 0);
    expect(later).toEqual([]);
    for (const bot of [first, second]) {
      const halts = bot.logged('opens-halted').filter((line) => line['code'] !== 'journal-lost');
      expect(halts).toMatchObject([{ code: 'split-brain', ends: 'tickwright rotate-epoch' }]);
      expect(bot.logged('foreign-order')).toEqual([]);
    }
    expectUnique(idsIn(scene));
  });
});

describe.skipIf(!hasRedis('the bot on an emptied Redis'))('a bot whose Redis was emptied while it was down', () => {
  it('recognises its orders by id and continues with new ids [D2]', async () => {
    redis = await startRedis();
    const scene = new Scene(35);
    const url = await addressOf(scene.exchange());
    const settings = ['store.kind=redis', `store.url=${redis.url}`, 'venue.timeoutMs=3000'];
    const resting = await killResting(scene, scene.run(url, settings));
    await redis.say('FLUSHALL');
    const bot = scene.run(url, settings);
    await confirm(`${scene.botFolder}-paper`, bot);
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
