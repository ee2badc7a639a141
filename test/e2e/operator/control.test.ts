/** Operating a running bot from outside: its real socket, a real exchange, and a process killed around the command. */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import type { ActAnswer, StatusAnswer } from '../../../src/control/answers.ts';
import type { ControlName } from '../../../src/control/commands.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { machineNow } from '../../../src/edge/time/machine-clock.ts';
import { killRun } from '../../support/latency/kill-latency.ts';
import { addressOf, adminOf, cleanUp, launch, runToEnd, untilArrived, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

/** Number of kills around a command; more in a nightly run. */
const KILLS = Number(process.env['TICKWRIGHT_CONTROL_KILLS'] ?? 4);
const TOKEN = 'token-of-the-test';

afterEach(cleanUp);

async function call<T>(scene: Scene, name: ControlName, given: object = {}): Promise<T> {
  const isQuestion = ['status', 'orders', 'positions', 'fills', 'pnl'].includes(name);
  const method = isQuestion ? 'GET' : 'POST';
  const called = await callControl(scene.botFolder, {
    method,
    name,
    given: isQuestion ? { ...given } : { askedAt: machineNow(), ...given },
  });
  if (!called.isThere) throw new Error(`no bot: ${called.cause}`);
  return called.body as T;
}

interface Arrived {
  readonly at: number;
  readonly isOpen: boolean;
  readonly isByVenue: boolean;
}

/** Orders that the exchange accepted, by its ledger. */
function arrivals(scene: Scene): Arrived[] {
  const lines = readFileSync(join(scene.ledgerFolder, 'ledger.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (!line.includes('"kind":"order"')) return [];
    const { order } = JSON.parse(line) as { order: { createdAt: number; effect: number; byVenue: boolean } };
    return [{ at: order.createdAt, isOpen: order.effect === 0, isByVenue: order.byVenue }];
  });
}

const opensAfter = (scene: Scene, time: number): number =>
  arrivals(scene).filter(({ at, isOpen, isByVenue }) => isOpen && !isByVenue && at > time).length;

async function untilBusy(scene: Scene, bot: Program, orders = 12): Promise<void> {
  await bot.untilLogged('ready');
  const before = arrivals(scene).length;
  await bot.until(`${orders} orders`, () => arrivals(scene).length >= before + orders);
}

it('halt: after the answer no open is sent, and resume allows them again', async () => {
  const scene = new Scene(31);
  const bot = scene.run(await addressOf(scene.exchange()));
  await untilBusy(scene, bot);
  const halted = await runToEnd(['halt', '--why', 'a test', '--state', scene.botFolder]);
  const answeredAt = Date.now();
  expect([halted.code, halted.out]).toEqual([0, expect.stringContaining('to end it: tickwright resume\n')]);
  const sentBefore = Number(/(\d+) opening orders? had been sent before/.exec(halted.out)?.[1] ?? 0);
  await sleep(2_000);
  expect(opensAfter(scene, answeredAt)).toBeLessThanOrEqual(sentBefore);
  const status = await call<StatusAnswer>(scene, 'status');
  expect(status.halts).toMatchObject([{ scope: 'bot', code: 'operator', detail: 'a test', ends: 'tickwright resume' }]);
  await bot.until('closing orders go on', () => arrivals(scene).some(({ at, isOpen }) => !isOpen && at > answeredAt));
  const resumed = await runToEnd(['resume', '--state', scene.botFolder, '--json']);
  expect(JSON.parse(resumed.out)).toMatchObject({ ok: true, isDone: true, did: ['ended: bot operator'] });
  const resumedAt = Date.now();
  await bot.until('opens go on', () => opensAfter(scene, resumedAt) > 0);
  expect(statSync(join(scene.botFolder, 'control.sock')).mode & 0o777).toBe(0o600);
});

it(`an answered halt holds after ${KILLS} kills around it, and with the store deleted`, { timeout: 300_000 + KILLS * 15_000 }, async () => {
  const scene = new Scene(32);
  const random = new Random(5);
  const url = await addressOf(scene.exchange());
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const bot = scene.run(url);
    await untilBusy(scene, bot, 3);
    const name = kill % 2 === 0 ? 'halt' : 'kill';
    const said = call<ActAnswer>(scene, name, { by: 'test', wait: 0 }).then(
      (answer) => answer.ok,
      () => false,
    );
    const isAnswered = random.uniform() < 0.5 ? await said : await Promise.race([said, sleep(random.below(12)).then(() => false)]);
    await bot.kill('SIGKILL');
    if (isAnswered) answered++;
    if (kill % 4 >= 2) rmSync(scene.botFolder, { recursive: true, force: true });
    await untilArrived(url);
    const killedAt = Date.now();
    const again = scene.run(url);
    await again.untilLogged('armed');
    await sleep(700);
    const { halts } = await call<StatusAnswer>(scene, 'status');
    const isHalted = halts.some(({ code }) => code === (name === 'kill' ? 'kill' : 'operator'));
    if (isAnswered) {
      expect(isHalted, `${name} that was answered`).toBe(true);
      expect(opensAfter(scene, killedAt)).toBe(0);
    }
    const resumed = await call<ActAnswer>(scene, 'resume', { confirmed: true, wait: 0 });
    expect(resumed.ok).toBe(true);
    await again.kill('SIGTERM');
  }
  expect(answered, 'of all kills some came after the answer').toBeGreaterThan(0);
});

