/**
 * A file beside the store that names the running strategy. It is written while memory is half used or a call takes long, and removed at a
 * normal end. After any other end (full heap, killed by the system, a signal) the next start finds it.
 */
import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../../edge/file/replace-file.ts';

export interface DeathNote {
  readonly strategy: string;
  readonly handler: string;
  /** True if the handler had not returned when this was written. */
  readonly isRunning: boolean;
  /** Duration of that call so far, in milliseconds. */
  readonly forMs: number;
  readonly usedMb: number;
  readonly limitMb: number;
  /** Time when it was written. */
  readonly time: number;
  readonly pid: number;
}

/** Path of the note of the bot with state in `folder`. It is beside the folder, so that deleting the folder keeps it. */
export function deathNotePath(folder: string): string {
  return `${folder}.running.json`;
}

/** Writes the note without sync: it must survive the process, not the machine. */
export function writeDeathNote(path: string, note: DeathNote): void {
  replaceFile(path, JSON.stringify(note));
}

export function removeDeathNote(path: string): void {
  rmSync(path, { force: true });
}

/** Reads and removes the note of the previous process; null if that ended normally. */
export function takeDeathNote(path: string): DeathNote | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  removeDeathNote(path);
  try {
    const note = JSON.parse(text) as Partial<DeathNote>;
    return typeof note.strategy === 'string' && typeof note.handler === 'string'
      ? ({ forMs: 0, usedMb: 0, limitMb: 0, time: 0, pid: 0, isRunning: false, ...note } as DeathNote)
      : null;
  } catch {
    return null;
  }
}
