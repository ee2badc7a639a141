/**
 * A file beside the store that says which strategy ran, written while the memory is half used or a call takes long, and removed when the
 * process ends by itself. The next start finds it after every other death: the runtime's own end when the heap is full, the system's when
 * the machine's memory is, a signal.
 */
import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from '../../edge/file/replace-file.ts';

export interface DeathNote {
  readonly strategy: string;
  readonly handler: string;
  /** Whether the handler had not returned when this was written. */
  readonly isRunning: boolean;
  /** How long that call had taken, milliseconds. */
  readonly forMs: number;
  readonly usedMb: number;
  readonly limitMb: number;
  /** When it was written. */
  readonly time: number;
  readonly pid: number;
}

/** Of the bot whose state is in `folder`: beside it, so that deleting the folder leaves it. */
export function deathNotePath(folder: string): string {
  return `${folder}.running.json`;
}

/** Not synced: it has to outlive the process, not the machine. */
export function writeDeathNote(path: string, note: DeathNote): void {
  replaceFile(path, JSON.stringify(note));
}

export function removeDeathNote(path: string): void {
  rmSync(path, { force: true });
}

/** What the process before left, once: the file is removed. Null when it ended by itself. */
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
