/** One watchdog a bot: a lock beside the state folder, which the kernel releases when the process ends. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../../base/failure/failure.ts';
import { beside } from '../../edge/file/beside/beside.ts';
import { holdFile, isFileHeld } from '../../edge/file/exclusive-file.ts';
import { StatusFile } from './status-file.ts';

/** @throws Failure watchdog-occupied if another process has it, or the error of node:fs */
export function takeWatchdogLock(folder: string): { close(): void } {
  const path = lockIn(folder);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = holdFile(path);
  if (database !== null) return database;
  const { pid = null } = new StatusFile(folder).read() ?? {};
  const who = pid !== null ? ` (process ${pid})` : '';
  throw new Failure('watchdog-occupied', { what: `another watchdog${who} watches the bot in ${folder}`, hint: 'one is enough' });
}

/** True if a watchdog watches the bot of this state folder. A folder that cannot be used is watched by nobody. */
export function isWatched(folder: string): boolean {
  try {
    return isFileHeld(lockIn(folder));
  } catch {
    return false;
  }
}

function lockIn(folder: string): string {
  return beside(folder, '.watchdog.lock');
}
