/**
 * Turns intents into commands and outcomes into order states. The order is fixed: risk check, number, journal, venue. A command is built in
 * a shared record, so every receiver copies what it keeps. @hot
 * size: one method per intent and per outcome
 */
import { assert } from '../../base/failure/assert.ts';
import * as codes from '../../domain/codes.ts';
import { type Approved, type Command, emptyCommand, type FreeCommands } from '../../domain/orders/command.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import { cancelOf, isCancel, makesOrder, orderKindOf } from '../../domain/orders/command-traits.ts';
import type { IntentFault, RuleName } from '../../domain/orders/refusals.ts';
import * as states from '../../domain/orders/order.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { GuardCounter } from '../state/account/limit-counters.ts';
import type { Order } from '../state/orders/orders.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { FillSource } from '../state/fill-source.ts';
import type { Brackets } from '../state/records/brackets.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { EventCounters } from '../state/events/event-counters.ts';
import type { InFlight } from '../state/orders/in-flight.ts';
import * as slippage from '../risk/guards.ts';
import type { Risk } from '../risk/risk.ts';
import * as prices from '../risk/rules/prices.ts';
import type { Bookings } from './bookings.ts';
import * as circuit from '../risk/circuit.ts';
import type { InFlightWatch } from './in-flight-watch.ts';
import type { OrderPort } from '../../ports/venue.ts';
import type { Owner } from '../state/records/owner.ts';
import type { Quote, QuoteQueue } from '../state/records/quote.ts';

/** The shared state that this file uses. */
interface ExecutorCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly fills: FillSource;
  readonly nobody: Owner;
  readonly brackets: Brackets;
  readonly strategyEvents: StrategyEvents;
  /** Number of the next order or execution. */
  nextSeq: number;
  readonly counters: EventCounters;
  readonly inFlight: InFlight;
  readonly ids: ClientIds;
  /** Counts commands and timers started by strategies. */
  acts: number;
}

const { freshFor } = prices;
const { orderRefused, orderAccepted } = circuit;
const { decisionPriceOf } = slippage;
const { CANCEL, CANCEL_TRIGGER, CLOSE, LIMIT, MARKET, MODIFY, PLACE_SPOT, PLACE_TRIGGER, SET_MARGIN_MODE } = codes;
const { CANCELLED, CANCELLING, FILLED, MODIFYING, REFUSED, REJECTED, SUBMITTING, UNKNOWN, WORKING } = states;
const { ACCEPTED, CANCEL_SENT, MODIFY_SENT, RESTS_AGAIN, transition } = states;

/** Reason of a cancel that tests whether its order exists. */
export const PROBE = 'probe: a success proves that the order had landed';

/** What the executor reports of outcomes that stay open. */
type OutcomeEvents = Pick<InternalEvents, 'cancelLost' | 'cancelWanted' | 'marginOutcome' | 'probeRefused' | 'triggerGone'>;

/** How commands leave. */
export interface ExecutorOptions {
  /** Takes commands: usually an order throttle in front of the venue. */
  readonly orders: OrderPort;
  /** Records in which commands are built, lent by a venue that keeps them. Default: one record for all commands. */
  readonly freeCommands?: FreeCommands | undefined;
}

interface ExecutorDeps extends ExecutorOptions {
  readonly bookings: Bookings;
  readonly guards: GuardCounter;
  readonly inFlightWatch: InFlightWatch;
  readonly quoteQueue: QuoteQueue;
  readonly events: OutcomeEvents;
}

export class Executor {
  /** Number of refused intents. */
  refusals = 0;
  declare private readonly core: ExecutorCore;
  declare private readonly orderPort: OrderPort;
  declare private readonly freeCommands: FreeCommands;
  declare private readonly bookings: Bookings;
  declare private readonly guards: GuardCounter;
  declare private readonly inFlightWatch: InFlightWatch;
  declare private readonly quoteQueue: QuoteQueue;
  declare private readonly events: OutcomeEvents;
  declare private readonly risk: Risk;
  /** How long a command may wait before it is sent: closing orders, market orders, other orders. */
  declare private readonly closeValidMs: number;
  declare private readonly marketValidMs: number;
  declare private readonly limitValidMs: number;

