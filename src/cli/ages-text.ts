/** How old the figures of `status` are, and what is wrong with requests, for a terminal. */
import type { TroubleAnswer } from '../control/answers.ts';

/** "; last answered 14 s ago". */
export function answered(at: number | undefined, time: number): string {
  if (at === undefined) return '';
  return at === 0 ? '; it has not answered yet' : `; last answered ${ago(time - at)}`;
}

/** "signed requests: unauthorized, 15 in a row for 12 s: status 401: …". */
export function troubleText({ of, cause, says, since, failures }: TroubleAnswer, time: number): string {
  return `${of} requests: ${cause}, ${failures} in a row since ${ago(time - since)}: ${says}`;
}

/** "0.4 s ago", "14 s ago", "3 min ago", "5 h ago". */
export function ago(ms: number): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 10) return `${s.toFixed(1)} s ago`;
  if (s < 120) return `${Math.round(s)} s ago`;
  return s < 7_200 ? `${Math.round(s / 60)} min ago` : `${Math.round(s / 3600)} h ago`;
}
