/** The market of a session as a tape in memory, at the venue's times. */
import { basename } from 'node:path';
import type { Instrument } from '../../../domain/instrument.ts';
import { FORMAT, FORMAT_VERSION, type Manifest, type StreamInfo, type SymbolInfo, type TapeKind } from '../../../tape/file/manifest.ts';
import { TapeStream, type BlockSource } from '../../../tape/file/stream.ts';
import type { Tape } from '../../../tape/tape.ts';
import type { MarketRows } from './market-rows.ts';
import type { SeenQuote, SeenTrade } from './seen.ts';

export interface SessionMarket extends MarketRows {
  readonly folder: string;
  readonly instruments: readonly Instrument[];
  /** Start of the bot and its end. The first and the last quote of each symbol also stand at these times. */
  readonly from: number;
  readonly to: number;
}

interface Rows {
  readonly symbol: string;
  readonly kind: TapeKind;
  readonly time: readonly number[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

export function sessionTape({ folder, instruments, quotes, trades, from, to }: SessionMarket): Tape {
  const rows: Rows[] = [];
  for (const { index, product, symbol } of instruments) {
    if (product !== 'futures') continue;
    const own = quotes.filter((one) => one.instrument === index);
    const traded = trades.filter((one) => one.instrument === index);
    if (traded.length > 0) rows.push(tradeRows(symbol, traded, from));
    if (own.length > 0) rows.push(quoteRows(symbol, [own[0]!, ...own, own.at(-1)!], from, to));
  }
  const manifest = manifestOf(basename(folder), instruments, rows, from, to);
  return {
    folder,
    manifest,
    bars: () => [],
    open: () =>
      rows.map(
        (one, k) =>
          new TapeStream(
            k,
            manifest.streams[k]!,
            manifest.symbols.find(({ symbol }) => symbol === one.symbol)!,
            sourceOf(one),
          ),
      ),
  };
}

function tradeRows(symbol: string, trades: readonly SeenTrade[], from: number): Rows {
  return {
    symbol,
    kind: 'trades',
    time: ascending(
      trades.map(({ venueTime }) => venueTime),
      from,
    ),
    columns: {
      id: trades.map(({ id }) => id),
      price: trades.map(({ price }) => price),
      size: trades.map(({ size }) => size),
      side: trades.map(({ aggressor }) => aggressor),
    },
  };
}

function quoteRows(symbol: string, quotes: readonly SeenQuote[], from: number, to: number): Rows {
  const times = quotes.map(({ venueTime }, k) => (k === 0 ? from : k === quotes.length - 1 ? to : venueTime));
  return {
    symbol,
    kind: 'quotes',
    time: ascending(times, from),
    columns: {
      bid: quotes.map(({ bid }) => bid),
      bidSize: quotes.map(({ bidSize }) => bidSize),
      ask: quotes.map(({ ask }) => ask),
      askSize: quotes.map(({ askSize }) => askSize),
    },
  };
}

/** A venue's clock may be behind that of the bot: no row is before the start or before its predecessor. */
function ascending(times: readonly number[], from: number): number[] {
  let last = from;
  return times.map((time) => (last = Math.max(last, time)));
}

function sourceOf({ time, columns }: Rows): BlockSource {
  const arrays: Record<string, Float64Array | Uint8Array> = { time: Float64Array.from(time) };
  for (const [name, values] of Object.entries(columns))
    arrays[name] = name === 'side' ? Uint8Array.from(values) : Float64Array.from(values);
  return {
    load: (stream, block) => {
      if (block > 0) return 0;
      Object.assign(stream, arrays);
      return time.length;
    },
    close: () => undefined,
  };
}

function manifestOf(source: string, instruments: readonly Instrument[], rows: readonly Rows[], from: number, to: number): Manifest {
  const symbols = [...new Set(rows.map(({ symbol }) => symbol))].map((symbol): SymbolInfo => {
    const { priceDecimals, sizeDecimals, tickStep, lotStep } = instruments.find((one) => one.symbol === symbol)!;
    return {
      symbol,
      priceDecimals,
      sizeDecimals,
      priceStep: tickStep,
      sizeStep: lotStep,
      writtenPriceDecimals: priceDecimals,
      writtenSizeDecimals: sizeDecimals,
    };
  });
  const streams = rows.map(({ symbol, kind, time }): StreamInfo => {
    const gaps = { over: 0, count: 0, totalMs: 0, longest: [] };
    const size = { rows: time.length, blocks: 1, bytes: 0, maxPrice: 0, maxSize: 0, checksum: 0 };
    return { symbol, kind, file: '', from, to, gaps, ...size };
  });
  return {
    format: FORMAT,
    version: FORMAT_VERSION,
    source: `session ${source}`,
    rows: streams.reduce((sum, one) => sum + one.rows, 0),
    from,
    to,
    symbols,
    streams,
  };
}
