/**
 * A synthetic market, the same for the same seed and on every machine: what its symbols do is in synth-book.ts, what they are like in
 * profile.ts. It serves live, row by row, and writes tapes of any length in constant memory.
 */
import { Random } from '../../base/random.ts';
import { BUY } from '../../domain/codes.ts';
import { BLOCK_ROWS } from '../file/codec.ts';
import { TapeError } from '../file/error.ts';
import type { Manifest } from '../file/manifest.ts';
import { CommonFactor } from './busy-times.ts';
import { BarBook, STEP_MS, writeBars } from './synth-bars.ts';
import { SynthBook, type BookSpec } from './synth-book.ts';
import { profileOf, type SynthProfile } from './profile.ts';
import type { Grid } from '../file/columns.ts';
import { TapeWriter, type TapeWriterOptions } from '../write.ts';

export interface SynthSymbol {
  readonly symbol: string;
  /** What a tick and a lot are; an Instrument is one. */
  readonly grid: Grid;
  /** Where the price begins, in ticks: at least 2. A market is resumed by giving its last price. */
  readonly price: number;
  /** What the symbol is like. Default: as learnt for its name, or derived from it. */
  readonly profile?: SynthProfile | undefined;
}

export interface SynthOptions {
  readonly symbols: readonly SynthSymbol[];
  readonly seed: number;
  /** Time of the first rows, milliseconds since the epoch. */
  readonly start: number;
  /** Id of each symbol's first trade. Default 1. */
  readonly firstId?: number | undefined;
  /** Busier and quieter hours of the UTC day. Default false. */
  readonly season?: boolean | undefined;
  /** Share of the variance of returns that all symbols have in common, 0 to 1. Default 0.65. */
  readonly shared?: number | undefined;
  /** Deviation of what all symbols do together in a second, as a share of the price. Default: as learnt, with `shared`. */
  readonly deviation?: number | undefined;
}

/** Rows of all symbols without end, in the order a tape of them would give. The fields are those of the row that `next` moved to. */
export class SynthMarket {
  time = 0;
  /** Index of the row's symbol in `symbols`. */
  symbol = 0;
  isTrade = false;
  /** Of a trade: ticks, lots, BUY or SELL. */
  id = 0;
  price = 0;
  size = 0;
  side = BUY;
  /** Of a quote. */
  bid = 0;
  bidSize = 0;
  ask = 0;
  askSize = 0;

  readonly #books: readonly SynthBook[];
  /** Numbers of the books as a binary heap by (time of the next event, number). */
  readonly #heap: Int32Array;
  #book: SynthBook;
  /** Trades of the event in hand that were handed out. */
  #told = 0;
  #isEvent = false;

  /** @throws TapeError empty when there is no symbol, range when a start price is below 2 ticks or `shared` is no share */
  constructor(options: SynthOptions) {
    this.#books = booksOf(options, SynthBook).books;
    this.#heap = Int32Array.from(this.#books, (_, i) => i);
    this.#book = this.#books[0]!;
  }

  /** Time of the row that `next` will move to. */
  get nextTime(): number {
    return this.#book.time;
  }

  /** Moves to the next row. */
  next(): void {
    const book = this.#book;
    if (!this.#isEvent) {
      book.event();
      this.#isEvent = true;
      this.#told = 0;
      this.time = book.time;
      this.symbol = this.#heap[0]!;
    }
    const told = this.#told;
    this.isTrade = told < book.trades;
    if (this.isTrade) {
      this.#told++;
      this.id = ++book.lastId;
      this.price = book.prices[told]!;
      this.size = book.sizes[told]!;
      this.side = book.side;
      return;
    }
    this.bid = book.bid;
    this.bidSize = book.bidSize;
    this.ask = book.ask;
    this.askSize = book.askSize;
    this.#isEvent = false;
    book.wait();
    this.#sink();
    this.#book = this.#books[this.#heap[0]!]!;
  }

  /** Puts the first book, whose time has grown, where it belongs. */
  #sink(): void {
    const heap = this.#heap;
    const books = this.#books;
    const moved = heap[0]!;
    const { time } = books[moved]!;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(books, heap[child + 1]!, heap[child]!)) child++;
      const rival = heap[child]!;
      if (books[rival]!.time > time || (books[rival]!.time === time && rival > moved)) break;
      heap[at] = rival;
      at = child;
    }
    heap[at] = moved;
  }
}

