/** Calls of a program on a running bot: each returns the answer, or throws what became of it. */
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defined } from '../../../base/defined.ts';
import { Failure } from '../../../base/failure/failure.ts';
import type { RefusalAnswer } from '../../../control/answers.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../../control/commands.ts';
import { callControl, linesOf, type ControlTarget, type LinesEnd } from '../../../edge/control/control-client.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import { botFolder, runningHint, theBot } from '../outside/find-bot.ts';
import { haltBot } from '../outside/halt-bot.ts';
import { advice, reach, runningIn, silence } from '../outside/reach.ts';
import type { ConnectOptions } from './client-types.ts';

type Given = Readonly<Record<string, unknown>>;

/** A command that the bot refused. `code` is stable: "no-such-scope", "refused", "not-allowed". */
export class Refused extends Failure {
  override readonly name = 'Refused';
  /** Why, in one word of the bot. */
  readonly code: string;

  constructor({ code, message, hint }: Pick<RefusalAnswer, 'code' | 'message' | 'hint'>, command: string) {
    super('command-refused', { what: message, where: command, hint: hint === '' ? undefined : hint });
    this.code = code;
  }
}

export class BotDoor {
  readonly folder: string;
  readonly #target: ControlTarget;
  readonly #by: string;

  /** @throws Failure if the options name no bot */
  constructor({ state, url, token }: ConnectOptions, by: string) {
    this.#by = by;
    this.folder = url === undefined ? (state === undefined ? theBot(process.cwd(), true) : botFolder(resolve(state))) : '';
    this.#target = url === undefined ? this.folder : addressOf(url, token, state);
  }

  /** Asks. @throws Failure */
  ask(name: ControlName, given: Given = {}): Promise<object> {
    return this.#call(name, given);
  }

  /** Acts. @throws Failure */
  async act(name: ControlName, given: Given): Promise<object> {
    const said = { by: this.#by, ...defined(given) };
    const isStop = (name === 'halt' || name === 'kill') && given['rehearse'] !== true;
    if (!isStop || this.folder === '') return this.#call(name, this.folder === '' ? said : { askedAt: machineNow(), ...said });
    const { body, isRefused, by } = await haltBot(this.folder, name, said);
    if (by === 'nobody') throw this.#gone((body as RefusalAnswer).message);
    if (isRefused) throw new Refused(body as RefusalAnswer, name);
    return body;
  }

  /** Yields lines of `tail` or `events` until they end, and says why they did. */
  lines(name: 'tail' | 'events', given: Given, signal: AbortSignal): AsyncGenerator<string, LinesEnd> {
    return linesOf(this.#target, { method: 'GET', name, given: defined(given) }, signal);
  }

  /** What has become of a bot whose lines have ended. */
  whyGone({ cause, said, code }: LinesEnd, name: string): Failure {
    return cause === 'refused' ? refusedBy({ code, message: said, hint: '' }, name) : this.#gone(cause);
  }

  async #call(name: ControlName, given: Given): Promise<object> {
    const { acts } = CONTROL_COMMANDS.find((one) => one.name === name)!;
    const call = { method: acts ? 'POST' : 'GET', name, given: defined(given) } as const;
    if (this.folder === '') return this.#callAddress(call);
    const reached = await reach(this.folder, call, !acts);
    switch (reached.kind) {
      case 'answered':
        return answerIn(reached, name);
      case 'silent':
        throw new Failure('bot-silent', { what: silence(reached.present, Date.now()), where: name, hint: advice(reached.present) });
      case 'lost':
        throw lost(name, reached.cause);
      case 'absent':
        throw this.#gone(reached.cause);
    }
  }

  /** A starting bot is asked again for a moment, as `reach` does. */
  async #callAddress(call: Parameters<typeof callControl>[1]): Promise<object> {
    for (let tries = 0; ; tries++) {
      const called = await callControl(this.#target, call);
      if (called.isThere && (called.status !== 503 || tries >= STARTING_TRIES)) return answerIn(called, call.name);
      if (!called.isThere)
        throw called.cause === 'ECONNREFUSED' || call.method === 'GET' ? this.#gone(called.cause) : lost(call.name, called.cause);
      await sleep(STARTING_MS);
    }
  }

  #gone(cause: string): Failure {
    if (this.folder === '') {
      const { port } = this.#target as { readonly port: number };
      return new Failure('bot-missing', {
        what: `no bot listens at http://127.0.0.1:${port} (${cause})`,
        hint: 'start it with control.port set',
      });
    }
    const present = runningIn(this.folder);
    if (present !== null) return new Failure('bot-silent', { what: silence(present, Date.now()), hint: advice(present) });
    return new Failure('bot-missing', {
      what: `no bot runs in ${this.folder} (${cause})`,
      hint: runningHint(this.folder) ?? 'start it; `tickwright status` reads the files of a stopped one',
    });
  }
}

const STARTING_MS = 200;
const STARTING_TRIES = 25;

function lost(name: string, cause: string): Failure {
  return new Failure('command-lost', {
    what: `the bot ended before it answered (${cause}): it may have carried out the command`,
    where: name,
    hint: 'ask for its status before you give it again',
  });
}

function answerIn({ status, body }: { readonly status: number; readonly body: unknown }, name: string): object {
  if (status === 200) return body as object;
  throw refusedBy(body as RefusalAnswer, name);
}

function refusedBy(answer: Pick<RefusalAnswer, 'code' | 'message' | 'hint'>, name: string): Failure {
  if (answer.code !== 'no-such-command') return new Refused(answer, name);
  return new Failure('bot-version', {
    what: `the bot does not know the command "${name}": it runs another version`,
    hint: 'use the same version of tickwright in both',
  });
}

/** @throws Failure (flag-value) */
function addressOf(url: string, token: string | undefined, state: string | undefined): ControlTarget {
  const wrong = (option: string, what: string, hint: string): never => {
    throw new Failure('flag-value', { what, where: `option ${option}`, hint });
  };
  if (state !== undefined) wrong('url', 'expected `state` or `url`, found both', 'leave one of them out');
  const port = /^http:\/\/(?:127\.0\.0\.1|localhost):(\d{1,5})\/?$/.exec(url)?.[1];
  if (port === undefined || Number(port) < 1 || Number(port) > 65_535)
    wrong('url', `expected "http://127.0.0.1:PORT", found ${JSON.stringify(url)}`, 'the line control-ready of the bot’s log has it');
  if (typeof token !== 'string' || !/^\S{1,200}$/.test(token))
    return wrong('token', 'expected the token of the bot with `url`', 'it is in the file control.token of its state folder');
  return { port: Number(port), token };
}
