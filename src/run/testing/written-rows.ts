/** A few rows of a market, written in a test, as a tape. */
import { BUY, SELL } from '../../domain/codes.ts';
import { decimalsOf, parseScaled } from '../../domain/amounts/scale.ts';
import { durationOf } from '../../base/time/duration.ts';
import { TapeWriter } from '../../tape/write.ts';

interface RowPlace {
  /** Time after the beginning of the test: milliseconds, or a text such as "1.5s". Rows are in order of time. */
  readonly at: number | string;
  /** Default: the first symbol of the test. */
  readonly symbol?: string | undefined;
}

/** Best bid and ask. Sizes are 10 by default. */
export interface QuoteRow extends RowPlace {
  /** Best bid. */
  readonly bid: number | string;
  /** Best ask. */
  readonly ask: number | string;
  /** Size at the best bid in base coin. Default 10. */
  readonly bidSize?: number | string | undefined;
  /** Size at the best ask in base coin. Default 10. */
  readonly askSize?: number | string | undefined;
}

/** A trade of others. Size 1 and side BUY by default. */
export interface TradeRow extends RowPlace {
  /** The price. */
  readonly trade: number | string;
  /** In base coin. Default 1. */
  readonly size?: number | string | undefined;
  /** Side of the order that took. Default BUY. */
  readonly side?: 'BUY' | 'SELL' | undefined;
}

/** A bar that opens at `at`. The market between its prices is a path, as in a backtest on bars. Volume 100 by default. */
export interface BarRow extends RowPlace {
  /** First price. */
  readonly open: number | string;
  /** Highest price. */
  readonly high: number | string;
  /** Lowest price. */
  readonly low: number | string;
  /** Last price. */
  readonly close: number | string;
  /** In base coin. Default 100. */
  readonly volume?: number | string | undefined;
}

/** One row of a hand-written market: a quote, a trade or a bar. All rows with prices of one test are of one symbol unless they name theirs. */
export type MarketRow = QuoteRow | TradeRow | BarRow;

export interface RowsSpec {
  readonly rows: readonly MarketRow[];
  readonly symbol: string;
  /** Milliseconds since 1970 of time 0. */
  readonly start: number;
  /** Length of the bars, if the rows are bars. */
  readonly barMs: number;
}

interface ReadRow {
  readonly row: MarketRow;
  readonly at: number;
  readonly symbol: string;
}

/** Writes the rows as a tape. @throws RangeError that names the row */
export function writeRows(folder: string, spec: RowsSpec): void {
  if (spec.rows.length === 0) throw new RangeError('rows: at least one row was expected, found none');
  const rows = spec.rows.map((row, k): ReadRow => ({ row, at: timeOf(row, k), symbol: row.symbol ?? spec.symbol }));
  rows.forEach(({ at }, k) => {
    const before = rows[k - 1];
    if (before !== undefined && at < before.at)
      throw new RangeError(`rows[${k}]: a time of at least ${before.at} ms was expected, found ${at} ms; rows are in order of time`);
  });
  const writer = new TapeWriter(folder, { source: 'rows of a test' });
  try {
    for (const symbol of new Set(rows.map((one) => one.symbol))) {
      writeSymbol(
        writer,
        rows.filter((one) => one.symbol === symbol),
        spec,
      );
    }
    writer.finish();
  } catch (error) {
    writer.abort();
    throw error;
  }
}

function writeSymbol(writer: TapeWriter, rows: readonly ReadRow[], { start, barMs }: RowsSpec): void {
  const { symbol } = rows[0]!;
  const scale = scaleOf(rows);
  const price = (value: number | string): number => scaled(value, scale.priceDecimals, symbol);
  const size = (value: number | string): number => scaled(value, scale.sizeDecimals, symbol);
  const has = (kind: 'bid' | 'trade' | 'open'): boolean => rows.some(({ row }) => kind in row);
  if (has('open') && (has('bid') || has('trade')))
    throw new RangeError(`${symbol}: bars alone, or quotes and trades, were expected, found both`);
  const trades = has('trade') ? writer.stream(symbol, 'trades', scale) : null;
  const quotes = has('bid') ? writer.stream(symbol, 'quotes', scale) : null;
  const bars = has('open') ? writer.stream(symbol, 'bars', scale, barMs) : null;
  let id = 0;
  for (const { row, at } of rows) {
    const time = start + at;
    if ('bid' in row) quotes!.quote(time, price(row.bid), size(row.bidSize ?? 10), price(row.ask), size(row.askSize ?? 10));
    else if ('trade' in row) trades!.trade(time, ++id, price(row.trade), size(row.size ?? 1), row.side === 'SELL' ? SELL : BUY);
    else bars!.bar(time, price(row.open), price(row.high), price(row.low), price(row.close), size(row.volume ?? 100));
  }
}

function timeOf({ at }: MarketRow, k: number): number {
  const ms = typeof at === 'number' ? at : durationOf(at);
  if (Number.isSafeInteger(ms) && ms >= 0) return ms;
  throw new RangeError(`rows[${k}].at: milliseconds or a duration such as "1.5s" was expected, found ${JSON.stringify(at)}`);
}

function scaled(value: number | string, decimals: number, symbol: string): number {
  const text = textOf(value);
  if (!/^\d+(\.\d+)?$/.test(text)) throw new RangeError(`${symbol}: a price or size was expected, found ${JSON.stringify(value)}`);
  return parseScaled(text, decimals);
}

/** A number keeps eight decimals, so that 0.1 + 0.2 is 0.3. */
function textOf(value: unknown): string {
  return typeof value === 'number' && Number.isFinite(value) ? value.toFixed(8) : String(value);
}

function scaleOf(rows: readonly ReadRow[]): { readonly priceDecimals: number; readonly sizeDecimals: number } {
  const most = (keys: readonly string[]): number =>
    Math.max(0, ...rows.flatMap(({ row }) => keys.map((key) => decimalsOf(textOf((row as unknown as Record<string, unknown>)[key] ?? 0)))));
  return {
    priceDecimals: most(['bid', 'ask', 'trade', 'open', 'high', 'low', 'close']),
    sizeDecimals: most(['bidSize', 'askSize', 'size', 'volume']),
  };
}
