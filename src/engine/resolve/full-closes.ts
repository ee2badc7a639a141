/**
 * A market order that closes a whole leg and whose outcome is unknown is placed again under a new id, as soon as the position (E20)
 * shows what is left. The position bounds it: of two orders that close everything the second finds nothing. Partial closes are not
 * repeated, nor those of a leg that somebody may have opened again.
 */
import { CLOSE, MARKET, PLACE } from '../../domain/codes.ts';
import { UNKNOWN } from '../../domain/order.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import type { Order } from '../belief/orders.ts';
import type { Core } from '../core.ts';
import type { Executor } from '../exec/executor.ts';
import type { Asker, Asks } from '../reads/asks.ts';

/** New orders for one close at most. */
const TRIES = 5;
const REASON = 'the outcome of an order that closes the whole position is unknown';

export class FullCloses implements Asker {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #asks: Asks;
  readonly #queries = new Map<Query, { readonly order: Order; readonly seq: number }>();
  /** How often an order was placed again for one that was, by its number. */
  readonly #tries = new Map<number, number>();

  constructor(core: Core, executor: Executor, asks: Asks) {
    this.#core = core;
    this.#executor = executor;
    this.#asks = asks;
  }

  /** The outcome of `order` is unknown. */
  unknown(order: Order): void {
    const { effect, instrument, kind, leg, seq, type } = order;
    const isFull = kind === PLACE && effect === CLOSE && type === MARKET && order.remaining >= leg.total;
    const isAlone = leg.opening === 0 && leg.closing === order.reserved;
    if (!isFull || !isAlone || (this.#tries.get(seq) ?? 0) >= TRIES) return;
    const query: Query = { kind: 'positions', instrument };
    this.#queries.set(query, { order, seq });
    this.#asks.ask(query, this);
  }

  answered(query: Query, answer: Answer): void {
    const asked = this.#queries.get(query);
    this.#queries.delete(query);
    if (asked === undefined || answer.kind !== 'positions') return;
    const { order, seq } = asked;
    if (order.seq !== seq || order.state !== UNKNOWN || order.leg.opening > 0) return;
    const { desk, leg, owner, side } = order;
    const report = answer.positions.find((one) => one.instrument === order.instrument && one.side === side);
    const core = this.#core;
    const size = Math.min(report?.available ?? 0, leg.least - leg.closing + order.reserved);
    if (size <= 0) return;
    core.orders.reserve(order, 0);
    const command = this.#executor.begin(PLACE, order.instrument);
    command.side = side;
    command.effect = CLOSE;
    command.type = MARKET;
    command.size = size;
    command.marginMode = order.marginMode;
    const number = this.#executor.submit(desk, null, owner, REASON, null);
    core.log.warn('close-again', { seq, symbol: desk.instrument.symbol, number, size });
    if (number > 0) this.#tries.set(number, (this.#tries.get(seq) ?? 0) + 1);
    this.#tries.delete(seq);
  }

  /** The read failed: the order is looked for like any other. */
  failed(query: Query): void {
    this.#queries.delete(query);
  }
}
