/** Lengths of time in milliseconds. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
/** 365 days. */
export const YEAR_MS = 365 * DAY_MS;

/** 0:00 UTC of the day of a time. */
export function dayAt(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
