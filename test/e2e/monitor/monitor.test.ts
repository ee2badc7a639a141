/** The monitor beside a real bot: its life, commands through it, and what others on the machine can do with it. */
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { controlPath } from '../../../src/edge/control/socket-path.ts';
import { askMonitor } from '../../../src/run/monitor/ask-monitor.ts';
import { factorOf } from '../../support/monitor/page-passphrase.ts';
import { asAnotherUser, callWeb, tokenOf, WebUser } from '../../support/monitor/monitor-client.ts';
import { hasChromium, openTab } from '../../support/processes/browser.ts';
import { addressOf, adminOf, cleanUp, launch, runToEnd, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

afterEach(cleanUp);

const ALWAYS = { TICKWRIGHT_MONITOR_ENABLED: 'always' };

async function monitored(seed: number, settings: readonly string[] = [], exchangeArgs: readonly string[] = []) {
  const scene = new Scene(seed);
  const exchange = scene.exchange('0', exchangeArgs, { TICKWRIGHT_ADMIN_TOKEN: 'token-of-the-test' });
  const at = await addressOf(exchange);
  const bot = scene.run(at, settings, ALWAYS);
  await bot.untilLogged('ready');
  await bot.untilLogged('dashboard');
  return { scene, exchange, at, bot, url: urlOf(bot) };
}

function urlOf(bot: Program): string {
  return String(bot.logged('dashboard').at(-1)?.['url']);
}

/** Waits until the monitor says that it hears the bot in this state. The bot may have ended. */
async function untilHeard(user: WebUser, state: string): Promise<void> {
  for (;;) {
    const { body } = await user.call('GET', '/api/now');
    if (body.connection.state === state) return;
    await sleep(25);
  }
}

describe('monitor.enabled and monitor.port', () => {
  it('monitor.enabled: always starts one with run, on monitor.port; it ends with the bot', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    const { bot, url, scene } = await monitored(51, [`monitor.port=${port}`]);
    expect(url, 'monitor.port').toBe(`http://127.0.0.1:${port}`);
    const user = await WebUser.open(scene.botFolder);
    const { changes, ended } = user.follow();
    await bot.until('a reset', () => changes.some(({ kind }) => kind === 'reset'));
    await bot.kill('SIGTERM');
    await ended;
    expect(changes.filter((one) => one.kind === 'connection').at(-1)).toMatchObject({ connection: { state: 'stopped' } });
    for (;;)
      if (
        await callWeb(url, 'GET', '/healthz').then(
          () => false,
          () => true,
        )
      )
        break;
  });

  it('monitor.enabled: never starts none; neither does run by default', async () => {
    const scene = new Scene(52);
    const bot = scene.run(await addressOf(scene.exchange()), [], { TICKWRIGHT_MONITOR_ENABLED: 'start' });
    await bot.untilLogged('ready');
    expect([bot.logged('dashboard'), existsSync(join(scene.botFolder, 'monitor.lock'))]).toEqual([[], false]);
    const opened = await runToEnd(['open', '--state', scene.botFolder]);
    expect([opened.code, opened.err]).toEqual([6, expect.stringContaining('tickwright monitor')]);
  });
});

it('the page sees orders and fills, and gives commands; a halt holds and a resume ends it', async () => {
  const { bot, scene } = await monitored(53);
  const user = await WebUser.open(scene.botFolder);
  const { changes, close } = user.follow();
  // The fills of the past are read beside the stream: one of them may belong to an order that the stream has not told.
  const toldFill = () => {
    const numbers = new Set(changes.flatMap((one) => (one.kind === 'order' ? [one.order.number] : [])));
    const fills = changes.flatMap((one) => (one.kind === 'fill' ? [one.fill] : []));
    return numbers.size > 5 ? fills.find(({ number }) => numbers.has(number)) : undefined;
  };
  await bot.until(
    'orders and fills',
    () => toldFill() !== undefined && ['position', 'status', 'quotes', 'log'].every((kind) => changes.some((one) => one.kind === kind)),
  );
  const { body: orders } = await user.call('GET', '/api/orders?limit=5');
  expect(orders.rows).toHaveLength(5);
  expect(orders.rows[0].number).toBeGreaterThan(orders.rows[1].number);
  const { body: older } = await user.call('GET', `/api/orders?limit=5&before=${orders.next}`);
  expect(older.rows.every((row: { number: number }) => row.number < orders.next)).toBe(true);
  expect((await user.call('GET', '/api/fills?limit=1')).body.rows).toHaveLength(1);
  const fill = toldFill()!;
  expect((await user.call('GET', `/api/orders?id=${fill.number}`)).body.rows[0]).toMatchObject({
    number: fill.number,
    symbol: fill.symbol,
  });
  const stop = await user.call('POST', '/api/stop', { why: 'a test', by: 'somebody else' });
  expect(stop.body).toMatchObject({ ok: true, command: 'halt', isDone: true });
  await bot.until('the halt', () => changes.some((one) => one.kind === 'halts' && one.halts.some(({ detail }) => detail === 'a test')));
  const [halt] = await haltsByPeople(user);
  expect(halt).toMatchObject({ code: 'operator', by: expect.stringMatching(/^dashboard \([0-9a-f]{12}\)$/) });
  await resumes(user, scene.botFolder);
  expect((await user.call('POST', '/api/commands/halt', { scope: 'NOSUCH' })).status).toBe(409);
  expect((await user.call('POST', '/api/commands/status', {})).status).toBe(404);
  expect((await user.call('GET', '/api/queries/pnl?by=symbol')).body.groups.length).toBeGreaterThan(0);
  expect((await user.call('GET', '/api/orders?limit=9999')).body).toMatchObject({ ok: false, code: 'bad-request' });
  close();
});

