/** Returns by month for long runs, by day for short ones: a table whose cells are coloured by their size. */
import type { DaySeries } from '../../run-report.ts';
import { signedPercent } from '../../document/figures.ts';
import { heatCell } from '../heat-cell.ts';
import { html, type Markup } from '../markup.ts';
import { tableOf } from '../table.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Runs over fewer months are shown by day. */
const FEW_MONTHS = 3;

/** Compounds the returns of the days of each month: by year, twelve returns, null where there was no day. */
export function monthsOf({ time, strategy }: DaySeries): ReadonlyMap<number, readonly (number | null)[]> {
  const years = new Map<number, (number | null)[]>();
  for (const [k, at] of time.entries()) {
    const date = new Date(at);
    const year = date.getUTCFullYear();
    let row = years.get(year);
    if (row === undefined) years.set(year, (row = MONTHS.map(() => null)));
    const month = date.getUTCMonth();
    row[month] = (1 + (row[month] ?? 0)) * (1 + strategy[k]!) - 1;
  }
  return years;
}

export function heatMapOf(days: DaySeries): Markup {
  const years = monthsOf(days);
  const count = [...years.values()].flat().filter((one) => one !== null).length;
  if (count >= FEW_MONTHS) return monthTable(years);
  return days.time.length < 2 ? html`` : dayTable(days);
}

function monthTable(years: ReadonlyMap<number, readonly (number | null)[]>): Markup {
  const most = mostOf([...years.values()].flat());
  const lines = [...years].map(([year, months]) => {
    const total = months.reduce<number>((all, one) => all * (1 + (one ?? 0)), 1) - 1;
    return html`<tr>
      <th>${year}</th>
      ${months.map((one) => cellOf(one, most, inPercent))}
      <td class="total">${inPercent(total, 1)}</td>
    </tr> `;
  });
  return html`<figure>
    <figcaption>Return by month <span>in percent</span></figcaption>
    <div class="scroll">${tableOf(['', ...MONTHS, 'year'], lines, 'heat')}</div>
  </figure>`;
}

/** One row a week, Monday first. */
function dayTable({ time, strategy }: DaySeries): Markup {
  const most = mostOf(strategy);
  const weeks = new Map<number, (number | null)[]>();
  for (const [k, at] of time.entries()) {
    const weekday = (new Date(at).getUTCDay() + 6) % 7;
    const monday = at - weekday * 86_400_000;
    let week = weeks.get(monday);
    if (week === undefined) weeks.set(monday, (week = Array.from({ length: 7 }, () => null)));
    week[weekday] = strategy[k]!;
  }
  const lines = [...weeks].map(([monday, week]) => {
    const date = new Date(monday);
    return html`<tr>
      <th>${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]!}</th>
      ${week.map((one) => cellOf(one, most, signedPercent))}
    </tr> `;
  });
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  return html`<figure>
    <figcaption>Return by day <span>a row is a week</span></figcaption>
    <div class="scroll">${tableOf(['', ...names], lines, 'heat')}</div>
  </figure>`;
}

function mostOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((most, one) => Math.max(most, Math.abs(one ?? 0)), 0);
}

/** Without the sign of percent: thirteen columns stand beside each other. */
function inPercent(share: number, digits: number): string {
  return signedPercent(share, Math.min(digits, 2)).slice(0, -2);
}

function cellOf(value: number | null, most: number, text: (share: number, digits: number) => string): Markup {
  if (value === null) return html`<td class="none"></td>`;
  const digits = Math.abs(value) < 0.000_95 ? 3 : Math.abs(value) < 0.0995 ? 2 : 1;
  return heatCell(value, most === 0 ? 0 : value / most, text(value, digits));
}
