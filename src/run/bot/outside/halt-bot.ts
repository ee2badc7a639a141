/** Halts or kills a bot from another process, whatever state its process and its control socket are in. */
import { randomUUID } from 'node:crypto';
import { problemsOf, textAt } from '../../../base/fields.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { messageOf } from '../../../base/failure/message-of.ts';
import { didYouMean } from '../../../base/text/suggest.ts';
import type { ActAnswer, RefusalAnswer } from '../../../control/answers.ts';
import { CONTROL_COMMANDS } from '../../../control/commands.ts';
import { tradedName } from '../../../domain/instrument.ts';
import { HaltRequests, type HaltRequest } from '../../../edge/file/beside/halt-requests.ts';
import { placeBeside } from '../../../edge/file/beside/presence.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import { scopeWords } from '../../../engine/operator/operator.ts';
import { haltEnd, scopeInWords, wordOf } from '../../../engine/state/events/halt-codes.ts';
import { StoreError } from '../../../ports/store.ts';
import { isBotFolder, runningHint } from './find-bot.ts';
import { answered, nobody, type Operated } from './operator-answer.ts';
import { advice, reach, runningIn, silence, type SafelyReached } from './reach.ts';
import { haltsOfRequest, openStoppedBot, scopeOfWord } from '../store/stopped.ts';

type Given = Readonly<Record<string, unknown>>;

/** Time that a bot waits for the effect of a kill before it says "in progress", and the time that it has to answer then. */
const WAIT_MS = 3_000;
const ANSWERS_MS = 1_200;

/**
 * Records the halt beside the store, where a running bot looks before each opening order, and asks the bot to confirm it. Whatever becomes
 * of the call, the halt stands.
 */
export async function haltBot(folder: string, name: 'halt' | 'kill', given: Given): Promise<Operated> {
  const typedAt = machineNow();
  const requests = new HaltRequests(folder);
  if (!isBotFolder(folder)) return nobody(folder, `no bot has run in ${folder}`, runningHint(folder) ?? 'name another: --state FOLDER');
  const { by, ...others } = given;
  const [problem] = problemsOf(others, CONTROL_COMMANDS.find((one) => one.name === name)!.fields, name, `the command ${name}`);
  if (problem !== undefined) return refusedHere(folder, 'bad-request', problem.what, problem.hint ?? '');
  const scope = textAt(given, 'scope');
  const unknown = runningIn(folder) === null ? unknownScope(folder, scope) : null;
  if (unknown !== null) return unknown;
  const request = { id: randomUUID(), name, scope, by: String(by), why: textAt(given, 'why'), time: Date.now() };
  const notRecorded = record(requests, request) ?? seenElsewhere(folder, requests, request);
  const call = { method: 'POST', name, given: { ...given, request: request.id, typedAt } } as const;
  const reached = await reach(folder, call, true, waitOf(given) + ANSWERS_MS);
  if (reached.kind === 'answered' && (reached.status === 200 || notRecorded !== null)) return answered(folder, reached);
  if (reached.kind === 'answered' && codeIn(reached.body) === 'no-such-scope') {
    requests.remove(request.id);
    return answered(folder, reached);
  }
  if (notRecorded !== null) throw reached.kind === 'silent' ? notRecordedBy(reached, notRecorded) : notRecorded;
  return recordedAnswer(folder, request, reached, requests);
}

/** How long the bot waits for the full effect: at most `wait`. */
function waitOf({ wait }: Given): number {
  return typeof wait === 'number' ? wait : WAIT_MS;
}

/** Of a bot that may open on: which process to end. */
function notRecordedBy({ present }: Extract<SafelyReached, { kind: 'silent' }>, { message }: Failure): Failure {
  const what = `${silence(present, Date.now())}; ${message}: it may open positions`;
  return new Failure('halt-not-recorded', { what, hint: `${advice(present)}; halt at the venue` });
}

/** A bot that sees another place beside its folder never finds the request: returns the error, and forgets the request. */
function seenElsewhere(folder: string, requests: HaltRequests, { id }: HaltRequest): Failure | null {
  const place = runningIn(folder)?.place ?? '';
  if (place === '' || place === placeBeside(folder)) return null;
  requests.remove(id);
  const what = `the bot does not look for halts in ${requests.path}: it sees another folder beside its own, as in a container`;
  return new Failure('halt-not-recorded', { what, hint: 'type the command where the bot runs, or end its process' });
}

