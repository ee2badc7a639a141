/** What strategies are still to be told, in order: events of orders and legs wait here until the running handler has returned. @hot */
import type { ExternalFact } from '../../domain/external.ts';
import type { Leg } from './leg.ts';
import type { Order } from './orders.ts';
import type { SavedHalt } from './halt-codes.ts';
import type { News } from './pending.ts';

/** One thing to tell; the objects are used again. */
export interface Notice {
  /** null for a change of a leg, and for a halt. */
  order: Order | null;
  /** A halt that began, or that ended when `isEnd` says so. */
  halt: SavedHalt | null;
  isEnd: boolean;
  /** Order state (domain/order.ts) when it happened. */
  state: number;
  leg: number;
  /** Lots filled, or the signed change of the leg. */
  lots: number;
  /** Fill price in ticks, 0 when not known. */
  price: number;
  /** Why a leg changed; "" for something that is neither an order nor a leg. */
  cause: PositionCause;
  /** Money of a preset exit; NaN where it is not known. */
  profit: number;
  /** Number of the order whose preset exit closed the leg, 0 for none. */
  seq: number;
  /** What happened to the account; null for an order or a leg. */
  fact: ExternalFact | null;
  why: string;
  detail: string;
}

/** Why a leg changed: own orders, a preset exit at the venue, the venue's liquidation, or somebody else. */
export type PositionCause = 'order' | 'stop-loss' | 'take-profit' | 'liquidation' | 'external';

const BLANK: Notice = {
  order: null,
  state: 0,
  leg: 0,
  lots: 0,
  price: 0,
  cause: 'order',
  profit: 0,
  seq: 0,
  fact: null,
  halt: null,
  isEnd: false,
  why: '',
  detail: '',
};

export class Notices {
  count = 0;
  /** Whether a strategy is told of halts. */
  hearsHalts = false;
  declare private readonly news: News;
  readonly #ring: Notice[] = [];
  #first = 0;

  constructor(news: News) {
    this.news = news;
  }

  /** Something happened to the order; its record is kept until that has been told. */
  order(order: Order, lots: number, price: number, why: string, detail: string): void {
    if (!order.owner.hearsOrders) return;
    const notice = this.#push();
    notice.order = order;
    notice.fact = null;
    notice.state = order.state;
    notice.lots = lots;
    notice.price = price;
    notice.why = why;
    notice.detail = detail;
    order.pins++;
  }

  /** The leg changed by `lots`. */
  leg(leg: Leg, lots: number, isExternal: boolean): void {
    this.changed(leg, lots, isExternal ? 'external' : 'order');
  }

  /** The leg changed by `lots` for this cause. */
  changed(leg: Leg, lots: number, cause: PositionCause): void {
    if (leg.isTold) this.#leg(leg, lots, cause);
  }

  /** A preset exit of order `seq` closed `lots` (below zero) at `price` ticks, 0 when not known. */
  exit(leg: Leg, lots: number, cause: PositionCause, price: number, profit: number, seq: number): void {
    if (!leg.isTold) return;
    const notice = this.#leg(leg, lots, cause);
    notice.price = price;
    notice.profit = profit;
    notice.seq = seq;
  }

  /** Something happened to the account that the bot did not do. */
  external(fact: ExternalFact): void {
    const notice = this.#push();
    notice.order = null;
    notice.halt = null;
    notice.fact = fact;
  }

  #leg(leg: Leg, lots: number, cause: PositionCause): Notice {
    const notice = this.#push();
    notice.order = null;
    notice.halt = null;
    notice.fact = null;
    notice.leg = leg.index;
    notice.lots = lots;
    notice.cause = cause;
    notice.price = 0;
    notice.profit = Number.NaN;
    notice.seq = 0;
    return notice;
  }

  /** A halt began or ended. */
  halt(halt: SavedHalt, isEnd: boolean): void {
    if (!this.hearsHalts) return;
    const notice = this.#push();
    notice.order = null;
    notice.fact = null;
    notice.halt = halt;
    notice.isEnd = isEnd;
  }

  /** The oldest; valid until the next call of any method. `count` is above zero. */
  shift(): Notice {
    const notice = this.#ring[this.#first]!;
    this.#first = this.#first + 1 === this.#ring.length ? 0 : this.#first + 1;
    this.count--;
    return notice;
  }

  #push(): Notice {
    this.news.isSome = true;
    if (this.count === this.#ring.length) this.#grow();
    let at = this.#first + this.count++;
    if (at >= this.#ring.length) at -= this.#ring.length;
    return this.#ring[at]!;
  }

  /** Doubles the ring, the oldest first. */
  #grow(): void {
    const ring = this.#ring;
    const size = Math.max(16, ring.length * 2);
    for (let k = 0; k < this.#first; k++) ring.push(ring.shift()!);
    this.#first = 0;
    while (ring.length < size) {
      ring.push({ ...BLANK }); // hot-ok: growth
    }
  }
}