  constructor(core: ExecutorCore, risk: Risk, { orders, freeCommands, bookings, guards, inFlightWatch, quoteQueue, events }: ExecutorDeps) {
    this.core = core;
    this.orderPort = orders;
    this.freeCommands = freeCommands ?? { free: emptyCommand() };
    this.bookings = bookings;
    this.guards = guards;
    this.inFlightWatch = inFlightWatch;
    this.quoteQueue = quoteQueue;
    this.events = events;
    this.risk = risk;
    const { closeValidMs, marketValidMs, limitValidMs } = core.timings;
    this.closeValidMs = closeValidMs;
    this.marketValidMs = marketValidMs;
    this.limitValidMs = limitValidMs;
  }

  /** The command being built: `begin` clears it, the caller fills it, `submit` sends it. */
  get command(): Command {
    return this.freeCommands.free;
  }

  /** Clears the command and sets its kind, instrument and time. */
  begin(kind: number, instrument: number): Command {
    const core = this.core;
    const c = this.command;
    core.acts++;
    c.time = core.now;
    c.kind = kind;
    c.seq = 0;
    c.target = 0;
    c.targetVenueId = '';
    c.instrument = instrument;
    c.side = 0;
    c.effect = 0;
    c.type = LIMIT;
    c.price = 0;
    c.size = 0;
    c.force = 0;
    c.marginMode = 0;
    c.trigger = 0;
    c.triggerBy = 0;
    c.takeProfit = 0;
    c.takeProfitLimit = 0;
    c.stopLoss = 0;
    c.stopLossLimit = 0;
    c.amount = 0;
    c.validMs = 0;
    return c;
  }

  /**
   * Sends the prepared PLACE, PLACE_TRIGGER, PLACE_SPOT, or MODIFY of `old` with the new order's size and price. `quote` is the managed
   * quote that the order belongs to. Returns the order number, or 0 if a rule refused it.
   */
  submit(context: InstrumentContext, old: Order | null, owner: Owner, reason: string, quote: Quote | null): number {
    const core = this.core;
    const c = this.command;
    if (c.effect === CLOSE) c.marginMode = context.closeMode(context.leg(c.side), c.marginMode);
    else if (context.adoptedMode >= 0) c.marginMode = context.adoptedMode;
    const added = old === null ? c.size : old.growth(c.size);
    const activity = owner.activity[c.instrument]!;
    activity.asked(c);
    const approved = this.risk.approveOrder(c, context, old, added, owner);
    if (approved === null) return this.#refused(owner, this.risk.rule, this.risk.detail, this.risk.isTooLarge);
    const seq = core.nextSeq++;
    activity.allowed(seq);
    c.seq = seq;
    if (c.effect === CLOSE) c.validMs = this.closeValidMs;
    else c.validMs = freshFor(c, context, c.type === MARKET && old === null ? this.marketValidMs : this.limitValidMs);
    const order = core.orders.add(c, context, owner, added);
    if (this.guards.hasSlippage) order.decisionPrice = decisionPriceOf(c, context);
    if (old !== null) this.#modify(old, order, c);
    if (quote !== null) quote.takes(order);
    if (c.effect !== CLOSE && context.own.asked !== c.marginMode) context.useMode(c.marginMode, core.now);
    if (c.takeProfit !== 0 || c.stopLoss !== 0 || core.brackets.isAny) core.brackets.placed(c, owner.name, reason);
    core.inFlight.addOrder(order);
    this.#send(approved, owner, reason);
    return seq;
  }

  /** Tracks the prepared PLACE as an order of nobody: another process has sent it as `clientId`. Its outcome is not known. */
  sentElsewhere(context: InstrumentContext, clientId: string, reason: string): Order {
    const core = this.core;
    const c = this.command;
    c.marginMode = context.closeMode(context.leg(c.side), c.marginMode);
    const seq = core.nextSeq++;
    c.seq = seq;
    core.ids.alias(seq, clientId);
    const order = core.orders.add(c, context, core.nobody, c.size);
    core.journal.command(this.risk.hasLeft(c), '', reason);
    return order;
  }