/** The books of a market, and the common price that moves them. */
export function booksOf<B>(options: SynthOptions, Book: new (spec: BookSpec, random: Random, factor: CommonFactor) => B): MarketBooks<B> {
  const { symbols, seed, start, firstId = 1, season = false } = options;
  const shared = options.shared ?? 0.65;
  if (symbols.length === 0) throw new TapeError('empty', 'at least one symbol was expected, found none', 'synthetic market');
  if (!(shared >= 0 && shared <= 1)) throw new TapeError('range', `a share from 0 to 1 was expected, found ${shared}`, 'synthetic market');
  const random = new Random(seed);
  const deviation = options.deviation ?? COMMON_DEVIATION * Math.sqrt(shared);
  const factor = new CommonFactor(random.fork(), start, deviation, season);
  const books = symbols.map((symbol) => {
    const { grid, price } = symbol;
    if (!(Number.isSafeInteger(price) && price >= 2))
      throw new TapeError('range', `a start price of at least 2 ticks was expected, found ${price}`, symbol.symbol);
    const profile = symbol.profile ?? profileOf(symbol.symbol);
    return new Book({ grid, price, profile, start, lastId: firstId - 1, season, shared }, random.fork(), factor);
  });
  return { books, factor };
}

interface MarketBooks<B> {
  readonly books: readonly B[];
  readonly factor: CommonFactor;
}

/** Deviation of all symbols' common returns in a second, when all of their variance is common. */
const COMMON_DEVIATION = 1.2e-4;

function isBefore(books: readonly SynthBook[], a: number, b: number): boolean {
  const timeA = books[a]!.time;
  const timeB = books[b]!.time;
  return timeA < timeB || (timeA === timeB && a < b);
}

export interface SynthTapeOptions extends SynthOptions, TapeWriterOptions {
  /** Time that the market lasts. */
  readonly seconds: number;
  /** Bars of this length instead of trades and quotes: a multiple of 5 seconds. */
  readonly barMs?: number | undefined;
  /** Called now and then with the rows written and the share of the time that they cover. */
  readonly progress?: ((rows: number, share: number) => void) | undefined;
}

/** Rows between two calls of `progress`, less one. */
const TELL_EVERY = 0xffff;

/** Writes a synthetic market as a tape. @throws TapeError exists | unwritable | range | empty */
export function synthTape(folder: string, options: SynthTapeOptions): Manifest {
  const { barMs } = options;
  const write = barMs === undefined ? eventsOf(options) : barsOf(options, barMs);
  const writer = new TapeWriter(folder, {
    source: `synthetic market, seed ${options.seed}`,
    blockRows: barMs === undefined ? blockRows(options.symbols.length) : undefined,
    ...options,
  });
  try {
    write(writer);
    return writer.finish(() => ({ dropped: {} }));
  } catch (error) {
    writer.abort();
    throw error;
  }
}

function eventsOf(options: SynthTapeOptions): (writer: TapeWriter) => void {
  const market = new SynthMarket(options);
  return (writer) => {
    const sinks = options.symbols.map(({ symbol, grid }) => ({
      grid,
      trades: writer.stream(symbol, 'trades', grid),
      quotes: writer.stream(symbol, 'quotes', grid),
    }));
    const end = options.start + options.seconds * 1000;
    const { progress } = options;
    let rows = 0;
    while (market.nextTime < end) {
      market.next();
      if ((++rows & TELL_EVERY) === 0) progress?.(rows, (market.time - options.start) / (end - options.start));
      const { grid, trades, quotes } = sinks[market.symbol]!;
      const { tickStep, lotStep } = grid;
      if (market.isTrade) trades.trade(market.time, market.id, market.price * tickStep, market.size * lotStep, market.side);
      else quotes.quote(market.time, market.bid * tickStep, market.bidSize * lotStep, market.ask * tickStep, market.askSize * lotStep);
    }
  };
}

/** Bars begin at whole multiples of their length, and end before the market does. */
function barsOf(options: SynthTapeOptions, barMs: number): (writer: TapeWriter) => void {
  if (!(barMs > 0 && barMs % STEP_MS === 0))
    throw new TapeError('range', `bars of a multiple of ${STEP_MS / 1000} s were expected, found ${barMs / 1000} s`, 'synthetic market');
  const start = Math.ceil(options.start / barMs) * barMs;
  const count = Math.floor((options.start + options.seconds * 1000 - start) / barMs);
  if (count < 1)
    throw new TapeError(
      'empty',
      `at least one bar of ${barMs / 1000} s was expected, found a market of ${options.seconds} s`,
      'synthetic market',
    );
  const { books, factor } = booksOf({ ...options, start }, BarBook);
  return (writer) => {
    const writers = options.symbols.map(({ symbol, grid }) => writer.stream(symbol, 'bars', grid, barMs));
    for (let k = 0; k < count; k++) {
      writeBars(books, factor, start + k * barMs, barMs, writers);
      if ((k & TELL_EVERY) === TELL_EVERY) options.progress?.((k + 1) * books.length, (k + 1) / count);
    }
  };
}

/** So that the blocks in memory stay below 200 MB, however many symbols there are. */
function blockRows(symbols: number): number {
  let rows = BLOCK_ROWS;
  while (rows * symbols > 2_097_152 && rows > 256) rows /= 2;
  return rows;
}
