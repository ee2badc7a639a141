/** One look at one bot: its status, from itself if it answers, from its files if it does not run. */
import { basename } from 'node:path';
import { messageOf } from '../../base/failure/message-of.ts';
import { isRecord } from '../../base/fields.ts';
import type { RefusalAnswer, StatusAnswer } from '../../control/answers.ts';
import type { BotState } from '../../control/hub.ts';
import type { LockNote } from '../../edge/file/account-lock.ts';
import type { Operated } from '../bot/outside/operator-answer.ts';
import { operate } from '../bot/outside/operate.ts';
import { askMonitor } from '../monitor/ask-monitor.ts';

export interface Look {
  /** Its state folder; of a bot that is lost, the note of its account lock. */
  readonly folder: string;
  readonly state: BotState;
  /** What is wrong, and what to do; "" for a bot that runs. */
  readonly says: string;
  /** The last status; null if none is known. */
  readonly status: StatusAnswer | null;
  /** Address of its dashboard; "" if none is known. */
  readonly dashboard: string;
  /** The name of a bot that runs and cannot be reached, because its state folder is not known. Absent for all others. */
  readonly lost?: string;
}

/** A look that takes longer is ended: the bot is called silent. */
const LOOK_MS = 6_000;
/** A monitor that does not answer by then is not asked again in this look. */
const MONITOR_MS = 1_000;

/** Never rejects. Ends within seven seconds, whatever the bot does. Of a bot that gives no answer its monitor knows the last status. */
export async function lookAt(folder: string): Promise<Look> {
  const late: Seen = { state: 'silent', says: `no answer within ${LOOK_MS / 1_000} s`, status: null };
  const [seen, dashboard] = await Promise.all([within(LOOK_MS, seenIn(folder), late), within(MONITOR_MS, addressIn(folder), '')]);
  const status = seen.state === 'silent' ? await within(MONITOR_MS, lastStatusIn(folder), null) : seen.status;
  return { folder, dashboard, ...seen, status };
}

/** A bot of which no more is known than that it has the lock of an account. */
export function lookAtLost({ path, pid, bot, folder }: LockNote): Look {
  const who = pid === 0 ? 'a process' : `process ${pid}`;
  const where = folder === '' ? 'its state folder is not known' : `its state folder is not here: ${folder}`;
  const says = `${who} trades on an account, and ${where}; name the folder: --all FOLDER, or end the process`;
  return { folder: path, state: 'unknown', says, status: null, dashboard: '', lost: bot || basename(path) };
}

/** The bot's name; the last part of its folder while none is known. */
export function nameOfBot({ folder, status, lost }: Pick<Look, 'folder' | 'status' | 'lost'>): string {
  return lost ?? (status === null || status.bot === '' ? basename(folder) : status.bot);
}

type Seen = Pick<Look, 'state' | 'says' | 'status'>;

async function seenIn(folder: string): Promise<Seen> {
  try {
    const { by, body, isRefused } = await operate(folder, 'status', {});
    if (by === 'silent' || by === 'nobody' || isRefused) return { ...refusedOf(by, body), status: null };
    if (!isStatus(body))
      return {
        state: 'not-understood',
        says: 'give it and this program the same version; until then operate it with its own',
        status: null,
      };
    if (by === 'running') return { state: 'running', says: '', status: body };
    const state = body.phase === 'stopped' ? 'stopped' : 'killed';
    return { state, says: state === 'killed' ? 'it ended without a stop, and does not run: start it again' : '', status: body };
  } catch (error) {
    return { state: 'unknown', says: messageOf(error), status: null };
  }
}

function refusedOf(by: Operated['by'], body: object): Pick<Seen, 'state' | 'says'> {
  const { code, message = '', hint = '' } = body as Partial<RefusalAnswer>;
  const says = hint === '' ? message : `${message}; ${hint}`;
  if (by === 'silent') {
    const { pid = 0 } = (body as RefusalAnswer).silent ?? {};
    return {
      state: 'silent',
      says: `${message}${pid === 0 ? '' : `; \`tickwright halt\` stops its opens, and \`kill -9 ${pid}\` ends it`}`,
    };
  }
  return { state: by === 'running' && code === 'starting' ? 'starting' : 'unknown', says };
}

/** What an overview reads of a status. Older versions leave out the rest. */
function isStatus(body: object): body is StatusAnswer {
  if (!isRecord(body)) return false;
  const { bot, phase, time, equity, halts, positions } = body;
  const isText = [bot, phase, equity].every((one) => typeof one === 'string');
  return isText && typeof time === 'number' && Array.isArray(halts) && Array.isArray(positions);
}

async function addressIn(folder: string): Promise<string> {
  const { url } = ((await askMonitor(folder, 'address', {})) ?? {}) as { readonly url?: unknown };
  return typeof url === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/.test(url) ? url : '';
}

async function lastStatusIn(folder: string): Promise<StatusAnswer | null> {
  const body = await askMonitor(folder, 'last-status', {});
  return body !== null && isStatus(body) ? body : null;
}

async function within<T>(ms: number, answer: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(otherwise), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
