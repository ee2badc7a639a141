/**
 * Measures on a tape what a market order of a size would have done to its market: turnover and volatility of a day, and the coefficient Y
 * of the square-root law (domain/models/impact.ts). One pass over the rows. Y is the larger of two estimates. From the volume: of each
 * period (a minute; less on a short tape) the return r and the net value q that takers bought, Y = Σ r·s / (σ · Σ s²) with s = sign(q) ·
 * √(|q| / V), the least squares of the law (Tóth et al. 2011, eq. 1). From the depth: the law passes through the point where taking the
 * mean size displayed at the best price costs half the mean spread, Y = (spread / 2) / (σ · √(depth / V)) (the relation of spread and
 * impact in Wyart et al. 2008, "Relation between bid–ask spread, impact and volatility").
 */
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../base/time/time-spans.ts';
import { BUY } from '../../domain/codes.ts';
import type { ImpactTerms } from '../../domain/models/impact.ts';
import { deviation } from '../../statistics/samples/moments.ts';
import type { Tape } from '../../tape/tape.ts';
import type { TapeStream } from '../../tape/file/stream.ts';
import { TapeMerge } from '../../tape/merge.ts';

export interface MeasuredImpact extends ImpactTerms {
  /** The two estimates of Y; NaN where the tape cannot tell. */
  readonly fromVolume: number;
  readonly fromDepth: number;
}

/** Y where a tape shows neither signed trades nor a book, as of bars: Tóth et al. find it to be of order one. */
const UNKNOWN = 1;
/** Lengths of periods; the first of which at least this many fit is taken, and a symbol with fewer than the least has no volatility. */
const PERIODS = [MINUTE_MS, 10 * SECOND_MS, SECOND_MS];
const PERIODS_WANTED = 30;
const PERIODS_LEAST = 10;

/**
 * By symbol. `valueOf` is the money (10^-8 of the quote coin) of one lot at one tick, for the grid that the tape was opened with. A symbol
 * without trades, or with less than ten seconds of them, has none.
 */
export function measureImpact(tape: Tape, valueOf: (symbol: string) => number | undefined): ReadonlyMap<string, MeasuredImpact> {
  const { from, to } = tape.manifest;
  const periodMs = PERIODS.find((ms) => (to - from) / ms >= PERIODS_WANTED) ?? SECOND_MS;
  const streams = tape.open();
  const markets = new Map<string, MarketSums>();
  const byStream = streams.map(({ symbol }) => {
    const unit = valueOf(symbol);
    if (unit === undefined) return undefined;
    const sums = markets.get(symbol) ?? new MarketSums(unit, periodMs);
    markets.set(symbol, sums);
    return sums;
  });
  const merge = new TapeMerge(streams);
  while (merge.next()) {
    const { stream } = merge;
    const sums = byStream[stream.index];
    if (sums === undefined) continue;
    for (let row = merge.from; row < merge.to; row++) sums.take(stream, row);
  }
  for (const stream of streams) stream.close();
  const measured = [...markets].map(([symbol, sums]) => [symbol, sums.measured()] as const);
  return new Map(measured.filter((one): one is [string, MeasuredImpact] => one[1] !== null));
}

class MarketSums {
  readonly #unit: number;
  readonly #periodMs: number;
  #first = -1;
  #last = 0;
  #value = 0;
  /** Net value that takers bought in this period, and the price at the end of the one before. */
  #net = 0;
  #price = 0;
  #priceBefore = 0;
  #period = -1;
  readonly #returns: number[] = [];
  readonly #flows: number[] = [];
  /** True if sides are synthetic, because the rows are the paths of bars. */
  #isPath = false;
  #bid = 0;
  #ask = 0;
  #shown = 0;
  #quoteAt = -1;
  /** Sums over time of the relative spread and of the value displayed at the best prices. */
  #spreadMs = 0;
  #depthMs = 0;
  #bookMs = 0;

  constructor(unit: number, periodMs: number) {
    this.#unit = unit;
    this.#periodMs = periodMs;
  }

  take(stream: TapeStream, row: number): void {
    const time = stream.time[row]!;
    const period = Math.floor(time / this.#periodMs);
    if (period !== this.#period) this.#turn(period);
    if (this.#first < 0) this.#first = time;
    this.#last = time;
    if (stream.isPath) this.#isPath = true;
    if (stream.kind === 'trades') {
      const value = stream.price[row]! * stream.size[row]! * this.#unit;
      this.#value += value;
      this.#net += stream.side[row] === BUY ? value : -value;
      if (this.#bid === 0) this.#price = stream.price[row]!;
    } else this.#quote(time, stream, row);
  }

  #quote(time: number, stream: TapeStream, row: number): void {
    const [bid, ask] = [stream.bid[row]!, stream.ask[row]!];
    this.#endQuote(time);
    this.#quoteAt = time;
    this.#bid = bid;
    this.#ask = ask;
    this.#shown = ((bid * stream.bidSize[row]! + ask * stream.askSize[row]!) / 2) * this.#unit;
    if (bid > 0 && ask > 0) this.#price = (bid + ask) / 2;
  }

  #endQuote(time: number): void {
    if (this.#quoteAt < 0 || this.#bid === 0 || this.#ask === 0) return;
    const ms = time - this.#quoteAt;
    this.#spreadMs += (ms * (this.#ask - this.#bid)) / ((this.#ask + this.#bid) / 2);
    this.#depthMs += ms * this.#shown;
    this.#bookMs += ms;
  }

  /** A period without a row has no entry; its return is part of the next one. */
  #turn(period: number): void {
    if (this.#priceBefore > 0 && this.#price > 0) {
      this.#returns.push(Math.log(this.#price / this.#priceBefore));
      this.#flows.push(this.#net);
    }
    this.#net = 0;
    this.#priceBefore = this.#price;
    this.#period = period;
  }

  measured(): MeasuredImpact | null {
    this.#turn(-1);
    this.#endQuote(this.#last);
    const spanMs = this.#last - this.#first;
    const volatility = deviation(this.#returns) * Math.sqrt(DAY_MS / this.#periodMs);
    const turnover = (this.#value / spanMs) * DAY_MS;
    if (this.#returns.length < PERIODS_LEAST || !(volatility > 0 && turnover > 0)) return null;
    const fromVolume = this.#isPath ? Number.NaN : this.#slope(turnover) / volatility;
    const half = this.#spreadMs / this.#bookMs / 2;
    const fromDepth = this.#isPath ? Number.NaN : half / (volatility * Math.sqrt(this.#depthMs / this.#bookMs / turnover));
    const known = [fromVolume, fromDepth].filter((one) => one > 0);
    return { coefficient: known.length === 0 ? UNKNOWN : Math.max(...known), volatility, turnover, fromVolume, fromDepth };
  }

  #slope(turnover: number): number {
    let above = 0;
    let below = 0;
    for (const [k, net] of this.#flows.entries()) {
      const flow = Math.sign(net) * Math.sqrt(Math.abs(net) / turnover);
      above += this.#returns[k]! * flow;
      below += flow * flow;
    }
    return below === 0 ? Number.NaN : above / below;
  }
}
