/** Operates a bot from another process: through its socket if it runs, otherwise through its files. */
import { userInfo } from 'node:os';
import { Failure } from '../../../base/failure/failure.ts';
import type { ActAnswer, StatusAnswer } from '../../../control/answers.ts';
import { CONTROL_COMMANDS, type ControlName } from '../../../control/commands.ts';
import { streamControl } from '../../../edge/control/control-client.ts';
import { formatLine } from '../../../edge/log/line.ts';
import { machineNow } from '../../../edge/time/machine-clock.ts';
import { StoreError } from '../../../ports/store.ts';
import { defaultConfig } from '../../../config/defaults.ts';
import type { BotConfig } from '../../../config/model.ts';
import { SILENT_LOG } from '../../../ports/log.ts';
import { answerStopped } from '../control/control.ts';
import { runningHint } from './find-bot.ts';
import { haltBot } from './halt-bot.ts';
import { answered, lost, nobody, silent, type Operated } from './operator-answer.ts';
import { advice, patience, reach, runningIn, silence, UNKNOWN_PROCESS } from './reach.ts';
import { rotateEpoch } from './rotate-epoch.ts';
import { actedSince } from '../../watchdog/done-text.ts';
import { openStoppedBot } from '../store/stopped.ts';

type Given = Readonly<Record<string, unknown>>;

/** Runs a command on the bot of the folder. */
export async function operate(folder: string, name: ControlName, given: Given, config: BotConfig | null = null): Promise<Operated> {
  const command = CONTROL_COMMANDS.find((one) => one.name === name)!;
  const isStop = name === 'halt' || name === 'kill';
  if (isStop && given['rehearse'] !== true) return haltBot(folder, name, { by: whoAsks(), ...given });
  const said = command.acts ? { by: whoAsks(), askedAt: machineNow(), ...given } : given;
  const reached = await reach(folder, { method: command.acts ? 'POST' : 'GET', name, given: said }, !command.acts);
  if (reached.kind === 'answered') return answered(folder, reached);
  if (reached.kind === 'silent') return silent(folder, reached.present);
  if (reached.kind === 'lost') return lost(folder, reached.cause);
  if (!command.acts && command.whenStopped === 'read') {
    if (config?.store.kind === 'redis')
      return nobody(
        folder,
        'the bot does not run, and its store is in Redis, which only the bot reads',
        'start it; only halt and kill work on a stopped bot',
      );
    return fromFiles(folder, name, given);
  }
  if (name === 'rotate-epoch') return rotate(folder, config);
  const message = `no bot listens at ${folder} (${reached.cause})`;
  const hint = command.acts ? 'start it, or use halt or kill, which take effect when it starts' : 'start it';
  return nobody(folder, message, runningHint(folder) ?? hint);
}

async function fromFiles(folder: string, name: ControlName, given: Given): Promise<Operated> {
  try {
    const bot = openStoppedBot(folder);
    if (bot === null)
      return nobody(folder, `no bot listens at ${folder}, and it has no store`, runningHint(folder) ?? 'name another: --state FOLDER');
    try {
      const { status, body } = await answerStopped(bot, name, given);
      const watchdog = name === 'status' && status === 200 ? actedSince(folder, (body as StatusAnswer).time) : '';
      return { by: 'stopped', folder, body: watchdog === '' ? body : { ...body, watchdog }, isRefused: status !== 200 };
    } finally {
      bot.close();
    }
  } catch (error) {
    if (!(error instanceof StoreError && error.code === 'locked')) throw error;
    return silent(folder, runningIn(folder) ?? UNKNOWN_PROCESS);
  }
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

/** Prints the lines of `tail` or `events` until `signal`, as JSON or text. Returns why it ended. */
export async function followBot(
  folder: string,
  name: ControlName,
  given: Readonly<Record<string, unknown>>,
  form: 'json' | 'plain' | 'coloured',
  write: (text: string) => void,
  signal: AbortSignal,
): Promise<{ readonly cause: 'asked' | 'ended' | 'absent' | 'silent' | 'refused'; readonly said: string; readonly code: string }> {
  const onLine = (line: string): void => write(form === 'json' ? `${line}\n` : formatLine(line, form === 'coloured'));
  const { cause, said, code } = await streamControl(folder, { method: 'GET', name, given }, onLine, signal, patience(folder));
  if (cause === 'asked' || cause === 'ended' || cause === 'refused') return { cause, said, code };
  const present = runningIn(folder);
  return present === null
    ? { cause: 'absent', said: '', code: '' }
    : { cause: 'silent', said: `${silence(present, Date.now())}\n  ${advice(present)}`, code: '' };
}

/** "alice (command line)": who gave a command, for the journal and the log. */
export function whoAsks(means = 'command line'): string {
  try {
    return `${userInfo().username} (${means})`;
  } catch {
    return means;
  }
}
