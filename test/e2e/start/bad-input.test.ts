/** Errors of the user and of the bot's environment: a clear message, the right exit code, nothing lost. */
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openEmbeddedStore } from '../../../src/edge/embedded/embedded-store.ts';
import { addressOf, cleanUp, DEMO, freshFolder, launch, ROOT, runToEnd, type Program, STOPPED } from '../process.ts';

const closers: (() => void)[] = [];
afterEach(async () => {
  await cleanUp();
  for (const close of closers.splice(0)) close();
});

/** Starts an HTTP server that is not an exchange; returns its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function run(url: string, folder = freshFolder(), more: readonly string[] = []): Program {
  const set = ['--set', `venue.baseUrl=${url}`, '--set', `store.folder=${join(folder, 'bot')}`];
  return launch(['run', '--config', 'config/paper.yaml', ...set, ...more], DEMO);
}

async function synthExchange(): Promise<string> {
  return addressOf(launch(['exchange', '--synth', '--port', '0', '--speed', '4']));
}

/** Writes a strategy file with these handlers. */
function strategyFile(name: string, handlers: string): string {
  const path = join(freshFolder(), `${name}.ts`);
  writeFileSync(
    path,
    `import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: '${name}', create: () => ({ ${handlers} }) });\n`,
  );
  return path;
}

describe('a bot whose venue is unreachable', () => {
  it('if nothing listens, one line names the address, at growing intervals, and reads continue', async () => {
    const bot = run('http://127.0.0.1:9');
    await bot.untilLogged('venue-unreachable', 2);
    const [first] = bot.logged('venue-unreachable');
    expect(first).toMatchObject({ cause: 'connection-refused', detail: 'ECONNREFUSED 127.0.0.1:9' });
    await sleep(1_500);
    expect(bot.isRunning).toBe(true);
    await bot.kill('SIGINT');
    expect(bot.code).toBe(0);
    expect([bot.logged('read-failed'), bot.logged('armed')]).toEqual([[], []]);
    expect(bot.logged('venue-unreachable').length).toBeLessThan(6);
  });

  const worlds: [string, () => Promise<string>, string][] = [
    ['a web page answers', () => serve((_, reply) => reply.setHeader('content-type', 'text/html').end('<h1>Welcome</h1>')), 'gateway-page'],
    ['garbage answers', () => serve((_, reply) => reply.end('\u0000\u0001{]')), 'not-json'],
    ['an empty envelope answers', () => serve((_, reply) => reply.setHeader('content-type', 'application/json').end('{}')), 'envelope'],
  ];
  it.each(worlds)('%s: it logs that, keeps reading, sends no order, and stops on request', async (_name, address, cause) => {
    const bot = run(await address());
    await bot.untilLogged('read-failed', 3);
    expect(bot.logged('read-failed').some((line) => String(line['cause']).includes(cause))).toBe(true);
    await sleep(1_500);
    expect(bot.isRunning).toBe(true);
    await bot.kill('SIGINT');
    expect(bot.code).toBe(0);
    expect(bot.logged('armed')).toEqual([]);
  });
});

describe('a bot that the venue does not know', () => {
  it('says what to check and ends with 78, because a restart does not help', async () => {
    const folder = freshFolder();
    const set = ['--set', `venue.baseUrl=${await synthExchange()}`, '--set', `store.folder=${join(folder, 'bot')}`];
    const bot = launch(['run', '--config', 'config/paper.yaml', ...set], { ...DEMO, TICKWRIGHT_PASSPHRASE: 'another' });
    await bot.ended;
    expect(bot.code).toBe(78);
    const errors = bot.logged('unauthorized');
    expect(errors).toMatchObject([{ level: 'error', hint: expect.stringContaining('key, secret and passphrase') as string }]);
    expect([bot.logged('gave-up').length, bot.logged('armed')]).toEqual([1, []]);
    const reads = bot.logged('read-failed').map((line) => String(line['kind']));
    expect(new Set(reads).size).toBeGreaterThanOrEqual(4);
  });
});

