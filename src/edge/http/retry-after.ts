/** Length of the pause after "too many requests". */

const LEAST_MS = 250;
const MOST_MS = 60_000;
const FIRST_GUESS_MS = 1_000;

/**
 * Cancels and closes wait less than the venue asks, because an order that cannot be cancelled costs more than another refusal. The pause
 * doubles with each refusal in a row.
 */
const FIRST_FOR_EXITS_MS = 150;
const MOST_FOR_EXITS_MS = 2_000;

/** Pauses for reads that decide about an exit: the first one, and the longest. */
const FIRST_FOR_EXIT_READS_MS = 500;
const MOST_FOR_EXIT_READS_MS = 8_000;

/**
 * Pause in milliseconds for a read that decides about an exit. Half a second, doubled with each refusal in a row up to eight seconds, but
 * never longer than `pauseMs`.
 */
export function exitReadPauseMs(pauseMs: number, streak: number): number {
  return Math.min(pauseMs, FIRST_FOR_EXIT_READS_MS * 2 ** Math.min(streak, 10), MOST_FOR_EXIT_READS_MS);
}

/**
 * Pause in milliseconds at `now`. `header` is Retry-After in seconds or as an HTTP date. If it is missing or invalid, the pause is 1 s and
 * doubles with each refusal in a row; `streak` is the number of earlier ones. The result is between 0.25 s and 60 s. For cancels and closes
 * (`isExit`) it is 150 ms and doubles up to 2 s, or less if the header asks for less.
 */
export function retryAfterMs(header: string | null, now: number, streak: number, isExit = false): number {
  const asked = header === null ? null : readHeader(header.trim(), now);
  const doubled = 2 ** Math.min(streak, 10);
  if (isExit) return Math.max(FIRST_FOR_EXITS_MS, Math.min(asked ?? Infinity, FIRST_FOR_EXITS_MS * doubled, MOST_FOR_EXITS_MS));
  return Math.min(Math.max(asked ?? FIRST_GUESS_MS * doubled, LEAST_MS), MOST_MS);
}

function readHeader(text: string, now: number): number | null {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - now;
}
