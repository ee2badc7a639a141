/** Net profit by the reason of the entry, down, and that of the exit, across. */
import { parseScaled } from '../../../../domain/amounts/scale.ts';
import { MONEY_DECIMALS } from '../../../../domain/amounts/units.ts';
import { formatMoney } from '../../../../domain/instrument.ts';
import type { PathRow } from '../../../run-report.ts';
import type { Cell, Table } from '../../document.ts';
import { money, whole } from '../../figures.ts';
import { words } from '../../text-table.ts';

/** With more reasons than this the paths are a list. */
const ENTRIES_MOST = 15;
const EXITS_MOST = 7;

interface Sums {
  trades: number;
  net: number;
}

/** Null where it would not be one: with a single reason on one of the sides, or too many. */
export function exitMatrix(paths: readonly PathRow[]): Table | null {
  const known = paths.filter((row): row is Required<PathRow> => row.entry !== undefined && row.exit !== undefined);
  const [entries, exits] = [namesOf(known.map(({ entry }) => entry)), namesOf(known.map(({ exit }) => exit))];
  if (known.length < paths.length || Math.min(entries.length, exits.length) < 2) return null;
  if (entries.length > ENTRIES_MOST || exits.length > EXITS_MOST) return null;
  const most = Math.max(...known.map(({ net }) => Math.abs(Number(net))), 1e-12);
  const cellOf = (rows: readonly PathRow[], isSum: boolean): Cell => {
    if (rows.length === 0) return { text: '', value: null, shade: 0 };
    const { net, trades } = sumOf(rows);
    const amount = formatMoney(net);
    return { text: money(amount), value: amount, shade: isSum ? 0 : Number(amount) / most, words: `${whole(trades)} ×` };
  };
  const lineOf = (name: string, rows: readonly PathRow[], isSum: boolean): Cell[] => [
    name,
    ...exits.map((exit) =>
      cellOf(
        rows.filter((row) => row.exit === exit),
        isSum,
      ),
    ),
    cellOf(rows, true),
  ];
  return {
    kind: 'table',
    title: 'By entry and exit',
    words: 'entered for the reason of the row, closed for that of the column; net, and how often',
    columns: [words(''), ...[...exits, SUM].map((title) => ({ title }))],
    rows: [
      ...entries.map((entry) =>
        lineOf(
          entry,
          known.filter((row) => row.entry === entry),
          false,
        ),
      ),
      lineOf(SUM, known, true),
    ],
  };
}

/** What the last row and column are called. */
const SUM = 'all';

/** Each once, in the order of the rows: those with the most trades first. */
const namesOf = (names: readonly string[]): string[] => [...new Set(names)];

function sumOf(rows: readonly PathRow[]): Sums {
  const sums: Sums = { trades: 0, net: 0 };
  for (const { trades, net } of rows) {
    sums.trades += trades;
    sums.net += parseScaled(net, MONEY_DECIMALS);
  }
  return sums;
}