describe('an invalid start', () => {
  it('a port in use: 1, and the port', async () => {
    const url = await synthExchange();
    const { port } = new URL(url);
    const second = await runToEnd(['exchange', '--synth', '--port', port]);
    expect(second.code).toBe(1);
    expect(second.err).toContain(`port ${port} of 127.0.0.1 is in use`);
  });

  it('an unknown key in the configuration: 78, with a suggestion', async () => {
    const file = join(freshFolder(), 'bad.yaml');
    writeFileSync(file, 'venue:\n  baseUrl: http://127.0.0.1:9\nrisk:\n  maxOrderSise: "1"\n');
    const bot = await runToEnd(['run', '--config', file], DEMO);
    expect(bot.code).toBe(78);
    expect(bot.err).toContain('maxOrderSise');
    expect(bot.err).toContain('maxOrderSize');
  });

  it('a missing tape: 2', async () => {
    const exchange = await runToEnd(['exchange', '--tape', '/nowhere/tape', '--port', '0']);
    expect(exchange.code).toBe(2);
    expect(exchange.err).toContain('there is no tape /nowhere/tape');
  });

  it('a folder in use by another bot: 75, and the first bot is not disturbed', async () => {
    const url = await synthExchange();
    const folder = freshFolder();
    const first = run(url, folder);
    await first.untilLogged('armed');
    const second = run(url, folder);
    await second.ended;
    expect(second.code).toBe(75);
    expect(second.err).toMatch(/already trades on this account/);
    expect(first.isRunning).toBe(true);
    await first.kill('SIGINT');
    expect(STOPPED).toContain(first.code);
  });

  it('a folder in use by another exchange: 75', async () => {
    const state = freshFolder();
    await addressOf(launch(['exchange', '--synth', '--port', '0', '--state', state]));
    const second = await runToEnd(['exchange', '--synth', '--port', '0', '--state', state]);
    expect(second.code).toBe(75);
    expect(second.err).toContain('is in use by process');
  });

  it('a strategy whose create throws: a readable error', async () => {
    const url = await synthExchange();
    const file = join(freshFolder(), 'broken.ts');
    writeFileSync(
      file,
      `import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'broken', create() { throw new Error('no such luck'); } });\n`,
    );
    const bot = run(url, freshFolder(), ['--strategy', file]);
    await bot.ended;
    expect(bot.code).not.toBe(0);
    expect(bot.err).toContain('no such luck');
    expect(bot.err).not.toContain('    at ');
  });
});

describe('a faulty strategy in a running bot', () => {
  const BUYS = `onQuote(market, ctx) { if (market.orders.length === 0 && market.long.size < 0.05) ctx.open(market, 'LONG', { size: '0.001' }); }`;
  const NO_SIZES = `onQuote(market, ctx) { for (const size of [NaN, Infinity, -1, 0, 1e300, '1e-7', 'x']) ctx.open(market, 'LONG', { size }); }`;
  const FLOODS = `onQuote(market, ctx) { for (let k = 0; k < 20_000; k++) ctx.limit(market, 'LONG', 'OPEN', market.bid * 0.99, '0.001'); }`;

  it.each([
    ['throws', `onQuote() { throw new Error('tripped'); }`, 'strategy-disabled'],
    ['orders invalid sizes', NO_SIZES, 'intent-refused'],
    ['floods', FLOODS, 'intent-refused'],
  ])('that %s: the bot continues, logs it, and the other strategy trades', async (_what, handlers, event) => {
    const folder = freshFolder();
    const config = {
      bot: 'paper',
      venue: { baseUrl: await synthExchange() },
      limits: join(ROOT, 'config/limits.paper.json'),
      poll: { quotes: 100, orders: 250, positions: 250 },
      strategies: [
        { file: strategyFile('bad', handlers), symbols: ['BTCUSDT'] },
        { file: strategyFile('sane', BUYS), symbols: ['ETHUSDT'] },
      ],
      store: { kind: 'embedded', folder: join(folder, 'bot') },
    };
    const file = join(folder, 'two.yaml');
    writeFileSync(file, JSON.stringify(config));
    const bot = launch(['run', '--config', file], DEMO);
    await bot.untilLogged(event);
    await bot.untilLogged('fill', 2);
    await sleep(1_500);
    expect(bot.isRunning).toBe(true);
    // However often it happens, the log stays readable.
    expect(bot.log.length).toBeLessThan(100);
    await bot.kill('SIGTERM');
    expect(STOPPED).toContain(bot.code);
    expect(bot.logged('stopped')).toMatchObject([{ disabled: event === 'strategy-disabled' ? ['bad'] : [] }]);
    const store = openEmbeddedStore({ folder: join(folder, 'bot') });
    const commands = { bad: 0, sane: 0 };
    for await (const { kind, data } of store.read(1)) if (kind === 'command') commands[data['strategy'] as 'bad' | 'sane']++;
    await store.close();
    expect(commands.sane).toBeGreaterThan(1);
    // A flood stops at the limit of open orders.
    expect(commands.bad).toBeLessThanOrEqual(20);
  });
});
