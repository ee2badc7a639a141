/** A tape as columns, for programs. */
import { DIRECTIONS } from '../../domain/codes.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import { EXPORT_COLUMNS } from '../../tape/export/export-columns.ts';
import type { TapeKind } from '../../tape/file/manifest.ts';
import type { TapeStream } from '../../tape/file/stream.ts';
import { readManifest } from '../../tape/read.ts';
import { streamsOf } from '../../tape/streams-of.ts';

/** The columns of each kind of rows, in order of time. `ts`: milliseconds since 1970. Prices and sizes are the doubles nearest to them. */
export interface TapeColumns {
  /** `side`: BUY or SELL, of who crossed the spread. */
  readonly trades: Readonly<Record<'ts' | 'tradeId' | 'price' | 'size', Float64Array>> & { readonly side: readonly string[] };
  /** Best prices and their sizes. */
  readonly quotes: Readonly<Record<'ts' | 'bidPrice' | 'bidQty' | 'askPrice' | 'askQty', Float64Array>>;
  /** `ts` is the time at which the bar opens. */
  readonly bars: Readonly<Record<'ts' | 'open' | 'high' | 'low' | 'close' | 'volume', Float64Array>>;
  /** Mark prices. */
  readonly marks: Readonly<Record<'ts' | 'markPrice', Float64Array>>;
  /** The rate as a share. */
  readonly funding: Readonly<Record<'ts' | 'fundingRate', Float64Array>>;
}

/** A part of the time. */
export interface TapeSpan {
  /** First moment, milliseconds since 1970. */
  readonly from?: number | undefined;
  /** Moment to stop before. */
  readonly to?: number | undefined;
}

/** A tape that was opened. Rows are read from the disk at each call. */
export interface OpenedTape {
  /** Its folder. */
  readonly folder: string;
  /** Its symbols. */
  readonly symbols: readonly string[];
  /** Time of the first row, milliseconds since 1970. */
  readonly from: number;
  /** Time of the last row. */
  readonly to: number;
  /** Number of rows of all symbols and kinds. */
  readonly rows: number;
  /** What there is: symbol, kind and number of rows. */
  readonly streams: readonly { readonly symbol: string; readonly kind: TapeKind; readonly rows: number }[];
  /** The rows of a symbol and kind as columns; null if the tape has none. Throws Failure (tape-…) for a damaged file. */
  readonly read: <Kind extends TapeKind>(symbol: string, kind: Kind, span?: TapeSpan) => TapeColumns[Kind] | null;
}

/** @throws TapeError */
export function openColumns(folder: string): OpenedTape {
  const manifest = readManifest(folder);
  const { from, to, rows, streams } = manifest;
  return {
    folder,
    symbols: manifest.symbols.map(({ symbol }) => symbol),
    from,
    to,
    rows,
    streams: streams.map(({ symbol, kind, rows: count }) => ({ symbol, kind, rows: count })),
    read: <Kind extends TapeKind>(symbol: string, kind: Kind, span?: TapeSpan) => {
      const [stream] = streamsOf(folder, manifest, (info) => info.symbol === symbol && info.kind === kind, true);
      if (stream === undefined) return null;
      try {
        return columnsIn(stream, span) as unknown as TapeColumns[Kind];
      } finally {
        stream.close();
      }
    },
  };
}

function columnsIn(stream: TapeStream, { from = -Infinity, to = Infinity }: TapeSpan = {}): Record<string, Float64Array | string[]> {
  const columns = EXPORT_COLUMNS[stream.kind].filter(({ what }) => what !== 'symbol');
  const units = columns.map(({ what, decimals }) => (what === 'number' ? pow10(decimals(stream)) : 1));
  const data = columns.map(({ what }): Float64Array | string[] => (what === 'side' ? [] : new Float64Array(stream.rows)));
  let rows = 0;
  while (stream.next()) {
    for (let row = 0; row < stream.length; row++) {
      const time = stream.time[row]!;
      if (time < from || time >= to) continue;
      for (let k = 0; k < columns.length; k++) {
        const value = columns[k]!.value(stream, row);
        const column = data[k]!;
        if (column instanceof Float64Array) column[rows] = value / units[k]!;
        else column.push(DIRECTIONS[value]!);
      }
      rows++;
    }
  }
  return Object.fromEntries(columns.map(({ name }, k) => [name, trimmed(data[k]!, rows)]));
}

/** Of a part of the rows the memory of that part. */
function trimmed(column: Float64Array | string[], rows: number): Float64Array | string[] {
  return column instanceof Float64Array && rows < column.length ? column.slice(0, rows) : column;
}
