/** Durations as text. */

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export const DURATION_PATTERN = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/;

/** Converts "250ms", "1s", "5m", "1h", "1d" or a plain number of milliseconds to milliseconds. NaN if invalid. */
export function durationOf(text: string): number {
  const match = DURATION_PATTERN.exec(text.trim());
  return match === null ? Number.NaN : Number(match[1]) * (UNITS[match[2] ?? 'ms'] ?? 1);
}

/** Formats milliseconds as "1s", "250ms", "90s". */
export function formatDuration(ms: number): string {
  const [unit, size] = Object.entries(UNITS).findLast(([, length]) => ms >= length && ms % length === 0) ?? ['ms', 1];
  return `${ms / size}${unit}`;
}
