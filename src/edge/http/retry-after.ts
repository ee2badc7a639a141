/** How long to pause after "too many requests". */

const LEAST_MS = 250;
const MOST_MS = 60_000;
const FIRST_GUESS_MS = 1_000;

/** A cancel or a close waits no longer than this, whatever was asked: an order that nobody can cancel costs more than a refusal. */
const MOST_FOR_EXITS_MS = 2_000;

/**
 * Milliseconds to pause at `now`. `header` is Retry-After in seconds or as an HTTP date; without one, or with one that is
 * nonsense, the pause is 1 s and doubles with each refusal in a row (`streak` came before). Always between 0.25 s and 60 s, for
 * cancels and closes (`isExit`) 2 s.
 */
export function retryAfterMs(header: string | null, now: number, streak: number, isExit = false): number {
  const asked = header === null ? null : readHeader(header.trim(), now);
  const ms = asked ?? FIRST_GUESS_MS * 2 ** Math.min(streak, 10);
  return Math.min(Math.max(ms, LEAST_MS), isExit ? MOST_FOR_EXITS_MS : MOST_MS);
}

function readHeader(text: string, now: number): number | null {
  if (/^\d{1,9}(\.\d{1,3})?$/.test(text)) return Number(text) * 1_000;
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at - now;
}
