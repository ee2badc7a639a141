/**
 * The managed trades of one strategy. It uses nothing but the intents of `ctx`, so every order passes the risk rules, and it reacts to order
 * and position events and quotes like a handler. The venue holds the stop-loss of the entry all the time; what the bot adds (targets,
 * trailing and time stops) ends with the trade. Each change is written into the journal together with the orders that it caused.
 * size: the life of a trade from entry to end
 */
import { assert } from '../../base/failure/assert.ts';
import type { TimerQueue, Timer } from '../../base/time/timer-queue.ts';
import type { SideName } from '../../domain/codes.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { CommandJournal } from '../state/events/journal.ts';
import type { Market, OrderNumber } from '../intents/market-types.ts';
import type { OrderEvent, PositionEvent } from '../intents/events.ts';
import type { OrderActions } from '../intents/intents.ts';
import type { ClosedAhead, ClosedLots } from '../state/records/leg.ts';
import { isCalmAt } from './calm-range.ts';
import { newTrade, type EnterProblem, sizeBy, entryFields, unknownEnterField } from './enter.ts';
import { addedSize, reducedLots } from './adjust.ts';
import { Trade, type TradeOwner } from './trade.ts';
import { afterEntry, copyOf, hasOrder, ordersOf, savedTradeOf, type SavedTrade } from './saved-trade.ts';
import { RETRY_MS, TradeOrders } from './trade-orders.ts';
import type { AddFields, EnterFields, ManagedTrade, ReduceFields, SizeFields } from './trade-types.ts';

/** What made a leg smaller is known after this time at the latest; a close of what is not there is refused. */
const EXPLAINED_MS = 10_000;
/** While an order of the trade fills in parts, resting targets follow it at most this often: each move costs two requests. */
const SETTLE_MS = 1_000;
/** A reduction whose lots are not free by then is given up. */
const REDUCE_MS = 10_000;
/** Reasons of exits by orders that are not those of the trade: what fills of it later is closed by its own order, as `leftover`. */
const BY_OTHERS: ReadonlySet<string> = new Set(['external', 'liquidation', 'elsewhere']);
/** Best and worst prices are written down at most this often. */
const NOTE_MS = 1_000;

export interface StrategyTradesDeps {
  readonly strategy: string;
  readonly context: OrderActions;
  readonly instruments: readonly Instrument[];
  /** Equity of the account in quote coin. */
  readonly equity: () => number;
  readonly journal: Pick<CommandJournal, 'note'>;
  readonly timerQueue: TimerQueue;
  /** False while the strategy is stopped or the bot is not armed: fills are counted, and no order is placed or withdrawn. */
  readonly isReady: () => boolean;
  /** False while no close can leave, because the journal is away: orders that close at the venue stay there meanwhile. */
  readonly canClose: () => boolean;
  /** True inside a bar of a backtest: every quote is newer than the fill before it. */
  readonly isInsideBar: () => boolean;
  /** The books of all strategies. */
  readonly all: () => readonly StrategyTrades[];
  /** Lots of the leg by the events so far, below zero by what was told before the fill that it closed; local state may be ahead of them. */
  readonly told: (market: Market, side: SideName) => number;
  /** What was told as closed before the fill that it closed, oldest first: at most as many lots as `told` was below zero. */
  readonly ahead: (market: Market, side: SideName) => ClosedAhead[];
  /** Call after that has changed: it is written down. */
  readonly aheadChanged: (market: Market, side: SideName) => void;
  /** Lots of the leg that a closing order may still take. */
  readonly free: (market: Market, side: SideName) => number;
  /** Lots of an order that have filled, or may have filled, beyond what its events have told. */
  readonly undelivered: (order: OrderNumber) => number;
  /** The strategy needs quotes, order and position events of this market from now on. */
  readonly watch: (market: Market) => void;
  readonly ended: (trade: ManagedTrade) => void;
  /** Refuses an intent with this reason. */
  readonly refuse: (market: Market, problem: EnterProblem) => void;
}

export class StrategyTrades implements TradeOwner, Timer {
  readonly #deps: StrategyTradesDeps;
  readonly #orders: TradeOrders;
  readonly #trades: Trade[] = [];
  readonly #timer: number;

