/** Words the answer to a person who operates a bot from another process. */
import { utc } from '../../setup/utc.ts';
import type { RefusalAnswer } from '../../../control/answers.ts';
import type { Present } from '../../../edge/file/beside/presence.ts';
import { HaltRequests, type HaltRequest } from '../../../edge/file/beside/halt-requests.ts';
import { actedSince } from '../../watchdog/done-text.ts';
import { advice, silence, type Reached } from './reach.ts';

export interface Operated {
  /**
   * `running`: the bot answered. `stopped`: the answer is from its files. `recorded`: a halt is recorded, and no bot has confirmed it.
   * `silent`: the bot runs, but gave no answer. `lost`: the bot ended while it may have had the command. `nobody`: no bot was found.
   */
  readonly by: 'running' | 'stopped' | 'recorded' | 'silent' | 'lost' | 'nobody';
  readonly folder: string;
  readonly body: object;
  readonly isRefused: boolean;
}

export function answered(folder: string, { status, body }: Extract<Reached, { kind: 'answered' }>): Operated {
  return { by: 'running', folder, body, isRefused: status !== 200 };
}

export function silent(folder: string, present: Present): Operated {
  const hint = `unless it had begun this, it will not carry it out; \`tickwright halt\` stops its opens all the same; ${advice(present)}`;
  const body: RefusalAnswer = {
    ok: false,
    code: 'silent',
    message: [silence(present, Date.now()), ...besideIt(folder, present.lastSeen)].join('; '),
    hint,
    silent: { pid: present.pid, since: present.lastSeen },
  };
  return { by: 'silent', folder, body, isRefused: true };
}

/** What was done and recorded for a bot while it gave no answer. */
function besideIt(folder: string, lastSeen: number): string[] {
  const acted = actedSince(folder, lastSeen);
  return [
    ...recordedIn(folder).map(
      ({ name, scope, by, time }) => `recorded: ${name}${scope === '' ? '' : ` ${scope}`} by ${by} at ${utc(time)}`,
    ),
    ...(acted === '' ? [] : [`the watchdog acts for it: ${acted}`]),
  ];
}

function recordedIn(folder: string): readonly HaltRequest[] {
  try {
    return new HaltRequests(folder).read();
  } catch {
    return [];
  }
}

export function lost(folder: string, cause: string): Operated {
  const message = `the bot ended before it answered (${cause}): it may have carried out the command`;
  const body: RefusalAnswer = { ok: false, code: 'lost', message, hint: 'look at `tickwright status` before you give it again' };
  return { by: 'lost', folder, body, isRefused: true };
}

export function nobody(folder: string, message: string, hint: string): Operated {
  const body: RefusalAnswer = { ok: false, code: 'not-running', message, hint };
  return { by: 'nobody', folder, body, isRefused: true };
}
