/**
 * Keeps the records of orders without a name of ours that changed a leg and explain no change of it yet. A record explains its lots once
 * (state/orders/foreign-fill-ledger.ts).
 */
import { assert } from '../../../base/failure/assert.ts';
import { CLOSE, OPEN } from '../../../domain/codes.ts';
import { parseClientId } from '../../../domain/orders/command.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { ForeignFillLedger } from '../../state/orders/foreign-fill-ledger.ts';
import type { Leg } from '../../state/records/leg.ts';
import type { Triggered } from '../triggered.ts';

/** The shared state that this file uses. */
interface ForeignRecordsCore {
  readonly ids: ClientIds;
  readonly foreignFills: ForeignFillLedger;
}

export class ForeignRecords {
  readonly #ids: ClientIds;
  readonly #foreignFills: ForeignFillLedger;
  readonly #triggered: Triggered;

  constructor({ ids, foreignFills }: ForeignRecordsCore, triggered: Triggered) {
    this.#ids = ids;
    this.#foreignFills = foreignFills;
    this.#triggered = triggered;
  }

  /** True if another party placed the order, or the venue did. */
  isOthers(report: OrderReport): boolean {
    return parseClientId(this.#ids.bot, report.clientId).seq === 0 && !this.#triggered.mayBe(report);
  }

  /** True if it is not known yet whether one of these records is that of another party on the leg. */
  isOpen(leg: Leg, reports: readonly OrderReport[]): boolean {
    const isOf = (r: OrderReport): boolean => 2 * r.instrument + r.side === leg.index;
    return reports.some((r) => isOf(r) && parseClientId(this.#ids.bot, r.clientId).seq === 0 && this.#triggered.isOpen(r));
  }

  /** True if an event at `venueTime` is not contained in any agreed total. */
  isNews(leg: Leg, venueTime: number): boolean {
    return venueTime >= leg.provenAt || (leg.agreedUpTo > 0 && venueTime > leg.agreedUpTo);
  }

  /** Foreign orders of both directions that together give exactly this change, such as a bracket close and a foreign trade. */
  together(leg: Leg, lots: number, reports: readonly OrderReport[]): OrderReport[] {
    const news = this.unreported(leg, reports).filter(({ status, updatedAt }) => status === 'filled' && this.isNews(leg, updatedAt));
    const sum = news.reduce((change, report) => change + signOf(report) * this.#foreignFills.restOf(report), 0);
    return sum === lots ? news.sort((a, b) => a.createdAt - b.createdAt) : [];
  }

  /**
   * True if these records of other parties alone may explain `lots`: together they have at least that size, and those that filled have at
   * most that size. If they filled more, own orders traded the difference, and reads must show which.
   */
  areOf(reports: readonly OrderReport[], lots: number): boolean {
    assert(lots >= 0, 'lots of a change are at least 0', lots);
    const sumOf = (some: readonly OrderReport[]): number => some.reduce((sum, report) => sum + this.#foreignFills.restOf(report), 0);
    return sumOf(reports) >= lots && sumOf(reports.filter(({ status }) => status === 'filled')) <= lots;
  }

  /** Trades of other parties that no agreed total of the leg contains. */
  newsOf(leg: Leg, reports: readonly OrderReport[]): OrderReport[] {
    return this.foundOf(leg, reports).filter(({ updatedAt }) => this.isNews(leg, updatedAt));
  }

  /** The same and, if no read of the leg has agreed yet, all that may be part of it. */
  foundOf(leg: Leg, reports: readonly OrderReport[]): OrderReport[] {
    return this.unreported(leg, reports).filter(({ updatedAt }) => updatedAt > leg.agreedUpTo || this.isNews(leg, updatedAt));
  }

  /** Foreign orders of both directions that changed the leg and are not completely reported. */
  unreported(leg: Leg, reports: readonly OrderReport[]): OrderReport[] {
    return [...this.ofOthers(leg, OPEN, reports), ...this.ofOthers(leg, CLOSE, reports)];
  }

  /**
   * Net change in lots by these orders beyond what they have explained, and beyond what is being explained; 0 if a record does not show how
   * much filled.
   */
  netOf(leg: Leg, reports: readonly OrderReport[]): number {
    if (reports.some(({ status }) => status !== 'filled')) return 0;
    return reports.reduce((change, report) => change + signOf(report) * this.#foreignFills.restOf(report), -leg.unexplained);
  }

  /** Those of one direction. */
  ofOthers(leg: Leg, effect: number, reports: readonly OrderReport[]): OrderReport[] {
    const isOf = (r: OrderReport): boolean => 2 * r.instrument + r.side === leg.index && r.effect === effect;
    return reports.filter((r) => this.isOthers(r) && isOf(r) && isTraded(r) && this.#foreignFills.restOf(r) > 0);
  }
}

export function signOf({ effect }: OrderReport): 1 | -1 {
  return effect === CLOSE ? -1 : 1;
}

/** True if the leg was flat after this order: what all later records of `all` moved leads from there to its present total. */
export function hasLeftFlat(report: OrderReport, all: readonly OrderReport[], leg: Leg): boolean {
  const isOfLeg = ({ instrument, side }: OrderReport): boolean => 2 * instrument + side === leg.index;
  const later = all.filter((one) => one !== report && one.updatedAt >= report.updatedAt && isOfLeg(one) && isTraded(one));
  const moved = later.reduce((sum, one) => sum + signOf(one) * one.size, 0);
  return later.every(({ status }) => status === 'filled') && moved === leg.proven;
}

export function isTraded({ status, averagePrice }: OrderReport): boolean {
  return status === 'filled' || averagePrice > 0;
}