it('a bot that is killed is said to be lost; the next one is heard again by the same page; a monitor that dies is started again', async () => {
  const { bot, scene, at } = await monitored(54);
  const user = await WebUser.open(scene.botFolder);
  await untilHeard(user, 'connected');
  await bot.kill('SIGKILL');
  await untilHeard(user, 'lost');
  // A halt is recorded for the bot that does not run.
  expect((await user.call('POST', '/api/stop', {})).body).toMatchObject({ ok: true, recorded: true });
  const again = scene.run(at, [], ALWAYS);
  await again.untilLogged('ready');
  await untilHeard(user, 'connected');
  const { halts } = (await user.call('GET', '/api/now')).body.status as { halts: { code: string }[] };
  expect(halts.map(({ code }) => code)).toContain('operator');
  process.kill(await monitorOf(scene.botFolder), 'SIGKILL');
  await again.until('another monitor', () => again.logged('dashboard').length > 0);
  await untilHeard(await WebUser.open(scene.botFolder), 'connected');
  await again.kill('SIGTERM');
});

describe('what others can do with it: nothing', () => {
  it('a web page of another origin, in a real browser', { skip: !hasChromium('the monitor and another page') }, async () => {
    const { scene, url, bot } = await monitored(55);
    const user = await WebUser.open(scene.botFolder);
    const evil = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<h1>another page</h1>'));
    evil.listen(0, '127.0.0.1');
    await once(evil, 'listening');
    const tab = await openTab();
    try {
      await tab.open(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`, { width: 800, height: 600, scheme: 'light' });
      const tried = await tab.ask(`(async () => {
        const said = [];
        for (const [method, path, headers, body, mode] of [
          ['GET', '/api/now', {}, undefined, 'cors'],
          ['GET', '/api/now', { authorization: 'Bearer ${user.session}' }, undefined, 'cors'],
          ['POST', '/api/stop', { 'content-type': 'text/plain' }, '{}', 'no-cors'],
          ['POST', '/api/stop', { 'content-type': 'application/json', authorization: 'Bearer ${user.session}' }, '{}', 'cors'],
          ['POST', '/api/login', { 'content-type': 'application/x-www-form-urlencoded' }, 'token=x', 'no-cors'],
        ]) said.push(await fetch('${url}' + path, { method, headers, body, mode }).then((answer) => answer.type + ' ' + answer.status, () => 'refused'));
        return said;
      })()`);
      expect(tried).toEqual(['refused', 'refused', 'refused', 'refused', 'refused']);
      await tab.ask(`document.body.innerHTML = '<iframe src="${url}/"></iframe>'; undefined`);
      await tab.until(`document.querySelector('iframe') !== null`);
    } finally {
      await tab.close();
      evil.close();
    }
    expect(await haltsByPeople(user)).toEqual([]);
    expect(bot.logged('opens-halted')).toEqual([]);
  });

  it('a name that points here (DNS rebinding), a page by its origin, an older page: refused before any route', async () => {
    const { scene, url } = await monitored(56);
    const user = await WebUser.open(scene.botFolder);
    const authorization = `Bearer ${user.session}`;
    const { port } = new URL(url);
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: '127.0.0.1' },
      { host: `127.0.0.1:${port}`, origin: 'http://evil.example' },
      { host: `127.0.0.1:${port}`, origin: 'null' },
      { host: `127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' },
    ])
      for (const [method, path] of [
        ['GET', '/api/now'],
        ['GET', '/'],
        ['POST', '/api/stop'],
        ['GET', '/api/stream'],
      ] as const)
        expect((await callWeb(url, method, path, { authorization, ...headers })).status, `${path} ${JSON.stringify(headers)}`).toBe(403);
    const page = await callWeb(url, 'GET', '/');
    expect(page.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; script-src 'self' .*frame-ancestors 'none'$/),
      'cache-control': 'no-store',
    });
    expect(Object.keys(page.headers).filter((name) => /^(access-control|set-cookie)/.test(name))).toEqual([]);
    expect(await haltsByPeople(user)).toEqual([]);
  });

  it('a program of another user, and one without a token', async () => {
    const { scene, url } = await monitored(57);
    const { file } = await tokenOf(scene.botFolder);
    const socket = controlPath(scene.botFolder, 'monitor');
    expect([statSync(file).mode & 0o777, statSync(socket).mode & 0o777]).toEqual([0o600, 0o600]);
    for (const [method, path] of [
      ['GET', '/api/now'],
      ['GET', '/api/stream'],
      ['GET', '/api/log'],
      ['POST', '/api/stop'],
      ['POST', '/api/commands/kill'],
      ['GET', '/api/links'],
      ['POST', '/api/links'],
      ['DELETE', '/api/links/abc'],
    ] as const)
      expect((await callWeb(url, method, path)).status, path).toBe(401);
    expect((await callWeb(url, 'POST', '/login', {}, { token: '"><script>alert(1)</script>' })).status).toBe(400);
    if (process.getuid?.() !== 0) return;
    const said = asAnotherUser(`
      const fs = require('node:fs'), net = require('node:net');
      try { fs.readFileSync(${JSON.stringify(file)}); console.log('read'); } catch (error) { console.log(error.code); }
      net.connect(${JSON.stringify(socket)}).on('connect', () => { console.log('connected'); process.exit(); }).on('error', (error) => console.log(error.code));
    `);
    expect(said.trim().split('\n')).toEqual(['EACCES', 'EACCES']);
  });

  it('a token that was used before: the second use ends the session of the first, and is told', async () => {
    const { scene, bot } = await monitored(58);
    const { token, url } = await tokenOf(scene.botFolder);
    const user = await WebUser.login(url, token);
    const { ended, changes } = user.follow();
    await bot.until('a stream', () => changes.length > 0);
    expect((await callWeb(url, 'POST', '/api/login', {}, { token })).body).toMatchObject({ ok: false, code: 'token-reused' });
    await ended;
    expect((await user.call('GET', '/api/now')).status).toBe(401);
    const other = await WebUser.open(scene.botFolder);
    expect((await other.call('GET', '/api/log?event=token-used-twice')).body.rows).toHaveLength(1);
  });

  it('a stolen view link: it gives no command, shows no log, notes or parameters, and ends when it is revoked', async () => {
    const { scene, url, bot } = await monitored(59);
    const owner = await WebUser.open(scene.botFolder);
    const { body: link } = await owner.call('POST', '/api/links', { hours: 1, name: 'ann' });
    const viewer = await WebUser.login(url, link.token);
    for (const [method, path] of [
      ['POST', '/api/stop'],
      ['POST', '/api/commands/halt'],
      ['POST', '/api/links'],
      ['DELETE', `/api/links/${link.id}`],
      ['GET', '/api/links'],
      ['GET', '/api/log'],
      ['GET', '/api/notes'],
      ['GET', '/api/queries/pnl'],
    ] as const)
      expect((await viewer.call(method, path, method === 'POST' ? {} : undefined)).status, path).toBe(403);
    const { changes, ended } = viewer.follow();
    await bot.until('statuses', () => changes.filter(({ kind }) => kind === 'status').length > 1);
    expect(changes.some(({ kind }) => kind === 'log' || kind === 'note')).toBe(false);
    for (const one of changes) {
      const status = one.kind === 'reset' ? one.reset.now.status : one.kind === 'status' ? one.status : null;
      for (const { params } of status?.strategies ?? []) expect(params).toEqual({});
    }
    expect((await owner.call('DELETE', `/api/links/${link.id}`)).body).toEqual({ ok: true });
    await ended;
    expect([
      (await viewer.call('GET', '/api/now')).status,
      (await callWeb(url, 'POST', '/api/login', {}, { token: link.token })).status,
    ]).toEqual([401, 401]);
    expect(await haltsByPeople(owner)).toEqual([]);
  });

  it('a squatter on the port of a dead bot: what the page sends it is worth nothing at the next monitor', async () => {
    const { scene, url, bot, at } = await monitored(60);
    const user = await WebUser.open(scene.botFolder);
    await bot.kill('SIGKILL');
    process.kill(await monitorOf(scene.botFolder), 'SIGKILL');
    const caught: string[] = [];
    const squatter = createServer((request, response) => {
      caught.push(request.headers.authorization ?? '');
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
    for (;;) {
      squatter.listen(Number(new URL(url).port), '127.0.0.1');
      if (
        await once(squatter, 'listening').then(
          () => true,
          () => false,
        )
      )
        break;
    }
    await user.call('POST', '/api/stop', {});
    squatter.close();
    expect(caught).toEqual([`Bearer ${user.session}`]);
    const again = scene.run(at, [], ALWAYS);
    await again.untilLogged('ready');
    await again.untilLogged('dashboard');
    const { status } = await callWeb(urlOf(again), 'POST', '/api/stop', { authorization: caught[0]! }, {});
    expect([status, again.logged('opens-halted')]).toEqual([401, []]);
  });

  it('the session of one bot at the monitor of another', async () => {
    const [one, two] = [await monitored(61), await monitored(62, ['venue.timeoutMs=4000'])];
    const user = await WebUser.open(one.scene.botFolder);
    const { token } = await tokenOf(one.scene.botFolder);
    const authorization = `Bearer ${user.session}`;
    expect((await callWeb(two.url, 'POST', '/api/stop', { authorization }, {})).status).toBe(401);
    expect((await callWeb(two.url, 'POST', '/api/login', {}, { token })).status).toBe(401);
    expect(await haltsByPeople(user)).toEqual([]);
  });
});

