/**
 * The order tracker: own orders in reused records, by number and per instrument. Every change keeps the exposure up to date (size of the
 * legs if every live order filled). @hot
 */
import { AssertionError } from '../../../base/failure/assert.ts';
import * as codes from '../../../domain/codes.ts';
import type { Command } from '../../../domain/orders/command.ts';
import * as states from '../../../domain/orders/order.ts';
import { ORDER_EVENTS, ORDER_STATES } from '../../../domain/orders/order.ts';
import type { Owner } from '../records/owner.ts';
import type { InstrumentContext } from '../records/instrument-context.ts';
import { Order } from '../records/order.ts';
import type { OrderList } from '../records/order-list.ts';

export type { Order } from '../records/order.ts';

const { CLOSE, PLACE, PLACE_SPOT } = codes;
const { FILLED, SUBMITTING, transition } = states;

/** Initial slots of the ring: few, so that the records stay in the CPU cache. */
const PLACES = 16;

export class Orders {
  /** By instrument. */
  declare readonly of: readonly OrderList[];
  /** Records by the low bits of the number. If the slot of a new number is still in use, the old record moves to the map. */
  declare private ring: Order[];
  private mask = PLACES - 1;
  private readonly older = new Map<number, Order>();
  /** Free records without a slot, and the number of records created. */
  readonly #spare: Order[] = [];
  #made = 0;
  /** Null object: an order that has already ended. */
  declare readonly none: Order;
  /** Instrument of a record before its first use. */
  declare private readonly first: InstrumentContext;
  declare private readonly nobody: Owner;
  declare private readonly isRead: boolean;

  /** `isRead`: true if venue records are read. A venue that pushes needs no read state per order. */
  constructor(contexts: readonly InstrumentContext[], nobody: Owner, isRead = true) {
    this.isRead = isRead;
    this.of = contexts.map((context) => context.orders);
    this.first = contexts[0]!;
    this.nobody = nobody;
    this.none = this.#make();
    this.none.state = FILLED;
    this.ring = Array.from({ length: PLACES }, () => this.#make());
  }

  /** Number of live orders of all instruments. */
  get liveTotal(): number {
    let sum = 0;
    for (let i = 0; i < this.of.length; i++) sum += this.of[i]!.live;
    return sum;
  }

  /** The record in the slot of `seq`: usually that order, while it is known. */
  at(seq: number): Order {
    return this.ring[seq & this.mask]!;
  }

  /** Order `seq`, or null if it is not known or no longer. */
  find(seq: number): Order | null {
    const order = this.at(seq);
    if (order.seq === seq && seq !== 0) return order;
    return this.older.size === 0 ? null : (this.older.get(seq) ?? null);
  }

  /**
   * Adds an order in state SUBMITTING from its command, with `reserved` lots in the exposure. `command.seq` 0 creates a record for display
   * only (a refusal).
   */
  add(command: Command, context: InstrumentContext, owner: Owner, reserved: number): Order {
    const seq = command.seq;
    const place = this.at(seq);
    if (place.seq !== 0 || seq === 0) return this.#begin(this.#another(seq), command, context, owner, reserved);
    return this.#begin(place, command, context, owner, reserved);
  }

  /** Initialises the record for the order. */
  #begin(order: Order, command: Command, context: InstrumentContext, owner: Owner, reserved: number): Order {
    const { kind, seq, side, time } = command;
    const leg = context.leg(side);
    order.seq = seq;
    order.state = SUBMITTING;
    order.kind = kind;
    if (order.context !== context) this.#move(order, context);
    order.side = side;
    if (order.leg !== leg) order.leg = leg;
    order.effect = command.effect;
    order.type = command.type;
    order.force = command.force;
    order.marginMode = command.marginMode;
    order.price = command.price;
    order.trigger = command.trigger;
    order.triggerBy = command.triggerBy;
    order.decisionPrice = 0;
    order.size = command.size;
    order.filled = 0;
    order.delivered = 0;
    order.maybeFilled = 0;
    if (this.isRead) order.forgetRecords();
    order.isSettled = false;
    order.createdAt = time;
    order.sentAt = time;
    if (order.owner !== owner) order.owner = owner;
    order.repeats = kind === PLACE ? command.target : 0;
    order.replaces = 0;
    order.missing = 0;
    order.isCancelWanted = false;
    order.isTriggered = false;
    order.wasAccepted = false;
    order.absent = null;
    order.references = 0;
    order.venueId = '';
    order.quote = null;
    context.orders.begun();
    order.reserved = 0;
    this.reserve(order, reserved);
    return order;
  }

