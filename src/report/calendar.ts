/** Returns of days compounded to weeks, months and years (UTC). */
import { DAY_MS } from '../base/time/time-spans.ts';
import { compounded } from '../statistics/returns.ts';
import type { DaySeries } from './run-report.ts';

/** Columns of equal length, in order of time. */
export interface CalendarSeries {
  readonly key: readonly string[];
  readonly strategy: readonly number[];
  readonly benchmark: readonly number[];
}

/** The key of the span that a day is in: days of one span follow each other. */
export type SpanOf = (day: number) => string;

const dateOf: SpanOf = (day) => new Date(day).toISOString().slice(0, 10);
/** The date of its Monday. */
export const weekOf: SpanOf = (day) => dateOf(day - weekdayOf(day) * DAY_MS);
export const monthOf: SpanOf = (day) => dateOf(day).slice(0, 7);
export const yearOf: SpanOf = (day) => dateOf(day).slice(0, 4);

/** 0 for a Monday. */
export function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7;
}

/** The first and the last span may be parts of one. */
export function compoundedBy(spanOf: SpanOf, { time, strategy, benchmark }: DaySeries): CalendarSeries {
  const key = time.map(spanOf);
  const starts = key.flatMap((one, k) => (one === key[k - 1] ? [] : [k]));
  const of = (column: readonly number[]): number[] => starts.map((from, k) => compounded(column.slice(from, starts[k + 1])));
  return { key: starts.map((k) => key[k]!), strategy: of(strategy), benchmark: of(benchmark) };
}
