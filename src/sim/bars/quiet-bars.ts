/**
 * Finds the bars of a market that only move its price: no order or trigger of ours is in their range, no funding is due, and nobody is
 * liquidated.
 */
import type { MarketState } from '../state/market-state.ts';
import type { SimState } from '../state/state.ts';
import type { PlayedBar } from '../state/types.ts';
import { isShort } from '../margin/liquidation.ts';

/** Prices are checked for liquidations so far beyond a bar, so that one check serves many. */
const SAFE_WIDE = 0.1;

export class QuietBars {
  readonly #s: SimState;
  readonly #market: MarketState;
  /** What follows holds until something is filled, or a bar is played in full. */
  #playedAt = -1;
  #filledAt = -1;
  #isIdle = false;
  /** Bars between these prices that end by `#until` only move the price. */
  #low = 0;
  #high = 0;
  #until = -Infinity;
  /** Valid for what is paid since a time from the first to the second. */
  #nextFundingSince = Infinity;
  #nextFunding = -Infinity;

  constructor(s: SimState, market: MarketState) {
    this.#s = s;
    this.#market = market;
  }

  /** True if nothing of ours is in the market. */
  get isIdle(): boolean {
    this.#refresh();
    return this.#isIdle;
  }

  /** True if the bar is one of them. Funding is paid up to `fundedUntil`. */
  has(bar: PlayedBar, fundedUntil: number): boolean {
    this.#refresh();
    return (bar.low > this.#low && bar.high < this.#high && bar.end <= this.#until) || this.#finds(bar, fundedUntil);
  }

  #refresh(): void {
    const { barsPlayed, fill } = this.#s;
    if (this.#playedAt === barsPlayed && this.#filledAt === fill.fillNo) return;
    this.#playedAt = barsPlayed;
    this.#filledAt = fill.fillNo;
    this.#isIdle = this.#isEmpty();
    this.#until = -Infinity;
  }

  #isEmpty(): boolean {
    const { buys, sells, triggerOrders, brackets, index } = this.#market;
    if (buys.size + sells.size + triggerOrders.length + brackets.length > 0) return false;
    return this.#s.accounts.every(({ pairs }) => !pairs[index]!.hasPosition());
  }

  #finds(bar: PlayedBar, fundedUntil: number): boolean {
    const market = this.#market;
    const { buys, sells, triggerOrders, brackets } = market;
    const { low, high } = bar;
    let [least, most] = [buys.top, sells.top];
    if (triggerOrders.length + brackets.length > 0) {
      if (market.bracketsByMark || triggerOrders.some(({ isByMark }) => isByMark)) return false;
      least = Math.max(least, market.triggerLow);
      most = Math.min(most, market.triggerHigh);
    }
    if (market.marks !== null || market.taking > 0 || low <= least || high >= most) return false;
    const until = this.fundingAt(fundedUntil === -Infinity ? bar.start : fundedUntil);
    if (until < bar.end) return false;
    // Positions elsewhere may be liquidated together with those here: then prices there count too.
    if (!this.#isAlone()) return !this.#isShortAt(low, bar) && !this.#isShortAt(high, bar);
    for (const wide of [SAFE_WIDE, 0]) {
      const [safeLow, safeHigh] = [Math.ceil(low * (1 - wide)), Math.floor(high * (1 + wide))];
      // Equity less margin has no valley between two prices, so the ends tell.
      if (this.#isShortAt(safeLow, bar) || this.#isShortAt(safeHigh, bar)) continue;
      this.#low = Math.max(least, safeLow - 1);
      this.#high = Math.min(most, safeHigh + 1);
      this.#until = until;
      return true;
    }
    return false;
  }

  /** The first funding time at `since` or later; Infinity if there is none. */
  fundingAt(since: number): number {
    const { funding } = this.#s;
    if (funding === null || this.#market.isSpot) return Infinity;
    if (since > this.#nextFunding || since < this.#nextFundingSince) {
      this.#nextFundingSince = since;
      this.#nextFunding = funding.model.after(since - 1);
    }
    return this.#nextFunding;
  }

  /** True if all positions are in this market. */
  #isAlone(): boolean {
    return this.#s.accounts.every(({ active }) => active.every(({ market }) => market === this.#market));
  }

  #isShortAt(price: number, bar: PlayedBar): boolean {
    return isShortAt(this.#s, this.#market, price, bar);
  }
}

/** True if an account would have to be liquidated at this price of the bar. The market stays where it is. */
export function isShortAt({ accounts }: SimState, market: MarketState, price: number, bar: PlayedBar): boolean {
  if (accounts.every(({ pairs }) => !pairs[market.index]!.hasPosition())) return false;
  const { bid, ask, last } = market;
  quoteAt(market, price, bar);
  const isAnyShort = accounts.some(isShort);
  market.bid = bid;
  market.ask = ask;
  market.last = last;
  return isAnyShort;
}

/** The market is at this price of the bar, with half of the spread below and above it. */
export function quoteAt(market: MarketState, price: number, { below, above }: PlayedBar): void {
  market.bid = price > below ? price - below : 1;
  market.ask = market.bid + below + above;
  market.last = price;
}
