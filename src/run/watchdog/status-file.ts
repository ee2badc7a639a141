/** The watchdog's status beside the store, for whoever looks: a monitor, a person. Replaced as a whole; not synced. */
import { readFileSync } from 'node:fs';
import { beside } from '../../edge/file/beside/beside.ts';
import { replaceFile } from '../../edge/file/replace-file.ts';

/**
 * `waiting`: no bot ought to run. `watching`: one does. `acting`: it is silent, and its opens are cancelled. `done`: none is left. `ended`: the
 * watchdog was stopped, or ended with its bot, while it waited or watched; one that had begun to act leaves what it did.
 */
export type WatchdogState = 'waiting' | 'watching' | 'acting' | 'done' | 'ended';

export interface WatchdogStatus {
  /** Null once the watchdog has ended cleanly. One that was killed leaves its number, which another process may have by now. */
  readonly pid: number | null;
  readonly bot: string;
  readonly state: WatchdogState;
  /** Milliseconds since 1970: when this was written, and since when it is so. */
  readonly time: number;
  readonly since: number;
  /** For how long the bot has been silent, in milliseconds. */
  readonly silentMs: number;
  readonly epoch: number;
  /** How often it has acted since its start, and how many orders it has cancelled in all. */
  readonly acted: number;
  readonly cancelled: number;
  /** Own opening orders that are left as far as is known, and why more is not known, or why it could not act now; "" for neither. */
  readonly left: number;
  readonly problem: string;
  /** 0: positions, closing orders and brackets stay. */
  readonly flattenAfterMs: number;
  /** With `watchdog.flattenAfterMs`: how many closes it has filled in all, what is left of the positions, and why more is not known. */
  readonly closed: number;
  readonly positions: readonly string[];
  readonly closing: string;
  /** Id of the request to halt by which it fenced the silent bot last; "" for none. */
  readonly fence: string;
  /** What it did since, in words: "cancelled 2 opening orders: …; closed …"; "" for nothing. */
  readonly did: string;
}

export class StatusFile {
  readonly path: string;

  /** Takes the bot's state folder. The file lies beside it. */
  constructor(folder: string) {
    this.path = beside(folder, '.watchdog.json');
  }

  /** Null if there is none that can be read. */
  read(): WatchdogStatus | null {
    try {
      const status = JSON.parse(readFileSync(this.path, 'utf8')) as Partial<WatchdogStatus>;
      return typeof status.state === 'string' && (typeof status.pid === 'number' || status.pid === null)
        ? (status as WatchdogStatus)
        : null;
    } catch {
      return null;
    }
  }

  /** What the watchdog did since it wrote this request to halt; "" if that is not known. */
  didAbout(request: string): string {
    const status = this.read();
    return status?.fence === request ? status.did : '';
  }

  /** A status that cannot be written is no reason to stop watching. */
  write(status: WatchdogStatus): void {
    try {
      replaceFile(this.path, `${JSON.stringify(status)}\n`);
    } catch {
      // The disk is full, or the folder is gone: the log has what it does.
    }
  }
}