/** Returns the error if the halt could not be recorded. */
function record(requests: HaltRequests, request: HaltRequest): Failure | null {
  try {
    requests.add(request);
    return null;
  } catch (error) {
    if (error instanceof Failure) return error;
    const what = `the halt could not be written to ${requests.path}: ${messageOf(error)}`;
    return new Failure('halt-not-recorded', { what, hint: 'end the process of the bot, and halt at the venue' }, { cause: error });
  }
}

/** Answers a halt that stands but that no bot has confirmed with its own words. */
function recordedAnswer(folder: string, request: HaltRequest, reached: SafelyReached, requests: HaltRequests): Operated {
  const [halt] = haltsOfRequest(request);
  const of = scopeInWords(halt!.scope);
  const end = `to end it then: ${haltEnd(halt!)}`;
  const act = (by: Operated['by'], did: readonly string[], more: Partial<ActAnswer>): Operated => {
    return {
      by,
      folder,
      body: { ok: true, command: request.name, did, open: [], isDone: false, ...more } satisfies ActAnswer,
      isRefused: false,
    };
  };
  const sent = 'opening orders that it sent before may still reach the venue, and are not named here';
  if (reached.kind !== 'absent' && !requests.has(request.id)) {
    const taken = `the bot has taken the ${request.name}, and opens of ${of} are halted; its control socket gave no answer`;
    const open = request.name === 'kill' ? ['its orders and positions: `tickwright status` shows what is left of them'] : [];
    return act('running', [taken, sent, end], { open, isDone: open.length === 0 });
  }
  const later = request.name === 'kill' ? 'it stays halted, cancels its orders and closes its positions' : `opens of ${of} are halted`;
  const file = `recorded in ${requests.path}`;
  if (reached.kind === 'absent') {
    const other = runningHint(folder);
    const did = [
      `the bot does not run: when it starts, ${later}`,
      file,
      end,
      ...(other === null ? [] : [`this one is halted alone; ${other}`]),
    ];
    return act('recorded', did, { recorded: true });
  }
  if (reached.kind === 'silent') {
    const { present } = reached;
    const goesOn = `it opens nothing until it has taken this: when it goes on or starts again, ${later}`;
    const did = [silence(present, Date.now()), file, goesOn, sent, advice(present), end];
    return act('silent', did, { recorded: true, silent: { pid: present.pid, since: present.lastSeen } });
  }
  const { message = '' } = reached.body as Partial<RefusalAnswer>;
  return act('recorded', [`${message}: it opens nothing until it has taken this; then ${later}`, file, end], { recorded: true });
}

function codeIn(body: object): string {
  return (body as Partial<RefusalAnswer>).code ?? '';
}

function refusedHere(folder: string, code: string, message: string, hint: string): Operated {
  return { by: 'stopped', folder, body: { ok: false, code, message, hint } satisfies RefusalAnswer, isRefused: true };
}

/** Refuses a scope that a stopped bot does not have. */
function unknownScope(folder: string, word: string): Operated | null {
  const known = knownWords(folder);
  const named = wordOf(scopeOfWord(word));
  if (known.length === 0 || named === '' || known.includes(named)) return null;
  const hint = didYouMean(named, known) ?? `there are ${known.join(', ')}`;
  return refusedHere(folder, 'no-such-scope', `"${word}" is neither a symbol nor a strategy of this bot`, hint);
}

/** Symbols and strategies of the stopped bot; empty if its store cannot be read. */
function knownWords(folder: string): readonly string[] {
  try {
    const bot = openStoppedBot(folder);
    if (bot === null) return [];
    try {
      const names = bot.status().strategies.map((one) => one.name);
      return bot.instruments.length === 0 ? [] : scopeWords(bot.instruments.map(tradedName), names);
    } finally {
      bot.close();
    }
  } catch (error) {
    if (error instanceof StoreError) return [];
    throw error;
  }
}
