/**
 * Orders in a read that the tracker does not hold. Ours are taken over at the start; later they are what we gave up or a sign of
 * another writer, so they are cancelled and told. Foreign ones are counted and never touched.
 */
import { LIMIT, PLACE } from '../domain/codes.ts';
import type { OrderReport } from '../domain/report.ts';
import type { Strangers as StrangersPort } from './belief/order-reads.ts';
import type { Order } from './belief/orders.ts';
import type { Core } from './core.ts';
import type { Executor } from './exec/executor.ts';
import type { Resolver } from './resolve/resolver.ts';

/** Foreign orders and first sightings remembered at most. */
const REMEMBERED = 1000;

export class Strangers implements StrangersPort {
  /** Venue ids of foreign orders seen. */
  readonly foreignIds = new Set<string>();
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #resolver: Resolver;
  /** Own orders seen once that the tracker does not hold, and when. */
  readonly #sightings = new Map<number, number>();

  constructor(core: Core, executor: Executor, resolver: Resolver) {
    this.#core = core;
    this.#executor = executor;
    this.#resolver = resolver;
  }

  own(seq: number, report: OrderReport, sentAt: number): void {
    const core = this.#core;
    if (seq >= core.nextSeq) return this.#rollback(seq, report);
    if (report.status === 'filled' || report.status === 'cancelled' || report.status === 'ended') {
      this.#resolver.sighted(seq, report);
      return;
    }
    if (core.standing.phase === 'reconciling') return void this.#adopt(seq, report);
    if (!this.#resolver.sighted(seq, report)) {
      // The read may have left just before the order ended: only a second, later read makes it a fact.
      const first = this.#sightings.get(seq);
      if (first === undefined || sentAt <= first) {
        if (this.#sightings.size >= REMEMBERED) this.#sightings.clear();
        if (first === undefined) this.#sightings.set(seq, core.now);
        return;
      }
      core.log.error('unexpected-order', { seq, symbol: core.instruments[report.instrument]?.symbol, venueId: report.venueId });
    }
    this.#sightings.delete(seq);
    this.#executor.cancel(this.#adopt(seq, report), this.#core.nobody, 'not expected to be alive');
  }

  foreign(report: OrderReport): void {
    if (report.status !== 'open' && report.status !== 'partial') return;
    if (this.foreignIds.has(report.venueId) || this.foreignIds.size >= REMEMBERED) return;
    this.foreignIds.add(report.venueId);
    this.#core.log.warn('foreign-order', { symbol: this.#core.instruments[report.instrument]?.symbol, venueId: report.venueId });
  }

  lost(order: Order): void {
    this.#resolver.lost(order);
  }

  /** Takes the order over as one of no strategy. Its order. */
  #adopt(seq: number, report: OrderReport): Order {
    const core = this.#core;
    const command = this.#executor.begin(PLACE, report.instrument);
    command.seq = seq;
    command.side = report.side;
    command.effect = report.effect;
    command.type = report.type;
    command.price = report.type === LIMIT ? report.price : 0;
    command.size = report.size;
    command.time = Math.min(core.now, report.createdAt);
    const order = core.orders.add(command, core.desks[report.instrument]!, core.nobody, report.size);
    core.log.warn('order-adopted', { seq, symbol: core.instruments[report.instrument]?.symbol, venueId: report.venueId });
    this.#executor.found(order, report.venueId);
    return order;
  }

  /** The venue holds a number that the journal never gave out: the journal was lost or restored, or another process writes. */
  #rollback(seq: number, report: OrderReport): void {
    const { halts, log, nextSeq } = this.#core;
    const { clientId, venueId } = report;
    const detail = `${clientId} is at the venue, the journal ends before number ${nextSeq}`;
    if (halts.raise({ scope: { kind: 'bot' }, code: 'journal-rollback', detail, by: 'bot' })) {
      log.error('journal-rollback', { seq, nextSeq, clientId, venueId });
    }
  }
}
