/** Large tapes for measuring: a plain random walk of prices, as fast as they can be written. Not a market; src/tape/synth/synth.ts is one. */
import { Random } from '../src/base/random.ts';
import { BUY, SELL } from '../src/domain/codes.ts';
import type { Manifest } from '../src/tape/file/manifest.ts';
import { TapeWriter, type TapeWriterOptions } from '../src/tape/write.ts';

export interface GenerateOptions extends TapeWriterOptions {
  /** Rows of each stream. */
  readonly rows: number;
  readonly seed: number;
  /** Default "BTCUSDT". */
  readonly symbol?: string | undefined;
}

const START_TIME = 1_700_000_000_000;
/** Ticks. */
const START_PRICE = 500_000;
const MINUTE_MS = 60_000;
const SCALE = { priceDecimals: 1, sizeDecimals: 3 };

/** Trades of one symbol: up to 40 ms apart, prices moving up to two ticks at a time. @throws TapeError as TapeWriter */
export function generateTrades(folder: string, options: GenerateOptions): Manifest {
  const writer = writerOf(folder, options);
  const trades = writer.stream(options.symbol ?? 'BTCUSDT', 'trades', SCALE);
  const walk = new Walk(options.seed);
  for (let i = 1; i <= options.rows; i++) {
    const word = walk.move(2);
    trades.trade(walk.time, i, walk.price, 1 + (((word >>> 16) & 0x3ff) % 1000), word >>> 31 === 0 ? BUY : SELL);
  }
  return writer.finish();
}

/** Quotes and trades of one symbol, `rows` of each: the spread is one tick, trades hit the touch. @throws TapeError as TapeWriter */
export function generateMarket(folder: string, options: GenerateOptions): Manifest {
  const writer = writerOf(folder, options);
  const symbol = options.symbol ?? 'BTCUSDT';
  const trades = writer.stream(symbol, 'trades', SCALE);
  const quotes = writer.stream(symbol, 'quotes', SCALE);
  const walk = new Walk(options.seed);
  for (let i = 1; i <= options.rows; i++) {
    const word = walk.move(1);
    const bid = walk.price;
    quotes.quote(walk.time, bid, 1 + ((word >>> 16) & 0x3ff), bid + 1, 1 + ((word >>> 20) & 0x3ff));
    const other = walk.wait();
    const buys = other >>> 31 === 0;
    trades.trade(walk.time, i, buys ? bid + 1 : bid, 1 + (((other >>> 16) & 0x3ff) % 300), buys ? BUY : SELL);
  }
  return writer.finish();
}

/** Quotes of one symbol a spread of a tick wide, with at least 100 lots on either side. @throws TapeError as TapeWriter */
export function generateQuotes(folder: string, options: GenerateOptions): Manifest {
  const writer = writerOf(folder, options);
  const quotes = writer.stream(options.symbol ?? 'BTCUSDT', 'quotes', SCALE);
  const walk = new Walk(options.seed);
  for (let i = 1; i <= options.rows; i++) {
    const word = walk.move(2);
    const bid = walk.price;
    quotes.quote(walk.time, bid, 100 + ((word >>> 16) & 0x3ff), bid + 1, 100 + ((word >>> 20) & 0x3ff));
  }
  return writer.finish();
}

/** One-minute bars of one symbol: closes move up to 200 ticks, extremes up to 100 beyond. @throws TapeError as TapeWriter */
export function generateBars(folder: string, options: GenerateOptions & { readonly symbols?: readonly string[] }): Manifest {
  const writer = writerOf(folder, options);
  const random = new Random(options.seed);
  const start = START_TIME - (START_TIME % MINUTE_MS);
  for (const symbol of options.symbols ?? [options.symbol ?? 'BTCUSDT']) {
    const bars = writer.stream(symbol, 'bars', SCALE, MINUTE_MS);
    let price = START_PRICE;
    for (let i = 0; i < options.rows; i++) {
      const open = price;
      price = held(price + random.below(401) - 200);
      const high = Math.max(open, price) + random.below(101);
      const low = Math.min(open, price) - random.below(101);
      bars.bar(start + i * MINUTE_MS, open, high, low, price, 1000 + random.below(100_000));
    }
  }
  return writer.finish();
}

function writerOf(folder: string, options: GenerateOptions): TapeWriter {
  return new TapeWriter(folder, { source: `random walk, seed ${options.seed}`, ...options });
}

/** Keeps a price between half and one and a half of where it began. */
function held(price: number): number {
  return Math.min(1.5 * START_PRICE, Math.max(0.5 * START_PRICE, price));
}

/** Time and price of a random walk. */
class Walk {
  time = START_TIME;
  price = START_PRICE;
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** Goes on by up to 40 ms. Returns the random word, of which bits 16 and above are not used yet. */
  wait(): number {
    const word = this.#random.uint32();
    this.time += (word & 0xff) % 40;
    return word;
  }

  /** The same, and moves the price by at most `reach` ticks. */
  move(reach: number): number {
    const word = this.wait();
    this.price = held(this.price + (((word >>> 8) & 0xff) % (2 * reach + 1)) - reach);
    return word;
  }
}
