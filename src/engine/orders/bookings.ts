/**
 * Books the two events that every part must hear of: a fill and the end of an order. Each is journaled, counted by the limits and shown to
 * strategies, always in the same order.
 * @hot
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/orders/order.ts';
import { isLost } from '../state/orders/lost-triggers.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/orders/orders.ts';
import type { GuardCounter, LossCounter } from '../state/account/limit-counters.ts';
import type { QuoteQueue } from '../state/records/quote.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { Brackets } from '../state/records/brackets.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { LostTriggers } from '../state/orders/lost-triggers.ts';
import type { ForeignFillLedger } from '../state/orders/foreign-fill-ledger.ts';
import { onlyMakes } from '../../domain/orders/time-in-force.ts';

/** The shared state that this file uses. */
interface BookingsCore extends Core {
  readonly orders: Orders;
  readonly fills: FillSource;
  readonly brackets: Brackets;
  readonly strategyEvents: StrategyEvents;
  readonly lostTriggers: LostTriggers;
  readonly foreignFills: ForeignFillLedger;
}

const { CLOSE, PLACE_SPOT } = codes;
const { CANCELLED, REPLACED, UNKNOWN, WORKING } = states;

/** Who hears of fills and ends besides the journal and the strategies. */
export interface BookingDeps {
  readonly losses: LossCounter;
  readonly guards: GuardCounter;
  /** Trades that no strategy works on. */
  readonly leftTrades: { readonly isAny: boolean; filled(order: Order, lots: number, price: number): void };
  /** Positions that no strategy watches; `flat`: legs of which one would be new. */
  readonly leftPositions: { readonly flat: ReadonlySet<Leg>; filled(leg: Leg): void };
  /** Reads the records of orders that have ended while their fills are not final. */
  readonly endedReads: { want(order: Order): void };
  readonly quoteQueue: QuoteQueue;
  /** What a flattening did; `isAny`: something is being flattened. */
  readonly flatRuns: { readonly isAny: boolean; filled(order: Order, lots: number, price: number): void };
}

export class Bookings {
  declare readonly core: BookingsCore;
  declare private readonly losses: LossCounter;
  declare private readonly guards: GuardCounter;
  declare private readonly leftTrades: BookingDeps['leftTrades'];
  declare private readonly leftPositions: BookingDeps['leftPositions'];
  declare private readonly endedReads: BookingDeps['endedReads'];
  declare private readonly quoteQueue: QuoteQueue;
  declare private readonly flatRuns: BookingDeps['flatRuns'];

  constructor(core: BookingsCore, { losses, guards, leftTrades, leftPositions, endedReads, quoteQueue, flatRuns }: BookingDeps) {
    this.core = core;
    this.losses = losses;
    this.guards = guards;
    this.leftTrades = leftTrades;
    this.leftPositions = leftPositions;
    this.endedReads = endedReads;
    this.quoteQueue = quoteQueue;
    this.flatRuns = flatRuns;
  }

  /** `lots` more of the order filled at `price` ticks (an average, so it may be fractional; 0: unknown). The leg changes with it. */
  fill(order: Order, lots: number, price: number): void {
    const { core, flatRuns, guards, leftTrades } = this;
    if (order.filled === 0) this.#firstFill(order);
    core.orders.fill(order, lots);
    if (order.seq !== 0) {
      core.journal.fill(order.seq, lots, Math.round(price), order.worth, core.now);
      if (leftTrades.isAny) leftTrades.filled(order, lots, price);
      if (flatRuns.isAny) flatRuns.filled(order, lots, price);
    }
    if (core.brackets.isAny) core.brackets.filled(order.seq, lots, price, order.recordAt);
    if (guards.hasSlippage) guards.filled(order, price);
    if (order.kind !== PLACE_SPOT) {
      this.#moveLeg(order, lots, price);
      if (core.fills.readsPositions) core.journal.leg(order.leg, core.now);
    }
    core.strategyEvents.order(order, lots, price, '', '');
  }

