/** Formats milliseconds since 1970 as "2026-11-27 10:00:00 UTC". */
export function utc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
