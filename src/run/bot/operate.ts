/** Operates a bot from another process: through its socket if it runs, otherwise through its files. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { userInfo } from 'node:os';
import { Failure } from '../../base/failure.ts';
import type { ActAnswer, RefusalAnswer } from '../../control/answers.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../control/commands.ts';
import { callControl, streamControl, type ControlCalled } from '../../edge/control/client.ts';
import { controlPath } from '../../edge/control/socket-path.ts';
import { formatLine } from '../../edge/log/line.ts';
import { StoreError } from '../../ports/store.ts';
import { didYouMean } from '../../base/suggest.ts';
import { tradedName } from '../../domain/instrument.ts';
import { wordOf } from '../../engine/state/halt-codes.ts';
import { scopeWords } from '../../engine/operator/operator.ts';
import { defaultConfig } from '../../config/defaults.ts';
import type { BotConfig } from '../../config/model.ts';
import { SILENT_LOG } from '../../ports/log.ts';
import { answerStopped } from './control.ts';
import { rotateEpoch } from './rotate-epoch.ts';
import { haltStopped, openStoppedBot } from './stopped.ts';

export { stateFolder } from '../setup/state-folder.ts';

type Given = Readonly<Record<string, unknown>>;

export interface Operated {
  /** `running`: the bot answered. `stopped`: the answer is from its files. `nobody`: no bot was found. */
  readonly by: 'running' | 'stopped' | 'nobody';
  readonly folder: string;
  readonly body: object;
  readonly isRefused: boolean;
}

/** How long to wait for a bot that is starting. */
const START_MS = 20_000;
const AGAIN_MS = 100;

/** State folders of bots that were started in this folder: running bots, or if there are none, those with a store. */
async function findBots(cwd: string): Promise<{ readonly folders: readonly string[]; readonly isRunning: boolean }> {
  const candidates = foldersIn(resolve(cwd, 'var'), 2);
  const running: string[] = [];
  for (const folder of candidates) if (await isListening(folder)) running.push(folder);
  if (running.length > 0) return { folders: running, isRunning: true };
  return { folders: candidates.filter((folder) => existsSync(join(folder, 'store.sqlite'))), isRunning: false };
}

function foldersIn(folder: string, depth: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
  const inner = names.map((name) => join(folder, name));
  return [...inner, ...(depth > 1 ? inner.flatMap((one) => foldersIn(one, depth - 1)) : [])].sort();
}

async function isListening(folder: string): Promise<boolean> {
  if (process.platform !== 'win32' && !existsSync(controlPath(folder))) return false;
  return (await callControl(folder, { method: 'GET', name: 'status', given: {} })).isThere;
}

/** The state folder of the only bot. @throws Failure: absent if there is none, usage if there are several */
export async function theBot(cwd: string, acts: boolean): Promise<string> {
  const { folders, isRunning } = await findBots(cwd);
  const [first, ...others] = folders;
  if (first === undefined) {
    throw new Failure('bot-missing', {
      what: `no bot runs in this folder, and none has left a store below ${join(relative('.', cwd), 'var')}`,
      hint: 'name it: --state FOLDER, or --config FILE of the bot; a stopped bot with its store in Redis is found only by --config',
    });
  }
  if (others.length === 0) return first;
  const names = folders.map((folder) => relative(cwd, folder));
  if (isRunning || acts) {
    const what = isRunning ? 'more than one bot runs in this folder' : 'more than one bot has a store in this folder, and none runs';
    throw new Failure('bot-ambiguous', { what: `${what}: ${names.join(', ')}`, hint: `name one: --state ${names[0]}` });
  }
  return [...folders].sort((a, b) => changedAt(b) - changedAt(a))[0]!;
}

