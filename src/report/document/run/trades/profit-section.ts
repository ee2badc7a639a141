/** Profit by what trades have in common, and what execution cost. */
import type { BreakdownRow, RunReport } from '../../../run-report.ts';
import type { Block, Cell, Section, Table, TableColumn } from '../../document.ts';
import { duration, money, percent, signedMoney, toneOf, whole } from '../../figures.ts';
import { numbers, words } from '../../text-table.ts';
import { exitMatrix } from './exit-matrix.ts';

/** Rows of a breakdown that has no end. */
const MOST_ROWS = 15;

export function profitSection({ breakdowns, stats }: RunReport): Section[] {
  if (stats.trades === 0) return [];
  const { symbol, strategy, reason, entry = [], path = [], side, hour, weekday } = breakdowns;
  const blocks = [
    breakdown('By symbol', symbol),
    breakdown('By strategy', strategy),
    breakdown('By side', side),
    breakdown('By reason of the entry', entry),
    breakdown('By reason of the exit', reason),
    breakdown('By weekday', weekday),
  ];
  const paths = breakdown('By entry and exit', path);
  const matrix = exitMatrix(path);
  return [
    {
      id: 'profit',
      link: 'Profit by',
      title: 'Where the profit came from',
      words: 'closed trades, after fees; one closed in parts counts under each reason; hours and weekdays in UTC, when a trade was opened',
      blocks: [
        { kind: 'beside', look: 'three', blocks },
        matrix === null ? paths : { kind: 'either', page: matrix, text: paths },
        { kind: 'either', page: hoursOf(hour), text: breakdown('By hour', hour, 24) },
      ],
    },
  ];
}

/** Hours in two tables beside each other. */
function hoursOf(rows: readonly BreakdownRow[]): Block {
  if (rows.length <= 12) return breakdown('By hour', rows, 12);
  const half = Math.ceil(rows.length / 2);
  const most = mostOf(rows);
  const blocks = [rows.slice(0, half), rows.slice(half)].map((some, k) =>
    breakdown(k === 0 ? 'By hour' : 'By hour, continued', some, 12, most),
  );
  return { kind: 'beside', look: 'two', blocks };
}

const mostOf = (rows: readonly BreakdownRow[]): number => Math.max(...rows.map(({ net }) => Math.abs(Number(net))), 1e-12);

function breakdown(title: string, rows: readonly BreakdownRow[], mostRows = MOST_ROWS, most = mostOf(rows.slice(0, mostRows))): Table {
  const shown = rows.slice(0, mostRows);
  return {
    kind: 'table',
    title,
    words: rows.length > shown.length ? `and ${whole(rows.length - shown.length)} more in the JSON` : '',
    columns: [words(''), numbers('trades'), numbers('wins'), { title: '', bar: 'both' }, numbers('net')],
    rows: shown.map(({ key, trades, wins, net }) => [
      key === '' ? '(none)' : key,
      whole(trades),
      percent(wins / trades, 0),
      String(Number(net) / most),
      { text: money(net), value: net, tone: toneOf(net) },
    ]),
  };
}

/** From the profit before costs to the profit after them, and what execution cost. */
export function costsSection({ pnl, execution, stats }: RunReport): Section {
  const { slippage, markouts, timeToFill } = execution;
  const known = markouts.filter(({ fills }) => fills > 0);
  const after = known.map(({ afterMs, fills, share }): Cell[] => [
    { text: `Mid ${duration(afterMs)} after a fill`, words: `${whole(fills)} fills; below 0 the market moved against us` },
    { text: share === null ? '–' : percent(share), tone: toneOf(share ?? 0) },
  ]);
  const unknown = costRow('Mid after a fill', null, 'unknown: bars do not show it, or no price came after a fill');
  const columns: TableColumn[] = [words(''), numbers('')];
  const table: Block = {
    kind: 'table',
    columns,
    rows: [
      costRow('Profit before costs', Number(pnl.realised) + Number(pnl.unrealised), 'realised and open, at the prices of the fills'),
      costRow('Fees', -Number(pnl.fees), 'paid to the venue'),
      costRow('Funding', pnl.funding, 'received, or paid if negative'),
      costRow('Net profit', pnl.net, 'what is left'),
      costRow(
        'Slippage, part of the first line',
        slippage.fills === 0 ? null : slippage.amount,
        `${whole(slippage.fills)} fills: the mid that the bot saw when it decided, against the price of the fill`,
      ),
      ...(known.length === 0 ? [unknown] : after),
      [
        { text: 'Time to the first fill', words: `mean of ${whole(timeToFill.orders)} orders` },
        timeToFill.meanMs === null ? '–' : duration(timeToFill.meanMs),
      ],
    ],
  };
  return {
    id: 'costs',
    link: 'Costs',
    title: 'Costs and fills',
    words: `${whole(stats.makerFills)} maker fills, ${whole(stats.takerFills)} taker fills`,
    blocks: [table],
    isHalf: true,
  };
}

function costRow(title: string, amount: string | number | null, small: string): Cell[] {
  return [
    { text: title, words: small },
    { text: amount === null ? '–' : signedMoney(amount), value: amount, tone: toneOf(amount ?? 0) },
  ];
}
