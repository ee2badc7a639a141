/** One managed trade: what is saved of it, and the view that a strategy has. */
import type { SideName } from '../../domain/codes.ts';
import { formatLots, priceOf, sizeOf, type Instrument } from '../../domain/instrument.ts';
import { averageOf, type FromAverage, type SavedTrade, type TradeExit, type TradeState, type Trailing } from './saved-trade.ts';
import { trailingDistance, trailingProblem } from './distances.ts';
import type { Market, OrderNumber } from '../intents/market-types.ts';
import type { AddFields, ManagedTrade, ReduceFields } from './trade-types.ts';

/** What a trade asks of what holds it. */
export interface TradeOwner {
  add(trade: Trade, fields: AddFields): OrderNumber;
  reduce(trade: Trade, fields: ReduceFields): boolean;
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
  /** From when on resting targets may follow the average and the size. */
  moveAt = 0;
  /** Between these prices nothing of it changes (calm-range.ts); NaN while that is not known. */
  readonly calm = { above: Number.NaN, below: Number.NaN };
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
    return averageOf(this.saved);
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
    const { entryPrice, sign, saved } = this;
    if (saved.pricedLots === 0) return 0;
    const profit = (sum: number, { size, price }: TradeExit): number => (price > 0 ? sum + (price - entryPrice) * size * sign : sum);
    return saved.exits.reduce(profit, 0) + this.#ofEarlierAverages;
  }
  get unrealised(): number {
    return this.left > 0 ? (this.outPrice - this.entryPrice) * this.size * this.sign : 0;
  }
  get exits(): readonly TradeExit[] {
    return this.saved.exits;
  }
  get targets(): ManagedTrade['targets'] {
    return this.saved.targets.map(({ share, resting }, k) => ({ price: this.targetPrice(k), share, resting }));
  }

  /**
   * What exits made at averages before the present one: the cost of all that was entered, less its cost at the present average. So the sum
   * does not depend on the order in which fills became known. 0 if no entry came after an exit.
   */
  get #ofEarlierAverages(): number {
    const { held, entryValue, pricedLots } = this.saved;
    if (held === null) return 0;
    return (this.sign * (this.entryPrice * pricedLots - entryValue) * this.instrument.lotStep) / this.instrument.sizeScale;
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
  /** True if the targets together close all of it. */
  get isWholeTargeted(): boolean {
    return this.saved.targets.reduce((sum, { share }) => sum + share, 0) > 1 - 1e-9;
  }
  /** Lots that are to be reduced, and have no order yet. */
  get toReduce(): number {
    return this.saved.reduces.reduce((sum, { order, lots }) => (order === 0 ? sum + lots : sum), 0);
  }
  /** Lots that are to be reduced, and are not closed yet. */
  get reducing(): number {
    return this.saved.reduces.reduce((sum, { lots, filled }) => sum + Math.max(0, lots - filled), 0);
  }
  /** Orders that rest at the venue and lock what they close: the venue's stop-loss leaves it. */
  get restingExits(): readonly OrderNumber[] {
    const { targets, reduces } = this.saved;
    return [...targets.filter(isRestingTarget), ...reduces.filter(isRestingReduce)].map(({ order }) => order);
  }
  /** True if there are any. Asked for every move of the price, so it makes no list. */
  get hasRestingExits(): boolean {
    const { targets, reduces } = this.saved;
    return targets.some(isRestingTarget) || reduces.some(isRestingReduce);
  }
  /** The price of target `k` in quote coin; NaN while the average is not known. */
  targetPrice(k: number): number {
    const { at, away } = this.saved.targets[k]!;
    return away === null ? at : this.#fromAverage(away, this.sign);
  }
  /**
   * Lots that target `k` still lacks of its share of what was entered and is not reduced. Rounded from the sum of shares, so that shares of 1/3
   * add up to the whole.
   */
  lackOf(k: number): number {
    const { targets, enteredLots, reducedLots } = this.saved;
    const whole = enteredLots - reducedLots - this.reducing;
    let shares = 0;
    for (let at = 0; at < k; at++) shares += targets[at]!.share;
    const upTo = (share: number): number => Math.floor(whole * Math.min(1, share) + 1e-9);
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
    const { stop, stopAway, trailing } = this.saved;
    const fromAverage = stopAway === null ? Number.NaN : this.#fromAverage(stopAway, -this.sign);
    let nearest = fromAverage > 0 ? this.#nearer(stop, fromAverage) : stop;
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

  add(fields: AddFields): OrderNumber {
    return this.#owner.add(this, fields);
  }

  reduce(fields: number | ReduceFields): boolean {
    return this.#owner.reduce(this, typeof fields === 'number' ? { share: fields } : fields);
  }

  close(reason = 'closed by the strategy'): void {
    this.#owner.close(this, reason);
  }

  /** A quote came while something is held. True if a stop was reached. */
  sees(price: number): boolean {
    const { saved, sign } = this;
    const { best, worst, breakEven } = saved;
    if (best === 0 || sign * (price - best) > 0) saved.best = price;
    if (worst === 0 || sign * (price - worst) < 0) saved.worst = price;
    if (saved.best !== best || saved.worst !== worst) this.calm.above = Number.NaN;
    if (breakEven !== null && this.isBreakEvenDue) {
      saved.stop = this.#nearer(saved.stop, this.entryPrice * (1 + (sign * breakEven.plus) / 100));
      saved.breakEven = null;
    }
    const stop = this.stopNow;
    return stop > 0 && sign * (price - stop) <= 0;
  }

  /** True if the price has been where the stop is to move to the average. */
  get isBreakEvenDue(): boolean {
    const { best, breakEven } = this.saved;
    return breakEven !== null && this.#isBetterBy(best, breakEven.after);
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

  /** The price so far from the average, on the side of `sign`; NaN while the average is not known. */
  #fromAverage({ distance, percent = 0 }: FromAverage, sign: number): number {
    const average = this.entryPrice;
    return average + sign * (distance ?? (average * percent) / 100);
  }

  #nearer(one: number, other: number): number {
    if (one === 0) return other;
    return this.sign * (one - other) > 0 ? one : other;
  }
}

function isRestingTarget({ resting, order }: { readonly resting: boolean; readonly order: number }): boolean {
  return resting && order > 0;
}

function isRestingReduce({ price, order }: { readonly price: number; readonly order: number }): boolean {
  return price > 0 && order > 0;
}
