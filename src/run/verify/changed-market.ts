/** Copies of a loaded market with other rows: another future, or other prices. */
import { firstIndex } from '../../base/collections/first-index.ts';
import type { LoadedRows } from '../../tape/tape.ts';
import type { LoadedMarket } from '../backtest/trials.ts';

type Stream = LoadedRows['streams'][number];
type Block = Stream['blocks'][number];
type Columns = Block['columns'];

/** How many columns of a stream are prices: they come first. */
const PRICES: Readonly<Record<string, number>> = { trades: 1, bars: 4 };
/** Columns of quotes are bid, bid size, ask, ask size. */
const isPrice = (kind: string, column: number): boolean => (kind === 'quotes' ? column % 2 === 0 : column < (PRICES[kind] ?? 0));

/**
 * The market in which everything that nobody knows yet at `time` is different: each move from the last price goes the other way, twice as far,
 * and sizes are one lot more. Of a bar nothing is known before its end, so the bar of `time` is another one too.
 */
export function withOtherFuture(market: LoadedMarket, time: number): LoadedMarket {
  const known = new Map([
    ...lastPrices(market.rows, time),
    ...(market.detail?.rows === undefined ? [] : lastPrices(market.detail.rows, time)),
  ]);
  const changed = mapped(market, ({ info }, block, columns) => {
    const from = firstUnknown(block, time, info.barMs);
    const last = known.get(info.symbol) ?? 1;
    return columns.map((values, column) => {
      const isOfPrices = isPrice(info.kind, column);
      const source = isOfPrices ? columns[mirrored(info.kind, column)]! : values;
      const copy = values.slice();
      for (let r = from; r < copy.length; r++) copy[r] = isOfPrices ? otherWay(source[r]!, last) : source[r]! + 1;
      return copy;
    });
  });
  const { instruments } = market.instruments;
  const marks = market.venueRows.marks.map((one) => {
    const last = known.get(instruments[one.instrument]!.symbol) ?? 1;
    return { ...one, ticks: one.ticks.map((mark, k) => (one.time[k]! < time ? mark : otherWay(mark, last))) };
  });
  return { ...changed, venueRows: { ...changed.venueRows, marks } };
}

/** What was high is low, and what was bid is ask. */
function mirrored(kind: string, column: number): number {
  if (kind === 'quotes') return 2 - column;
  return kind === 'bars' && (column === 1 || column === 2) ? 3 - column : column;
}

/** Never the same price, at least a tick, and at most four times the last one. A price of 0 says that there is none. */
function otherWay(price: number, last: number): number {
  if (price <= 0) return price;
  const other = Math.min(4 * last, Math.max(1, Math.round((last * last * last) / (price * price))));
  if (other !== price) return other;
  return price > 1 ? price - 1 : price + 1;
}

/** The market with all prices `ticks` higher. */
export const withHigherPrices = (market: LoadedMarket, ticks: number): LoadedMarket =>
  mapped(withHigherMarks(market, ticks), ({ info }, _block, columns) =>
    columns.map((values, column) => {
      if (!isPrice(info.kind, column)) return values;
      const copy = values.slice();
      // A price of 0 says that there is none.
      for (let r = 0; r < copy.length; r++) if (copy[r]! > 0) copy[r] = copy[r]! + ticks;
      return copy;
    }),
  );

function withHigherMarks({ venueRows, ...market }: LoadedMarket, ticks: number): LoadedMarket {
  const marks = venueRows.marks.map((one) => ({ ...one, ticks: one.ticks.map((mark) => mark + ticks) }));
  return { ...market, venueRows: { ...venueRows, marks } };
}

function mapped(market: LoadedMarket, change: (stream: Stream, block: Block, columns: Columns) => Columns): LoadedMarket {
  const { rows, detail } = market;
  const changed = (of: LoadedRows): LoadedRows => ({
    ...of,
    streams: of.streams.map((stream) => ({
      ...stream,
      blocks: stream.blocks.map((block) => ({ ...block, columns: change(stream, block, block.columns) })),
    })),
  });
  return { ...market, rows: changed(rows), detail: detail?.rows && { ...detail, rows: changed(detail.rows) } };
}

/** By symbol the last price that is known at `time`, or the first: of a trade or an ended bar, else the middle of a quote. */
function lastPrices({ streams }: LoadedRows, time: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const kind of ['quotes', 'bars', 'trades']) {
    for (const { info, blocks } of streams.filter((one) => one.info.kind === kind)) {
      for (const block of blocks) {
        const row = firstUnknown(block, time, info.barMs) - 1;
        if (row < 0 && block !== blocks[0]) break;
        const price = priceOf(kind, block.columns, Math.max(0, row));
        if (price > 0) found.set(info.symbol, price);
      }
    }
  }
  return found;
}

function priceOf(kind: string, columns: Columns, row: number): number {
  if (kind === 'quotes') return Math.round((columns[0]![row]! + columns[2]![row]!) / 2);
  return columns[kind === 'bars' ? 3 : 0]![row]!;
}

/** The first row that happens at or after `time`; of bars the first that ends after it. */
function firstUnknown({ times, first, rows }: Block, time: number, barMs: number | undefined): number {
  // Offsets from the first row are 32-bit integers; whole times are doubles.
  const base = times instanceof Float64Array ? 0 : first;
  const from = barMs === undefined ? time : time - barMs + 1;
  return firstIndex(0, rows, (row) => base + times[row]! >= from);
}
