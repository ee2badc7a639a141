/**
 * Plays one bar of a market as one event (docs/venue-model.md). First its open: funding, liquidation, triggers beyond it, orders. Then a
 * path of prices: straight ways from the open over given prices to the close, on which the market passes every price. On the way:
 * - a trigger fires at its price; at a price triggers come before resting orders;
 * - a resting order fills at its limit once the way goes beyond it;
 * - an account is liquidated at the first price at which its margin does not suffice;
 * - the bot acts at the prices that it watches itself (PathHolder).
 * All own fills together are at most the volume of the bar, unless that is 0.
 * size: the open and the path of a bar, each event in its order
 */
import { assert } from '../../base/failure/assert.ts';
import type { Bracket } from '../state/bracket.ts';
import { lowerTrigger, upperTrigger } from '../state/brackets.ts';
import { AHEAD_UNKNOWN } from '../state/order.ts';
import type { MarketState } from '../state/market-state.ts';
import type { Order } from '../state/order.ts';
import { FARTHEST, HIGH, type Resting } from '../state/resting.ts';
import type { SimState } from '../state/state.ts';
import type { PathHolder, PlayedBar } from '../state/types.ts';
import { tried } from './bar-trial.ts';
import { fill } from '../matching/fills.ts';
import { fireBracket, fireTrigger } from '../orders/triggers.ts';
import { payFundingOf } from '../margin/funding.ts';
import { liquidate } from '../margin/liquidation.ts';
import { take } from '../matching/match.ts';
import { isShortAt, QuietBars, quoteAt } from './quiet-bars.ts';
import { entriesOf, inRangeOf, leanOf, turnsOf, type Turns } from './own-prices.ts';

/** More events in one bar mean that something fires without end. */
const ENDLESS = 100_000;

/** What is next on a way, in this order at one price. */
const TRIGGER = 0;
const LIQUIDATION = 1;
const HELD = 2;
const LIMIT = 3;

export class BarPlay {
  readonly market: MarketState;
  readonly #s: SimState;
  readonly #quiet: QuietBars;
  #bar: PlayedBar;
  /** Brackets whose lots other orders hold, with what the leg was then: they wait for a change of it. */
  readonly #blocked = new Map<Bracket, number>();
  /** Own lots before the bar. */
  #before = 0;
  #fundedUntil = -Infinity;
  #heldAtOpen = 0;
  /** True if what was held at the open of the bar is held at its close. */
  #isMoved = false;
  /** The held price at which the bot did nothing, and when. */
  #idleAt = Number.NaN;
  #idleSince = 0;
  constructor(s: SimState, market: MarketState) {
    this.#s = s;
    this.market = market;
    this.#quiet = new QuietBars(s, market);
    this.#bar = NO_BAR;
  }

  /** True if nothing of ours is in this market: a bar only moves its price. */
  get isIdle(): boolean {
    return this.#quiet.isIdle;
  }

  /** The bar moves the price, and nothing else. Only if `isIdle`. */
  pass(bar: PlayedBar): void {
    this.#begin(bar);
    this.market.markAt = bar.end;
    this.show(bar.close);
  }

  /** True if this bar moves the price and nothing else, though something of ours is in the market. Exits that the bot watches are not looked at. */
  isQuiet(bar: PlayedBar): boolean {
    return this.#quiet.has(bar, this.#fundedUntil);
  }

  /** The bar moves the price. Only if `isQuiet`. `each` is called at its low, its high and its close, null for nobody. */
  move(bar: PlayedBar, each: (() => void) | null): void {
    this.#begin(bar);
    this.#fundedUntil = bar.end;
    this.#isMoved = true;
    this.moveOn(each);
  }

  /** The same after the open of the bar, which was played. */
  moveOn(each: (() => void) | null): void {
    const { low, high, close } = this.#bar;
    if (each !== null) {
      this.show(low);
      each();
      this.show(high);
      each();
    }
    this.show(close);
    each?.();
  }

  /**
   * The open, before the orders that were given since the last bar. `isCautious`: orders that they cancel fill first; so many of them did.
   */
  open(bar: PlayedBar, holder: PathHolder, isCautious: boolean): number {
    this.#s.barsPlayed++;
    this.#isMoved = false;
    this.#begin(bar);
    this.show(bar.open);
    this.#payFunding(bar);
    this.#liquidate();
    this.#fireReached(holder);
    const early = isCautious ? this.#fillBeyond(holder) : 0;
    this.#takeRest();
    this.show(bar.open);
    return early;
  }