it('STOP while the venue refuses with 429: after its answer no open is sent', async () => {
  const { scene, exchange, bot } = await monitored(63, [], ['--admin-port', '0']);
  const user = await WebUser.open(scene.botFolder);
  const rules = [{ fault: 'status', phase: 'before', status: 429, retryAfter: '1', endpoints: ['E12', 'E14'], probability: 0.8 }];
  const headers = { authorization: 'Bearer token-of-the-test' };
  const put = await fetch(`${await adminOf(exchange)}/faults`, { method: 'PUT', headers, body: JSON.stringify({ seed: 1, rules }) });
  expect(put.status).toBe(200);
  await bot.until('429', () => bot.log.some(({ event }) => event === 'rate-limited' || event === 'command-rejected'));
  const before = bot.logged('order-placed').length;
  const stop = await user.call('POST', '/api/stop', {});
  expect(stop.body).toMatchObject({ ok: true });
  await fetch(`${await adminOf(exchange)}/faults`, { method: 'DELETE', headers });
  const sent = Number(/(\d+) opening orders? had been sent before/.exec(stop.body.did.join('\n'))?.[1] ?? 0);
  const { changes, close } = user.follow();
  await bot.until('some seconds of the bot', () => changes.filter(({ kind }) => kind === 'status').length > 3);
  close();
  const opens = bot
    .logged('order-placed')
    .slice(before)
    .filter(({ effect }) => effect === 'OPEN');
  expect(opens.length).toBeLessThanOrEqual(sent);
  console.info(`from STOP to its answer: ${stop.body.tookMs} ms, under 429`);
});

