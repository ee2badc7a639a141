/** Two runs side by side: what they made, and what they did differently. */
import type { RunReport } from '../../run-report.ts';
import { moment, money, percent, signedMoney, toneOf, whole } from '../figures.ts';
import type { Cell, Section } from '../document.ts';
import { runTitle } from '../../shown-strategies.ts';
import { numbers } from '../text-table.ts';

interface Compared {
  readonly title: string;
  readonly of: (report: RunReport) => number;
  readonly text: (value: number) => string;
  /** True if more is better, false if less is; null if neither. */
  readonly isMoreBetter: boolean | null;
}

const ROWS: readonly Compared[] = [
  { title: 'net profit', of: ({ pnl }) => Number(pnl.net), text: signedMoney, isMoreBetter: true },
  { title: 'fees', of: ({ pnl }) => Number(pnl.fees), text: money, isMoreBetter: false },
  { title: 'funding', of: ({ pnl }) => Number(pnl.funding), text: signedMoney, isMoreBetter: true },
  { title: 'largest drawdown', of: ({ equity }) => equity.maxDrawdownShare, text: percent, isMoreBetter: false },
  { title: 'exposure, share of time', of: ({ exposure }) => exposure.timeShare, text: percent, isMoreBetter: null },
  { title: 'turnover', of: ({ exposure }) => Number(exposure.turnover), text: money, isMoreBetter: null },
  { title: 'trades', of: ({ stats }) => stats.trades, text: whole, isMoreBetter: null },
  {
    title: 'trades with a profit',
    of: ({ stats }) => (stats.trades === 0 ? 0 : stats.wins / stats.trades),
    text: percent,
    isMoreBetter: true,
  },
  { title: 'orders placed', of: ({ orders }) => orders.placed, text: whole, isMoreBetter: null },
];

export function comparisonSection(report: RunReport, other: RunReport): Section {
  const rows = ROWS.map(({ title, of, text, isMoreBetter }): Cell[] => {
    const [here, there] = [of(report), of(other)];
    const gap = here - there;
    const tone = isMoreBetter === null ? '' : toneOf(isMoreBetter ? gap : -gap);
    const shown = gap === 0 ? 'equal' : `${gap > 0 ? '+' : ''}${text(gap)}`.replace('++', '+');
    return [title, text(here), text(there), { text: shown, tone }];
  });
  return {
    id: 'comparison',
    link: 'Comparison',
    title: 'Compared with another run',
    words: sameness(report, other),
    blocks: [{ kind: 'table', columns: [{ title: '' }, ...['this run', 'other run', 'difference'].map(numbers)], rows }],
  };
}

/** Whether the two runs can be compared at all. */
function sameness(report: RunReport, other: RunReport): string {
  const [here, there] = [report.tape, other.tape];
  const title = runTitle(other);
  if (report.hash === other.hash) return `${title}: the same result hash, so the runs are equal fill by fill`;
  if (here.from === there.from && here.to === there.to && here.rows === there.rows) return `${title}, over the same rows`;
  return `${title}, over another market: ${moment(there.from)} to ${moment(there.to)}, ${whole(there.rows)} rows. A difference may be the market's.`;
}
