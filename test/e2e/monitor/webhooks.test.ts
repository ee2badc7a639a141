/** Signals from outside: a real bot, the listener, and callers who are who they say, or are not. */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { callWeb, type Answered } from '../../support/monitor/monitor-client.ts';
import { cleanUp, launch, runToEnd, type Program } from '../process.ts';
import { Stage } from '../stage.ts';

afterEach(cleanUp);

const SECRET = 'a'.repeat(32);
const OTHER = 'b'.repeat(32);

function signed(url: string, nonce: string, body: string, time = Date.now(), secret = SECRET): Promise<Answered> {
  const v1 = createHmac('sha256', secret).update(`${time}.${nonce}.${body}`).digest('hex');
  return callWeb(url, 'POST', '/signed/desk', { 'x-tickwright-signature': `t=${time},n=${nonce},v1=${v1}` }, body);
}

/** The listener of `webhooks.file`, once it takes calls: those of its first five seconds may have been taken by one before it. */
async function listening(stage: Stage): Promise<{ url: string; program: Program }> {
  const program = launch(['webhooks', '--config', join(stage.folder, 'bot.yaml')]);
  await program.until('its address', () => /^http:/m.test(program.out));
  const url = program.out.trim();
  await expect.poll(() => signed(url, `first-${Date.now()}`, '{}').then(({ status }) => status), { timeout: 30_000 }).toBe(200);
  return { url, program };
}

it('webhooks.file: a signed call and a path call open one order each; forgeries, replays and floods open none; one not heard is taken again', async () => {
  const stage = new Stage();
  const file = join(stage.folder, 'webhooks.yaml');
  const senders = [
    `{ name: desk, kind: signed, strategy: hears, secret: ${SECRET}, perMinute: 20 }`,
    `{ name: view, kind: path, strategy: hears, secret: ${OTHER}, perMinute: 20 }`,
  ];
  writeFileSync(file, `port: 0\nsenders:\n${senders.map((one) => `  - ${one}\n`).join('')}`, { mode: 0o600 });
  const strategies = [{ file: join(process.cwd(), 'test/e2e/monitor/hears.ts'), symbols: ['BTCUSDT'] }];
  await stage.startBot({ config: { strategies, webhooks: { file } } });
  const { url, program } = await listening(stage);
  const opened = (): number => stage.bot.logged('order-placed').length;

  const [time, body] = [Date.now(), '{"action":"buy"}'];
  expect((await signed(url, 'nonce-of-one', body, time)).body).toEqual({ ok: true });
  await stage.bot.until('an order', () => opened() === 1);
  const alert = JSON.stringify({ id: 'BTC 1', time: new Date().toISOString(), action: 'buy' });
  expect((await callWeb(url, 'POST', `/path/${OTHER}`, {}, alert)).body).toEqual({ ok: true });
  await stage.bot.until('another', () => opened() === 2);

  const codes = [
    await signed(url, 'nonce-of-one', body, time),
    await callWeb(url, 'POST', `/path/${OTHER}`, {}, alert),
    await signed(url, 'nonce-forged', body, Date.now(), OTHER),
    await callWeb(url, 'POST', `/path/${SECRET}`, {}, alert),
    await signed(url, 'nonce-of-late', body, Date.now() - 61_000),
  ].map((answer) => answer.body.code as string);
  expect(codes).toEqual(['replayed', 'replayed', 'not-allowed', 'not-allowed', expect.stringMatching(/^(not-in-time|too-early)$/)]);
  const flood = await Promise.all(Array.from({ length: 100 }, (_, k) => signed(url, `nonce-flood-${k}`, '{}')));
  expect(flood.some(({ status }) => status === 429)).toBe(true);
  expect(flood.every(({ status }) => status === 200 || status === 429)).toBe(true);
  expect(opened()).toBe(2);

  const second = await runToEnd(['webhooks', '--config', join(stage.folder, 'bot.yaml')]);
  expect(second.code, second.err).toBe(75);
  stage.bot.send('SIGSTOP');
  const unsure = JSON.stringify({ id: 'BTC 3', time: Date.now(), action: 'none' });
  expect(await callWeb(url, 'POST', `/path/${OTHER}`, {}, unsure)).toMatchObject({ status: 504, body: { code: 'unknown' } });
  await stage.bot.kill('SIGKILL');
  const dead = JSON.stringify({ id: 'BTC 2', time: Date.now(), action: 'none' });
  const again = (): Promise<Answered> => callWeb(url, 'POST', `/path/${OTHER}`, {}, dead);
  expect(await again()).toMatchObject({ status: 503, body: { code: 'not-heard' } });
  await stage.startBot();
  // A sender repeats the same call until it is heard; it is heard once.
  const answers: number[] = [];
  await expect.poll(async () => answers.push((await again()).status) > 0 && answers.includes(200)).toBe(true);
  await stage.bot.untilLogged('signal');
  expect(stage.bot.logged('signal')).toHaveLength(1);
  expect(await again()).toMatchObject({ status: 409, body: { code: 'replayed' } });
  await stage.end();
  await program.kill('SIGTERM');
  expect(program.out + program.err + stage.bot.out + stage.bot.err).not.toMatch(/a{32}|b{32}/);
});

it('webhooks.start: bot starts the listener, again when it dies, and ends it with the bot', async () => {
  const stage = new Stage();
  const file = join(stage.folder, 'webhooks.yaml');
  writeFileSync(file, `port: 0\nsenders:\n  - { name: desk, kind: signed, strategy: hears, secret: ${SECRET}, perMinute: 200 }\n`, {
    mode: 0o600,
  });
  const strategies = [{ file: join(process.cwd(), 'test/e2e/monitor/hears.ts'), symbols: ['BTCUSDT'] }];
  await stage.startBot({ config: { strategies, webhooks: { file, start: 'bot' } } });
  const urls = (): string[] => stage.bot.logged('webhooks-ready').map(({ url }) => String(url));
  const log = join(stage.folder, 'bot', 'webhooks.log');
  const pids = (): number[] =>
    [...readFileSync(log, 'utf8').matchAll(/"event":"webhooks-ready".*?"pid":(\d+)/g)].map(([, pid]) => Number(pid));
  await stage.bot.untilLogged('webhooks-ready');
  process.kill(pids()[0]!, 'SIGKILL');
  await stage.bot.untilLogged('webhooks-ended');
  await stage.bot.untilLogged('webhooks-ready', 2);
  await expect.poll(() => signed(urls().at(-1)!, `nonce-${Date.now()}`, '{"action":"buy"}').then(({ status }) => status)).toBe(200);
  await stage.bot.untilLogged('signal');
  expect(stage.bot.logged('signal')).toHaveLength(1);
  await stage.bot.kill('SIGKILL');
  await expect.poll(() => isAlive(pids().at(-1)!)).toBe(false);
  await stage.startBot();
  await stage.bot.untilLogged('webhooks-ready');
  await stage.end();
  await expect.poll(() => isAlive(pids().at(-1)!)).toBe(false);
  expect(readFileSync(log, 'utf8')).not.toMatch(/a{32}/);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