  constructor(deps: StrategyTradesDeps) {
    this.#deps = deps;
    this.#timer = deps.timerQueue.add(this);
    this.#orders = new TradeOrders({ ...deps, givenUp: (trade, lots) => this.#givenUp(trade, lots) });
  }

  /** Those that are not closed, oldest first, as a list that changes with them. */
  get list(): readonly Trade[] {
    return this.#trades;
  }

  get isEmpty(): boolean {
    return this.#trades.length === 0;
  }

  /** Trades that are not closed, oldest first. */
  of(market?: Market): readonly Trade[] {
    return market === undefined ? [...this.#trades] : this.#trades.filter((trade) => trade.market === market);
  }

  /** The trade of this order: an entry, a rung, an addition, a target, a reduction or the closing order, or a repeat of one. null for none. */
  ofOrder(given: OrderNumber): Trade | null {
    const number = this.#deps.context.order(given)?.repeats || given;
    return this.#trades.find(({ saved }) => hasOrder(saved, number)) ?? null;
  }

  /** Places the entry. null if it was refused. */
  enter(fields: EnterFields): Trade | null {
    const { context, instruments, equity } = this.#deps;
    const { market } = fields;
    const entry = entryFields(fields, equity());
    if ('rule' in entry) {
      this.#deps.refuse(market, entry);
      return null;
    }
    this.#deps.watch(market);
    const id = context.open(market, fields.side, entry.order);
    if (id === 0) return null;
    const saved = newTrade(id, fields, entry, context.now);
    const trade = new Trade(saved, market, instruments[market.index]!, this);
    assert(
      this.#trades.every((one) => one.id !== id),
      'a trade has a number of its own',
      id,
      'strategy',
      this.#deps.strategy,
    );
    this.#trades.push(trade);
    for (const rung of fields.ladder ?? []) {
      const order = context.open(market, fields.side, { ...saved.bracket, size: rung.size, limit: rung.at, reason: 'ladder' });
      if (order > 0) saved.opens.push(order);
    }
    this.changed(trade);
    this.#plan();
    return trade;
  }

  add(trade: Trade, fields: AddFields): OrderNumber {
    const { market, side, saved } = trade;
    const added = addedSize(trade, fields);
    if ('rule' in added) {
      this.#deps.refuse(market, added);
      return 0;
    }
    const { limit, postOnly, reason = 'add' } = fields;
    const order = this.#deps.context.open(market, side, { ...saved.bracket, ...added, limit, postOnly, reason });
    if (order === 0) return 0;
    saved.opens.push(order);
    this.changed(trade);
    return order;
  }

  reduce(trade: Trade, fields: ReduceFields): boolean {
    const { saved, market } = trade;
    const claimed = trade.toReduce + this.#orders.undelivered(saved.reduces.map(({ order }) => order));
    const reduced = reducedLots(trade, fields, trade.left - claimed);
    if ('rule' in reduced) {
      this.#deps.refuse(market, reduced);
      return false;
    }
    const plan = { ...reduced, why: fields.reason ?? 'reduce', until: this.#deps.context.now + REDUCE_MS, order: 0, filled: 0 };
    assert(plan.lots > 0, 'a reduction closes lots above zero', plan.lots, 'trade', trade.id);
    assert(plan.lots <= trade.left - claimed, 'a reduction closes what its trade has free', plan.lots, 'trade', trade.id);
    saved.reduces.push(plan);
    this.#orders.shrink(trade);
    this.#act(trade);
    return saved.reduces.includes(plan);
  }

  #givenUp(trade: Trade, lots: number): void {
    const { market, id } = trade;
    const detail = `the ${trade.sizeText(lots)} that trade ${id} was to reduce did not get free in ${REDUCE_MS / 1000} seconds, and stay`;
    this.#deps.refuse(market, { rule: 'bad-trade', detail });
  }

  refuse({ market }: Trade, problem: string): void {
    this.#deps.refuse(market, { rule: 'bad-trade', detail: problem });
  }

  sizeBy(fields: SizeFields): number {
    const unknown = unknownEnterField(fields);
    if (unknown !== '') {
      this.#deps.refuse(fields.market, { rule: 'bad-trade', detail: unknown });
      return 0;
    }
    const size = sizeBy(fields, this.#deps.equity());
    return typeof size === 'number' ? size : 0;
  }

  /** An event of an own order, before the strategy sees it. */
  order({ order, state, fillSize, fillPrice }: OrderEvent): void {
    const lots = fillSize > 0 ? Math.round(fillSize / order.market.lot) : 0;
    if (lots > 0 && order.effect === 'CLOSE' && order.kind !== 'spot' && this.ofOrder(order.number) === null)
      this.#closed(order.market, order.side, { lots, price: fillPrice, why: 'elsewhere', at: this.#deps.context.now, isOwn: true });
    // Whether a repeated order is still awaited follows from its own events, not from those of its repeat.
    const isOver = order.repeats === 0 && !order.isAlive && order.filledIsFinal;
    const number = order.repeats || order.number;
    for (const trade of this.of(order.market)) {
      const { saved } = trade;
      const target = saved.targets.find((one) => one.order === number);
      const reduce = saved.reduces.find((one) => one.order === number);
      if (saved.opens.includes(number)) {
        this.#entered(trade, lots, fillPrice, isOver);
        if (lots > 0) this.#meet(order.market, trade.side, lots);
      } else if (target !== undefined) {
        target.filled += lots;
        this.#exited(trade, lots, fillPrice, 'target');
        // The whole was sold: what still waits to open would begin another trade.
        if (trade.left === 0 && trade.isWholeTargeted) this.close(trade, 'target');
        if (isOver) {
          target.order = 0;
          // An order that the venue rejected is not sent again with each answer.
          if (state === 'rejected') trade.retryAt = this.#deps.context.now + RETRY_MS;
        }
      } else if (reduce !== undefined) {
        saved.reducedLots += lots;
        reduce.filled += lots;
        this.#exited(trade, lots, fillPrice, reduce.why);
        if (isOver) saved.reduces = saved.reduces.filter((one) => one !== reduce);
      } else if (saved.closing === number) {
        this.#exited(trade, lots, fillPrice, saved.why);
        if (isOver) {
          saved.closing = 0;
          if (trade.left > 0) trade.retryAt = this.#deps.context.now + RETRY_MS;
        }
      } else continue;
      this.#go(trade);
      this.changed(trade);
    }
    this.#plan();
  }

  /**
   * The venue closed by a bracket or a liquidation, or somebody else did, at our time `at` at the latest. `isOwn`: it was a bracket of an
   * order of this strategy.
   */
  position({ market, position, change, cause, order, price }: PositionEvent, isOwn: boolean, at: number): void {
    if (cause === 'order' || change === 0) return;
    let lots = Math.round(Math.abs(change) / market.lot);
    const named = this.of(market).find(({ saved }) => order > 0 && saved.opens.includes(order));
    if (named !== undefined) lots -= this.#leave(named, lots, price, cause);
    const isOthers = cause === 'external' || cause === 'liquidation';
    this.#closed(market, position.side, { lots, price, why: isOwn || isOthers ? cause : 'elsewhere', at, isOwn });
    this.#plan();
  }

  /** An order of the operator closed `lots`. */
  flattened(market: Market, side: SideName, lots: number, price: number): void {
    this.#closed(market, side, { lots, price, why: 'elsewhere', at: this.#deps.context.now, isOwn: false });
  }

  /** A new quote. */
  quote(market: Market): void {
    for (const trade of this.#trades) {
      if (trade.market !== market || trade.left <= 0) continue;
      const { outPrice } = trade;
      if (isCalmAt(trade, outPrice)) continue;
      const { best, worst } = trade.saved;
      const isReached = trade.sees(outPrice);
      if (trade.state === 'open' && isReached) this.close(trade, trade.saved.trailing === null ? 'stop' : 'trailing-stop');
      else if (trade.isBeyondVenueStop && this.#orders.isLocked(trade)) this.close(trade, 'stop-loss');
      else if (this.#orders.isTargetDue(trade)) this.#act(trade);
      else if ((trade.saved.best !== best || trade.saved.worst !== worst) && this.#deps.context.now - trade.notedAt >= NOTE_MS)
        this.changed(trade);
    }
  }

  /** A time stop, an expiry or another try is due. */
  due(now: number): void {
    for (const trade of this.of()) {
      const { saved } = trade;
      trade.seenAt = now;
      if (saved.expiresAt > 0 && now >= saved.expiresAt && trade.state === 'entering') this.close(trade, 'expired');
      else if (saved.maxHoldMs > 0 && trade.left > 0 && now >= saved.entryTime + saved.maxHoldMs && trade.state === 'open')
        this.close(trade, 'time');
      else {
        this.#go(trade);
        this.changed(trade);
      }
    }
    this.#plan();
  }

  close(trade: Trade, why: string): void {
    if (trade.state === 'closing' || trade.state === 'closed') return;
    trade.saved.state = 'closing';
    trade.saved.why = why;
    this.#act(trade);
  }

  #act(trade: Trade): void {
    this.#go(trade);
    this.changed(trade);
    this.#plan();
  }

  /** Writes the trade down, unless it is as it was written last. */
  changed(trade: Trade): void {
    const { journal, strategy, context } = this.#deps;
    trade.calm.above = Number.NaN;
    const text = JSON.stringify(trade.saved);
    if (text === trade.noted) return;
    trade.noted = text;
    trade.notedAt = context.now;
    journal.note('trade', { strategy, trade: copyOf(trade.saved) }, context.now);
  }

  saved(): readonly SavedTrade[] {
    return this.#trades.map(({ saved }) => copyOf(saved));
  }

  /** Continues the trades of an earlier process, all of markets that the strategy trades. */
  restore(saved: readonly SavedTrade[]): void {
    const { context, instruments } = this.#deps;
    for (const one of saved) {
      if (one.state === 'closed') continue;
      const market = context.markets.find(({ symbol, product }) => symbol === one.symbol && product === 'futures')!;
      this.#trades.push(new Trade(savedTradeOf(one), market, instruments[market.index]!, this));
      this.#deps.watch(market);
    }
    this.#plan();
  }

  /**
   * Call when the bot is armed: its reads have shown what happened while it was away. If a leg is still smaller than its trades, the
   * missing lots were closed at a time without a journal record. They are taken from the newest trades, at an unknown price.
   */
  begin(): void {
    for (const market of new Set(this.#trades.map((trade) => trade.market)))
      for (const { side } of [market.long, market.short])
        this.#closed(market, side, { lots: Infinity, price: Number.NaN, why: 'external', at: this.#deps.context.now, isOwn: false });
    this.due(this.#deps.context.now);
  }

  #entered(trade: Trade, lots: number, price: number, isOver: boolean): void {
    const { saved } = trade;
    const { context, isInsideBar } = this.#deps;
    if (lots > 0) {
      Object.assign(saved, afterEntry(saved, lots, price));
      trade.grownAt = isInsideBar() ? -Infinity : context.now;
      if (saved.entryTime === 0) saved.entryTime = context.now;
      if (saved.state === 'entering') saved.state = 'open';
      if (trade.moveAt <= context.now && trade.hasRestingExits && !isInsideBar()) trade.moveAt = context.now + SETTLE_MS;
    }
    if (isOver) trade.moveAt = Math.min(trade.moveAt, context.now);
  }

  #leave(trade: Trade, lots: number, price: number, why: string): number {
    const taken = Math.min(lots, trade.left);
    if (taken <= 0) return 0;
    this.#exited(trade, taken, price, why);
    if (trade.left === 0 || (why === 'stop-loss' && this.#orders.isLocked(trade))) this.close(trade, BY_OTHERS.has(why) ? 'leftover' : why);
    else this.#go(trade);
    this.changed(trade);
    return taken;
  }

  /**
   * A fill closed `lots` of the trade. It may be told before the fill of what it closed. More than the trade has and may have means that a
   * bracket of another trade was taken for its own.
   */
  #exited(trade: Trade, lots: number, price: number, why: string): void {
    const { saved, market, side } = trade;
    const own = Math.min(lots, trade.left + this.#orders.undelivered(saved.opens));
    if (own > 0) {
      const size = own * market.lot;
      saved.exitedLots += own;
      saved.exits.push({ time: this.#deps.context.now, size, price: price > 0 ? price : Number.NaN, why });
    }
    if (lots > own) this.#closed(market, side, { lots: lots - own, price, why, at: this.#deps.context.now, isOwn: true });
  }

  /** Fills of the entry that were awaited did not come: what the trade closed beyond its own lots were lots of others. */
  #handOn(trade: Trade): void {
    const { saved, market, side } = trade;
    while (trade.left < 0) {
      const exit = saved.exits.pop();
      assert(exit !== undefined, 'a trade that closed more than it has got exits', trade.left, 'trade', trade.id);
      const { size, price, why, time } = exit;
      const lots = Math.round(size / market.lot);
      const rest = Math.max(0, lots + trade.left);
      if (rest > 0) saved.exits.push({ time, size: rest * market.lot, price, why });
      saved.exitedLots -= lots - rest;
      this.#closed(market, side, { lots: lots - rest, price, why, at: time, isOwn: true });
    }
  }

  /**
   * Something closed `lots` of a leg that are not of one known trade. The venue nets a leg and none of its records names a trade, so this is
   * the rule: lots that no trade holds go first (of plain orders, of other parties, of strategies that do not run); what the trades of all
   * strategies then hold beyond the leg is taken from the newest of them, and with `isOwn`, for an order or a bracket of this strategy,
   * from its own trades before others. Trades that were placed after the lots had been closed come last: they had none to lose. So the trades
   * never hold more than the leg, and each closed lot leaves one trade, once. What the leg did not have by the events so far waits for the
   * fill that it closed.
   */
  #closed(market: Market, of: SideName, closed: ClosedLots): void {
    const { lots, price, why, at, isOwn } = closed;
    const held = this.#deps.all().flatMap((owner) => owner.of(market).flatMap((trade) => (trade.side === of ? { owner, trade } : [])));
    const uncovered = held.reduce((sum, { trade }) => sum + trade.left, 0) - this.#deps.told(market, of);
    let rest = Math.min(lots, uncovered);
    if (rest <= 0) return;
    const isFirst = (owner: StrategyTrades): number => (isOwn && owner === this ? 1 : 0);
    const isLater = ({ saved }: Trade): number => (saved.placedAt > at ? 1 : 0);
    held.sort((a, b) => isLater(a.trade) - isLater(b.trade) || isFirst(b.owner) - isFirst(a.owner) || b.trade.id - a.trade.id);
    for (const { owner, trade } of held) {
      if (rest <= 0) return;
      // Its own close may have been placed again under another number.
      const isRepeat = isOwn && owner === this && why === 'elsewhere' && trade.state === 'closing';
      const other = isOwn && owner !== this ? 'elsewhere' : why;
      rest -= owner.#leave(trade, rest, price, isRepeat ? trade.saved.why : other);
      owner.#plan();
    }
    if (rest === 0 || !(price > 0)) return;
    this.#deps.ahead(market, of).push({ ...closed, lots: rest, strategy: this.#deps.strategy });
    this.#deps.aheadChanged(market, of);
  }

  /** A trade entered `lots`: what was told as closed before leaves it now, or another trade, at the price of then. */
  #meet(market: Market, side: SideName, lots: number): void {
    const ahead = this.#deps.ahead(market, side);
    if (ahead.length === 0) return;
    const before = ahead.splice(0);
    // Other fills have met the oldest of them since.
    let met = before.reduce((sum, one) => sum + one.lots, 0) - Math.max(0, lots - this.#deps.told(market, side));
    for (const one of before) {
      const left = one.lots - Math.max(0, Math.min(one.lots, met));
      met -= one.lots;
      const book = this.#deps.all().find((other) => other.#deps.strategy === one.strategy) ?? this;
      if (left > 0) book.#closed(market, side, { ...one, lots: left });
    }
    this.#deps.aheadChanged(market, side);
  }

  /** Brings the orders of the trade to what its state wants. Called after each change; safe to call again. */
  #go(trade: Trade): void {
    if (trade.state === 'closed') return;
    const { context, isReady, canClose, told, free } = this.#deps;
    const { opens, targets, reduces, closing, expiresAt } = trade.saved;
    const exits = [...targets, ...reduces].map(({ order }) => order);
    const orders = ordersOf(trade.saved);
    // Fills of an ended order may still be found: look again soon, even if no event says that there were none.
    trade.lookAt = orders.some((order) => !this.#orders.hasLive([order]) && this.#orders.mayFill([order])) ? context.now + RETRY_MS : 0;
    if (trade.left < 0 && this.#orders.undelivered(opens) === 0) this.#handOn(trade);
    // Also when no event says so: that an ended entry has no more fills may be known by time alone.
    if (trade.state === 'entering' && !this.#orders.mayFill(opens)) trade.saved.state = 'closing';
    if (trade.state === 'open') {
      // What filled of the entry is held, what did not is given up.
      if (expiresAt > 0 && context.now >= expiresAt) this.#orders.cancel(opens[0]!, 'expired');
      if (trade.left > 0 || this.#orders.mayFill(opens)) return this.#orders.place(trade);
      trade.saved.state = 'closing';
    }
    if (trade.state !== 'closing') return;
    for (const order of opens) this.#orders.cancel(order, trade.saved.why);
    if (!canClose()) {
      trade.lookAt = context.now + RETRY_MS;
      return;
    }
    this.#orders.withdraw(trade, trade.saved.why, true);
    if (this.#orders.hasLive(orders)) return;
    if (trade.left <= 0) return this.#orders.mayFill(orders) ? undefined : this.#end(trade);
    if (!isReady() || this.#orders.mayFill([closing]) || context.now < trade.retryAt) return;
    const held = Math.max(0, told(trade.market, trade.side));
    // A close failed before, and the leg is smaller than the trade: no event says what closed it.
    if (trade.retryAt > 0 && held < trade.left) {
      this.#exited(trade, trade.left - held, Number.NaN, 'elsewhere');
      if (trade.left === 0) return this.#end(trade);
    }
    // What ended targets and reductions may have closed is not closed again: events will tell.
    const lots = trade.left - this.#orders.undelivered(exits);
    if (lots <= 0) return;
    // Most likely the venue closed it: the event that says so is on its way, and a close would only be refused.
    const isShort = free(trade.market, trade.side) < lots;
    trade.shortSince = isShort ? Math.min(trade.shortSince, context.now) : Infinity;
    if (isShort && context.now - trade.shortSince < EXPLAINED_MS) {
      trade.retryAt = context.now + RETRY_MS;
      return;
    }
    assert(lots <= trade.left, 'a trade is closed by at most what it has', lots, 'trade', trade.id);
    const order = context.close(trade.market, trade.side, { size: trade.sizeText(lots), reason: trade.saved.why });
    trade.saved.closing = order;
    if (order === 0) trade.retryAt = context.now + RETRY_MS;
  }

  #end(trade: Trade): void {
    assert(trade.left <= 0, 'a trade that is over holds nothing', trade.left, 'trade', trade.id);
    const at = this.#trades.indexOf(trade);
    assert(at >= 0, 'a trade ends once', trade.state, 'trade', trade.id);
    trade.saved.state = 'closed';
    this.#trades.splice(at, 1);
    this.changed(trade);
    this.#deps.ended(trade);
  }

  /** Sets the timer to the next time stop, expiry or try. */
  #plan(): void {
    let next = Infinity;
    for (const { saved, left, retryAt, lookAt, moveAt, seenAt, state } of this.#trades) {
      const isWaiting = state === 'entering' || (state === 'open' && saved.expiresAt > seenAt);
      if (saved.expiresAt > 0 && isWaiting) next = Math.min(next, saved.expiresAt);
      if (saved.maxHoldMs > 0 && left > 0 && state === 'open') next = Math.min(next, saved.entryTime + saved.maxHoldMs);
      // Not "after now": an event of the same or a later moment may come before the timer.
      for (const at of [retryAt, lookAt, moveAt]) if (at > seenAt) next = Math.min(next, at);
    }
    assert(!Number.isNaN(next), 'a time of a trade is a number');
    this.#deps.timerQueue.set(this.#timer, next === Infinity ? Infinity : Math.max(next, this.#deps.context.now + 1));
  }
}
