/** The event queue for strategies, in order. Events of orders, legs and halts wait here until the running handler has returned. @hot */
import { Ring } from '../../../base/collections/ring.ts';
import type { ExternalFact } from '../../../domain/messages/external.ts';
import type { Leg } from '../records/leg.ts';
import type { Order } from '../records/order.ts';
import type { Owner } from '../records/owner.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import type { PendingWork } from '../records/pending-work.ts';

/** One queued event. The objects are reused. */
export interface StrategyEvent {
  /** null for a change of a leg, and for a halt. */
  order: Order | null;
  /** A halt that began, or ended if `isEnd` is true. */
  halt: SavedHalt | null;
  isEnd: boolean;
  /** Order state (domain/orders/order.ts) at the time of the event. */
  state: number;
  leg: number;
  /** Lots filled, or the signed change of the leg. */
  lots: number;
  /** Price of the fill, or of the change of the leg, in ticks; 0 if unknown. */
  price: number;
  /** Why a leg changed. */
  cause: PositionCause;
  /** Latest time by our clock at which an order of the venue or of another party changed the leg; Infinity if unknown. */
  at: number;
  /** Money realised by a bracket; NaN if unknown. */
  profit: number;
  /** Number of the order whose bracket closed the leg, 0 for none. */
  seq: number;
  /** Whose bracket that was; null for none. */
  owner: Owner | null;
  /** An external change of the account; null for an order or a leg. */
  fact: ExternalFact | null;
  why: string;
  detail: string;
}

/** Why a leg changed: own orders, a bracket at the venue, a liquidation, or another party. */
export type PositionCause = 'order' | 'stop-loss' | 'take-profit' | 'liquidation' | 'external';

/** What a bracket that fired changed; the fields are those of the event. */
type BracketExit = Pick<StrategyEvent, 'lots' | 'cause' | 'price' | 'at' | 'profit' | 'seq' | 'owner'>;

const BLANK: StrategyEvent = {
  order: null,
  state: 0,
  leg: 0,
  lots: 0,
  price: 0,
  cause: 'order',
  at: Infinity,
  profit: 0,
  seq: 0,
  owner: null,
  fact: null,
  halt: null,
  isEnd: false,
  why: '',
  detail: '',
};

export class StrategyEvents {
  /** True if a strategy has a handler for halts. */
  hasHaltHandler = false;
  readonly #pendingWork: PendingWork;
  readonly #ring = new Ring<StrategyEvent>(() => ({ ...BLANK })); // hot-ok: growth

  constructor(pendingWork: PendingWork) {
    this.#pendingWork = pendingWork;
  }

  get count(): number {
    return this.#ring.count;
  }

  /** Queues an event of the order; its record is kept until the event is handled. */
  order(order: Order, lots: number, price: number, why: string, detail: string): void {
    if (!order.owner.hasOrderHandler) {
      order.delivered += lots;
      return;
    }
    const event = this.#push();
    event.order = order;
    event.fact = null;
    event.state = order.state;
    event.lots = lots;
    event.price = price;
    event.why = why;
    event.detail = detail;
    order.references++;
  }

  /** The leg changed by `lots`. */
  leg(leg: Leg, lots: number, isExternal: boolean): void {
    this.changed(leg, lots, isExternal ? 'external' : 'order');
  }

  /** The leg changed by `lots` for this cause, at `price` ticks, 0 if unknown, and at `at` by our clock at the latest. */
  changed(leg: Leg, lots: number, cause: PositionCause, price = 0, at = Infinity): void {
    if (!leg.hasPositionHandler) return leg.tell(lots);
    const event = this.#leg(leg, lots, cause);
    event.price = price;
    event.at = at;
  }

  /** A bracket closed lots (below zero). */
  exit(leg: Leg, { lots, cause, price, at, profit, seq, owner }: BracketExit): void {
    if (!leg.hasPositionHandler) return leg.tell(lots);
    const event = this.#leg(leg, lots, cause);
    event.price = price;
    event.at = at;
    event.profit = profit;
    event.seq = seq;
    event.owner = owner;
  }

  /** Queues an external change of the account. */
  external(fact: ExternalFact): void {
    const event = this.#push();
    event.order = null;
    event.halt = null;
    event.fact = fact;
  }

  #leg(leg: Leg, lots: number, cause: PositionCause): StrategyEvent {
    const event = this.#push();
    event.order = null;
    event.halt = null;
    event.fact = null;
    event.leg = leg.index;
    event.lots = lots;
    event.cause = cause;
    event.price = 0;
    event.at = Infinity;
    event.profit = Number.NaN;
    event.seq = 0;
    event.owner = null;
    return event;
  }

  /** A halt began or ended. */
  halt(halt: SavedHalt, isEnd: boolean): void {
    if (!this.hasHaltHandler) return;
    const event = this.#push();
    event.order = null;
    event.fact = null;
    event.halt = halt;
    event.isEnd = isEnd;
  }

  /** The oldest event; valid until the next call of any method. `count` must be above zero. */
  shift(): StrategyEvent {
    return this.#ring.shift();
  }

  #push(): StrategyEvent {
    this.#pendingWork.isSome = true;
    return this.#ring.push();
  }
}
