/**
 * Handles two venue orders with one client id of ours: the venue accepts a used id, and a request was sent twice. Both count in the
 * exposure, the symbol is halted until an operator resumes, and the second order is cancelled by its venue id.
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE } from '../../domain/codes.ts';
import { hasEnded, type OrderReport } from '../../domain/report.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { Executor } from './executor.ts';

/** The shared state that this file uses. */
interface DuplicatesCore extends Core {
  readonly halts: Halts;
}

interface Duplicate {
  readonly leg: Leg;
  readonly effect: number;
  readonly instrument: number;
  /** Lots counted in the exposure of the leg. */
  lots: number;
  cancelledAt: number;
}

/** Time between two cancels of a duplicate that is still listed. */
const AGAIN_MS = 5_000;

export class Duplicates {
  readonly #core: DuplicatesCore;
  readonly #executor: Executor;
  /** By venue id. */
  readonly #known = new Map<string, Duplicate>();

  constructor(core: DuplicatesCore, executor: Executor) {
    this.#core = core;
    this.#executor = executor;
  }

  /** One list shows both the order that a modify made and the order that it should have replaced. */
  modified(order: Order, made: OrderReport | undefined, old: OrderReport | undefined): void {
    if (made === undefined || old === undefined || hasEnded(made) || hasEnded(old)) return;
    const { halts, log } = this.#core;
    const { symbol } = order.context.instrument;
    log.error('duplicate-order', { seq: order.seq, symbol, venueId: made.venueId, beside: old.venueId, status: made.status });
    const scope = { kind: 'symbol', instrument: order.instrument } as const;
    halts.raise({ scope, code: 'duplicate-order', detail: `a modify left ${old.venueId} beside ${made.venueId}`, by: 'bot' });
  }

  /** A list shows `report` in addition to another record with the client id of `order`. */
  seen(order: Order, report: OrderReport): void {
    const core = this.#core;
    const { venueId, clientId, status } = report;
    const { symbol } = core.instruments[order.instrument]!;
    assert(venueId !== order.venueId, 'a second order with an id of ours is not the first', venueId, 'order', order.seq);
    const isOpen = !hasEnded(report);
    if (!this.#known.has(venueId)) {
      this.#known.set(venueId, { leg: order.leg, effect: order.effect, instrument: order.instrument, lots: 0, cancelledAt: -Infinity });
      core.log.error('duplicate-order', { seq: order.seq, symbol, clientId, venueId, beside: order.venueId, status });
      const scope = { kind: 'symbol', instrument: order.instrument } as const;
      core.halts.raise({ scope, code: 'duplicate-order', detail: `${order.venueId} and ${venueId} have the id ${clientId}`, by: 'bot' });
    }
    if (!isOpen) return this.#count(venueId, 0);
    this.#count(venueId, report.size);
    const one = this.#known.get(venueId)!;
    if (core.now - one.cancelledAt < AGAIN_MS) return;
    one.cancelledAt = core.now;
    this.#executor.cancelByVenueId(order, venueId, 'a second order with one client id');
  }

  /** A complete list of the pending orders of `instrument`, or of all (−1). Duplicates whose venue id is missing have ended. */
  listed(instrument: number, venueIds: ReadonlySet<string>): void {
    for (const [venueId, one] of this.#known) {
      if ((instrument < 0 || instrument === one.instrument) && !venueIds.has(venueId)) this.#count(venueId, 0);
    }
  }

  get isSome(): boolean {
    return this.#known.size > 0;
  }

  #count(venueId: string, lots: number): void {
    const one = this.#known.get(venueId);
    assert(one !== undefined, 'a second order with an id of ours is known before it is counted', venueId);
    assert(lots >= 0, 'a second order counts at least 0 lots', lots, 'order', venueId);
    const { leg, effect } = one;
    const change = lots - one.lots;
    one.lots = lots;
    if (effect === CLOSE) leg.closing += change;
    else leg.opening += change;
    assert(leg.closing >= 0, 'lots that live orders may close are at least 0', leg.closing, 'leg', leg.index);
    assert(leg.opening >= 0, 'lots that live orders may open are at least 0', leg.opening, 'leg', leg.index);
  }
}