it('kill during 429s: nothing opens, all is closed when the venue answers again, only --i-know ends it', async () => {
  const scene = new Scene(33);
  const exchange = scene.exchange('0', ['--admin-port', '0'], { TICKWRIGHT_ADMIN_TOKEN: TOKEN });
  const bot = scene.run(await addressOf(exchange));
  await untilBusy(scene, bot);
  const faults = `${await adminOf(exchange)}/faults`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const rules = [{ fault: 'status', phase: 'before', status: 429, retryAfter: '1', endpoints: ['E12', 'E14'], probability: 0.8 }];
  const put = await fetch(faults, { method: 'PUT', headers, body: JSON.stringify({ seed: 1, rules }) });
  expect(put.status, await put.clone().text()).toBe(200);
  const answer = await call<ActAnswer>(scene, 'kill', { by: 'test', why: '429', wait: 0 });
  expect(answer).toMatchObject({ ok: true, isDone: false });
  await untilArrived(await addressOf(exchange));
  const answeredAt = Date.now();
  await sleep(1_500);
  await bot.kill('SIGKILL');
  const again = scene.run(await addressOf(exchange));
  await again.untilLogged('armed');
  await fetch(faults, { method: 'DELETE', headers });
  await again.until('flat', () => again.logged('halt-lifted').some(({ code }) => code === 'flatten'));
  const status = await call<StatusAnswer>(scene, 'status');
  expect(status).toMatchObject({ positions: [], orders: 0, halts: [{ code: 'kill' }] });
  expect(opensAfter(scene, answeredAt)).toBe(0);
  const refused = await runToEnd(['resume', '--state', scene.botFolder]);
  expect([refused.code, refused.err]).toEqual([5, expect.stringContaining('tickwright resume --i-know')]);
  expect((await runToEnd(['resume', '--i-know', '--state', scene.botFolder])).code).toBe(0);
});

it('kill while a third of all requests is refused for a minute: flat, and the bot knows it [N7]', async () => {
  // Ten times the result of `npm run kills`, because a machine may do other work. The absence horizon is two seconds here.
  const { flatMs, knownMs, refused } = await killRun({ seed: 2, share: 0.3, retryAfter: '60', withinMs: 100_000 });
  expect(refused, 'the bot met refusals').toBeGreaterThan(10);
  expect([flatMs < 60_000, knownMs < 100_000], `flat after ${flatMs} ms, known after ${knownMs} ms`).toEqual([true, true]);
});

