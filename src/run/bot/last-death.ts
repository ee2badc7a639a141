/** What the process before died of, as far as it left word: named in the log, and a strategy that did not return stays stopped. */
import type { Log } from '../../ports/log.ts';
import { deathNotePath, takeDeathNote } from '../guard/death-note.ts';
import { keepStopped } from '../guard/strategy-halt.ts';

/** A call that had taken so long when its process died is why it died, or near enough. */
const LONG_MS = 1_000;

/** Before the halts beside the store are read. */
export function reportLastDeath(folder: string, log: Log, now: number): void {
  const note = takeDeathNote(deathNotePath(folder));
  if (note === null) return;
  const { strategy, handler, isRunning, forMs, usedMb, limitMb, time, pid } = note;
  const isCause = isRunning && forMs >= LONG_MS;
  const hint = isCause
    ? `it stays stopped; \`tickwright resume ${strategy}\` allows it again`
    : 'more memory, or a strategy that keeps less';
  log.error('died-while-running', { strategy, handler, isRunning, forMs, usedMb, limitMb, at: new Date(time).toISOString(), pid, hint });
  if (!isCause) return;
  const detail = `the process ended while ${handler} had not returned for ${forMs} ms, with ${usedMb} MB of ${limitMb} MB in use`;
  try {
    keepStopped(folder, strategy, detail, now);
  } catch (error) {
    log.error('halts-marker-failed', { file: folder, error });
  }
}