  /** Marks `order` as the replacement of `old`. */
  #modify(old: Order, order: Order, c: Command): void {
    const core = this.core;
    c.target = old.seq;
    c.targetVenueId = old.venueId;
    core.orders.apply(old, MODIFY_SENT);
    old.sentAt = core.now;
    old.isCancelWanted = false;
    order.follows(old);
  }

  /** Cancels the order now, or as soon as its present command has an outcome. False if it has ended or is already being cancelled. */
  cancel(order: Order, owner: Owner, reason: string): boolean {
    const core = this.core;
    const orders = core.orders;
    const state = order.state;
    if (state === SUBMITTING || state === MODIFYING || state === UNKNOWN) {
      if (order.isCancelWanted) return false;
      order.isCancelWanted = true;
      if (state === UNKNOWN && order.kind !== PLACE_SPOT && core.fills.readsOrders) this.probe(order);
      return true;
    }
    if (state !== WORKING) return false;
    if (order.isCancelWanted && this.events.cancelWanted(order)) return false;
    orders.apply(order, CANCEL_SENT);
    order.isCancelWanted = false;
    order.sentAt = core.now;
    this.#sendCancel(order, owner, reason);
    return true;
  }

  /**
   * Cancels an order that may not exist. A success proves that it did and ends it; a failure proves nothing. False while a command about it
   * is in flight.
   */
  probe(order: Order): boolean {
    const core = this.core;
    if (order.state !== UNKNOWN || core.inFlight.concerns(order.seq)) return false;
    this.#sendCancel(order, core.nobody, PROBE);
    return true;
  }

  /** Cancels a venue order on the leg of `order` that is not tracked under its own number. */
  cancelByVenueId({ instrument, side, effect }: Order, venueId: string, reason: string): void {
    const c = this.begin(CANCEL, instrument);
    c.side = side;
    c.effect = effect;
    c.targetVenueId = venueId;
    const { nobody } = this.core;
    const approved = this.risk.approveCancel(c, nobody);
    c.seq = this.core.nextSeq++;
    this.#sendOther(approved, nobody, reason, null);
  }

  /**
   * Cancels a trigger order that should not wait any more: it fired, says a record without our client id, or it never landed. If that is
   * wrong, no read would ever show it.
   */
  cancelWaiting({ instrument, side, effect, seq }: Pick<Order, 'instrument' | 'side' | 'effect' | 'seq'>): void {
    const c = this.begin(CANCEL_TRIGGER, instrument);
    c.side = side;
    c.effect = effect;
    c.target = seq;
    const { nobody } = this.core;
    const approved = this.risk.approveCancel(c, nobody);
    c.seq = this.core.nextSeq++;
    this.#sendOther(approved, nobody, PROBE, null);
  }

  #sendCancel(order: Order, owner: Owner, reason: string): void {
    const c = this.begin(cancelOf(order.kind), order.instrument);
    c.side = order.side;
    c.effect = order.effect;
    c.target = order.isTriggered ? 0 : order.seq;
    c.targetVenueId = order.venueId;
    const approved = this.risk.approveCancel(c, owner);
    c.seq = this.core.nextSeq++;
    this.#sendOther(approved, owner, reason, order);
  }

  /** Sends the prepared SET_MARGIN_MODE or ADJUST_MARGIN. `numbered` is called before it leaves. */
  submitMargin(owner: Owner, reason: string, numbered: (seq: number) => void): boolean {
    const c = this.command;
    const approved = this.risk.approveMargin(c, this.core.contexts[c.instrument]!, owner);
    if (approved === null) {
      this.refuse(owner, this.risk.rule, this.risk.detail);
      return false;
    }
    c.seq = this.core.nextSeq++;
    c.validMs = this.limitValidMs;
    if (c.kind === SET_MARGIN_MODE) this.core.contexts[c.instrument]!.useMode(c.marginMode, this.core.now);
    numbered(c.seq);
    this.#sendOther(approved, owner, reason, null);
    return true;
  }

  /** Refuses the intent: counts it, logs it and informs the strategy. Returns 0. */
  refuse(owner: Owner, rule: RuleName | IntentFault | 'pass' | '', detail: string): 0 {
    const c = this.command;
    if (makesOrder(c.kind)) owner.activity[c.instrument]!.asked(c);
    return this.#refused(owner, rule, detail, false);
  }

  #refused(owner: Owner, rule: RuleName | IntentFault | 'pass' | '', detail: string, isTooLarge: boolean): 0 {
    const core = this.core;
    const c = this.command;
    this.refusals++;
    core.counters.count('intent-refused', rule, core.now, refusal(owner.name, rule, detail));
    if (!makesOrder(c.kind)) return 0;
    owner.activity[c.instrument]!.refused(rule, detail, core.now);
    owner.trial?.refused(rule, detail, isTooLarge, core.now);
    c.seq = 0;
    const order = core.orders.add(c, core.contexts[c.instrument]!, owner, 0);
    order.kind = orderKindOf(c.kind);
    core.orders.apply(order, REFUSED);
    core.strategyEvents.order(order, 0, 0, rule, detail);
    core.orders.settle(order);
    return 0;
  }

  accepted(seq: number, venueId: string): void {
    const order = this.core.orders.at(seq);
    if (order.seq !== seq || !order.isInFlight) return this.#acceptedElse(seq, venueId);
    this.#acceptedOrder(order, venueId);
  }

  #acceptedOrder(order: Order, venueId: string): void {
    const core = this.core;
    order.isInFlight = false;
    core.journal.outcome(order.seq, 'accepted', venueId, '', core.now);
    this.#accepts(order);
    if (!order.isAlive) return core.orders.releaseIfDone(order);
    if (order.replaces !== 0) this.bookings.endReplaced(order);
    if (order.context.circuit.count + order.context.closeCircuit.count > 0) orderAccepted(core, order);
    this.#working(order, venueId);
  }

  /** An order whose ring slot was taken, or a command that places no order. */
  #acceptedElse(seq: number, venueId: string): void {
    const core = this.core;
    const older = core.orders.find(seq);
    if (older !== null && older.isInFlight) return this.#acceptedOrder(older, venueId);
    const entry = core.inFlight.takeOther(seq);
    if (entry === null) return;
    const { order } = entry;
    core.journal.outcome(seq, 'accepted', venueId, '', core.now);
    if (order !== null && order.isAlive) this.bookings.end(order, CANCELLED, '', '');
    if (order === null) this.events.marginOutcome(seq, 'accepted');
  }

  rejected(seq: number, why: string, detail: string): void {
    const core = this.core;
    const entry = core.inFlight.take(seq);
    if (entry === null) return;
    const { kind, order } = entry;
    core.journal.outcome(seq, 'rejected', '', why, core.now);
    // A cancel, or a modify of a quote, that came after the fill is normal and is not counted.
    const isLate = why === 'order-not-found' && (kind !== MODIFY || (order !== null && order.quote !== null));
    if (!isLate) core.counters.count('command-rejected', why, core.now, refusal(order === null ? '' : order.owner.name, why, detail));
    if (order === null) return this.events.marginOutcome(seq, 'refused');
    if (isCancel(kind)) return this.#cancelFailed(order, kind, why, detail);
    order.owner.activity[order.instrument]!.rejected(why, detail, core.now);
    orderRefused(core, order, why, detail);
    if (kind === MODIFY) this.backToWorking(order.replaced, why, detail);
    this.bookings.end(order, REJECTED, why, detail);
  }

  unsent(seq: number, cause: string): void {
    const core = this.core;
    const entry = core.inFlight.take(seq);
    if (entry === null) return;
    const { kind, order } = entry;
    core.journal.outcome(seq, 'unsent', '', cause, core.now);
    if (order === null) return this.events.marginOutcome(seq, 'refused');
    if (isCancel(kind)) return this.cancelLost(order, kind, 'unsent', cause);
    order.owner.activity[order.instrument]!.rejected('unsent', cause, core.now);
    if (kind === MODIFY) this.backToWorking(order.replaced, 'unsent', cause);
    this.bookings.end(order, REFUSED, 'unsent', cause);
  }

  #working(order: Order, venueId: string): void {
    const core = this.core;
    const orders = core.orders;
    if (venueId !== '') order.venueId = venueId;
    order.sentAt = core.now;
    if (order.kind === PLACE_SPOT && order.type === MARKET && core.fills.assumesSpotFills) {
      // At an unknown price.
      this.bookings.fill(order, order.remaining, 0);
      return this.bookings.end(order, FILLED, '', '');
    }
    if (order.state !== WORKING) orders.apply(order, ACCEPTED);
    core.strategyEvents.order(order, 0, 0, '', '');
    this.#rests(order);
  }

  #accepts(order: Order): void {
    if (order.wasAccepted) return;
    order.wasAccepted = true;
    order.owner.activity[order.instrument]!.accepted(this.core.now);
  }

  /** A read or the resolver found the order alive: sets it to WORKING with its venue id. */
  found(order: Order, venueId: string): void {
    assert(order.isAlive, 'an order that was found has not ended', order.state, 'order', order.seq);
    this.#accepts(order);
    this.bookings.endReplaced(order);
    // While the order was unknown, a repeated full close may have taken its exposure.
    if (order.reserved < order.remaining) this.core.orders.reserve(order, order.remaining);
    this.#working(order, venueId);
  }

  /** The cancel or modify of the order had no effect: it rests as before. */
  backToWorking(order: Order | null, why: string, detail: string): void {
    if (order === null) return;
    const core = this.core;
    if (transition(order.state, RESTS_AGAIN) < 0) return;
    core.orders.apply(order, RESTS_AGAIN);
    order.sentAt = core.now;
    core.strategyEvents.order(order, 0, 0, why, detail);
    this.#rests(order);
  }

  /**
   * A cancel, a command of `kind`, was not sent or its outcome is unknown. It is sent again, at the latest when a read shows the order. The
   * resolver repeats probes of unknown orders itself.
   */
  cancelLost(order: Order, kind: number, why: string, detail: string): void {
    if (order.state !== CANCELLING) return;
    this.backToWorking(order, why, detail);
    order.isCancelWanted = true;
    this.events.cancelLost(order, kind, detail);
  }

  /** Sends what had to wait for the outcome: a cancel, or a changed quote. */
  #rests(order: Order): void {
    if (order.isCancelWanted) this.cancelIfWanted(order);
    else if (order.quote !== null) this.quoteQueue.rests(order.quote, order);
  }

  /** Sends the cancel that had to wait. */
  cancelIfWanted(order: Order): void {
    if (!order.isCancelWanted) return;
    order.isCancelWanted = false;
    this.cancel(order, order.owner, 'wanted before the outcome was known');
  }

  /** Number of live orders whose cancel is in flight, waits for an outcome, or had no effect. */
  cancelsOutstanding(): number {
    let count = 0;
    const of = this.core.orders.of;
    for (let i = 0; i < of.length; i++) {
      for (const order of of[i]!.alive()) if (order.isCancelWanted || order.state === CANCELLING) count++;
    }
    return count;
  }

  /** Repeats the cancels of resting orders that should be cancelled. */
  cancelAgain(): void {
    const of = this.core.orders.of;
    for (let i = 0; i < of.length; i++) {
      for (const order of of[i]!.alive()) if (order.state === WORKING) this.cancelIfWanted(order);
    }
  }

  /**
   * "Not found" does not prove "cancelled": futures orders are read again, a trigger order may have triggered, a spot order cannot be read.
   */
  #cancelFailed(order: Order, kind: number, why: string, detail: string): void {
    const core = this.core;
    if (order.state === UNKNOWN && why === 'order-not-found') this.events.probeRefused(order);
    if (order.state !== CANCELLING) return;
    if (why !== 'order-not-found') return this.cancelLost(order, kind, why, detail);
    if (order.isTriggered) {
      // It may still be a waiting trigger order: the other kind of cancel decides.
      order.kind = PLACE_TRIGGER;
      order.isTriggered = false;
      return this.cancelLost(order, CANCEL_TRIGGER, why, detail);
    }
    if (kind === CANCEL) {
      if (core.fills.readsOrders) order.missing = 1;
      return;
    }
    if (kind === CANCEL_TRIGGER && core.fills.readsOrders) return this.events.triggerGone(order);
    this.bookings.end(order, CANCELLED, why, detail);
  }

  #send(command: Approved<Command>, owner: Owner, reason: string): void {
    const core = this.core;
    core.journal.command(command, owner.name, reason);
    this.orderPort.execute(command);
    this.inFlightWatch.keep();
  }

  /** The same for a command that makes no order, about `order` or none. */
  #sendOther(command: Approved<Command>, owner: Owner, reason: string, order: Order | null): void {
    this.core.inFlight.add(command.seq, command.kind, command.instrument, order, command.time);
    this.#send(command, owner, reason);
  }
}

function refusal(strategy: string, why: string, detail: string): Record<string, unknown> {
  return { strategy, why, detail }; // hot-ok: only when something was refused
}
