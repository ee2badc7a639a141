/**
 * Shows other processes that a bot of this state folder lives, and when it last made progress. The lock `bot.lock` is held by the process
 * from before it opens its store until after it has closed it; the kernel releases it at any death, which the lease of a Redis store does
 * not. The modification time of `bot.pulse` is the last moment at which the bot's event loop ran.
 */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beside } from './beside.ts';
import { holdFile, isFileHeld } from '../exclusive-file.ts';
import { replaceFile } from '../replace-file.ts';
import { syncFolder } from '../sync-folder.ts';

/** How often a running bot shows that its event loop runs. */
const PULSE_MS = 500;
/** Time that a start waits for another command that looks at the lock at this moment. */
const WAIT_MS = 1_000;

export interface Presence {
  release(): void;
}

export interface Present {
  /** 0 if it is unknown. */
  readonly pid: number;
  /** Time when the bot's event loop last ran, in milliseconds since 1970; 0 if it is unknown. */
  readonly lastSeen: number;
  /** The place beside the folder, as the bot sees it; "" if it is unknown. */
  readonly place: string;
}

/** Returns null if another process is present in the folder: the lock of its store then decides. */
export function takePresence(folder: string): Presence | null {
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) syncFolder(dirname(made));
  const database = holdFile(lockIn(folder), WAIT_MS);
  if (database === null) return null;
  const pulse = pulseIn(folder);
  const beat = (): void => {
    try {
      const now = new Date();
      utimesSync(pulse, now, now);
    } catch {
      // The file was deleted, or the disk is full: the next beat writes it again.
      writePulse(folder);
    }
  };
  writePulse(folder);
  const timer = setInterval(beat, PULSE_MS);
  timer.unref();
  return {
    release() {
      clearInterval(timer);
      rmSync(pulse, { force: true });
      if (database.isOpen) database.close();
    },
  };
}

/** The bot that lives in the folder, or null. */
export function presentIn(folder: string): Present | null {
  if (!isFileHeld(lockIn(folder))) return null;
  try {
    const { pid, place } = JSON.parse(readFileSync(pulseIn(folder), 'utf8')) as { readonly pid?: unknown; readonly place?: unknown };
    const lastSeen = statSync(pulseIn(folder)).mtimeMs;
    return { pid: typeof pid === 'number' ? pid : 0, lastSeen, place: typeof place === 'string' ? place : '' };
  } catch {
    return { pid: 0, lastSeen: 0, place: '' };
  }
}

/**
 * Device and number of the folder that holds what is beside the state folder. Under a mounted state folder, in a container, it is another one
 * than under the same folder outside.
 */
export function placeBeside(folder: string): string {
  const { dev, ino } = statSync(dirname(beside(folder, '')), { bigint: true });
  return `${dev} ${ino}`;
}

function writePulse(folder: string): void {
  try {
    replaceFile(pulseIn(folder), `${JSON.stringify({ pid: process.pid, place: placeBeside(folder) })}\n`);
  } catch {
    // Without a pulse the bot trades on; commands then cannot say since when it is silent.
  }
}

function lockIn(folder: string): string {
  return join(folder, 'bot.lock');
}

function pulseIn(folder: string): string {
  return join(folder, 'bot.pulse');
}
