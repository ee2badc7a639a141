/**
 * Notices that the venue was put back to an earlier state, from a backup: it no longer shows an order that its history had shown, or it gives
 * the id of one order to another. What positions and orders show then contradicts the journal in many ways. One halt names the cause, and
 * the halts that would only follow from it are left out.
 */
import { assert } from '../../../base/failure/assert.ts';
import { RecentMap } from '../../../base/collections/recent-map.ts';
import type { Timer } from '../../../base/time/timer-queue.ts';
import { hasEnded, type OrderReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { PendingQueries, QueryOwner } from '../../polling/queries.ts';
import { followsFrom } from '../../state/events/halt-codes.ts';
import type { Core } from '../../state/core.ts';
import type { Halts } from '../../state/halts.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';

/** The shared state that this file uses. */
interface RestoredVenueCore extends Core {
  readonly halts: Halts;
  readonly ids: ClientIds;
  /** Number of the next order or execution. */
  readonly nextSeq: number;
}

const RESTORED = 'venue-restored';
/** Venue ids that are remembered. */
const REMEMBERED = 10_000;
/** Complete reads without the order, each begun `listLagMs` after the one before, before the venue counts as restored. */
const ABSENCES = 3;
/** No history forgets an order that was read so recently. */
const KEPT_MS = 3_600_000;

/** An own order that the history has shown. */
interface Shown {
  readonly clientId: string;
  readonly venueId: string;
  readonly instrument: number;
  readonly updatedAt: number;
  readonly readAt: number;
}

interface Known {
  readonly clientId: string;
  readonly createdAt: number;
}

export class RestoredVenue implements QueryOwner, Timer {
  readonly #core: RestoredVenueCore;
  readonly #queries: PendingQueries;
  readonly #alarm: number;
  /** By venue id. */
  #known = new RecentMap<string, Known>(REMEMBERED);
  /** The newest own order in the history. */
  #last: Shown | null = null;
  /** The order that is being looked for; null for none. */
  #asked: Shown | null = null;
  #absences = 0;

  constructor(core: RestoredVenueCore, queries: PendingQueries) {
    this.#core = core;
    this.#queries = queries;
    this.#alarm = core.timerQueue.add(this);
  }

  /** Takes the records of a list, before they are applied. */
  records(reports: readonly OrderReport[]): void {
    const { ids, nextSeq } = this.#core;
    for (const report of reports) {
      this.#saw(report);
      if (hasEnded(report) && ids.seqOf(report.clientId, nextSeq) > 0) this.#ended(report);
    }
  }

  /** A record of any order. */
  #saw({ clientId, createdAt, venueId }: OrderReport): void {
    const known = this.#known.get(venueId);
    if (known === undefined) {
      this.#known.set(venueId, { clientId, createdAt });
      return;
    }
    // A venue may change an order in place, under the id that it had.
    const isOther = known.createdAt !== createdAt && (known.clientId !== clientId || clientId === '');
    if (!isOther) return;
    this.#halt(`${venueId} was the id of ${nameOf(known.clientId)} and is that of ${nameOf(clientId)} now`);
    this.#known.set(venueId, { clientId, createdAt });
  }

  /** The history shows how an own order has ended. */
  #ended({ clientId, instrument, updatedAt, venueId }: OrderReport): void {
    if (this.#last !== null && updatedAt < this.#last.updatedAt) return;
    this.#last = { clientId, instrument, updatedAt, venueId, readAt: this.#core.now };
  }

  /** Something has changed that no order explains: does the venue still know the newest own order? */
  suspected(): void {
    const last = this.#last;
    if (last === null || this.#asked !== null || this.#core.now > last.readAt + KEPT_MS) return;
    this.#asked = last;
    this.#absences = 0;
    this.due();
  }

  due(): void {
    assert(this.#asked !== null, 'an order that is looked for is known', this.#absences);
    const { clientId, instrument } = this.#asked;
    this.#queries.ask({ kind: 'history', instrument, clientId, since: 0 }, this);
  }

  answered(_query: Query, answer: Answer): void {
    const asked = this.#asked;
    assert(asked !== null, 'an answer about an order came after a question', this.#absences);
    if (answer.kind !== 'history' || answer.orders.some(({ venueId }) => venueId === asked.venueId)) {
      this.#asked = null;
      return;
    }
    if (++this.#absences < ABSENCES) return this.#again();
    this.#asked = null;
    this.#halt(`the history had shown ${asked.clientId} as ${asked.venueId} and does not show it any more`);
  }

  failed(): void {
    this.#again();
  }

  #again(): void {
    this.#core.timerQueue.set(this.#alarm, this.#core.now + this.#core.timings.settleMs / (ABSENCES - 1));
  }

  /** What the venue showed before it was put back is not compared with what it shows from now on: it gives the lost ids again. */
  #halt(sign: string): void {
    const { halts, log } = this.#core;
    this.#known = new RecentMap(REMEMBERED);
    this.#last = null;
    const detail = `the venue was put back to an earlier state: ${sign}; compare orders, positions and balance with the venue before you resume`;
    if (halts.raise({ scope: { kind: 'bot' }, code: RESTORED, detail, by: 'bot' })) log.error('venue-restored', { cause: sign });
    for (const halt of halts.all()) {
      if (followsFrom(halt.code, RESTORED)) halts.end(halt, 'it follows from the restored venue', 'bot');
    }
  }
}

function nameOf(clientId: string): string {
  return clientId === '' ? 'an order of another party' : clientId;
}
