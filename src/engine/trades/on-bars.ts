/** What the managed trades of all strategies mean for the order of prices inside a bar. */
import { SIDES } from '../../domain/codes.ts';
import { priceOf, type Instrument } from '../../domain/instrument.ts';
import type { Market } from '../intents/market-types.ts';
import type { TradeBook } from './trade-book.ts';

type Strategies = readonly { readonly trades: TradeBook | null }[];
type Markets = readonly (Market & { readonly instrument: Instrument })[];

/** Prices are in ticks, `side` is LONG or SHORT. */
export class TradesOnBars {
  readonly #strategies: Strategies;
  readonly #markets: Markets;

  constructor(strategies: Strategies, markets: Markets) {
    this.#strategies = strategies;
    this.#markets = markets;
  }

  /** True if a trailing stop is reached in a bar only if its better extreme comes first. See Trade.isShakenOut. */
  isShakenOut(instrument: number, side: number, best: number, worst: number, close: number): boolean {
    for (let k = 0; k < this.#strategies.length; k++) {
      const { trades } = this.#strategies[k]!;
      if (trades === null || trades.isEmpty) continue;
      const market = this.#markets[instrument]!;
      const { instrument: grid } = market;
      if (trades.isShakenOut(market, SIDES[side]!, priceOf(best, grid), priceOf(worst, grid), priceOf(close, grid))) return true;
    }
    return false;
  }

  /** True if the bot itself closes shares of trades of this market at stated prices, or will when their entries fill. */
  hasTargets(instrument: number): boolean {
    const market = this.#markets[instrument]!;
    for (let k = 0; k < this.#strategies.length; k++) if (this.#strategies[k]!.trades?.hasTargets(market) === true) return true;
    return false;
  }

  /**
   * Adds to `found` the prices at which the bot closes shares of trades of this side itself: it sells at these bids or higher ones, or buys at
   * these asks or lower ones.
   */
  targets(instrument: number, side: number, found: number[]): void {
    const market = this.#markets[instrument]!;
    for (let k = 0; k < this.#strategies.length; k++) this.#strategies[k]!.trades?.targets(market, side, found);
  }
}
