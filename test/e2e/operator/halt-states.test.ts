/**
 * Halt and kill in every state of the control socket, the process, the store and its life, with real processes and the exchange's ledger.
 * TICKWRIGHT_HALT_RUNS is the number of states, TICKWRIGHT_HALT_FROM the first of them: every state has a number.
 */
import { existsSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActAnswer, RefusalAnswer } from '../../../src/control/answers.ts';
import { HaltRequests } from '../../../src/edge/file/beside/halt-requests.ts';
import { operate } from '../../../src/run/bot/outside/operate.ts';
import { occupy, haltStates, HaltStage, opensIn, type Halted, type HaltState } from '../../support/latency/halt-states.ts';
import { hasRedis, startRedis } from '../../support/stores/redis.ts';
import { addressOf, cleanUp, runToEnd, type Program } from '../process.ts';
import { Scene } from '../scene.ts';

const RUNS = Number(process.env['TICKWRIGHT_HALT_RUNS'] ?? 5);
const FROM = Number(process.env['TICKWRIGHT_HALT_FROM'] ?? 0);
const SEED = 1;
const ANSWER_MS = 5_000;

afterEach(cleanUp);

async function trading(scene: Scene): Promise<Program> {
  const bot = scene.run(await addressOf(scene.exchange()));
  await bot.untilLogged('ready');
  await bot.until('opens', () => opensIn(scene).length >= 3);
  return bot;
}

/** Opening orders after `time` that the answer does not name. */
function late(scene: Scene, time: number, { did }: Pick<ActAnswer, 'did'>): number {
  const named = Number(/(\d+) opening orders? had been sent before/.exec(did.join())?.[1] ?? 0);
  return Math.max(0, opensIn(scene).filter((at) => at > time).length - named);
}

for (const socket of ['full', 'half-open', 'slow', 'deleted'] as const) {
  it(`halt is confirmed by the bot when its control socket is ${socket}`, async () => {
    const scene = new Scene(51);
    const bot = await trading(scene);
    const leave = await occupy(scene.botFolder, socket);
    const halted = await runToEnd(['halt', '--state', scene.botFolder, '--json']);
    const answeredAt = Date.now();
    const answer = JSON.parse(halted.out) as ActAnswer;
    expect([halted.code, answer.isDone, answer.did.join()]).toEqual([0, true, expect.stringContaining('opens of the bot are halted')]);
    await sleep(2_000);
    expect(late(scene, answeredAt, answer)).toBe(0);
    leave();
    await bot.until('the socket is there', () => bot.logged('control-ready').length >= (socket === 'deleted' ? 2 : 1));
    expect((await runToEnd(['status', '--state', scene.botFolder])).code).toBe(0);
  });
}

it('every command names a suspended bot within 5 seconds, and a halt holds when it goes on', async () => {
  const scene = new Scene(52);
  const bot = await trading(scene);
  const at = ['--state', scene.botFolder];
  bot.send('SIGSTOP');
  const suspendedAt = Date.now();
  await sleep(500);
  for (const command of [['status'], ['fills'], ['resume'], ['flatten'], ['rotate-epoch'], ['tail']]) {
    const asked = await runToEnd([...command, ...at]);
    expect([command[0], asked.code, asked.err]).toEqual([
      command[0],
      8,
      expect.stringMatching(/\(process \d+\) gives no answer; it was last seen at 2\d{3}-.*\n.*kill -CONT \d+/),
    ]);
  }
  const from = performance.now();
  expect(await operate(scene.botFolder, 'status', {})).toMatchObject({ by: 'silent', isRefused: true });
  expect(performance.now() - from).toBeLessThan(ANSWER_MS);
  const shown = JSON.parse((await runToEnd(['status', ...at, '--json'])).out) as RefusalAnswer;
  expect(shown).toMatchObject({ ok: false, code: 'silent', silent: { pid: expect.any(Number) } });
  expect(Math.abs(shown.silent!.since - suspendedAt)).toBeLessThan(5_000);
  const halted = await runToEnd(['halt', ...at, '--json']);
  const answeredAt = Date.now();
  const answer = JSON.parse(halted.out) as ActAnswer;
  expect([halted.code, answer]).toMatchObject([8, { recorded: true, isDone: false, silent: { pid: shown.silent!.pid } }]);
  bot.send('SIGCONT');
  await bot.untilLogged('halt-request');
  await sleep(2_000);
  expect(opensIn(scene).filter((time) => time > answeredAt)).toEqual([]);
  // The commands whose callers have gone were not carried out.
  expect(bot.logged('operator-command').map(({ command }) => command)).toEqual(['halt']);
  const confirmed = await runToEnd(['halt', ...at]);
  expect([confirmed.code, confirmed.out]).toEqual([0, expect.stringContaining('were halted already')]);
});