/** The process of the monitor of this folder. */
async function monitorOf(folder: string): Promise<number> {
  const { pid } = (await askMonitor(folder, 'address', {})) as { readonly pid: number };
  return pid;
}

/** Halts that the bot did not make itself. */
async function haltsByPeople(user: WebUser): Promise<readonly object[]> {
  const { status } = (await user.call('GET', '/api/now')).body as {
    readonly status: { readonly halts: readonly { readonly by: string }[] };
  };
  return status.halts.filter(({ by }) => by !== 'bot');
}

/** A resume by the page: refused without a passphrase, by a wrong proof and by a replayed one; and after five wrong ones, which are alarmed. */
async function resumes(user: WebUser, folder: string): Promise<void> {
  const fields = { why: 'a test' };
  const resume = async (factor?: object) => (await user.call('POST', '/api/commands/resume', { ...fields, factor })).body;
  const typed = async (text: string) => factorOf(text, (await resume()).challenge, 'resume', fields);
  expect(await resume()).toMatchObject({ code: 'passphrase-unset', hint: expect.stringContaining('tickwright passphrase') });
  expect((await user.call('POST', '/api/commands/reduce-only', { state: 'off' })).body.code).toBe('passphrase-unset');
  const chosen = launch(['passphrase', '--state', folder], {}, { under: ['sh', '-c', 'echo "of the test" | "$@"', 'sh'] });
  await chosen.ended;
  expect([chosen.code, chosen.err]).toEqual([0, expect.stringContaining('chosen')]);
  expect((await resume()).code).toBe('passphrase-needed');
  expect((await resume(await typed('a guess'))).code).toBe('passphrase-wrong');
  const factor = await typed('of the test');
  expect(await resume(factor)).toMatchObject({ ok: true, command: 'resume' });
  expect((await resume(factor)).code).toBe('passphrase-needed');
  for (let k = 1; k < 5; k++) expect((await resume(await typed('a guess'))).code).toBe('passphrase-wrong');
  const last = await typed('a guess');
  const late = await typed('of the test');
  expect([(await resume(last)).code, (await resume(late)).code]).toEqual(['passphrase-locked', 'passphrase-locked']);
  expect((await user.call('GET', '/api/log?event=passphrase-locked')).body.rows).toHaveLength(1);
}
