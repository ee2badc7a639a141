/** Says on a terminal how old the figures of `status` are, and what is wrong with requests. */
import type { VenueTrouble } from '../../control/answers.ts';

/** Of a running bot a figure is so old now; of a stopped one it was so old when the bot was last seen. */
export type Age = 'ago' | 'before';

/** "; last answered 14 s ago". */
export function answered(at: number | undefined, time: number, age: Age): string {
  if (at === undefined) return '';
  return at === 0 ? '; it has not answered yet' : `; last answered ${ago(time - at, age)}`;
}

/** "signed requests: unauthorized, 15 in a row for 12 s: status 401: …". */
export function troubleText({ of, cause, says, since, failures }: VenueTrouble, time: number, age: Age): string {
  return `${of} requests: ${cause}, ${failures} in a row since ${ago(time - since, age)}: ${says}`;
}

/** "0.4 s ago", "14 s ago", "3 min before", "5 h ago". */
export function ago(ms: number, age: Age): string {
  const s = Math.max(0, ms) / 1000;
  if (s < 10) return `${s.toFixed(1)} s ${age}`;
  if (s < 120) return `${Math.round(s)} s ${age}`;
  return s < 7_200 ? `${Math.round(s / 60)} min ${age}` : `${Math.round(s / 3600)} h ${age}`;
}
