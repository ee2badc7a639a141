/** `doctor` and `run --check` find what keeps `run` from starting, by its code, and leave nothing behind. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { addressOf, cleanUp, DEMO, freshFolder, launch, ROOT, runToEnd } from '../process.ts';
import { hasRedis, startRedis, type RedisServer } from '../../support/stores/redis.ts';

const servers: RedisServer[] = [];
afterEach(async () => {
  await cleanUp();
  for (const server of servers.splice(0)) await server.remove();
});

interface Finding {
  readonly subject: string;
  readonly status: string;
  readonly finding: string;
}

/** Findings of `doctor` that are bad, and the exit codes of `doctor` and of `run`. */
async function wrong(settings: readonly string[], yaml = ''): Promise<{ bad: Finding[]; doctor: number | null; run: number | null }> {
  const file = join(freshFolder(), 'bot.yaml');
  writeFileSync(file, yaml);
  const set = settings.flatMap((one) => ['--set', one]);
  const examined = await runToEnd(['doctor', '--config', file, ...set, '--json'], DEMO);
  const { findings } = JSON.parse(examined.out) as { findings: Finding[] };
  const run = await runToEnd(['run', '--config', file, ...set], DEMO);
  return { bad: findings.filter(({ status }) => status === 'bad'), doctor: examined.code, run: run.code };
}

const strategy = (params: string, name = 'ema-cross'): string =>
  `venue: { baseUrl: "http://127.0.0.1:9" }\nstrategies: [{ file: ${join(ROOT, `strategies/${name}.ts`)}, symbols: [BTCUSDT], params: ${params} }]\n`;

describe('what run refuses, doctor calls bad', () => {
  it.each([
    ['a parameter out of range', '{ fast: 0 }', /fast.*from 1 to 1000.*found "0"/],
    ['an unknown parameter', '{ fsat: 3 }', /fsat/],
    ['a parameter of the wrong kind', '{ fast: many }', /fast.*many/],
  ])('%s', async (_what, params, says) => {
    const { bad, doctor, run } = await wrong([`store.folder=${join(freshFolder(), 'store')}`], strategy(params));
    const ofStrategy = bad.filter(({ subject }) => subject === 'strategy');
    expect(ofStrategy).toMatchObject([{ finding: expect.stringMatching(says) }]);
    expect([doctor, run]).toEqual([1, 78]);
  });

  it('folders in which nothing can be written', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'file'), '');
    symlinkSync(join(folder, 'file/below'), join(folder, 'nowhere'));
    for (const place of [join(folder, 'file/store'), join(folder, 'nowhere'), '/proc/tickwright/store', join(folder, 'x'.repeat(300))]) {
      const { bad, doctor, run } = await wrong([`store.folder=${place}`], strategy('{}'));
      expect(bad.find(({ subject }) => subject === 'store')?.finding, place).toContain('cannot be written');
      expect([doctor, run === 0 || run === 3], place).toEqual([1, false]);
    }
    expect(readdirSync(folder).sort()).toEqual(['file', 'nowhere']);
  });

  it('a configuration without a venue and credentials', async () => {
    const file = join(freshFolder(), 'bot.yaml');
    writeFileSync(file, 'bot: one\n');
    const examined = await runToEnd(['doctor', '--config', file, '--json']);
    expect(examined.code).toBe(1);
    expect(examined.out).toContain('expected the address of the venue, found none');
    expect(examined.out).toContain('expected credentials, found none');
  });
});

describe.skipIf(!hasRedis('doctor on a Redis'))('a Redis', () => {
  it('is tried with every right that a bot needs, and nothing is left there', async () => {
    const server = await startRedis();
    servers.push(server);
    const isNew = !/\*-1|\$-1/.test(await server.say('COMMAND INFO waitaof'));
    const allowed =
      '~{tickwright:* -@all +info +config|get +eval +evalsha +get +set +incr +del +exists +pttl +hset +hget +hgetall +hmget +hlen +xadd +xrange +xrevrange +wait +waitaof';
    await server.say(`ACL SETUSER tickwright on >secret ${isNew ? allowed : allowed.replace(' +waitaof', '')}`);
    const url = `store.url=redis://tickwright:secret@127.0.0.1:${server.port}`;
    const look = async (): Promise<string> =>
      (await runToEnd(['doctor', '--set', 'store.kind=redis', '--set', url])).out.replace(/\s+/g, ' ');
    expect(await look()).toMatch(/ok store redis/);
    expect(await server.say('KEYS *')).toMatch(/^\*0\r\n/);
    await server.say('ACL SETUSER tickwright -xadd');
    expect(await look()).toMatch(/bad store .*does not allow the user of the bot the command xadd/i);
    await server.say('ACL SETUSER tickwright +xadd resetkeys ~other:*');
    expect(await look()).toMatch(/bad store/);
  });
});

describe('run --check', () => {
  it('makes the checks with the command line of the bot, and leaves no file', async () => {
    const exchange = launch(['exchange', '--synth', '--port', '0']);
    const url = await addressOf(exchange);
    const folder = freshFolder();
    const store = join(folder, 'store');
    const args = ['run', '--config', 'config/paper.yaml', '--set', `venue.baseUrl=${url}`, '--set', `store.folder=${store}`, '--check'];
    const right = await runToEnd(args, DEMO);
    expect([right.code, right.err], right.out).toEqual([0, '']);
    const wrongParam = await runToEnd([...args, '--strategy', 'strategies/ema-cross.ts', '--param', 'fast=0'], DEMO);
    expect([wrongParam.code, wrongParam.out]).toEqual([78, expect.stringMatching(/bad\s+strategy/)]);
    const wrongKey = await runToEnd(args, { ...DEMO, TICKWRIGHT_SECRET: 'other' });
    expect(wrongKey.code).toBe(78);
    expect(existsSync(store)).toBe(false);
    mkdirSync(store);
    await runToEnd(args, DEMO);
    expect(readdirSync(store)).toEqual([]);
  });
});
