/** Indicators that the engine feeds: one per market, updated with each complete bar before the handlers see it. */
import { parseTimeframe, type Timeframe } from '../../../domain/time/timeframe.ts';
import type { Bar } from '../../market/bar.ts';
import type { Market } from '../../intents/market-types.ts';

/** What can be fed with bars: every indicator of this package, or an object of your own. */
export interface BarFed {
  /** Number of bars before the first that gives a value. */
  readonly lookback: number;
  /** Takes the next bar, and returns the new value. */
  update(bar: Bar): unknown;
}

/** An indicator of each market. Made by `track`; named in `needs.indicators`. */
export class Tracked<T extends BarFed = BarFed> {
  readonly timeframe: Timeframe;
  readonly #make: () => T;
  readonly #of = new Map<Market, T>();
  #lookback = -1;

  constructor(timeframe: Timeframe, make: () => T) {
    this.timeframe = timeframe;
    this.#make = make;
  }

  /** The indicator of a market. @throws RangeError if this is not named in `needs.indicators`, or the strategy does not trade the market */
  of(market: Market): T {
    const one = this.#of.get(market);
    if (one === undefined) {
      throw new RangeError(`${market.symbol} has no ${this.timeframe.name} indicator here: name what \`track\` gave in needs.indicators`);
    }
    return one;
  }

  get lookback(): number {
    if (this.#lookback < 0) this.#lookback = this.#make().lookback;
    return this.#lookback;
  }

  /** Makes a new indicator for `market`. */
  begin(market: Market): T {
    const one = this.#make();
    this.#of.set(market, one);
    return one;
  }
}

/**
 * An indicator for each market of the strategy, fed with the bars of `timeframe`: `const trend = track('1h', () => ema(50))`, named in
 * `needs: { indicators: [trend] }`, read as `trend.of(market).value`. The strategy starts when all of them have a value.
 * @throws RangeError if the timeframe is invalid
 */
export function track<T extends BarFed>(timeframe: string, make: () => T): Tracked<T> {
  return new Tracked(parseTimeframe(timeframe), make);
}