  /** The open, after those orders. */
  opened(holder: PathHolder): void {
    this.show(this.#bar.open);
    // Resting orders that were there, if they were not cancelled, and those that arrived inside of the spread.
    this.#fillBeyond(holder);
    this.#fireReached(holder);
    holder.reached(this.#bar.open);
    this.#rest();
    this.#heldAtOpen = this.#net();
  }

  /** True if a position is held since the open. */
  get isHeld(): boolean {
    const net = this.#net();
    return net !== 0 && (this.#isMoved || (this.#heldAtOpen !== 0 && net > 0 === this.#heldAtOpen > 0));
  }

  /** The market is at the extreme that is worse for what is held. After it call `showClose`. */
  showWorst(): void {
    this.show(this.#net() > 0 ? this.#bar.low : this.#bar.high);
  }

  showClose(): void {
    this.show(this.#bar.close);
  }

  /** Lots of all accounts, of long legs less those of short ones. */
  #net(): number {
    const { index } = this.market;
    let sum = 0;
    const { accounts } = this.#s;
    for (let a = 0; a < accounts.length; a++) {
      const { long, short } = accounts[a]!.pairs[index]!;
      sum += long.total - short.total;
    }
    return sum;
  }

  /** The rest of the bar, straight from each of these prices to the next. The first is the open, the last the close. */
  play(path: readonly number[], holder: PathHolder): void {
    for (let k = 1; k < path.length; k++) this.#travel(path[k]!, holder);
    const { marks } = this.market;
    // Marks that were recorded inside the bar may liquidate, and the last of them stays.
    for (const at of marks === null ? [] : [...marks.times(this.#bar.start, this.#bar.end - 1), this.#bar.end]) {
      this.market.markAt = at;
      this.#liquidate();
    }
    this.#rest();
    this.#s.barsPlayed++;
  }

  /** The equity of all accounts at the close, if the bar took this path. Nothing changes. */
  equityAfter(path: readonly number[], holder: PathHolder): number {
    const blocked = [...this.#blocked];
    const equity = tried(this.#s, holder.tap ?? null, () => this.play(path, holder));
    // Numbers of orders and fills come back, so what was idle in the try is not idle after it.
    this.#idleAt = Number.NaN;
    this.#blocked.clear();
    for (const [bracket, at] of blocked) this.#blocked.set(bracket, at);
    return equity;
  }

  /** Number of own orders, triggers and liquidations with a price in the bar, those that a fill would bring included. */
  inRange(): number {
    const { low, high } = this.#bar;
    let count = inRangeOf(this.market, low, high);
    if (count > 0 && (this.#isShortAt(low) || this.#isShortAt(high))) count++;
    return count;
  }

  /** Prices on the path at which orders that wait now would open something. */
  entries(): number[] {
    return entriesOf(this.market);
  }

  /** Prices at which stops, or instead of them targets, would close what is held or opened: on which side of the open they act. */
  turns(areTargets: boolean): Turns {
    return turnsOf(this.market, areTargets);
  }

  /** Above 0 if lows are the worse side for what is held, below 0 if highs are. While flat, for what may be opened they come after it. */
  lean(): number {
    return this.#net() || leanOf(this.market);
  }

  /** The market is at this price of the bar: half of the spread below and above it, and what is left of the volume. */
  show(price: number): void {
    const { market } = this;
    const { volume, end } = this.#bar;
    const left = volume === 0 ? HIGH : Math.max(0, volume - (market.traded - this.#before));
    quoteAt(this.market, price, this.#bar);
    market.bidSize = left;
    market.askSize = left;
    market.bidLeft = left;
    market.askLeft = left;
    market.isDepleted = false;
    market.quoteTime = end;
  }

  #begin(bar: PlayedBar): void {
    this.#bar = bar;
    this.#s.now = bar.end;
    this.market.markAt = bar.start;
    this.#before = this.market.traded;
    if (this.#blocked.size > 0) this.#blocked.clear();
    this.#idleAt = Number.NaN;
  }

  /** Pays for every funding time since the last bar, up to the end of this one, on what was held before. */
  #payFunding({ start, end }: PlayedBar): void {
    const { funding } = this.#s;
    const since = this.#fundedUntil === -Infinity ? start : this.#fundedUntil;
    this.#fundedUntil = end;
    if (funding === null || this.market.isSpot) return;
    for (let at = this.#quiet.fundingAt(since); at < end; at = funding.model.after(at)) payFundingOf(this.#s, funding, this.market, at);
  }

  #travel(to: number, holder: PathHolder): void {
    const { market } = this;
    for (let n = 0; ; n++) {
      assert(n < ENDLESS, 'the orders of a bar come to an end');
      this.#fireReached(holder);
      const from = market.last;
      const next = this.#next(from, to, holder);
      if (next === null) break;
      this.show(next.price);
      if (next.what === LIQUIDATION) this.#liquidate();
      else if (next.what === LIMIT) this.#fillAt(next.order!);
      if (next.what === HELD) this.#hold(next.price, holder);
      else if (next.what === TRIGGER) this.#fireReached(holder);
      else holder.reached(next.price);
      holder.moved?.(from, next.price);
    }
    const from = market.last;
    this.show(to);
    this.#liquidate();
    this.#fireReached(holder);
    holder.moved?.(from, to);
    holder.reached(to);
  }

  /** The first event on the way; null if there is none. */
  #next(from: number, to: number, holder: PathHolder): PathEvent | null {
    const sign = to < from ? -1 : 1;
    let best: PathEvent | null = null;
    const consider = (what: number, price: number, order: Order | null = null): void => {
      if (Number.isNaN(price) || (to - price) * sign < 0) return;
      const ahead = best === null ? 1 : (best.price - price) * sign;
      if (ahead > 0 || (ahead === 0 && what < best!.what)) best = { what, price, order };
    };
    if (to !== from) {
      consider(TRIGGER, this.#trigger(from, to));
      const resting = this.#resting(from, to);
      if (resting !== null) consider(LIMIT, sign > 0 ? Math.max(from, resting.key) : Math.min(from, resting.key), resting);
      consider(LIQUIDATION, this.#liquidation(from, to));
    }
    const held = holder.next(from, to);
    if (!(held === this.#idleAt && this.#idleSince === this.#moment)) consider(HELD, held);
    return best;
  }

  /** Changes with every order and fill. */
  get #moment(): number {
    return this.#s.lastNo + this.#s.fill.fillNo;
  }

  #hold(price: number, holder: PathHolder): void {
    const before = this.#moment;
    holder.reached(price);
    this.#idleAt = price;
    this.#idleSince = before;
  }

  /** The nearest trigger that lies on the way; NaN for none. */
  #trigger(from: number, to: number): number {
    const { triggerOrders, brackets } = this.market;
    const isUp = to > from;
    let found = Number.NaN;
    const consider = (price: number): void => {
      if (price <= 0 || price >= FARTHEST || (isUp ? price <= from || price > to : price >= from || price < to)) return;
      if (Number.isNaN(found) || (isUp ? price < found : price > found)) found = price;
    };
    for (const order of triggerOrders) if (order.isUpward === isUp) consider(order.trigger);
    for (const one of brackets) consider(isUp ? upperTrigger(one) : lowerTrigger(one));
    return found;
  }

  /** The first resting order that the way goes beyond; null for none, or if the volume is used up. */
  #resting(from: number, to: number): Order | null {
    const isUp = to > from;
    const side = isUp ? this.market.sells : this.market.buys;
    if (this.market.bidLeft <= 0) return null;
    const order = firstOf(side);
    return order !== null && (isUp ? order.key < to : order.key > to) ? order : null;
  }

  /** The first price of the way at which an account must be liquidated; NaN for none. */
  #liquidation(from: number, to: number): number {
    if (!this.#isShortAt(to)) return Number.NaN;
    let low = from;
    let high = to;
    while (Math.abs(high - low) > 1) {
      const middle = low + Math.trunc((high - low) / 2);
      if (this.#isShortAt(middle)) high = middle;
      else low = middle;
    }
    return high;
  }

  #isShortAt(price: number): boolean {
    return isShortAt(this.#s, this.market, price, this.#bar);
  }

  #liquidate(): void {
    for (const account of this.#s.accounts) if (account.active.length > 0) liquidate(this.#s, account);
    this.show(this.market.last);
  }

  /** Fires what the price has reached, one after the other: trigger orders, then brackets, each in order of arrival. */
  #fireReached(holder: PathHolder): void {
    const { market } = this;
    for (let n = 0; this.#fireOne(market.last); n++) {
      assert(n < ENDLESS, 'the triggers of a price come to an end');
      this.show(market.last);
      holder.reached(market.last);
    }
  }

  #fireOne(price: number): boolean {
    const { market } = this;
    const { triggerOrders, brackets } = market;
    for (let k = 0; k < triggerOrders.length; k++) {
      const order = triggerOrders[k]!;
      if (order.isUpward ? price < order.trigger : price > order.trigger) continue;
      fireTrigger(this.#s, order, false);
      return true;
    }
    for (let at = 0; at < brackets.length; at++) {
      const bracket = brackets[at]!;
      const isUp = price >= upperTrigger(bracket);
      if (!isUp && price > lowerTrigger(bracket)) continue;
      const { locked, total } = bracket.leg;
      const state = locked * 2 ** 26 + total;
      if (this.#blocked.get(bracket) === state) continue;
      fireBracket(this.#s, market, at, bracket, isUp, false);
      if (market.brackets.includes(bracket)) this.#blocked.set(bracket, bracket.leg.locked * 2 ** 26 + bracket.leg.total);
      return true;
    }
    return false;
  }

  /** Orders that lacked volume take on at the open, the oldest first; they share the volume of the bar. */
  #takeRest(): void {
    const { market } = this;
    if (market.taking === 0) return;
    const waiting = [...market.buys.list(), ...market.sells.list()].filter(({ isTaking }) => isTaking);
    for (const order of waiting.toSorted((a, b) => a.no - b.no)) {
      const side = market.side(order.isSell);
      this.show(this.#bar.open);
      // A fill before it may have ended it.
      if (!side.list().includes(order) || !take(this.#s, market, order)) continue;
      side.removeAt(side.placeOf(order), order);
      market.taking--;
    }
    market.watch();
  }

  /** Fills resting orders that the open lies beyond, each at its limit. Gives their number. */
  #fillBeyond(holder: PathHolder): number {
    const { market } = this;
    let filled = 0;
    for (const side of [market.buys, market.sells]) {
      for (;;) {
        const order = firstOf(side);
        if (order === null || (market.last - order.key) * side.sign >= 0 || market.bidLeft <= 0) break;
        this.#fillAt(order);
        filled++;
        holder.reached(market.last);
      }
    }
    return filled;
  }

  /** What the volume left of limit orders that took rests at its limit; market orders go on at the next open. */
  #rest(): void {
    const { market } = this;
    if (market.taking === 0) return;
    for (const order of [...market.buys.list(), ...market.sells.list()]) {
      if (!order.isTaking || order.isMarket) continue;
      order.isTaking = false;
      market.taking--;
    }
    market.watch();
  }

  /** Fills a resting order at its limit, as far as the volume goes. */
  #fillAt(order: Order): void {
    const { market } = this;
    const side = market.side(order.isSell);
    if (order.ahead === AHEAD_UNKNOWN) order.ahead = 0;
    side.reach(order.key);
    fill(this.#s, order, order.key, Math.min(order.size - order.filled, market.bidLeft), side.placeOf(order));
    this.show(market.last);
  }
}

export function barsOf(s: SimState, market: MarketState): BarPlay {
  return new BarPlay(s, market);
}

interface PathEvent {
  readonly what: number;
  readonly price: number;
  /** The order that rests at the price. */
  readonly order: Order | null;
}

/** The best order that rests. */
function firstOf(side: Resting): Order | null {
  for (let at = side.count - 1; at >= 0; at--) if (!side.orders[at]!.isTaking) return side.orders[at]!;
  return side.far.count === 0 ? null : (side.list().findLast(({ isTaking }) => !isTaking) ?? null);
}

const NO_BAR: PlayedBar = { start: 0, end: 0, open: 0, high: 0, low: 0, close: 0, volume: 0, below: 0, above: 0 };