  #move(order: Order, context: InstrumentContext): void {
    order.context.orders.unlink(order);
    order.context = context;
    context.orders.link(order);
  }

  /** Sets the lots that the order counts in the exposure of its leg. Spot orders have no leg. */
  reserve(order: Order, lots: number): void {
    const change = lots - order.reserved;
    if (change === 0 || order.kind === PLACE_SPOT) return;
    if (order.effect === CLOSE) order.leg.closing += change;
    else order.leg.opening += change;
    order.reserved = lots;
  }

  /** `order` replaces `old`: it takes over the exposure of both, with all that it may still fill. */
  succeed(old: Order, order: Order): void {
    const lots = order.remaining;
    const change = lots - order.reserved - old.reserved;
    old.reserved = 0;
    order.reserved = lots;
    if (change === 0) return;
    if (order.effect === CLOSE) order.leg.closing += change;
    else order.leg.opening += change;
  }

  /** `event` happened to the order: moves it by the table in domain/orders/order.ts. An end removes it from the exposure. */
  apply(order: Order, event: number): void {
    const to = transition(order.state, event);
    if (to < 0) throw illegal(order, event);
    order.state = to;
    if (to < FILLED) return;
    this.reserve(order, 0);
    order.context.orders.ended();
  }

  /** Adds a fill of `lots`. The sum never exceeds the size. */
  fill(order: Order, lots: number): void {
    const filled = order.filled + lots;
    if (lots <= 0 || filled > order.size) throw overfilled(order, lots);
    order.filled = filled;
    if (order.state < FILLED) this.reserve(order, order.reserved > lots ? order.reserved - lots : 0);
    else if (order.maybeFilled > 0) this.doubt(order, order.maybeFilled > lots ? order.maybeFilled - lots : 0);
  }

  /** Sets how many lots an ended order may have filled beyond its known fills. Its leg may differ by that much. */
  doubt(order: Order, lots: number): void {
    if (order.effect === CLOSE) order.leg.mayClose += lots - order.maybeFilled;
    else order.leg.mayOpen += lots - order.maybeFilled;
    order.maybeFilled = lots;
  }

  /** The ended order's fills are final: its record is freed as soon as nothing refers to it. */
  settle(order: Order): void {
    order.isSettled = true;
    if (order.maybeFilled !== 0) this.doubt(order, 0);
    if (!order.isInFlight && order.references === 0) this.#release(order);
  }

  /** Frees the record if the order has ended, its fills are final and nothing refers to it. */
  releaseIfDone(order: Order): void {
    if (order.state >= FILLED && order.isSettled && !order.isInFlight && order.references === 0) this.#release(order);
  }

  #release(order: Order): void {
    if (order.isEvicted) return this.#putBack(order);
    order.seq = 0;
  }

  #putBack(order: Order): void {
    this.older.delete(order.seq);
    order.seq = 0;
    order.isEvicted = false;
    this.#spare.push(order);
  }

  #make(): Order {
    const order = new Order(this.#made++, this.first, this.nobody); // hot-ok: growth
    this.first.orders.link(order);
    return order;
  }

  /** A record for `seq` if its slot is taken, or if `seq` is 0 and has no slot. */
  #another(seq: number): Order {
    if (seq === 0) {
      const order = this.#spare.pop() ?? this.#make();
      order.isEvicted = true;
      return order;
    }
    if (this.older.size > this.mask) this.#widen();
    const at = seq & this.mask;
    const before = this.ring[at]!;
    if (before.seq === 0) return before;
    this.older.set(before.seq, before);
    before.isEvicted = true;
    return (this.ring[at] = this.#spare.pop() ?? this.#make());
  }

  /** Doubles the ring. If several orders share a slot, the newest gets it. */
  #widen(): void {
    const records = [...this.older.values(), ...this.ring].sort((a, b) => b.seq - a.seq); // hot-ok: growth
    const size = this.ring.length * 2;
    const ring: (Order | null)[] = Array.from({ length: size }, () => null); // hot-ok: growth
    this.mask = size - 1;
    this.older.clear();
    for (let k = 0; k < records.length; k++) {
      const order = records[k]!;
      const at = order.seq & this.mask;
      if (order.seq === 0) this.#spare.push(order);
      else if (ring[at] === null) ring[at] = order;
      else this.older.set(order.seq, order);
      order.isEvicted = order.seq !== 0 && ring[at] !== order;
    }
    this.ring = ring.map((order) => order ?? this.#spare.pop() ?? this.#make()); // hot-ok: growth
  }
}

function overfilled(order: Order, lots: number): AssertionError {
  const text = 'order ' + order.seq + ' of ' + order.size + ' lots, ' + order.filled + ' of them filled, cannot fill ' + lots + ' more';
  return new AssertionError(text); // hot-ok: a bug
}

function illegal(order: Order, event: number): AssertionError {
  const text = 'order ' + order.seq + ' is ' + ORDER_STATES[order.state]! + ': ' + ORDER_EVENTS[event]! + ' cannot happen';
  return new AssertionError(text); // hot-ok: a bug
}
