/** Copies of a loaded market with other rows: another future, or other prices. */
import type { LoadedRows } from '../../tape/tape.ts';
import type { LoadedMarket } from '../backtest/trials.ts';

type Stream = LoadedRows['streams'][number];
type Block = Stream['blocks'][number];
type Column = Block['columns'][number];

/** How many columns of a stream are prices: they come first. */
const PRICES: Readonly<Record<string, number>> = { trades: 1, bars: 4 };
/** Columns of quotes are bid, bid size, ask, ask size. */
const isPrice = (kind: string, column: number): boolean => (kind === 'quotes' ? column % 2 === 0 : column < (PRICES[kind] ?? 0));

/** The market in which everything at or after `time` is different: prices are half of what they were, sizes one lot more. */
export const withOtherFuture = (market: LoadedMarket, time: number): LoadedMarket =>
  mapped(market, (stream, block, column, values) => {
    const from = firstAtOrAfter(block, time);
    const copy = values.slice();
    for (let r = from; r < copy.length; r++)
      copy[r] = isPrice(stream.info.kind, column) ? Math.max(1, Math.floor(copy[r]! / 2)) : copy[r]! + 1;
    return copy;
  });

/** The market with all prices `ticks` higher. */
export const withHigherPrices = (market: LoadedMarket, ticks: number): LoadedMarket =>
  mapped(withHigherMarks(market, ticks), (stream, _block, column, values) => {
    if (!isPrice(stream.info.kind, column)) return values;
    const copy = values.slice();
    // A price of 0 says that there is none.
    for (let r = 0; r < copy.length; r++) if (copy[r]! > 0) copy[r] = copy[r]! + ticks;
    return copy;
  });

function withHigherMarks({ venueRows, ...market }: LoadedMarket, ticks: number): LoadedMarket {
  const marks = venueRows.marks.map((one) => ({ ...one, ticks: one.ticks.map((mark) => mark + ticks) }));
  return { ...market, venueRows: { ...venueRows, marks } };
}

function mapped(market: LoadedMarket, change: (stream: Stream, block: Block, column: number, values: Column) => Column): LoadedMarket {
  const { rows, detail } = market;
  const changed = (of: LoadedRows): LoadedRows => ({
    ...of,
    streams: of.streams.map((stream) => ({
      ...stream,
      blocks: stream.blocks.map((block) => ({
        ...block,
        columns: block.columns.map((values, column) => change(stream, block, column, values)),
      })),
    })),
  });
  return { ...market, rows: changed(rows), detail: detail?.rows && { ...detail, rows: changed(detail.rows) } };
}

function firstAtOrAfter({ times, first, rows }: Block, time: number): number {
  // Offsets from the first row are 32-bit integers; whole times are doubles.
  const base = times instanceof Float64Array ? 0 : first;
  let low = 0;
  let high = rows;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (base + times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
