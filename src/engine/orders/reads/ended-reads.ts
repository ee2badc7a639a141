/**
 * Reads the records (E17) of ended orders whose fills are not final: each by client id, or many at once. The history may lag, so the read
 * is repeated at growing intervals until a record or the position decides.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Query } from '../../../ports/venue.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import type { Core } from '../../state/core.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { InternalEvents } from '../../state/internal-events.ts';
import type { QueryOwner, PendingQueries } from '../../polling/queries.ts';
import type { Order } from '../../state/records/order.ts';
import { historyOf } from '../unknown/search.ts';

/** The shared state that this file uses. */
interface EndedReadsCore extends Core {
  readonly ids: ClientIds;
}

const DELAYS_MS = [0, 400, 800, 1600, 3200, 5000] as const;
/** If more orders than this are due, they are read together by time. Orders older than YOUNG_MS are always read one by one. */
const FEW = 2;
const YOUNG_MS = 600_000;
/** The venue's clock may be behind ours by this much: added to the time range of a read. */
const SKEW_MS = 60_000;

interface Wanted {
  readonly order: Order;
  readonly seq: number;
  tries: number;
  nextAt: number;
}

export class EndedReads implements Timer, QueryOwner {
  readonly #core: EndedReadsCore;
  readonly #queries: PendingQueries;
  readonly #events: Pick<InternalEvents, 'recordMissing'>;
  readonly #alarm: number;
  readonly #wanted = new Map<number, Wanted>();
  readonly #open = new Set<Query>();
  #isBegun = false;

  constructor(core: EndedReadsCore, queries: PendingQueries, events: Pick<InternalEvents, 'recordMissing'>) {
    this.#core = core;
    this.#events = events;
    this.#queries = queries;
    this.#alarm = core.timerQueue.add(this);
  }

  /** Starts the reads, including those requested before the start. */
  begin(): void {
    this.#isBegun = true;
    this.#arm();
  }

  want(order: Order): void {
    assert(order.seq > 0, 'an order whose fills are read has a number', order.seq);
    assert(!order.isAlive, 'an order whose last fills are read has ended', order.state, 'order', order.seq);
    assert(!order.isSettled, 'fills that are read are not final', order.seq);
    if (this.#wanted.has(order.seq)) return;
    this.#wanted.set(order.seq, { order, seq: order.seq, tries: 0, nextAt: this.#core.now });
    this.#arm();
  }

  due(now: number): void {
    const due: Wanted[] = [];
    for (const one of this.#wanted.values()) {
      const { order, seq } = one;
      if (order.seq !== seq || order.isSettled) this.#wanted.delete(seq);
      else if (order.maybeFilled === 0 && now >= order.endedAt + this.#core.timings.horizonMs) {
        this.#wanted.delete(seq);
        this.#events.recordMissing(order);
      } else if (one.nextAt <= now) due.push(one);
    }
    if (this.#open.size === 0) this.#ask(due, now);
    this.#arm();
  }

  answered(query: Query): void {
    this.#closed(query);
  }

  failed(query: Query): void {
    this.#closed(query);
  }

  #closed(query: Query): void {
    assert(this.#open.delete(query), 'a read of ended orders ends once', query.kind);
    this.#arm();
  }

  #ask(due: readonly Wanted[], now: number): void {
    // An order that a combined read did not show is read by its client id.
    const young = due.filter(({ order, tries }) => tries === 0 && order.createdAt > now - YOUNG_MS);
    const isMany = young.length > FEW;
    if (isMany) {
      const since = Math.min(...young.map(({ order }) => order.createdAt)) - SKEW_MS;
      this.#send({ kind: 'history', instrument: -1, clientId: '', since: Math.max(1, since) });
    }
    const asked = isMany ? young : due.slice(0, FEW);
    for (const one of asked) {
      const { order, seq } = one;
      if (!isMany) this.#send(historyOf(order, this.#core.ids.idOf(seq)));
      one.tries++;
      one.nextAt = now + DELAYS_MS[Math.min(one.tries, DELAYS_MS.length - 1)]!;
    }
  }

  #send(query: Query): void {
    this.#open.add(query);
    this.#queries.ask(query, this);
  }

  #arm(): void {
    if (!this.#isBegun || this.#open.size > 0) return;
    let next = Infinity;
    for (const { nextAt } of this.#wanted.values()) next = Math.min(next, nextAt);
    if (next < Infinity) this.#core.timerQueue.set(this.#alarm, Math.max(next, this.#core.now));
    else this.#core.timerQueue.clear(this.#alarm);
  }
}
