/** Which bars of a market only move its price: no order or trigger of ours is in their range, no funding is due, and nobody is liquidated. */
import type { MarketState } from '../state/market-state.ts';
import type { SimState } from '../state/state.ts';
import type { PlayedBar } from '../state/types.ts';
import { isShort } from '../margin/liquidation.ts';

/** Prices are checked for liquidations so far beyond a bar, so that one check serves many. */
const SAFE_WIDE = 0.1;

export class QuietBars {
  readonly #s: SimState;
  readonly #market: MarketState;
  /** Valid for what is paid since a time from the first to the second. */
  #nextFundingSince = Infinity;
  #nextFunding = -Infinity;
  /** No account is liquidated between these prices, until the next bar that is played in full, or the next fill. */
  #safeLow = 0;
  #safeHigh = 0;
  #safeBars = -1;
  #safeFill = -1;

  constructor(s: SimState, market: MarketState) {
    this.#s = s;
    this.#market = market;
  }

  /** True if the bar is one of them. Funding is paid up to `fundedUntil`. */
  has(bar: PlayedBar, fundedUntil: number): boolean {
    const market = this.#market;
    const { buys, sells, triggerOrders, brackets } = market;
    const { low, high } = bar;
    if (market.marks !== null || market.taking > 0 || low <= buys.top || high >= sells.top) return false;
    if (triggerOrders.length + brackets.length > 0) {
      if (low <= market.triggerLow || high >= market.triggerHigh) return false;
      if (market.bracketsByMark || triggerOrders.some(({ isByMark }) => isByMark)) return false;
    }
    const since = fundedUntil === -Infinity ? bar.start : fundedUntil;
    return this.fundingAt(since) >= bar.end && this.#isSafe(bar);
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

  /** True if no account is liquidated between these prices. Equity less margin has no valley between two prices, so the ends tell. */
  #isSafe(bar: PlayedBar): boolean {
    const s = this.#s;
    const { low, high } = bar;
    const isKnown = this.#safeBars === s.barsPlayed && this.#safeFill === s.fill.fillNo;
    if (isKnown && low >= this.#safeLow && high <= this.#safeHigh) return true;
    if (this.#isAlone()) {
      [this.#safeBars, this.#safeFill] = [s.barsPlayed, s.fill.fillNo];
      for (const wide of [SAFE_WIDE, 0]) {
        this.#safeLow = Math.ceil(low * (1 - wide));
        this.#safeHigh = Math.floor(high * (1 + wide));
        if (!this.#isShortAt(this.#safeLow, bar) && !this.#isShortAt(this.#safeHigh, bar)) return true;
      }
      this.#safeBars = -1;
      return false;
    }
    return !this.#isShortAt(low, bar) && !this.#isShortAt(high, bar);
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
