/** Formats figures for people in reports, tables and the live line: "1,234,567.5" and "1h 02m 03s". */

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** Formats "1234567.5" as "1,234,567.5". */
export function grouped(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const text = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? text : `${text}.${fraction}`;
}

/** "1 order", "2,000 orders". */
export function counted(count: number, noun: string): string {
  return `${grouped(String(count))} ${noun}${count === 1 ? '' : 's'}`;
}

/** The first `most` texts: "a, b, c and 4 more". */
export function firstOf(texts: readonly string[], most: number, between = ', '): string {
  const more = texts.length - most;
  return `${texts.slice(0, most).join(between)}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Formats milliseconds as "1h 02m 03s", "5m 45s", "4.5s". */
export function span(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)}s`;
  const seconds = Math.floor(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const days = Math.floor(hours / 24);
  if (days > 0) return `${days}d ${two(hours % 24)}h ${two(Math.floor(seconds / 60) % 60)}m`;
  return `${hours > 0 ? `${hours}h ${two(Math.floor(seconds / 60) % 60)}m` : `${Math.floor(seconds / 60)}m`} ${two(seconds % 60)}s`;
}

/** Decimals of a share as a percentage: two, or as many as show two digits. */
export function shareDecimals(share: number): number {
  const percents = Math.abs(share) * 100;
  return percents < 1e-8 || percents >= 0.1 ? 2 : 1 - Math.floor(Math.log10(percents));
}
