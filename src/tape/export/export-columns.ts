/** The columns of an exported file, in order. The import recognises each kind by these names. */
import { rateOf } from '../file/funding-rates.ts';
import type { TapeKind } from '../file/manifest.ts';
import type { TapeStream } from '../file/stream.ts';

/** Decimals of an exported funding rate. */
const RATE_DECIMALS = 12;

/** Forms of prices and sizes in Parquet and Arrow files: 64-bit floating point, or decimals of 18 digits. */
export type NumberForm = 'double' | 'decimal';

export interface WriteOptions {
  readonly numbers: NumberForm;
  /** Called with the number of rows, whenever some were written. */
  readonly wrote: (rows: number) => void;
}

export interface ExportColumn {
  readonly name: string;
  /** "time": milliseconds since 1970. "number": a whole number at `decimals`. "side": BUY or SELL of domain/codes.ts. */
  readonly what: 'symbol' | 'id' | 'number' | 'side' | 'time';
  /** Decimals of a number. */
  readonly decimals: (stream: TapeStream) => number;
  /** The value of a row of the current block; 0 for the symbol. */
  readonly value: (stream: TapeStream, row: number) => number;
}

const none = (): number => 0;
const priceDecimals = ({ scale }: TapeStream): number => scale.priceDecimals;
const sizeDecimals = ({ scale }: TapeStream): number => scale.sizeDecimals;
const rateDecimals = (): number => RATE_DECIMALS;

type Value = ExportColumn['value'];
const price = (name: string, value: Value): ExportColumn => ({ name, what: 'number', decimals: priceDecimals, value });
const size = (name: string, value: Value): ExportColumn => ({ name, what: 'number', decimals: sizeDecimals, value });
const SYMBOL: ExportColumn = { name: 'symbol', what: 'symbol', decimals: none, value: none };
const TIME: ExportColumn = { name: 'ts', what: 'time', decimals: none, value: (s, row) => s.time[row]! };

export const EXPORT_COLUMNS: Readonly<Record<TapeKind, readonly ExportColumn[]>> = {
  trades: [
    SYMBOL,
    { name: 'tradeId', what: 'id', decimals: none, value: (s, row) => s.id[row]! },
    price('price', (s, row) => s.price[row]!),
    size('size', (s, row) => s.size[row]!),
    { name: 'side', what: 'side', decimals: none, value: (s, row) => s.side[row]! },
    TIME,
  ],
  quotes: [
    SYMBOL,
    price('bidPrice', (s, row) => s.bid[row]!),
    size('bidQty', (s, row) => s.bidSize[row]!),
    price('askPrice', (s, row) => s.ask[row]!),
    size('askQty', (s, row) => s.askSize[row]!),
    TIME,
  ],
  bars: [
    SYMBOL,
    TIME,
    price('open', (s, row) => s.open[row]!),
    price('high', (s, row) => s.high[row]!),
    price('low', (s, row) => s.low[row]!),
    price('close', (s, row) => s.last[row]!),
    size('volume', (s, row) => s.volume[row]!),
  ],
  marks: [SYMBOL, TIME, price('markPrice', (s, row) => s.mark[row]!)],
  funding: [SYMBOL, TIME, { name: 'fundingRate', what: 'number', decimals: rateDecimals, value: (s, row) => rateOf(s.rate[row]!) }],
};