  #firstFill(order: Order): void {
    const activity = order.owner.activity[order.instrument]!;
    activity.filled();
    if (order.wasAccepted || order.isInFlight) return;
    order.wasAccepted = true;
    activity.accepted(this.core.now);
  }

  #moveLeg({ leg, effect, owner, force }: Order, lots: number, price: number): void {
    const { core, losses } = this;
    if (losses.isOn) losses.filled(leg, effect, lots, price, owner, onlyMakes(force));
    const closes = effect === CLOSE;
    if (closes) leg.closed(lots, core.now);
    else leg.opened(lots, price, core.now);
    if (this.leftPositions.flat.size > 0) this.leftPositions.filled(leg);
    core.strategyEvents.leg(leg, closes ? -lots : lots, false);
  }

  /**
   * Ends the order. Its fills are final at once if nothing more can be reported. Otherwise its record settles them, and
   * until then the leg's range includes what it may have filled.
   */
  end(order: Order, how: number, why: string, detail: string): void {
    const { core } = this;
    const { orders } = core;
    const mayBeReplaced = how === CANCELLED && order.state === UNKNOWN;
    orders.apply(order, how);
    if (mayBeReplaced) this.#passExposure(order);
    order.endedAt = core.now;
    order.leg.endedAt = core.now;
    const isSettled = !order.isRecordDue && core.fills.isFinal(order, how, why);
    core.journal.ended(order.seq, how, order.filled, isSettled, core.now);
    core.strategyEvents.order(order, 0, 0, why, detail);
    if (order.quote !== null) this.quoteQueue.ended(order.quote, order, how);
    if (isSettled) {
      if (core.fills.isLost(order, core.foreignFills)) core.lostTriggers.add(order);
      return this.#finalise(order);
    }
    // A successful cancel proves that at least one lot had not filled.
    const most = order.isEndRead ? Math.min(order.remaining, order.shownMost - order.filled) : order.remaining - (why === '' ? 1 : 0);
    orders.doubt(order, Math.max(0, most));
    assert(order.maybeFilled <= order.remaining, 'an ended order may have filled what it had left', order.maybeFilled, 'order', order.seq);
    this.settleIfKnown(order);
  }

  /** The fills of the ended order are final if nothing more can have filled and its record has shown them; else its record is read. */
  settleIfKnown(order: Order): void {
    if (order.maybeFilled === 0 && !order.isRecordDue) this.settle(order);
    else this.endedReads.want(order);
  }

  /**
   * An order whose modify has no outcome yet has ended: the modify may have replaced it. Its replacement, known or not, now counts in the
   * exposure with all that it may fill.
   */
  #passExposure(order: Order): void {
    for (const one of order.context.orders.known()) {
      if (one.replaces === order.seq && one.isAlive) this.core.orders.reserve(one, one.remaining);
    }
  }

  /** The fills of the order are final. */
  settle(order: Order): void {
    const { core } = this;
    assert(!order.isAlive, 'an order whose fills are final has ended', order.state, 'order', order.seq);
    assert(!order.isSettled, 'the fills of an order become final once', order.seq);
    core.journal.settled(order.seq, order.filled, core.now);
    if (isLost(order, false, core.foreignFills)) core.lostTriggers.add(order);
    this.#finalise(order);
  }

  /** No further information about the order will arrive. */
  #finalise(order: Order): void {
    const { core, losses } = this;
    if (losses.isOn) losses.settled(order.seq);
    if (core.brackets.isAny) core.brackets.settled(order.seq);
    core.orders.settle(order);
  }

  /** The order has replaced the one that it names, if any: that one ends, and its exposure moves to this order. */
  endReplaced(order: Order): void {
    if (order.replaces === 0) return;
    const { orders } = this.core;
    const old = order.replaced;
    if (old === null || !old.isAlive) {
      if (order.isAlive) orders.reserve(order, order.remaining);
      return;
    }
    if (old.isCancelWanted) order.isCancelWanted = true;
    if (order.isAlive) orders.succeed(old, order);
    this.end(old, REPLACED, '', '');
  }

  /** A push or a read shows the order at the venue, possibly before its acceptance has arrived. */
  arrived(order: Order): void {
    if (order.state !== WORKING) this.endReplaced(order);
  }
}
