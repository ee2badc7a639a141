/** The columns of closed trades that metrics are computed from. */
import { joined, type Column, type PagedColumn } from '../../statistics/samples/columns.ts';
import type { TradeColumns } from '../metrics/facts.ts';
import { ROWS_KEPT, RowPages, type PageStore, type RowReader } from '../fills/row-pages.ts';

const NAMES = ['net', 'side', 'heldMs', 'mae', 'mfe'] as const satisfies readonly (keyof TradeColumns)[];

/** A column for each name of TradeColumns, of which those of long runs leave the memory. */
export class TripColumns {
  readonly #pages: Readonly<Record<keyof TradeColumns, RowPages>>;

  constructor(openStore: (() => PageStore) | null) {
    this.#pages = Object.fromEntries(NAMES.map((name) => [name, new RowPages(1, openStore)])) as Record<keyof TradeColumns, RowPages>;
  }

  add(net: number, side: number, heldMs: number, mae: number, mfe: number): void {
    const pages = this.#pages;
    append(pages.net, net);
    append(pages.side, side);
    append(pages.heldMs, heldMs);
    append(pages.mae, mae);
    append(pages.mfe, mfe);
  }

  /** Reads a column trade by trade, from trade `from` on. */
  reader(name: keyof TradeColumns, from: number): RowReader {
    return this.#pages[name].reader(from);
  }

  /** Arrays, or of a long run columns that are read part by part. */
  get all(): TradeColumns {
    const columns = NAMES.map((name): [string, Column] => {
      const column = new PageColumn(this.#pages[name]);
      return [name, column.length > ROWS_KEPT ? column : joined(column)];
    });
    return Object.fromEntries(columns) as Record<keyof TradeColumns, Column>;
  }
}

function append(column: RowPages, value: number): void {
  column.page[column.at] = value;
  column.added();
}

class PageColumn implements PagedColumn {
  readonly #rows: RowPages;

  constructor(rows: RowPages) {
    this.#rows = rows;
  }

  get length(): number {
    return this.#rows.length;
  }

  *parts(): Generator<Float64Array> {
    const reader = this.#rows.reader();
    while (reader.turn()) yield reader.page.subarray(0, reader.end);
  }
}
