/**
 * Repeats a market order of unknown outcome that closes a whole leg. It is placed under a new id as soon as the position (E20) shows what
 * is left. This is safe: of two orders that close everything, the second finds nothing to close. Partial closes are not repeated. A leg
 * that may have been opened again is closed only while it is being flattened.
 */
import { assert } from '../../../base/failure/assert.ts';
import { CLOSE, MARKET, PLACE } from '../../../domain/codes.ts';
import { UNKNOWN } from '../../../domain/orders/order.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { FillSource } from '../../state/fill-source.ts';
import type { Executor } from '../executor.ts';
import type { QueryOwner, PendingQueries } from '../../polling/queries.ts';

/** The shared state that this file uses. */
interface FullClosesCore extends Core {
  readonly orders: Orders;
  readonly fills: FillSource;
}

/** Largest number of repeats of one close, unless the leg is being flattened. */
const TRIES = 5;
/** Time between two position reads for one leg. */
const AGAIN_MS = 1_000;
const REASON = 'the outcome of an order that closes the whole position is unknown';

/** A position read (E20) that was requested for an order. */
interface Question {
  readonly order: Order;
  readonly seq: number;
  /** True if all of the leg must be closed, whoever opened it. */
  readonly isFlattened: boolean;
}

export class FullCloses implements QueryOwner, Timer {
  readonly #core: FullClosesCore;
  readonly #executor: Executor;
  readonly #queries: PendingQueries;
  readonly #questions = new Map<Query, Question>();
  /** Repeats so far, by the number of the newest order. */
  readonly #tries = new Map<number, number>();
  /** Questions whose read failed, and when to ask again. */
  readonly #failed = new Map<Question, number>();
  /** Time of the last read, for each leg that is being flattened. */
  readonly #askedAt = new Map<Leg, number>();
  readonly #alarm: number;

  constructor(core: FullClosesCore, executor: Executor, queries: PendingQueries) {
    this.#core = core;
    this.#executor = executor;
    this.#queries = queries;
    this.#alarm = core.timerQueue.add(this);
  }

  /** The outcome of `order` is unknown. */
  unknown(order: Order): void {
    const { effect, kind, leg, seq, type } = order;
    assert(order.state === UNKNOWN, 'a close is repeated if its outcome is unknown', order.state, 'order', seq);
    const isFull = kind === PLACE && effect === CLOSE && type === MARKET && order.remaining >= leg.total;
    const isAlone = leg.opening === 0 && leg.closing === order.reserved;
    if (isFull && isAlone && (this.#tries.get(seq) ?? 0) < TRIES) this.#ask({ order, seq, isFlattened: false });
  }

  /** The outcome of `order` is unknown, and its leg is being flattened. May be called repeatedly. */
  flatten(order: Order): void {
    const { now } = this.#core;
    if (!this.#core.fills.readsOrders || (this.#askedAt.get(order.leg) ?? -Infinity) > now - AGAIN_MS) return;
    this.#askedAt.set(order.leg, now);
    const isAsked = [...this.#questions.values(), ...this.#failed.keys()].some((one) => one.order.leg === order.leg);
    if (!isAsked) this.#ask({ order, seq: order.seq, isFlattened: true });
  }

  answered(query: Query, answer: Answer, sentAt: number): void {
    const asked = this.#questions.get(query);
    this.#questions.delete(query);
    if (asked === undefined || answer.kind !== 'positions' || !this.#isOpen(asked)) return;
    const { order, seq, isFlattened } = asked;
    if (!isFlattened && order.leg.opening > 0) return;
    const { context, leg, owner, side } = order;
    const unknown = isFlattened ? this.#unknownOf(leg) : [order];
    // The read may not show the effect of an order that was sent later.
    if (unknown.some((one) => one.sentAt > sentAt)) return;
    const report = answer.positions.find((one) => one.instrument === order.instrument && one.side === side);
    const core = this.#core;
    const reserved = unknown.reduce((sum, one) => sum + one.reserved, 0);
    const size = Math.min(report?.available ?? 0, leg.minLots - leg.closing + reserved, context.instrument.maxSize);
    if (size <= 0) return;
    assert(size <= leg.total, 'a repeated close is at most its leg', size, 'leg', leg.index);
    for (const one of unknown) core.orders.reserve(one, 0);
    const command = this.#executor.begin(PLACE, order.instrument);
    command.side = side;
    command.effect = CLOSE;
    command.type = MARKET;
    command.size = size;
    command.target = order.repeats || order.seq;
    command.marginMode = order.marginMode;
    const number = this.#executor.submit(context, null, owner, REASON, null);
    core.log.warn('close-again', { seq, symbol: context.instrument.symbol, number, size });
    if (number > 0) this.#tries.set(number, (this.#tries.get(seq) ?? 0) + 1);
    this.#tries.delete(seq);
  }

  /** The read failed: it is repeated while the order is unknown. */
  failed(query: Query): void {
    const asked = this.#questions.get(query);
    this.#questions.delete(query);
    if (asked === undefined || !this.#isOpen(asked)) return;
    this.#failed.set(asked, this.#core.now + AGAIN_MS);
    this.#arm();
  }

  due(now: number): void {
    this.#core.timerQueue.each(
      this.#failed,
      ([asked, at]) => {
        if (at > now) return;
        this.#failed.delete(asked);
        if (this.#isOpen(asked)) this.#ask(asked);
      },
      ([asked]) => this.#failed.set(asked, now + AGAIN_MS),
    );
    this.#arm();
  }

  #ask(question: Question): void {
    const query: Query = { kind: 'positions', instrument: question.order.instrument };
    assert(question.order.effect === CLOSE, 'what is repeated after a read is a close', question.seq);
    this.#questions.set(query, question);
    this.#queries.ask(query, this);
  }

  #isOpen({ order, seq }: Question): boolean {
    return order.seq === seq && order.state === UNKNOWN;
  }

  /** Orders of unknown outcome that may close the leg. */
  #unknownOf(leg: Leg): Order[] {
    const orders = this.#core.orders.of[leg.index >> 1]!.known();
    return orders.filter((one) => one.leg === leg && one.effect === CLOSE && one.state === UNKNOWN);
  }

  #arm(): void {
    this.#core.timerQueue.set(this.#alarm, Math.min(Infinity, ...this.#failed.values()));
  }
}
