/** Closed trades as rows of numbers, and the columns of them that metrics are computed from. */
import { SHORT } from '../domain/codes.ts';
import type { TradeColumns } from './metrics/facts.ts';
import { ROWS_KEPT, type RowPages } from './row-pages.ts';

/** Side code of a spot holding, besides LONG and SHORT. */
export const SPOT = 2;
export const SIDE_CODES = 3;

/** Places of the numbers of a trade in its row. Excursions are NaN if unknown. */
export const KEY = 0;
export const OPENED_AT = 1;
export const CLOSED_AT = 2;
export const LARGEST = 3;
export const ENTRY_LOTS = 4;
export const ENTRY_TICKS = 5;
export const EXIT_LOTS = 6;
export const EXIT_TICKS = 7;
export const PNL = 8;
export const FEES = 9;
export const LABEL = 10;
export const LAST_LABEL = 11;
export const ORDER = 12;
export const MAE = 13;
export const MFE = 14;
export const STRIDE = 15;

const READ: { readonly [Name in keyof TradeColumns]: (page: Float64Array, at: number) => number } = {
  net: (page, at) => page[at + PNL]! - page[at + FEES]!,
  side: (page, at) => (page[at + KEY]! % SIDE_CODES === SHORT ? -1 : 1),
  heldMs: (page, at) => page[at + CLOSED_AT]! - page[at + OPENED_AT]!,
  mae: (page, at) => page[at + MAE]!,
  mfe: (page, at) => page[at + MFE]!,
};

function columnOf(rows: RowPages, name: keyof TradeColumns): Float64Array {
  const column = new Float64Array(rows.length);
  const read = READ[name];
  let row = 0;
  rows.each((page, end) => {
    for (let at = 0; at < end; at += STRIDE) column[row++] = read(page, at);
  });
  return column;
}

/** The trades in columns. Of a long run only `net` is kept, and the others are read when they are asked for. */
export function tradeColumns(rows: RowPages): TradeColumns {
  if (rows.length > ROWS_KEPT) return new LongColumns(rows);
  const [net, side, heldMs, mae, mfe] = (['net', 'side', 'heldMs', 'mae', 'mfe'] as const).map((name) => columnOf(rows, name));
  return { net: net!, side: side!, heldMs: heldMs!, mae: mae!, mfe: mfe! };
}

class LongColumns implements TradeColumns {
  readonly net: Float64Array;
  readonly #rows: RowPages;
  /** The column that was asked for last. */
  #last: keyof TradeColumns = 'net';
  #column: Float64Array;

  constructor(rows: RowPages) {
    this.#rows = rows;
    this.net = columnOf(rows, 'net');
    this.#column = this.net;
  }

  get side(): Float64Array {
    return this.#read('side');
  }
  get heldMs(): Float64Array {
    return this.#read('heldMs');
  }
  get mae(): Float64Array {
    return this.#read('mae');
  }
  get mfe(): Float64Array {
    return this.#read('mfe');
  }

  #read(name: keyof TradeColumns): Float64Array {
    if (name !== this.#last) {
      this.#column = columnOf(this.#rows, name);
      this.#last = name;
    }
    return this.#column;
  }
}
