/** The log of a monitor. Others can cause lines of it, such as whoever writes to its chat, so it is bounded. */
import { createLog as make, type LineFilter, type LogOutput } from '../../edge/log/pino-log.ts';

const LINES_MOST = 100;
const WINDOW_MS = 3_600_000;

export function createLog(isTty: boolean, width: () => number | undefined): LogOutput {
  const shows = atMost(LINES_MOST, {
    now: () => performance.now(),
    later: (work, ms) => void setTimeout(work, ms).unref(),
    told: (of, lines) => log.warn('log-shortened', { of, lines }),
  });
  const log = make({ level: 'info', form: isTty ? 'text' : 'json', width, shows });
  return log;
}

export interface Bound {
  /** Steady milliseconds. */
  readonly now: () => number;
  readonly later: (work: () => void, ms: number) => void;
  /** Called at the end of an hour in which lines were left out: of which event, and how many. */
  readonly told: (event: string, lines: number) => void;
}

/** Lets in so many lines of an event an hour. */
export function atMost(most: number, { now, later, told }: Bound): LineFilter {
  const counts = new Map<string, { since: number; lines: number }>();
  return (_level, event) => {
    let count = counts.get(event);
    if (count === undefined || now() - count.since >= WINDOW_MS) {
      count = { since: now(), lines: 0 };
      counts.set(event, count);
    }
    const { since } = count;
    const lines = ++count.lines;
    if (lines === most + 1) {
      const full = count;
      later(() => told(event, full.lines - most), since + WINDOW_MS - now());
    }
    return lines <= most;
  };
}
