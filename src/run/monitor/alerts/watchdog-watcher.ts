/**
 * Looks at what the watchdog writes beside the store: its status, and the request by which it fences the bot. The monitor outlives the bot, so
 * it says that the watchdog acts, and what it did, also when nobody else is left to say so.
 */
import { statSync } from 'node:fs';
import { HaltRequests } from '../../../edge/file/beside/halt-requests.ts';
import type { Level } from '../../../monitor/alerts/alert-inputs.ts';
import type { ReadModel } from '../../../monitor/model/read-model.ts';
import { doneText } from '../../watchdog/done-text.ts';
import { StatusFile, type WatchdogStatus } from '../../watchdog/status-file.ts';
import type { Watcher } from './watcher.ts';

export type Shown = Readonly<Record<string, string | number>>;

/** A watchdog writes its status every two seconds: what an older one says of its troubles may no longer hold. */
const FRESH_MS = 30_000;
/** One answer that is missing is no trouble. */
const TROUBLE_MS = 10_000;
const MISSING = 'no watchdog listens to the bot: nothing cancels its opening orders if it hangs';
/** The watchdog's name in its requests. */
const BY = 'watchdog';

export class WatchdogWatcher implements Watcher {
  readonly #file: StatusFile;
  readonly #requests: HaltRequests;
  readonly #show: (event: string, fields: Shown) => void;
  #status: WatchdogStatus | null = null;
  #readOf = -1;
  /** False once the status is older than one that a watchdog at work leaves: it is gone. */
  #isFresh = false;
  /** Why the watchdog fenced the bot, while its request waits. */
  #fenced = '';
  /** What was shown last; null before the first look, which shows nothing: it may be of long ago. */
  #shown: string | null = null;
  /** Since when the watchdog says of each look that it is in trouble; Infinity if it does not. */
  #troubledAt = Infinity;
  /** True if the bot said last that no watchdog listens to it. */
  #isMissing = false;
  #levels: readonly Level[] = [];

  /** Takes the bot's state folder, and what shows a line among those of the bot. */
  constructor(folder: string, show: (event: string, fields: Shown) => void) {
    this.#file = new StatusFile(folder);
    this.#requests = new HaltRequests(folder);
    this.#show = show;
  }

  get isActing(): boolean {
    return this.#isFresh && this.#levels.some(({ name }) => name === 'watchdog-acts') && this.#status?.state === 'acting';
  }

  levels(): readonly Level[] {
    return this.#levels;
  }

  tick(now: number, model: ReadModel): void {
    // Until the bot is heard, what lies here may be of an earlier one.
    if (model.connection.heardAt === 0) return;
    this.#read();
    const status = this.#isPast(model) ? null : this.#status;
    const isActing = status?.state === 'acting' || status?.state === 'done';
    const levels: Level[] = [];
    // On a full disk the status cannot be written. The request has room that was kept for it.
    if (isActing || this.#fenced !== '')
      levels.push({ kind: 'state', name: 'watchdog-acts', cause: '', text: isActing ? actsText(status) : this.#fenced });
    this.#isFresh = status !== null && now - status.time <= FRESH_MS;
    const problem = status === null || !this.#isFresh ? '' : status.problem || status.closing;
    this.#troubledAt = problem === '' ? Infinity : Math.min(this.#troubledAt, now);
    if (now - this.#troubledAt >= TROUBLE_MS)
      levels.push({ kind: 'state', name: 'watchdog-unable', cause: '', text: `it could cancel or close nothing now: ${problem}` });
    if (model.connection.state === 'connected' && model.status !== null) this.#isMissing = model.status.noWatchdog === true;
    if (this.#isMissing) levels.push({ kind: 'state', name: 'watchdog-unable', cause: 'missing', text: MISSING });
    this.#levels = levels;
    this.#showDone(status);
  }

  #read(): void {
    const written = statSync(this.#file.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (written !== this.#readOf) this.#status = this.#file.read();
    this.#readOf = written;
    try {
      this.#fenced = this.#requests.isEmpty ? '' : (this.#requests.read().find(({ by }) => by === BY)?.why ?? '');
    } catch {
      // It is there and cannot be read: what was known stands.
    }
  }

  /** True if the bot that is heard was started after that: another answers for its orders now. */
  #isPast({ connection, status }: ReadModel): boolean {
    return connection.state === 'connected' && status !== null && status.startedAt > (this.#status?.since ?? 0);
  }

  #showDone(status: WatchdogStatus | null): void {
    const { acted = 0, cancelled = 0, closed = 0, positions = [] } = status ?? {};
    const isDone = status?.state === 'done';
    const key = isDone ? `${acted} ${cancelled} ${closed} ${positions.join()}` : '';
    if (isDone && this.#shown !== null && this.#shown !== key)
      this.#show('watchdog-done', { says: doneText(status), scope: status.fence, cancelled, closed });
    if (isDone || this.#shown === null) this.#shown = key;
  }
}

function actsText(status: WatchdogStatus): string {
  const since = new Date(status.since).toISOString().slice(11, 19);
  const does = status.state === 'done' ? 'it has done its work since' : 'it is at work since';
  return `The bot gave no sign of life: it is fenced, and the watchdog acts on its orders; ${does} ${since} UTC. ${doneText(status)}`;
}