it('a stopped bot is read from its files, and applies a halt when it starts', async () => {
  const scene = new Scene(34);
  const url = await addressOf(scene.exchange());
  const bot = scene.run(url);
  await untilBusy(scene, bot);
  const running = JSON.parse((await runToEnd(['fills', '--last', '1000', '--state', scene.botFolder, '--json'])).out) as {
    fills: unknown[];
  };
  await bot.kill('SIGKILL');
  const killedAt = Date.now();
  const at = ['--state', scene.botFolder];
  const status = await runToEnd(['status', ...at]);
  expect([status.code, status.out]).toEqual([
    0,
    expect.stringMatching(/^paper ended without a stop: [^.]* last\s+sign of life was at\s+2\d{3}-/),
  ]);
  const shown = JSON.parse((await runToEnd(['status', ...at, '--json'])).out) as StatusAnswer;
  expect(shown).toMatchObject({ isRunning: false, phase: 'ended without a stop' });
  expect(killedAt - shown.time).toBeLessThan(30_000);
  const fills = JSON.parse((await runToEnd(['fills', '--last', '1000', ...at, '--json'])).out) as { fills: unknown[] };
  expect(fills.fills.slice(0, running.fills.length)).toEqual(running.fills);
  const csv = await runToEnd(['export', 'orders', '--csv', ...at]);
  expect(csv.out.split('\r\n')[0]).toContain('clientId');
  expect((await runToEnd(['cancel-all', ...at])).code).toBe(6);
  const misspelt = await runToEnd(['halt', 'btcusdt', ...at]);
  expect([misspelt.code, misspelt.err]).toEqual([2, expect.stringContaining('did you mean "BTCUSDT"?')]);
  const asked = await runToEnd(['orders', 'btcusdt', ...at]);
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('did you mean "BTCUSDT"?')]);
  expect((await runToEnd(['halt', 'BTCUSDT', ...at])).code).toBe(7);
  expect((await runToEnd(['halt', 'BTCUSDT', '--why', 'the feed is odd', ...at])).code).toBe(7);
  const waiting = JSON.parse((await runToEnd(['status', ...at, '--json'])).out) as StatusAnswer;
  expect(waiting.halts).toEqual(expect.arrayContaining([expect.objectContaining({ scope: 'symbol:BTCUSDT', code: 'operator' })]));
  const again = scene.run(url);
  await again.untilLogged('armed');
  expect(existsSync(`${scene.botFolder}.halts.json`)).toBe(true);
  expect(existsSync(`${scene.botFolder}.halt-requests`), 'the bot has taken them').toBe(false);
  const { halts } = await call<StatusAnswer>(scene, 'status');
  expect(halts.filter(({ code }) => code === 'operator')).toMatchObject([{ scope: 'symbol:BTCUSDT', detail: 'the feed is odd' }]);
  await again.kill('SIGTERM');
  const clean = await runToEnd(['status', ...at]);
  expect([clean.code, clean.out]).toEqual([0, expect.stringMatching(/^paper is stopped; last known at 2\d{3}-/)]);
});

it('tail: new lines of the log until the reader leaves or the bot ends', async () => {
  const scene = new Scene(35);
  const nobody = await runToEnd(['tail', '--state', scene.botFolder]);
  expect([nobody.code, nobody.err]).toEqual([6, expect.stringContaining('no bot listens at')]);
  const bot = scene.run(await addressOf(scene.exchange()));
  await bot.untilLogged('ready');
  const [json, text] = [launch(['tail', '--json', '--state', scene.botFolder]), launch(['tail', '--state', scene.botFolder])];
  const fills = (): number => json.logged('fill').length;
  await json.until('three fills', () => fills() >= 3);
  await text.until('a fill as text', () => /^\S+ filled +#\d+/m.test(text.out));
  for (const line of json.out.trim().split('\n'))
    expect(JSON.parse(line), line).toMatchObject({ level: expect.any(String), event: expect.any(String) });
  const seen = json.logged('fill').map((line) => line['order']);
  expect(bot.logged('fill').map((line) => line['order'])).toEqual(expect.arrayContaining(seen));
  const past = launch(['tail', '--json', '--since', '1h', '--state', scene.botFolder]);
  await past.until('lines from the start on, and new ones', () => past.logged('fill').length > fills());
  expect(past.log[0]?.event).toBe('starting');
  await past.kill('SIGINT');
  const ended = await runToEnd(['tail', '--since', '1h', '--no-follow', '--state', scene.botFolder]);
  expect([ended.code, ended.err, ended.out === '']).toEqual([0, '', false]);
  const open = await runToEnd(['tail', '--no-follow', '--state', scene.botFolder]);
  expect([open.code, open.err]).toEqual([2, expect.stringMatching(/--no-follow: expected --since beside it/)]);
  const wrong = await runToEnd(['tail', '--since', 'soon', '--state', scene.botFolder]);
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('expected 10m, 2h or a UTC time')]);
  await text.kill('SIGINT');
  expect(text.code).toBe(0);
  await bot.kill('SIGTERM');
  await json.ended;
  expect([json.code, json.err]).toEqual([0, 'the bot ended\n']);
});