it('a resume that a suspended bot has not read does not end the kill that was asked for after it', async () => {
  const scene = new Scene(55);
  const bot = await trading(scene);
  bot.send('SIGSTOP');
  const resumed = operate(scene.botFolder, 'resume', { confirmed: true });
  const killed = operate(scene.botFolder, 'kill', { wait: 0 });
  await bot.until('the kill is recorded', () => existsSync(new HaltRequests(scene.botFolder).path));
  bot.send('SIGCONT');
  const answer = (await killed).body as ActAnswer;
  const answeredAt = Date.now();
  expect(await resumed).toMatchObject({ isRefused: true });
  await bot.until('the bot is flat', () => bot.logged('halt-lifted').some(({ code, by }) => code === 'flatten' && by === 'bot'));
  await sleep(2_000);
  expect(late(scene, answeredAt, answer)).toBe(0);
  expect(bot.logged('operator-command').map(({ command }) => command)).toEqual(['kill']);
  const again = await runToEnd(['resume', '--i-know', '--state', scene.botFolder]);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('ended: bot kill')]);
});

it('a halt that no bot has confirmed has its own exit code, and the next start takes it first', async () => {
  const scene = new Scene(53);
  const url = await addressOf(scene.exchange());
  const first = scene.run(url);
  await first.until('opens', () => first.logged('order-placed').length >= 3);
  await first.kill('SIGKILL');
  const killed = await runToEnd(['kill', '--why', 'a test', '--state', scene.botFolder]);
  const answeredAt = Date.now();
  expect([killed.code, killed.out]).toEqual([7, expect.stringContaining('recorded: no bot has confirmed it')]);
  const next = scene.run(url);
  await next.untilLogged('armed');
  await sleep(1_500);
  expect(opensIn(scene).filter((time) => time > answeredAt)).toEqual([]);
  expect(next.logged('operator-command').map(({ command, why }) => [command, why])).toEqual([['kill', 'a test']]);
});

it('a socket that vanished is made again', async () => {
  const scene = new Scene(54);
  const bot = await trading(scene);
  const path = join(scene.botFolder, 'control.sock');
  for (let k = 2; k < 5; k++) {
    rmSync(path);
    await bot.untilLogged('control-ready', k);
    await new Promise<void>((resolve, reject) => connect(path).on('connect', resolve).on('error', reject));
  }
});

function judge(halted: Halted): void {
  const { command, socket, process: life, store, phase, by, answerMs, late: after, before } = halted;
  const line = `${command} ${socket} ${life} ${store} ${phase}: ${by} in ${Math.round(answerMs)} ms, ${before} opens before, ${after} after`;
  console.info(line);
  expect(after, `${line}: ${halted.said}`).toBe(0);
  expect(answerMs, line).toBeLessThan(ANSWER_MS);
  if (phase === 'running' && life === 'running' && store === 'embedded') expect(by, line).toBe('running');
  if (life === 'killed') expect(by, line).toBe('recorded');
}

async function runStates(states: readonly HaltState[]): Promise<void> {
  for (const isRedis of [false, true]) {
    const part = states.filter(({ store }) => (store === 'embedded') !== isRedis);
    if (part.length === 0 || (isRedis && !hasRedis('halts with the journal in Redis'))) continue;
    const redis = isRedis ? await startRedis() : null;
    const stage = new HaltStage(55 + FROM, redis);
    try {
      await stage.open();
      for (const state of part) judge(await stage.once(state));
    } finally {
      await cleanUp();
      await redis?.remove();
    }
  }
}

describe('after the answer nothing opens', () => {
  it(`in ${RUNS} states of socket, process, store and life`, { timeout: 300_000 + RUNS * 60_000 }, async () => {
    await runStates(haltStates(SEED).slice(FROM, FROM + RUNS));
  });
});
