/** Calendar days in UTC, counted from 1970-01-01, and ranges of them. */
import { DAY_MS } from '../../base/time/time-spans.ts';

/** First and last day, both included. */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** "2024-01-05". */
export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** "2024-01" of a day. */
export function monthText(day: number): string {
  return dayText(day).slice(0, 7);
}

/** First and last day of the month of `day`. */
export function monthOf(day: number): DayRange {
  const [year = 0, month = 0] = monthText(day).split('-').map(Number);
  return { from: Date.UTC(year, month - 1, 1) / DAY_MS, to: Date.UTC(year, month, 1) / DAY_MS - 1 };
}

/** The days of "2024", "2024-01" or "2024-01-05"; null for any other text, and for days that there are not. */
export function periodOf(text: string): DayRange | null {
  const found = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text);
  if (found === null) return null;
  const [, year, month, date] = found;
  const first = `${year}-${month ?? '01'}-${date ?? '01'}`;
  const from = Date.parse(`${first}T00:00Z`) / DAY_MS;
  if (Number.isNaN(from) || dayText(from) !== first) return null;
  if (date !== undefined) return { from, to: from };
  return month === undefined ? { from, to: Date.UTC(Number(year) + 1, 0, 1) / DAY_MS - 1 } : monthOf(from);
}

/** "2024-01-05" or "2024-01-05..2024-01-09". */
export function rangeText({ from, to }: DayRange): string {
  return from === to ? dayText(from) : `${dayText(from)}..${dayText(to)}`;
}

/** Sorted and put together where they touch. */
export function unionOf(ranges: readonly DayRange[]): DayRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** The days of `range` that are in none of `taken`, which are a union. */
export function without(range: DayRange, taken: readonly DayRange[]): DayRange[] {
  const result: DayRange[] = [];
  let next = range.from;
  for (const { from, to } of taken) {
    if (to < next) continue;
    if (from > range.to) break;
    if (from > next) result.push({ from: next, to: from - 1 });
    next = to + 1;
  }
  if (next <= range.to) result.push({ from: next, to: range.to });
  return result;
}

/** How many days. */
export function lengthOf(ranges: readonly DayRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}
