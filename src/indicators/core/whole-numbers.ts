/**
 * Prices and sizes as whole numbers. A decimal has no exact double: 0.1 + 0.2 > 0.3, so equal moves differ in their last bit, and a flat
 * window is not flat. Therefore inputs are multiplied by a power of ten before any arithmetic, chosen with the first of them so that up to
 * twelve digits become a whole number. Sums, differences and comparisons of whole numbers are exact. Outputs are divided again.
 * @hot
 */
import type { Candle, TopOfBook, TradePrint } from './inputs.ts';
import { Part } from './part.ts';

/** What an output is measured in. `raw`: it does not scale with the inputs, so they are taken as they are. */
export type Unit = 'ratio' | 'price' | 'price²' | 'size' | 'turnover' | 'price per size' | 'per turnover' | 'raw';

/** Digits of the first price, and of the first size, that become whole. Later ones may be some thousand times larger. */
const DIGITS = 12;
/** Powers of ten that are exact doubles. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
/** A product of two rounded numbers is at most so far from the whole number that it stands for, as a share of it. */
const ROUNDING = 2 ** -52;
/** A double so large that adding it leaves no digits after the point, and taking it away again leaves the whole number; up to 2⁵¹. */
const ROUNDER = 1.5 * 2 ** 52;

export class Grid extends Part {
  /** What prices and sizes are multiplied by; 0 until there was one other than 0. */
  price = 0;
  size = 0;
  /** The newest first output, in the units of the inputs. */
  newest = Number.NaN;
  readonly units: readonly Unit[];
  /** What each output is divided by, for these powers. */
  readonly divisors: number[];
  #price = Number.NaN;
  #size = Number.NaN;
  readonly #isOn: boolean;
  readonly bar = { open: 0, high: 0, low: 0, close: 0, volume: 0, start: 0 };
  readonly quote = { bid: 0, ask: 0, bidSize: 0, askSize: 0 };
  readonly trade: { price: number; size: number; side: 'BUY' | 'SELL' } = { price: 0, size: 0, side: 'BUY' };

  constructor(units: readonly Unit[]) {
    super();
    this.units = units;
    this.#isOn = units[0] !== 'raw';
    this.divisors = units.map(() => 1);
  }

  /** False if inputs are taken as they are. */
  get isOn(): boolean {
    return this.#isOn;
  }

  /** The first output, as the kernel has it. */
  take(x: number): number {
    if (this.price !== this.#price || this.size !== this.#size) this.#scale();
    this.newest = x / this.divisors[0]!;
    return this.newest;
  }

  ofPrice(x: number): number {
    if (this.price === 0) {
      if (x === 0) return 0;
      this.price = powerFor(x);
    }
    return whole(x * this.price);
  }

  ofSize(x: number): number {
    if (this.size === 0) {
      if (x === 0) return 0;
      this.size = powerFor(x);
    }
    return whole(x * this.size);
  }

  ofBar(given: Candle): Candle {
    const { bar } = this;
    bar.open = this.ofPrice(given.open);
    bar.high = this.ofPrice(given.high);
    bar.low = this.ofPrice(given.low);
    bar.close = this.ofPrice(given.close);
    return bar;
  }

  ofVolumeBar(given: Candle): Candle {
    const { bar } = this;
    this.ofBar(given);
    bar.volume = this.ofSize(given.volume!);
    bar.start = given.start ?? 0;
    return bar;
  }

  ofQuote(given: TopOfBook): TopOfBook {
    const { quote } = this;
    quote.bid = this.ofPrice(given.bid);
    quote.ask = this.ofPrice(given.ask);
    quote.bidSize = this.ofSize(given.bidSize);
    quote.askSize = this.ofSize(given.askSize);
    return quote;
  }

  ofTrade(given: TradePrint): TradePrint {
    const { trade } = this;
    trade.price = this.ofPrice(given.price);
    trade.size = this.ofSize(given.size);
    trade.side = given.side;
    return trade;
  }

  #scale(): void {
    this.#price = this.price;
    this.#size = this.size;
    for (let i = 0; i < this.units.length; i++) this.divisors[i] = this.#divisor(this.units[i]!);
  }

  /** What an output has to be divided by, so that it is in the units of the inputs. */
  #divisor(unit: Unit): number {
    const price = this.price === 0 ? 1 : this.price;
    const size = this.size === 0 ? 1 : this.size;
    switch (unit) {
      case 'ratio':
      case 'raw':
        return 1;
      case 'price':
        return price;
      case 'price²':
        return price * price;
      case 'size':
        return size;
      case 'turnover':
        return price * size;
      case 'price per size':
        return price / size;
      case 'per turnover':
        return 1 / (price * size);
    }
  }
}

function powerFor(x: number): number {
  const exponent = DIGITS - 1 - Math.floor(Math.log10(Math.abs(x)));
  return POWERS[Math.max(0, Math.min(POWERS.length - 1, exponent))]!;
}

/** The whole number that `y` stands for; `y` if it stands for none. */
function whole(y: number): number {
  const rounded = y + ROUNDER - ROUNDER;
  return Math.abs(y - rounded) > Math.abs(y) * ROUNDING ? y : rounded;
}
