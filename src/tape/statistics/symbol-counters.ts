/** The figures of one symbol, counted row by row. An order is all trades of one side and millisecond in a row. */
import { SECOND_MS } from '../../base/time/time-spans.ts';
import { BUY } from '../../domain/codes.ts';
import { pow10 } from '../../domain/amounts/scale.ts';
import type { SymbolInfo } from '../file/manifest.ts';
import type { TapeStream } from '../file/stream.ts';
import { Histogram, Series } from './histogram.ts';

/** Every figure: what it is called, and its unit. */
export const FIGURES = {
  tradesPerSecond: ['trades a second', ''],
  ordersPerSecond: ['orders a second', ''],
  quotesPerSecond: ['quotes a second', ''],
  tradeGapMean: ['gap between trades, mean', 'ms'],
  orderGap50: ['gap between orders, median', 'ms'],
  orderGap90: ['gap between orders, 90 %', 'ms'],
  quoteGap50: ['gap between quotes, median', 'ms'],
  quoteGap90: ['gap between quotes, 90 %', 'ms'],
  quoteGap99: ['gap between quotes, 99 %', 'ms'],
  orderBurstiness: ['burstiness of orders', ''],
  quoteBurstiness: ['burstiness of quotes', ''],
  quoteDispersion: ['variance / mean of quotes in 100 ms', ''],
  oneTick: ['quotes one tick wide', 'share'],
  spread95: ['spread, 95 %', 'ticks'],
  spread99: ['spread, 99 %', 'ticks'],
  depth10: ['size at the touch, 10 %', 'coin'],
  depth50: ['size at the touch, median', 'coin'],
  depth90: ['size at the touch, 90 %', 'coin'],
  tradeSize50: ['trade size, median', 'coin'],
  tradeSize90: ['trade size, 90 %', 'coin'],
  tradeSize99: ['trade size, 99 %', 'coin'],
  orderSize50: ['order size, median', 'coin'],
  orderSize90: ['order size, 90 %', 'coin'],
  tradesPerOrder: ['trades an order', ''],
  walking: ['orders that walk the book', 'share'],
  atTouch: ['trades at the touch', 'share'],
  sign1: ['trade signs, autocorrelation at 1', ''],
  sign10: ['trade signs, autocorrelation at 10', ''],
  sign100: ['trade signs, autocorrelation at 100', ''],
  orderSign1: ['order signs, autocorrelation at 1', ''],
  orderSign10: ['order signs, autocorrelation at 10', ''],
  priceChange: ['quotes that change the price', 'share'],
  move50: ['such a change of the mid, median', 'ticks'],
  move90: ['such a change of the mid, 90 %', 'ticks'],
  volatility: ['return of a second, root mean square', '1e-4'],
  stillSeconds: ['seconds without a change', 'share'],
  kurtosis: ['returns of a second, kurtosis', ''],
  returns1: ['returns of a second, autocorrelation at 1', ''],
  absolute1: ['|returns| of a second, autocorrelation at 1', ''],
  absolute10: ['|returns| of a second, autocorrelation at 10', ''],
  minuteVolatility: ['return of a minute, root mean square', '1e-4'],
  minuteKurtosis: ['returns of a minute, kurtosis', ''],
  minute1: ['|returns| of a minute, autocorrelation at 1', ''],
  minute10: ['|returns| of a minute, autocorrelation at 10', ''],
  minute60: ['|returns| of a minute, autocorrelation at 60', ''],
  common: ['returns of 5 seconds, correlation with the first symbol', ''],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;

export type FigureKey = keyof typeof FIGURES;

const COUNT_MS = 100;

/** All that is counted of one symbol. */
export class SymbolCounters {
  readonly symbol: string;
  readonly #lot: number;
  readonly #gaps = { trade: new Histogram(), order: new Histogram(), quote: new Histogram() };
  readonly #sizes = { trade: new Histogram(), order: new Histogram(), depth: new Histogram() };
  readonly #spread = new Histogram();
  /** Changes of the mid price, in half ticks. */
  readonly #moves = new Histogram();
  readonly #signs = new Series([1, 10, 100]);
  readonly #orderSigns = new Series([1, 10]);
  readonly #counts = new Series([]);
  readonly #seconds = new Series([1]);
  readonly #absolute = new Series([1, 10]);
  readonly #minutes = new Series([]);
  readonly #absoluteMinutes = new Series([1, 10, 60]);
  #first = -1;
  #last = 0;
  #bid = 0;
  #ask = 0;
  #tradeAt = -1;
  #quoteAt = -1;
  #orderAt = -1;
  #side = -1;
  #orderSize = 0;
  #orderPrice = 0;
  #walked = 0;
  #hasWalked = false;
  #atTouch = 0;
  #judged = 0;
  #countFrom = -1;
  #inCount = 0;
  /** The mid price, in half ticks, a second, five and a minute ago. */
  #secondAgo = 0;
  #fifthAgo = 0;
  #minuteAgo = 0;
  #secondsSeen = 0;

  constructor(info: SymbolInfo) {
    this.symbol = info.symbol;
    this.#lot = info.sizeStep / pow10(info.sizeDecimals);
  }

  take(stream: TapeStream, row: number): void {
    const time = stream.time[row]!;
    if (this.#first < 0) this.#first = time;
    this.#last = time;
    if (stream.kind === 'trades') this.#trade(time, stream.price[row]!, stream.size[row]!, stream.side[row]!);
    else this.#quote(time, stream.bid[row]!, stream.ask[row]!, stream.bidSize[row]!, stream.askSize[row]!);
  }

  #trade(time: number, price: number, size: number, side: number): void {
    if (this.#tradeAt >= 0) this.#gaps.trade.add(time - this.#tradeAt);
    this.#tradeAt = time;
    this.#sizes.trade.add(size);
    this.#signs.add(side === BUY ? 1 : -1);
    if (this.#ask > 0) {
      this.#judged++;
      if (price === (side === BUY ? this.#ask : this.#bid)) this.#atTouch++;
    }
    if (time !== this.#orderAt || side !== this.#side) this.#order(time, price, side);
    this.#orderSize += size;
    if (price !== this.#orderPrice) this.#hasWalked = true;
  }

  #order(time: number, price: number, side: number): void {
    this.#endOrder();
    if (this.#orderAt >= 0) this.#gaps.order.add(time - this.#orderAt);
    this.#orderSigns.add(side === BUY ? 1 : -1);
    this.#orderAt = time;
    this.#side = side;
    this.#orderPrice = price;
    this.#orderSize = 0;
    this.#hasWalked = false;
  }

  #endOrder(): void {
    if (this.#orderSize === 0) return;
    this.#sizes.order.add(this.#orderSize);
    if (this.#hasWalked) this.#walked++;
  }

  #quote(time: number, bid: number, ask: number, bidSize: number, askSize: number): void {
    if (this.#quoteAt >= 0) this.#gaps.quote.add(time - this.#quoteAt);
    if (this.#countFrom < 0) this.#countFrom = time;
    for (; time >= this.#countFrom + COUNT_MS; this.#countFrom += COUNT_MS) {
      this.#counts.add(this.#inCount);
      this.#inCount = 0;
    }
    this.#inCount++;
    this.#quoteAt = time;
    this.#spread.add(ask - bid);
    this.#sizes.depth.add(bidSize);
    this.#sizes.depth.add(askSize);
    if (this.#ask > 0 && (bid !== this.#bid || ask !== this.#ask)) this.#moves.add(Math.abs(bid + ask - this.#bid - this.#ask));
    this.#bid = bid;
    this.#ask = ask;
  }

  /** A second has passed. */
  second(): void {
    const mid = this.#bid + this.#ask;
    if (mid === 0) return;
    if (this.#secondAgo > 0) {
      const value = (mid / this.#secondAgo - 1) * 1e4;
      this.#seconds.add(value);
      this.#absolute.add(Math.abs(value));
    }
    this.#secondAgo = mid;
    if (this.#secondsSeen++ % 60 !== 0) return;
    if (this.#minuteAgo > 0) {
      const value = (mid / this.#minuteAgo - 1) * 1e4;
      this.#minutes.add(value);
      this.#absoluteMinutes.add(Math.abs(value));
    }
    this.#minuteAgo = mid;
  }

  /** The return of the last five seconds. */
  fifth(): number {
    const mid = this.#bid + this.#ask;
    const value = this.#fifthAgo > 0 ? mid / this.#fifthAgo - 1 : 0;
    this.#fifthAgo = mid;
    return value;
  }

  /** Call once, at the end. */
  figures(common: number): Record<FigureKey, number> {
    this.#endOrder();
    const seconds = (this.#last - this.#first) / SECOND_MS;
    const quotes = this.#spread.count;
    return { ...this.#paces(seconds, quotes), ...this.#shapes(quotes), ...this.#returns(), common };
  }

  #paces(seconds: number, quotes: number) {
    const { trade, order, quote } = this.#gaps;
    return {
      tradesPerSecond: this.#sizes.trade.count / seconds,
      ordersPerSecond: this.#sizes.order.count / seconds,
      quotesPerSecond: quotes / seconds,
      tradeGapMean: trade.mean,
      orderGap50: order.quantile(0.5),
      orderGap90: order.quantile(0.9),
      quoteGap50: quote.quantile(0.5),
      quoteGap90: quote.quantile(0.9),
      quoteGap99: quote.quantile(0.99),
      orderBurstiness: order.burstiness,
      quoteBurstiness: quote.burstiness,
      quoteDispersion: this.#counts.variance / this.#counts.mean,
    };
  }

  #shapes(quotes: number) {
    const { trade, order, depth } = this.#sizes;
    const coins = (of: Histogram, share: number): number => of.quantile(share) * this.#lot;
    return {
      oneTick: this.#spread.share(1),
      spread95: this.#spread.quantile(0.95),
      spread99: this.#spread.quantile(0.99),
      depth10: coins(depth, 0.1),
      depth50: coins(depth, 0.5),
      depth90: coins(depth, 0.9),
      tradeSize50: coins(trade, 0.5),
      tradeSize90: coins(trade, 0.9),
      tradeSize99: coins(trade, 0.99),
      orderSize50: coins(order, 0.5),
      orderSize90: coins(order, 0.9),
      tradesPerOrder: trade.count / order.count,
      walking: this.#walked / order.count,
      atTouch: this.#atTouch / this.#judged,
      sign1: this.#signs.autocorrelation(0),
      sign10: this.#signs.autocorrelation(1),
      sign100: this.#signs.autocorrelation(2),
      orderSign1: this.#orderSigns.autocorrelation(0),
      orderSign10: this.#orderSigns.autocorrelation(1),
      priceChange: this.#moves.count / quotes,
      move50: this.#moves.quantile(0.5) / 2,
      move90: this.#moves.quantile(0.9) / 2,
    };
  }

  #returns() {
    const minutes = this.#minutes.count < 30 ? null : this.#minutes;
    return {
      volatility: this.#seconds.size,
      stillSeconds: this.#seconds.zeros,
      kurtosis: this.#seconds.kurtosis,
      returns1: this.#seconds.autocorrelation(0),
      absolute1: this.#absolute.autocorrelation(0),
      absolute10: this.#absolute.autocorrelation(1),
      minuteVolatility: minutes?.size ?? Number.NaN,
      minuteKurtosis: minutes?.kurtosis ?? Number.NaN,
      minute1: this.#absoluteMinutes.autocorrelation(0),
      minute10: this.#absoluteMinutes.autocorrelation(1),
      minute60: this.#absoluteMinutes.autocorrelation(2),
    };
  }
}
