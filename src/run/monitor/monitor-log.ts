/** The log of a monitor. Others can cause lines of it, such as whoever writes to its chat, so it is bounded. */
import { createLog as make, type LineFilter, type LogOutput } from '../../edge/log/pino-log.ts';

const LINES_MOST = 100;
const WINDOW_MS = 3_600_000;

export function createLog(isTty: boolean, width: () => number | undefined): LogOutput {
  return make({ level: 'info', form: isTty ? 'text' : 'json', width, shows: atMost(LINES_MOST, () => performance.now()) });
}

/** Lets in so many lines of an event an hour. */
export function atMost(most: number, now: () => number): LineFilter {
  const counts = new Map<string, { since: number; lines: number }>();
  return (_level, event) => {
    const count = counts.get(event);
    if (count === undefined || now() - count.since >= WINDOW_MS) counts.set(event, { since: now(), lines: 1 });
    else count.lines++;
    return counts.get(event)!.lines <= most;
  };
}
