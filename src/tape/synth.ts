/**
 * A made-up market, the same for the same seed: prices wander with calm and wild spells and short trends, the spread is mostly one
 * tick, trades come in runs of one side and eat the touch. It serves live, row by row, and writes tapes of any length.
 */
import { Random } from '../base/random.ts';
import { BUY, SELL } from '../domain/codes.ts';
import { pow10 } from '../domain/scale.ts';
import { TapeError } from './error.ts';
import type { Manifest } from './manifest.ts';
import type { Grid } from './tape.ts';
import { TapeWriter, type TapeWriterOptions } from './write.ts';

export interface SynthSymbol {
  readonly symbol: string;
  /** What a tick and a lot are; an Instrument is one. */
  readonly grid: Grid;
  /** Where the price begins, in ticks: at least 2. A market is resumed by giving its last price. */
  readonly price: number;
  /** Events a second, of which three in ten are trades. Default 25. */
  readonly rate?: number | undefined;
  /** How far the price goes in a second, as a share of it: one standard deviation. Default 0.00008. */
  readonly volatility?: number | undefined;
}

export interface SynthOptions {
  readonly symbols: readonly SynthSymbol[];
  readonly seed: number;
  /** Time of the first rows, milliseconds since the epoch. */
  readonly start: number;
  /** Id of each symbol's first trade. Default 1. */
  readonly firstId?: number | undefined;
}

/** Seconds that a calm or wild spell lasts, that a swing takes to come round, and that it lives. */
const SPELL = 60;
const SWING = 20;
const SWING_LIFE = 30;
const TRADE_SHARE = 0.3;
const SAME_SIDE_AGAIN = 0.75;
/** Value of the size at the touch, in the quote coin, typically. */
const TOUCH_VALUE = 40_000;

/** One symbol's state. Prices in ticks, sizes in lots. */
class Book {
  bid = 0;
  ask = 0;
  bidSize = 1;
  askSize = 1;
  /** Time of the next event: as drawn, and as rows show it. */
  due: number;
  time: number;
  /** The last event was a trade and the quote it left behind is still to be told. */
  owesQuote = false;
  /** The last trade. */
  id: number;
  price = 0;
  size = 0;
  side = BUY;

  readonly #random: Random;
  readonly #rate: number;
  readonly #volatility: number;
  readonly #touch: number;
  #fair: number;
  #spell = 0;
  /** The swing as a turning arrow: the first part pushes the price. */
  #push = 0;
  #turn = 0;
  #fresh = true;

  constructor(symbol: SynthSymbol, start: number, lastId: number, random: Random) {
    this.id = lastId;
    const { grid } = symbol;
    this.#random = random;
    this.#rate = symbol.rate ?? 25;
    this.#volatility = symbol.volatility ?? 0.00008;
    this.#fair = symbol.price + 0.5;
    const lotValue = ((symbol.price * grid.tickStep) / pow10(grid.priceDecimals)) * (grid.lotStep / pow10(grid.sizeDecimals));
    this.#touch = Math.max(20, TOUCH_VALUE / lotValue);
    this.due = start;
    this.time = start;
    this.#requote();
  }

