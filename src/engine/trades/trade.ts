/** One managed trade: what is saved of it, and the view that a strategy has. */
import type { SideName } from '../../domain/codes.ts';
import { formatLots, priceOf, sizeOf, type Instrument } from '../../domain/instrument.ts';
import type { SavedTrade, TradeExit, TradeState, Trailing } from './saved-trade.ts';
import { TRAILING_FIELDS } from './fields.ts';
import { unknownField } from '../intents/fields.ts';
import type { Market } from '../intents/market-types.ts';
import type { ManagedTrade } from './trade-types.ts';

/** What a trade asks of its book. */
export interface TradeOwner {
  close(trade: Trade, why: string): void;
  changed(trade: Trade): void;
  refuse(trade: Trade, problem: string): void;
}

export class Trade implements ManagedTrade {
  readonly saved: SavedTrade;
  readonly market: Market;
  readonly instrument: Instrument;
  /** When the next try to close is allowed. */
  retryAt = 0;
  /** Since when the leg has had less than the trade is to close; Infinity while it has enough. */
  shortSince = Infinity;
  /** When to look again whether an ended order had fills; 0 for never. */
  lookAt = 0;
  /** When it was last looked at by the timer: times up to this one are over. */
  seenAt = 0;
  /** When the last fill of an entry was known: quotes before it are of another market. */
  grownAt = -Infinity;
  /** The state as it was last written down, and when. */
  noted = '';
  notedAt = -Infinity;
  readonly #owner: TradeOwner;

  constructor(saved: SavedTrade, market: Market, instrument: Instrument, owner: TradeOwner) {
    this.saved = saved;
    this.market = market;
    this.instrument = instrument;
    this.#owner = owner;
  }

  get id(): number {
    return this.saved.id;
  }
  get side(): SideName {
    return this.saved.side;
  }
  get state(): TradeState {
    return this.saved.state;
  }
  get reason(): string {
    return this.saved.reason;
  }
  get entryTime(): number {
    return this.saved.entryTime > 0 ? this.saved.entryTime : Number.NaN;
  }
  get entryPrice(): number {
    const { pricedLots, entryValue } = this.saved;
    return pricedLots > 0 ? entryValue / pricedLots : Number.NaN;
  }
  get entered(): number {
    return this.saved.enteredLots > 0 ? sizeOf(this.saved.enteredLots, this.instrument) : 0;
  }
  get size(): number {
    return this.left > 0 ? sizeOf(this.left, this.instrument) : 0;
  }
  get best(): number {
    return this.saved.best > 0 ? this.saved.best : Number.NaN;
  }
  get worst(): number {
    return this.saved.worst > 0 ? this.saved.worst : Number.NaN;
  }
  get stop(): number {
    const stop = this.stopNow;
    return stop > 0 ? stop : Number.NaN;
  }
  get venueStop(): number {
    return this.saved.venueStop > 0 && this.left > 0 ? this.saved.venueStop : Number.NaN;
  }
  get realised(): number {
    const { entryPrice, sign } = this;
    const profit = (sum: number, { size, price }: TradeExit): number => (price > 0 ? sum + (price - entryPrice) * size * sign : sum);
    return this.saved.pricedLots > 0 ? this.saved.exits.reduce(profit, 0) : 0;
  }
  get unrealised(): number {
    return this.left > 0 ? (this.outPrice - this.entryPrice) * this.size * this.sign : 0;
  }
  get exits(): readonly TradeExit[] {
    return this.saved.exits;
  }

  /** Lots that are held. */
  get left(): number {
    return this.saved.enteredLots - this.saved.exitedLots;
  }
  get sign(): 1 | -1 {
    return this.saved.side === 'LONG' ? 1 : -1;
  }
  /** The price at which the position could be closed now. */
  get outPrice(): number {
    return this.saved.side === 'LONG' ? this.market.bid : this.market.ask;
  }
  /** True if the position could only be closed at the price of the venue's stop-loss or a worse one. */
  get isBeyondVenueStop(): boolean {
    const { venueStop } = this.saved;
    return venueStop > 0 && this.sign * (this.outPrice - venueStop) <= 0;
  }
  /** Lots that target `k` still lacks. Rounded from the sum of shares, so that shares of 1/3 add up to the whole. */
  lackOf(k: number): number {
    const { targets, enteredLots } = this.saved;
    let shares = 0;
    for (let at = 0; at < k; at++) shares += targets[at]!.share;
    const upTo = (share: number): number => Math.floor(enteredLots * Math.min(1, share) + 1e-9);
    const { share, filled } = targets[k]!;
    return upTo(shares + share) - upTo(shares) - filled;
  }
  /**
   * Lots of the order for target `k` if `free` lots have none yet. A share below the smallest order of the market gets none, and a rest below
   * it goes with the share: no order could close it while others hold more of the leg.
   */
  lotsFor(k: number, free: number): number {
    const { minSize } = this.instrument;
    const lots = Math.min(free, this.lackOf(k));
    if (lots <= 0 || (lots < minSize && lots < free)) return 0;
    return free - lots < minSize ? free : lots;
  }
  /** True if the bot closes the share of target `k` itself when its price is reached, and no order is placed for it. */
  awaits(k: number): boolean {
    const { resting, order } = this.saved.targets[k]!;
    return this.state === 'open' && !resting && order === 0 && this.lotsFor(k, this.left) > 0;
  }
  /** True if the position could be closed at this price or a better one, by a quote that is newer than its last entry at `now`. */
  hasReached(price: number, now: number): boolean {
    return this.sign * (this.outPrice - price) >= 0 && now - this.market.ageMs > this.grownAt;
  }
  /** The nearest of all stops of the bot; 0 for none. */
  get stopNow(): number {
    return this.#stopAt(this.saved.best);
  }

