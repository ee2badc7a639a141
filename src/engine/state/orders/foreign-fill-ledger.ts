/**
 * Counts how many lots of each order that has no name of ours have explained a change of a leg. Each lot explains one change. An order that
 * is known to be of another party is kept as well, with 0 lots. All of it is journaled, so it holds over restarts.
 */
import { assert } from '../../../base/failure/assert.ts';
import { RecentMap } from '../../../base/collections/recent-map.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { Lots } from '../../../domain/amounts/units.ts';

/** Number of orders of each kind that are kept at least, and the number that the snapshot keeps: the newest. */
const KEPT = 1_000;
const SAVED = 200;
/** All lots of an order, whatever its size. */
export const ALL_LOTS = Number.MAX_SAFE_INTEGER;

/** In a snapshot: lots by venue id, those of each kind oldest first. */
export type SavedForeignFills = readonly (readonly [venueId: string, lots: number])[];

/** What it needs of the shared state. */
interface ForeignFillLedgerCore {
  readonly now: number;
  readonly journal: { note(kind: 'explained', data: Readonly<Record<string, unknown>>, now: number): void };
}

export class ForeignFillLedger {
  readonly #core: ForeignFillLedgerCore;
  /** Lots of orders that have explained a change, above 0. */
  readonly #lots = new RecentMap<string, number>(KEPT);
  /** Orders of other parties that have explained nothing: a list of their own, or many of them would push out lots that must not count twice. */
  readonly #others = new RecentMap<string, 0>(KEPT);

  constructor(core: ForeignFillLedgerCore) {
    this.#core = core;
  }

  restore(saved: SavedForeignFills): void {
    for (const [venueId, lots] of saved) this.#keep(venueId, lots);
  }

  get saved(): SavedForeignFills {
    const others = [...this.#others].filter(([venueId]) => !this.#lots.has(venueId));
    return [...others.slice(-SAVED), ...[...this.#lots].slice(-SAVED)];
  }

  /** Lots of the order that have explained nothing yet. */
  restOf({ venueId, size }: OrderReport): Lots {
    return Math.max(0, size - (this.#lots.get(venueId) ?? 0)) as Lots;
  }

  /** True if a lot of the order has explained a change. */
  has(venueId: string): boolean {
    return this.#lots.has(venueId);
  }

  /** True if it is decided whose order that is. */
  isDecided(venueId: string): boolean {
    return this.#lots.has(venueId) || this.#others.has(venueId);
  }

  /** The venue still shows the order: if it is decided, it stays among the newest, which the snapshot keeps. */
  shown(venueId: string): void {
    if (this.isDecided(venueId)) this.#keep(venueId, this.#lots.get(venueId) ?? 0);
  }

  /** The order is of another party, whatever can be read of its time later. */
  ofOthers(venueId: string): void {
    if (this.isDecided(venueId)) return;
    this.#core.journal.note('explained', { venueId, lots: 0 }, this.#core.now);
    this.#keep(venueId, 0);
  }

  /** `lots` more of the order explain a change. */
  add(report: OrderReport, lots: number): void {
    const { venueId } = report;
    assert(lots > 0, 'an order of others explains lots above zero', lots, 'order', venueId);
    assert(lots <= this.restOf(report), 'each lot of an order of others explains one change', lots, 'order', venueId);
    this.#core.journal.note('explained', { venueId, lots }, this.#core.now);
    this.#keep(venueId, lotsAdded(this.#lots.get(venueId), lots));
  }

  /** The leg as it is known contains the whole order, or it was an own one: it explains no change to come. */
  contained(venueId: string): void {
    this.#keep(venueId, ALL_LOTS);
  }

  #keep(venueId: string, lots: number): void {
    assert(lots >= 0, 'explained lots are at least 0', lots);
    if (lots > 0) this.#lots.set(venueId, lots);
    else this.#others.set(venueId, 0);
  }
}

/** Lots that have explained changes once `more` do. */
export function lotsAdded(before: number | undefined, more: number): number {
  assert(more >= 0, 'an order explains at least 0 lots more', more);
  return Math.min(ALL_LOTS, (before ?? 0) + more);
}