  /** Makes the event that was due; true when it is a trade, and a quote then follows at once. */
  event(): boolean {
    if (this.#fresh) {
      this.#fresh = false;
      return false;
    }
    if (this.#random.uniform() < TRADE_SHARE) {
      this.#trade();
      return true;
    }
    if (this.#fair >= this.ask + 0.5 || this.#fair < this.bid - 0.5) this.#requote();
    else if (this.#random.uniform() < 0.5) this.bidSize = this.#touchSize();
    else this.askSize = this.#touchSize();
    return false;
  }

  /** Draws when the next event is due, and where the fair price will be by then. */
  wait(): void {
    const random = this.#random;
    const seconds = -Math.log(1 - random.uniform()) / this.#rate;
    this.due += seconds * 1000;
    this.time = Math.max(this.time + 1, Math.floor(this.due));
    const spell = Math.min(1, seconds / SPELL);
    this.#spell += 0.6 * Math.sqrt(2 * spell) * random.normal() - spell * this.#spell;
    this.#swing(seconds);
    const deviation = Math.max(0.4, this.#fair * this.#volatility) * Math.exp(this.#spell - 0.18);
    this.#fair += deviation * (0.5 * this.#push * seconds + Math.sqrt(seconds) * random.normal());
    if (this.#fair < 2.5) this.#fair = 5 - this.#fair;
  }

  #swing(seconds: number): void {
    const random = this.#random;
    const angle = (2 * Math.PI * seconds) / SWING;
    const fade = Math.min(1, seconds / SWING_LIFE);
    const push = this.#push + this.#turn * angle;
    const turn = this.#turn - push * angle;
    this.#push = push - fade * push + Math.sqrt(2 * fade) * random.normal();
    this.#turn = turn - fade * turn + Math.sqrt(2 * fade) * random.normal();
  }

  #trade(): void {
    const random = this.#random;
    const lean = this.#fair > (this.bid + this.ask) / 2 ? 0.15 : -0.15;
    const again = SAME_SIDE_AGAIN + (this.side === BUY ? lean : -lean);
    this.id++;
    if (random.uniform() >= again) this.side = this.side === BUY ? SELL : BUY;
    const buys = this.side === BUY;
    this.price = buys ? this.ask : this.bid;
    const there = buys ? this.askSize : this.bidSize;
    this.size = Math.min(there, Math.max(1, Math.round(0.05 * this.#touch * Math.exp(1.3 * random.normal()))));
    if (this.size < there) {
      if (buys) this.askSize -= this.size;
      else this.bidSize -= this.size;
      return;
    }
    this.#fair = buys ? Math.max(this.#fair, this.ask + 0.5) : Math.max(2.5, Math.min(this.#fair, this.bid - 0.5));
    this.#requote();
  }

  #requote(): void {
    const draw = this.#random.uniform();
    const spread = draw < 0.92 ? 1 : draw < 0.98 ? 2 : 3;
    this.bid = Math.max(1, Math.floor(this.#fair) - (spread >> 1));
    this.ask = this.bid + spread;
    this.bidSize = this.#touchSize();
    this.askSize = this.#touchSize();
  }

  #touchSize(): number {
    return Math.max(1, Math.round(this.#touch * Math.exp(0.8 * this.#random.normal())));
  }
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

  readonly #books: readonly Book[];
  #next = 0;

  /** @throws TapeError range when there is no symbol or a start price is below 2 ticks */
  constructor(options: SynthOptions) {
    const random = new Random(options.seed);
    if (options.symbols.length === 0) throw new TapeError('empty', 'at least one symbol was expected, found none', 'made-up market');
    this.#books = options.symbols.map((symbol) => {
      if (Number.isSafeInteger(symbol.price) && symbol.price >= 2)
        return new Book(symbol, options.start, (options.firstId ?? 1) - 1, random.fork());
      throw new TapeError('range', `a start price of at least 2 ticks was expected, found ${symbol.price}`, symbol.symbol);
    });
  }

  /** Time of the row that `next` will move to. */
  get nextTime(): number {
    return this.#books[this.#next]!.time;
  }

  /** Moves to the next row. */
  next(): void {
    const book = this.#books[this.#next]!;
    this.time = book.time;
    this.symbol = this.#next;
    this.isTrade = !book.owesQuote && book.event();
    if (this.isTrade) {
      book.owesQuote = true;
      this.id = book.id;
      this.price = book.price;
      this.size = book.size;
      this.side = book.side;
      return;
    }
    book.owesQuote = false;
    this.bid = book.bid;
    this.bidSize = book.bidSize;
    this.ask = book.ask;
    this.askSize = book.askSize;
    book.wait();
    this.#next = this.#earliest();
  }

  #earliest(): number {
    let best = 0;
    for (let i = 1; i < this.#books.length; i++) if (this.#books[i]!.time < this.#books[best]!.time) best = i;
    return best;
  }
}

export interface SynthTapeOptions extends SynthOptions, TapeWriterOptions {
  /** How long the market lasts. */
  readonly seconds: number;
}

/** Writes a made-up market as a tape. @throws TapeError exists | unwritable | range | empty */
export function synthTape(folder: string, options: SynthTapeOptions): Manifest {
  const market = new SynthMarket(options);
  const writer = new TapeWriter(folder, { source: `made-up market, seed ${options.seed}`, ...options });
  try {
    const sinks = options.symbols.map(({ symbol, grid }) => ({
      grid,
      trades: writer.stream(symbol, 'trades', grid),
      quotes: writer.stream(symbol, 'quotes', grid),
    }));
    const end = options.start + options.seconds * 1000;
    while (market.nextTime < end) {
      market.next();
      const { grid, trades, quotes } = sinks[market.symbol]!;
      const { tickStep, lotStep } = grid;
      if (market.isTrade) trades.trade(market.time, market.id, market.price * tickStep, market.size * lotStep, market.side);
      else quotes.quote(market.time, market.bid * tickStep, market.bidSize * lotStep, market.ask * tickStep, market.askSize * lotStep);
    }
    return writer.finish();
  } catch (error) {
    writer.abort();
    throw error;
  }
}
