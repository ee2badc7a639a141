/** The lines of `status` about the process itself: its memory, and lines of its log that were lost. */
import { counted } from '../../base/text/figures.ts';
import { utc } from '../../run/setup/utc.ts';
import type { StatusAnswer } from '../../control/answers.ts';
import { safeText, type Paint } from '../terminal/terminal.ts';

export function processRows({ lostLines, memory, noWatchdog, watchdog }: StatusAnswer, paint: Paint): [string, string][] {
  const rows: [string, string][] = [];
  if (memory) rows.push(['memory', `${memory.heapMb} MB of heap of at most ${memory.limitMb}, ${memory.rssMb} MB in all`]);
  if (noWatchdog) rows.push(['watchdog', paint('red', 'none listens: nothing cancels opening orders if the bot hangs')]);
  if (watchdog) rows.push(['watchdog', paint('yellow', safeText(watchdog))]);
  if (lostLines) {
    const { lines, cause, since, last, isLosing } = lostLines;
    const said = `${counted(lines, 'line')} of the log lost (${cause}), ${when(since)} to ${isLosing ? 'now' : when(last)}`;
    rows.push(['log', paint(isLosing ? 'red' : 'yellow', safeText(said))]);
  }
  return rows;
}

export function when(time: number): string {
  return time === 0 ? 'an unknown time' : utc(time);
}
