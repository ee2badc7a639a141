/**
 * Halts and kills a real bot in every state of its control socket, its process, its store and its life, and counts at the exchange's ledger
 * the opening orders that arrive after the answer.
 */
import { readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../../../src/base/random.ts';
import type { ActAnswer, RefusalAnswer } from '../../../src/control/answers.ts';
import { controlPath } from '../../../src/edge/control/socket-path.ts';
import { operate } from '../../../src/run/bot/outside/operate.ts';
import type { Operated } from '../../../src/run/bot/outside/operator-answer.ts';
import { addressOf, untilArrived, type Program } from '../../e2e/process.ts';
import { Scene } from '../../e2e/scene.ts';
import type { RedisServer } from '../stores/redis.ts';

const SOCKETS = ['fine', 'full', 'half-open', 'slow', 'deleted'] as const;
const PROCESSES = ['running', 'suspended', 'killed'] as const;
const STORES = ['embedded', 'redis', 'redis-away'] as const;
const PHASES = ['running', 'starting', 'stopping'] as const;

export interface HaltState {
  readonly command: 'halt' | 'kill';
  readonly socket: (typeof SOCKETS)[number];
  readonly process: (typeof PROCESSES)[number];
  readonly store: (typeof STORES)[number];
  readonly phase: (typeof PHASES)[number];
}

export interface Halted extends HaltState {
  readonly by: Operated['by'];
  /** Milliseconds to the answer. */
  readonly answerMs: number;
  /** Opening orders that reached the exchange after the answer and that the answer does not name. */
  readonly late: number;
  /** Opening orders in the last second before the request: 0 would prove nothing. */
  readonly before: number;
  readonly said: string;
}

/** More than all seats of the control socket. */
const CALLERS = 48;
const WATCH_MS = 1_500;

/** Opening orders of the bot by the exchange's ledger: when they arrived. */
export function opensIn(scene: Scene): number[] {
  const lines = readFileSync(join(scene.ledgerFolder, 'ledger.jsonl'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    if (!line.includes('"kind":"order"')) return [];
    const { order } = JSON.parse(line) as { order: { createdAt: number; effect: number; byVenue: boolean } };
    return order.effect === 0 && !order.byVenue ? [order.createdAt] : [];
  });
}

/** Callers that hold every seat they get. The returned function ends them. */
export async function occupy(folder: string, kind: HaltState['socket']): Promise<() => void> {
  if (kind === 'deleted') rmSync(controlPath(folder), { force: true });
  if (kind === 'fine' || kind === 'deleted') return () => undefined;
  const callers: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;
  for (let k = 0; k < CALLERS; k++) {
    const caller = connect(controlPath(folder));
    caller.on('error', () => undefined);
    callers.push(caller);
    if (kind === 'full') caller.write('GET /v1/tail HTTP/1.1\r\nhost: a\r\n\r\n');
    if (kind === 'half-open') caller.write('POST /v1/halt HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{');
  }
  if (kind === 'slow') {
    let at = 0;
    const text = `POST /v1/halt HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(1_000)}`;
    timer = setInterval(() => {
      for (const caller of callers) caller.write(text[at] ?? 'a');
      at++;
    }, 50);
  }
  await sleep(100);
  return () => {
    clearInterval(timer);
    for (const caller of callers) caller.destroy();
  };
}

/** A bot on one store that trades between the halts. */
export class HaltStage {
  readonly scene: Scene;
  readonly #redis: RedisServer | null;
  #url = '';
  #bot: Program | null = null;

  constructor(seed: number, redis: RedisServer | null) {
    this.scene = new Scene(seed);
    this.#redis = redis;
  }

  async open(): Promise<void> {
    this.#url = await addressOf(this.scene.exchange());
  }

  get folder(): string {
    return this.#redis === null ? this.scene.botFolder : `${this.scene.botFolder}-paper`;
  }

  async once(state: HaltState): Promise<Halted> {
    const bot = await this.#inPhase(state);
    const before = opensIn(this.scene).filter((at) => at > Date.now() - 2_000).length;
    const leave = await occupy(this.folder, state.socket);
    if (state.process !== 'running') bot.send(state.process === 'suspended' ? 'SIGSTOP' : 'SIGKILL');
    if (state.process === 'killed') await bot.ended;
    if (state.store === 'redis-away') this.#redis!.signal('SIGSTOP');
    if (state.phase === 'running') await untilArrived(this.#url);
    const from = performance.now();
    const { by, body } = await operate(this.folder, state.command, { why: 'a sweep', wait: 1_000 });
    const [answerMs, answeredAt] = [performance.now() - from, Date.now()];
    if (state.store === 'redis-away') this.#redis!.signal('SIGCONT');
    if (state.process === 'suspended') bot.send('SIGCONT');
    if (!bot.isRunning || state.phase === 'stopping') await this.#startAgain(bot);
    await sleep(WATCH_MS);
    leave();
    const arrived = opensIn(this.scene).filter((at) => at > answeredAt).length;
    const said = 'did' in body ? (body as ActAnswer).did.join('; ') : (body as RefusalAnswer).message;
    const named = Number(/(\d+) opening orders? had been sent before/.exec(said)?.[1] ?? 0);
    return { ...state, by, answerMs, late: Math.max(0, arrived - named), before, said };
  }

  async close(): Promise<void> {
    if (this.#bot?.isRunning === true) await this.#bot.kill('SIGKILL');
  }

  async #inPhase({ phase }: HaltState): Promise<Program> {
    if (phase === 'starting') {
      if (this.#bot?.isRunning === true) await (await this.#freed(this.#bot)).kill('SIGTERM');
      const bot = this.#run();
      await bot.untilLogged(this.#redis === null ? 'control-ready' : 'store-opening');
      return bot;
    }
    const bot = await this.#freed(this.#bot?.isRunning === true ? this.#bot : this.#run());
    if (phase === 'stopping') {
      bot.send('SIGTERM');
      await bot.untilLogged('stopping');
    }
    return bot;
  }

  /** Ends the halts of before and waits until the bot opens again. */
  async #freed(given: Program): Promise<Program> {
    const bot = await this.#ready(given);
    const resumed = Date.now();
    for (let tries = 0; tries < 3_600; tries++) {
      if (tries % 20 === 0) await operate(this.folder, 'resume', { confirmed: true });
      if (opensIn(this.scene).filter((at) => at > resumed).length >= 2) return bot;
      await sleep(50);
    }
    throw new Error(`the bot did not open again\n${bot.out.slice(-3_000)}`);
  }

  async #startAgain(bot: Program): Promise<void> {
    await bot.ended;
    // A killed bot leaves its lease: the next start would wait for its end.
    await this.#redis?.say('DEL {tickwright:paper}:lease');
    await this.#ready(this.#run());
  }

  /** A bot that ended because Redis was away when it started is started again, as a process manager does. */
  async #ready(bot: Program): Promise<Program> {
    try {
      await bot.untilLogged('ready');
      return bot;
    } catch (error) {
      if (bot.isRunning || bot.code !== 75) throw error;
      return this.#ready(this.#run());
    }
  }

  #run(): Program {
    const settings =
      this.#redis === null ? [] : ['store.kind=redis', `store.url=${this.#redis.url}`, 'store.outageMs=60000', 'venue.timeoutMs=2000'];
    return (this.#bot = this.scene.run(this.#url, settings));
  }
}

/** Every combination, in an order that depends on the seed. */
export function haltStates(seed: number): readonly HaltState[] {
  const all = STORES.flatMap((store) =>
    PHASES.flatMap((phase) =>
      PROCESSES.flatMap((process) =>
        SOCKETS.flatMap((socket) => (['halt', 'kill'] as const).map((command) => ({ command, socket, process, store, phase }))),
      ),
    ),
  );
  const random = new Random(seed);
  for (let at = all.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [all[at], all[other]] = [all[other]!, all[at]!];
  }
  return all;
}
