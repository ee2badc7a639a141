/**
 * Keeps what this release writes to disk, for tests that later releases read it: a bot with an open position, a resting order, exits and a halt, killed in
 * the middle; with its journal in a file and in Redis, its recorded session, a backup, and the ledger of its exchange. `npm run golden` writes
 * test/golden/releases/VERSION.json and replaces no file: run it once, when the version is released.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import { RedisClient } from '../src/edge/redis/redis-client.ts';
import { programVersion } from '../src/run/setup/version.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, ROOT, runToEnd, type Program } from '../test/e2e/process.ts';
import type { KeptKey, KeptRelease } from '../test/support/stores/golden-release.ts';
import { startRedis } from '../test/support/stores/redis.ts';

const STRATEGY = 'test/e2e/strategies/holder.ts';
const PARAMS = { grid: true, stop: 0.02, target: 0.05 };
/** Written again by every bot or process, or by the system. */
const LEFT_OUT = /(^|\/)(lock|bot\.lock.*|bot\.pulse|.*\.spare.*|control\.sock)$/;

const target = join(ROOT, `test/golden/releases/${programVersion()}.json`);
if (existsSync(target)) throw new Error(`${target} is there: what a release wrote stays as it is`);

async function typed(...args: string[]): Promise<string> {
  const { code, out, err } = await runToEnd(args);
  if (code !== 0) throw new Error(`tickwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

/** Waits until the position and the resting order are there, halts the strategy, and kills the bot after its next records. */
async function killHolding(bot: Program, state: string, backup?: string): Promise<KeptRelease['holds']> {
  await bot.untilLogged('fill');
  await bot.until('a snapshot of the position, and an order that rests', () => bot.age > 9_000);
  const orders = JSON.parse(await typed('orders', '--state', state, '--json')) as { orders: { clientId: string; price: string }[] };
  const { positions } = JSON.parse(await typed('positions', '--state', state, '--json')) as {
    positions: { size: string; entryPrice: string }[];
  };
  await typed('halt', 'holder', '--why', 'kept', '--state', state);
  if (backup !== undefined) await typed('backup', backup, '--state', state);
  const holds = {
    size: positions[0]!.size,
    entry: positions[0]!.entryPrice,
    order: orders.orders[0]!.clientId,
    price: orders.orders[0]!.price,
  };
  await bot.kill('SIGKILL');
  return holds;
}

function filesBelow(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
  return Object.fromEntries(paths.map((path) => [path, packed(readFileSync(join(folder, path)))]));
}

const packed = (bytes: Buffer): string => gzipSync(bytes, { level: 9 }).toString('base64');

async function embedded(): Promise<Pick<KeptRelease, 'files' | 'backup' | 'holds'>> {
  const folder = freshFolder();
  const state = join(folder, 'state');
  const params = Object.entries(PARAMS).flatMap(([name, value]) => ['--param', `${name}=${value}`]);
  // The recording names the file: not where this repository is.
  const strategy = join(folder, basename(STRATEGY));
  copyFileSync(join(ROOT, STRATEGY), strategy);
  const bot = launch(['start', '--state', state, '--strategy', strategy, '--symbol', 'BTCUSDT', ...params]);
  const backup = join(folder, 'backup.gz');
  const holds = await killHolding(bot, join(state, 'bot'), backup);
  return { files: filesBelow(state), backup: readFileSync(backup).toString('base64'), holds };
}

async function onRedis(): Promise<KeptKey[]> {
  const folder = freshFolder();
  const redis = await startRedis();
  const exchange = launch(['exchange', '--synth', '--port', '0', '--state', join(folder, 'exchange')]);
  const config = join(folder, 'bot.yaml');
  const given = {
    bot: 'paper',
    venue: { baseUrl: await addressOf(exchange) },
    limits: join(ROOT, 'config/limits.paper.json'),
    strategies: [{ file: join(ROOT, STRATEGY), symbols: ['BTCUSDT'], params: PARAMS }],
    risk: { maxNotionalOrder: 'off', maxNotionalPosition: 'off', maxNotionalTotal: 'off' },
    store: { kind: 'redis', url: redis.url, folder: join(folder, 'bot') },
  };
  writeFileSync(config, stringify(given));
  await killHolding(launch(['run', '--config', config], DEMO), join(folder, 'bot-paper'));
  const client = new RedisClient({ url: redis.url, timeoutMs: 5_000 });
  const names = (await client.command('KEYS', '*')) as string[];
  const kept: KeptKey[] = [];
  for (const key of names.sort()) {
    const type = String(await client.command('TYPE', key));
    if (type === 'stream') kept.push({ key, type, entries: (await client.command('XRANGE', key, '-', '+')) as [string, string[]][] });
    else if (type === 'hash') kept.push({ key, type, fields: (await client.command('HGETALL', key)) as string[] });
    // The lease ends with the bot.
    else if (type !== 'string') throw new Error(`${key} is a ${type}, which no release had`);
  }
  client.close();
  await redis.remove();
  return kept;
}

try {
  const release: KeptRelease = { version: programVersion(), params: PARAMS, ...(await embedded()), redis: await onRedis() };
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, `${JSON.stringify(release, null, 1)}\n`);
  console.log(`written: ${target}`);
} finally {
  await cleanUp();
}
