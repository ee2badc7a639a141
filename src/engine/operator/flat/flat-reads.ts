/**
 * Judges by reads of the venue how much is left of the legs that are being closed, and whether a leg is flat. Lists may be late, so a leg
 * is flat only by a list of all positions (E19) and a read of its symbol alone (E20) that both began `listLagMs` after its last own order
 * ended.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import type { PendingQueries, QueryOwner } from '../../polling/queries.ts';
import type { Core } from '../../state/core.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { FillSource } from '../../state/fill-source.ts';
import type { Leg } from '../../state/records/leg.ts';

/** The shared state that this file uses. */
export interface FlatReadsCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly fills: FillSource;
}

/** Shortest time between two reads of one symbol, in milliseconds. */
const AGAIN_MS = 500;

export class FlatReads implements QueryOwner {
  readonly #core: FlatReadsCore;
  readonly #queries: PendingQueries;
  /** By instrument: when its positions were last requested. */
  readonly #askedAt = new Map<number, number>();
  readonly #open = new Map<number, Query>();
  readonly #answered: () => void;

  /** `answered`: called when a read that was requested here has been applied. */
  constructor(core: FlatReadsCore, queries: PendingQueries, answered: () => void) {
    this.#core = core;
    this.#queries = queries;
    this.#answered = answered;
  }

  /**
   * Lots that are left: by the newest read of the symbol alone. Where that does not show the leg, or is from before the last own fill, by
   * what fills prove: a close of more than is left is refused and changes nothing.
   */
  left(leg: Leg): number {
    return this.#isRead(leg) && leg.alone > 0 && leg.aloneUpdatedAt >= leg.provenAt ? leg.alone : leg.total;
  }

  /** True if the symbol was read alone since the leg last changed here. */
  #isRead(leg: Leg): boolean {
    return leg.aloneAt > Math.max(leg.changedAt, leg.endedAt);
  }

  /** Both reads must begin at this time or later to prove that a leg is flat whose closing began at `since`. */
  provenFrom(leg: Leg, since: number): number {
    return Math.max(since, leg.endedAt + this.#core.timings.settleMs);
  }

  /** True if reads prove that at most `stays` lots are left. */
  isFlat(leg: Leg, since: number, stays: number): boolean {
    if (leg.total > stays) return false;
    if (!this.#core.fills.readsPositions) return true;
    const from = this.provenFrom(leg, since);
    const isListed = leg.listedAt >= from && leg.listed <= stays;
    // Of a leg that no own order ever touched, and that no read shows, the list is enough.
    if (!this.#hasPast(leg)) return isListed || this.#core.contexts[leg.index >> 1]!.isOffline;
    return isListed && leg.aloneAt >= from && leg.alone <= stays;
  }

  /** Requests what is missing: the size of a leg that is to be closed, or the proof that it is flat. */
  want(leg: Leg, since: number, lots: number): void {
    const { now, fills } = this.#core;
    const from = this.provenFrom(leg, since);
    // A list may show what fills do not prove yet.
    const isOpen = lots > 0 || (leg.listed > leg.total && leg.listedAt > Math.max(leg.changedAt, leg.endedAt));
    const isMissing = isOpen ? leg.aloneAt < now - AGAIN_MS : now >= from && leg.aloneAt < from;
    const instrument = leg.index >> 1;
    if (!fills.readsPositions || !isMissing || !this.#hasPast(leg) || this.#open.has(instrument)) return;
    if ((this.#askedAt.get(instrument) ?? -Infinity) > now - AGAIN_MS) return;
    assert(lots >= 0, 'lots that are to be closed are at least 0', lots, 'leg', leg.index);
    const query: Query = { kind: 'positions', instrument };
    this.#askedAt.set(instrument, now);
    this.#open.set(instrument, query);
    this.#queries.ask(query, this);
  }

  answered(query: Query, _answer: Answer): void {
    assert(this.#open.get(query.instrument) === query, 'a read of a flattening is answered once', query.instrument);
    this.#open.delete(query.instrument);
    this.#answered();
  }

  failed(query: Query): void {
    this.#open.delete(query.instrument);
  }

  #hasPast(leg: Leg): boolean {
    return leg.endedAt > -Infinity || leg.total > 0 || leg.listed > 0 || leg.alone > 0;
  }
}
