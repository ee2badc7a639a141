/** Returns by month for long runs, by day for short ones: a table whose cells are coloured by their size. */
import { MONTHS } from '../../../base/text/figures.ts';
import { compoundedBy, monthOf, weekdayOf } from '../../calendar.ts';
import type { DaySeries } from '../../run-report.ts';
import { signedPercent } from '../figures.ts';
import type { Figure, Table } from '../document.ts';

/** Runs over fewer months are shown by day. */
const FEW_MONTHS = 3;

/** Returns of months by year: twelve of them, null where there was no day. */
export function monthsOf(days: DaySeries): ReadonlyMap<number, readonly (number | null)[]> {
  const years = new Map<number, (number | null)[]>();
  const { key, strategy } = compoundedBy(monthOf, days);
  for (const [k, name] of key.entries()) {
    const [year = 0, month = 1] = name.split('-').map(Number);
    let row = years.get(year);
    if (row === undefined) years.set(year, (row = MONTHS.map(() => null)));
    row[month - 1] = strategy[k]!;
  }
  return years;
}

/** Null for runs of less than two days. */
export function heatMapOf(days: DaySeries): Table | null {
  const years = monthsOf(days);
  const count = [...years.values()].flat().filter((one) => one !== null).length;
  if (count >= FEW_MONTHS) return monthTable(years);
  return days.time.length < 2 ? null : dayTable(days);
}

function monthTable(years: ReadonlyMap<number, readonly (number | null)[]>): Table {
  const most = mostOf([...years.values()].flat());
  return {
    kind: 'table',
    title: 'Return by month',
    words: 'in percent',
    columns: ['', ...MONTHS, 'year'].map((title) => ({ title })),
    rows: [...years].map(([year, months]) => {
      const total = months.reduce<number>((all, one) => all * (1 + (one ?? 0)), 1) - 1;
      return [String(year), ...months.map((one) => cellOf(one, most, inPercent)), inPercent(total, 1)];
    }),
  };
}

/** One row a week, Monday first. */
function dayTable({ time, strategy }: DaySeries): Table {
  const most = mostOf(strategy);
  const weeks = new Map<number, (number | null)[]>();
  for (const [k, at] of time.entries()) {
    const weekday = weekdayOf(at);
    const monday = at - weekday * 86_400_000;
    let week = weeks.get(monday);
    if (week === undefined) weeks.set(monday, (week = Array.from({ length: 7 }, () => null)));
    week[weekday] = strategy[k]!;
  }
  return {
    kind: 'table',
    title: 'Return by day',
    words: 'days of UTC; a row is a week',
    columns: ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((title) => ({ title })),
    rows: [...weeks].map(([monday, week]) => {
      const date = new Date(monday);
      return [`${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]!}`, ...week.map((one) => cellOf(one, most, signedPercent))];
    }),
  };
}

function mostOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, one) => Math.max(most, Math.abs(one ?? 0)), 0);
}

/** Without the sign of percent: thirteen columns stand beside each other. */
function inPercent(share: number, digits: number): string {
  return signedPercent(share, Math.min(digits, 2)).slice(0, -2);
}

/** Empty without a value. */
function cellOf(value: number | null, most: number, text: (share: number, digits: number) => string): Figure {
  if (value === null) return { text: '', value, shade: 0 };
  const digits = Math.abs(value) < 0.000_95 ? 3 : Math.abs(value) < 0.0995 ? 2 : 1;
  return { text: text(value, digits), value, shade: most === 0 ? 0 : value / most };
}
