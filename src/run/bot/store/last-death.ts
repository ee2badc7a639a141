/** Reads the note of the previous process's death, logs the cause, and keeps a strategy stopped if its handler had not returned. */
import type { Log } from '../../../ports/log.ts';
import { deathNotePath, takeDeathNote } from '../../guard/death-note.ts';
import { keepStopped } from '../../guard/strategy-halt.ts';

/** A call that had run this long when the process died is taken as the cause. */
const LONG_MS = 1_000;

/** Call before the halts beside the store are read. */
export function reportLastDeath(folder: string, log: Log, now: number): void {
  const note = takeDeathNote(deathNotePath(folder));
  if (note === null) return;
  const { strategy, handler, isRunning, forMs, usedMb, limitMb, time, pid } = note;
  const isCause = isRunning && forMs >= LONG_MS;
  const hint = isCause
    ? `it stays stopped; \`tickwright resume ${strategy}\` allows it again`
    : 'give the process more memory, or let the strategy keep less';
  log.error('died-while-running', { strategy, handler, isRunning, forMs, usedMb, limitMb, at: new Date(time).toISOString(), pid, hint });
  if (!isCause) return;
  const detail = `the process ended while ${handler} had not returned for ${forMs} ms, with ${usedMb} MB of ${limitMb} MB in use`;
  try {
    keepStopped(folder, strategy, detail, now);
  } catch (error) {
    log.error('halts-marker-failed', { file: folder, error });
  }
}
