/**
 * Plays the managed trades of all strategies inside a bar of a backtest. It says at which prices they act, and in a try of a path what they
 * would do.
 */
import { assert } from '../../base/failure/assert.ts';
import type { TrailInRange } from '../../domain/bar-paths.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Market } from '../intents/market-types.ts';
import { isCalm } from './calm-range.ts';
import { canTrail, isQuiet, nextPrice, pricesOf, stopPrice, targetPrices, type HalfSpread } from './exit-prices.ts';
import { GhostTrades, type GhostActions } from './ghost-trades.ts';
import type { Trade } from './trade.ts';
import type { StrategyTrades } from './strategy-trades.ts';

type Strategies = readonly { readonly trades: StrategyTrades | null }[];
const NONE: readonly Trade[] = [];
type Markets = readonly (Market & { readonly instrument: Instrument })[];

interface Turns {
  readonly below: number[];
  readonly above: number[];
}

/** Prices are those of the path, in ticks; `spread` says where bid and ask are around them. */
export class TradesOnBars {
  readonly #strategies: Strategies;
  readonly #markets: Markets;

  constructor(strategies: Strategies, markets: Markets) {
    this.#strategies = strategies;
    this.#markets = markets;
  }

  /** True if there are managed trades of this market. */
  isAny(instrument: number): boolean {
    const market = this.#markets[instrument]!;
    for (let k = 0; k < this.#strategies.length; k++) {
      const list = this.#strategies[k]!.trades?.list ?? NONE;
      for (let t = 0; t < list.length; t++) if (list[t]!.market === market) return true;
    }
    return false;
  }

  /** True if the trades of this market do nothing in a bar with this range, whatever comes first in it. */
  areQuiet(instrument: number, low: number, high: number, spread: HalfSpread): boolean {
    // Where no bid is left the quote is another one.
    if (low <= spread.below) return false;
    const market = this.#markets[instrument]!;
    for (let k = 0; k < this.#strategies.length; k++) {
      const list = this.#strategies[k]!.trades?.list ?? NONE;
      for (let t = 0; t < list.length; t++) {
        const trade = list[t]!;
        if (trade.market === market && !isCalm(trade, low, high, spread) && !isQuiet(trade, low, high, spread)) return false;
      }
    }
    return true;
  }

  /** A bar passed in which the trades did nothing: the market came to this low and to this high. */
  passed(instrument: number, low: number, high: number, spread: HalfSpread): void {
    const market = this.#markets[instrument]!;
    for (let k = 0; k < this.#strategies.length; k++) {
      const list = this.#strategies[k]!.trades?.list ?? NONE;
      for (let t = 0; t < list.length; t++) {
        const trade = list[t]!;
        if (trade.market !== market || trade.left <= 0 || isCalm(trade, low, high, spread)) continue;
        const more = trade.sign > 0 ? -spread.below : spread.above;
        const isReached = trade.sees(trade.priceOf(low + more)) || trade.sees(trade.priceOf(high + more));
        assert(!isReached, 'a bar in which a trade does nothing does not reach its stop', low, 'trade', trade.id);
      }
    }
  }

  /** The first price from `from` to `to` at which a trade acts; NaN for none. */
  next(instrument: number, from: number, to: number, spread: HalfSpread): number {
    return nextPrice(this.#of(instrument), from, to, spread);
  }

  /** Number of exits that the bot watches with a price in the range, those of entries too if an order may fill. A trailing stop counts twice. */
  inRange(instrument: number, low: number, high: number, spread: HalfSpread, mayFill: boolean): number {
    let count = 0;
    for (const trade of this.#of(instrument)) {
      const isEntering = trade.state === 'entering';
      if (trade.left <= 0 && !mayFill) continue;
      if (isEntering ? movesStop(trade) : canTrail(trade, low, high, spread)) count += 2;
      for (const price of pricesOf(trade, spread)) if (price >= low && price <= high) count++;
      if (isEntering) count++;
      // A rung or an addition moves what is relative to the average.
      else if (mayFill && isByAverage(trade)) count++;
    }
    return count;
  }

  /** Trailing stops, of trades that are held and of those whose entry may fill at one of the prices `entries`. */
  trails(instrument: number, open: number, entries: readonly number[]): TrailInRange[] {
    return this.#of(instrument).flatMap((trade): TrailInRange[] => {
      const distance = trade.trailTicks(open);
      if (Number.isNaN(distance)) return [];
      const isLong = trade.side === 'LONG';
      const held = trade.left > 0 ? [{ distance, isLong, entry: null }] : [];
      return [...held, ...(trade.state === 'entering' ? entries.map((entry) => ({ distance, isLong, entry })) : [])];
    });
  }

  /** Adds to `turns` the prices at which the trades' stops, or instead of them their targets, would act: on which side of the open they act. */
  addTurns(turns: Turns, instrument: number, areTargets: boolean, entries: readonly number[], open: number, spread: HalfSpread): void {
    for (const trade of this.#of(instrument)) {
      const { below, above } = turns;
      const side = trade.sign > 0 !== areTargets ? below : above;
      if (areTargets) {
        side.push(...targetPrices(trade, spread));
        continue;
      }
      const stop = stopPrice(trade, spread);
      if (stop > 0) side.push(stop);
      const distance = trade.state === 'entering' ? trade.trailTicks(open) : Number.NaN;
      if (!Number.isNaN(distance)) side.push(...entries.map((entry) => entry - trade.sign * distance));
    }
  }

  /** The trades in a try of a path: copies, which act by `actions`. */
  ghost(instrument: number, actions: GhostActions, spread: HalfSpread): GhostTrades {
    return new GhostTrades(this.#of(instrument), this.#markets[instrument]!, actions, spread);
  }

  #of(instrument: number): readonly Trade[] {
    const market = this.#markets[instrument]!;
    return this.#strategies.flatMap(({ trades }) => (trades === null || trades.isEmpty ? [] : trades.of(market)));
  }
}

/** True if the stop is known only once the entry has filled. */
function movesStop({ saved }: Trade): boolean {
  return saved.trailing !== null || saved.breakEven !== null || saved.stopAway !== null;
}

function isByAverage({ saved: { stopAway, targets } }: Trade): boolean {
  return stopAway !== null || targets.some(({ away }) => away !== null);
}
