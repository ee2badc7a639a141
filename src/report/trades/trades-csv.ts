/** Closed trades as CSV, a row each, for a spreadsheet or a data frame. */
import { csvField } from '../../base/text/csv.ts';
import type { RoundTrip } from './trade.ts';

type Value = string | number | null;

/** Rows of a piece. */
const PER_PIECE = 10_000;

/** Name of each column, and its value. Times are ISO 8601 in UTC; amounts in quote coin; excursions are shares of the entry price. */
const COLUMNS: readonly (readonly [name: string, value: (trade: RoundTrip) => Value])[] = [
  ['symbol', ({ symbol }) => symbol],
  ['side', ({ positionSide }) => positionSide],
  ['opened', ({ openedAt }) => new Date(openedAt).toISOString()],
  ['closed', ({ closedAt }) => new Date(closedAt).toISOString()],
  ['size', ({ size }) => size],
  ['entryPrice', ({ entryPrice }) => entryPrice],
  ['exitPrice', ({ exitPrice }) => exitPrice],
  ['pnl', ({ pnl }) => pnl],
  ['fees', ({ fees }) => fees],
  ['net', ({ net }) => net],
  ['strategy', ({ strategy }) => strategy],
  ['entryReason', ({ entryReason }) => entryReason],
  ['exitReason', ({ reason }) => reason],
  ['mae', ({ mae }) => mae],
  ['mfe', ({ mfe }) => mfe],
  ['stopLoss', ({ stopLoss }) => stopLoss],
  ['takeProfit', ({ takeProfit }) => takeProfit],
];

/** The lines in pieces, because millions of trades exceed the largest string; without the last newline. */
export function* tradesCsv(trades: readonly RoundTrip[]): Generator<string> {
  yield COLUMNS.map(([name]) => name).join(',');
  for (let from = 0; from < trades.length; from += PER_PIECE) {
    const some = trades.slice(from, from + PER_PIECE);
    yield some.map((trade) => `\n${COLUMNS.map(([, value]) => cellOf(value(trade))).join(',')}`).join('');
  }
}

function cellOf(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  return csvField(value);
}