  /** The nearest stop once the price has been at `far`, by trailing and break-even; 0 for none. */
  stopAfter(far: number): number {
    const { best: before, breakEven } = this.saved;
    const best = before > 0 && this.sign * (before - far) > 0 ? before : far;
    const stop = this.#stopAt(best);
    if (breakEven === null || !this.#isBetterBy(best, breakEven.after)) return stop;
    return this.#nearer(stop, this.entryPrice * (1 + (this.sign * breakEven.plus) / 100));
  }

  /** How far behind the best price a trailing stop is, in ticks; NaN without one. */
  trailTicks(price: number): number {
    const { trailing } = this.saved;
    if (trailing === null) return Number.NaN;
    const at = priceOf(price, this.instrument);
    return Math.max(1, Math.round((trailingDistance(trailing, at) * this.instrument.priceScale) / this.instrument.tickStep));
  }

  #stopAt(best: number): number {
    const { stop, trailing } = this.saved;
    let nearest = stop;
    if (trailing !== null && best > 0 && this.#isBetterBy(best, trailing.after ?? 0)) {
      nearest = this.#nearer(nearest, best - this.sign * trailingDistance(trailing, best));
    }
    return nearest;
  }

  setStop(price: number): void {
    if (this.saved.state === 'closed') return;
    this.saved.stop = Number.isFinite(price) && price > 0 ? price : 0;
    this.#owner.changed(this);
  }

  trail(trailing: Trailing): void {
    if (this.saved.state === 'closed') return;
    const problem = trailingProblem(trailing);
    if (problem !== '') {
      this.#owner.refuse(this, problem);
      return;
    }
    this.saved.trailing = { ...trailing };
    this.#owner.changed(this);
  }

  close(reason = 'closed by the strategy'): void {
    this.#owner.close(this, reason);
  }

  /** A quote came while something is held. True if a stop was reached. */
  sees(price: number): boolean {
    const { saved, sign } = this;
    if (saved.best === 0 || sign * (price - saved.best) > 0) saved.best = price;
    if (saved.worst === 0 || sign * (price - saved.worst) < 0) saved.worst = price;
    const { breakEven } = saved;
    if (breakEven !== null && this.#isBetterBy(saved.best, breakEven.after)) {
      saved.stop = this.#nearer(saved.stop, this.entryPrice * (1 + (sign * breakEven.plus) / 100));
      saved.breakEven = null;
    }
    const stop = this.stopNow;
    return stop > 0 && sign * (price - stop) <= 0;
  }

  /** Lots that can be given to an order as a size. */
  sizeText(lots: number): string {
    return formatLots(lots, this.instrument);
  }

  priceOf(ticks: number): number {
    return priceOf(ticks, this.instrument);
  }

  /** True if a price is this percent of the entry price better than it. */
  #isBetterBy(price: number, percent: number): boolean {
    return price > 0 && (this.sign * (price - this.entryPrice)) / this.entryPrice >= percent / 100 - 1e-12;
  }

  #nearer(one: number, other: number): number {
    if (one === 0) return other;
    return this.sign * (one - other) > 0 ? one : other;
  }
}

/** Describes what is wrong with a trailing stop; "" if nothing is. */
export function trailingProblem(trailing: Trailing): string {
  const unknown = unknownField(trailing, TRAILING_FIELDS, 'trailing');
  if (unknown !== '') return unknown;
  const { after = 0 } = trailing;
  if (!Number.isFinite(after) || after < 0) return `trailing.after is a percent of at least 0, found ${after}`;
  const isOne = (trailing.distance === undefined) !== (trailing.percent === undefined);
  return isOne && (trailing.distance ?? trailing.percent ?? 0) > 0 ? '' : 'trailing has distance or percent, above 0';
}

/** How far behind `price` a trailing stop is, in quote coin. */
export function trailingDistance({ distance, percent = 0 }: Trailing, price: number): number {
  return distance ?? (price * percent) / 100;
}