function changedAt(folder: string): number {
  return Math.max(
    ...['store.sqlite', 'store.sqlite-wal'].map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}

/** Runs a command on the bot of the folder. */
export async function operate(folder: string, name: ControlName, given: Given, config: BotConfig | null = null): Promise<Operated> {
  const command = CONTROL_COMMANDS.find((one) => one.name === name)!;
  const said = command.acts ? { by: whoAsks(), ...given } : given;
  const called = await callStarted(folder, command.acts, name, said);
  if (called.isThere) return answered(folder, called);
  if (!command.acts && command.whenStopped === 'read') {
    if (config?.store.kind === 'redis')
      return nobody(
        folder,
        'the bot does not run, and its store is in Redis, which only the bot reads',
        'start it; only halt and kill work on a stopped bot',
      );
    return fromFiles(folder, name, given);
  }
  if (name === 'halt' || name === 'kill') return haltFiles(folder, name, said);
  if (name === 'rotate-epoch') return rotate(folder, config);
  const message = `no bot listens at ${folder} (${called.cause})`;
  return nobody(folder, message, command.acts ? 'start it, or use halt or kill, which take effect when it starts' : 'start it');
}

/** Waits for a bot that is starting. */
async function callStarted(folder: string, acts: boolean, name: string, given: Given): Promise<ControlCalled> {
  const until = performance.now() + START_MS;
  for (;;) {
    const called = await callControl(folder, { method: acts ? 'POST' : 'GET', name, given });
    const isStarting = called.isThere && called.status === 503;
    if (!isStarting || performance.now() > until) return called;
    await new Promise((resolve_) => {
      setTimeout(resolve_, AGAIN_MS);
    });
  }
}

function answered(folder: string, { status, body }: Extract<ControlCalled, { isThere: true }>): Operated {
  return { by: 'running', folder, body: body as object, isRefused: status !== 200 };
}

function nobody(folder: string, message: string, hint: string): Operated {
  const body: RefusalAnswer = { ok: false, code: 'not-running', message, hint };
  return { by: 'nobody', folder, body, isRefused: true };
}

async function fromFiles(folder: string, name: ControlName, given: Given): Promise<Operated> {
  try {
    const bot = openStoppedBot(folder);
    if (bot === null) return nobody(folder, `no bot listens at ${folder}, and it has no store`, 'name another: --state FOLDER');
    try {
      const { status, body } = await answerStopped(bot, name, given);
      return { by: 'stopped', folder, body, isRefused: status !== 200 };
    } finally {
      bot.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const hint = error.code === 'locked' ? 'a process that does not answer holds it: it is starting, stopping or stuck' : '';
    return nobody(folder, error.message, hint);
  }
}

/** Writes the halt file, then calls the socket again, because a bot may have started in between. */
async function haltFiles(folder: string, name: 'halt' | 'kill', given: Given): Promise<Operated> {
  if (!existsSync(folder) && !existsSync(`${folder}.halts.json`))
    return nobody(folder, `there is no state folder ${folder}`, 'name another: --state FOLDER');
  const word = wordIn(given, 'scope');
  const known = knownWords(folder);
  const scope = scopeOnFile(word);
  const named = wordOf(scope);
  if (known.length > 0 && named !== '' && !known.includes(named)) {
    const hint = didYouMean(named, known) ?? `there are ${known.join(', ')}`;
    const message = `"${word}" is neither a symbol nor a strategy of this bot`;
    return { by: 'stopped', folder, body: { ok: false, code: 'no-such-scope', message, hint } satisfies RefusalAnswer, isRefused: true };
  }
  const asked = { by: wordIn(given, 'by'), why: wordIn(given, 'why') };
  const body: ActAnswer = haltStopped(folder, name, scope, asked, Date.now());
  const called = await callStarted(folder, true, name, given);
  return called.isThere ? answered(folder, called) : { by: 'stopped', folder, body, isRefused: false };
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

function wordIn(given: Given, key: string): string {
  const value = given[key];
  return typeof value === 'string' ? value : '';
}

/** The scope of a word: a symbol if it is in capitals, else a strategy. */
function scopeOnFile(word: string): string {
  if (word === '' || word === 'all' || word === 'bot') return 'bot';
  if (/^(symbol|leg|strategy):/.test(word)) return word;
  if (/:(LONG|SHORT)$/.test(word)) return `leg:${word}`;
  return /^(spot:)?[A-Z0-9]+$/.test(word) ? `symbol:${word}` : `strategy:${word}`;
}

/** Runs rotate-epoch on the store of a stopped bot. @throws Failure if it has no journal */
async function rotate(folder: string, given: BotConfig | null): Promise<Operated> {
  const config = given ?? { ...defaultConfig(), bot: nameIn(folder), store: { ...defaultConfig().store, kind: 'embedded', folder } };
  const { epoch, before, nextSeq, lifted } = await rotateEpoch(config, SILENT_LOG);
  const halts = lifted.length === 0 ? 'no halt waited for this' : `lifted: ${lifted.join(', ')}`;
  const did = [`epoch ${before.toString(36)} → ${epoch.toString(36)}, from order ${nextSeq} on; ${halts}`];
  return {
    by: 'stopped',
    folder,
    body: { ok: true, command: 'rotate-epoch', did, open: [], isDone: true } satisfies ActAnswer,
    isRefused: false,
  };
}

/** Name of the bot that wrote the store. @throws Failure if there is none */
function nameIn(folder: string): string {
  const bot = openStoppedBot(folder);
  const name = bot?.status().bot ?? '';
  bot?.close();
  if (name === '')
    throw new Failure('bot-unnamed', { what: `no bot has left its name in ${folder}`, hint: 'name its configuration: --config FILE' });
  return name;
}

/** Prints new log lines until `signal`, as JSON or text. Returns why it ended. */
export async function tailBot(
  folder: string,
  form: 'json' | 'plain' | 'coloured',
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<'asked' | 'ended' | 'absent'> {
  const onLine = (line: string): void => write(form === 'json' ? `${line}\n` : formatLine(line, form === 'coloured'));
  const cause = await streamControl(folder, { method: 'GET', name: 'tail', given: {} }, onLine, signal);
  return cause === 'asked' || cause === 'ended' ? cause : 'absent';
}

function whoAsks(): string {
  try {
    return `${userInfo().username} (command line)`;
  } catch {
    return 'command line';
  }
}
