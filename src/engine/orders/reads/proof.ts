/**
 * Derives fills from order records (E17, E18), because the venue has no fills endpoint. Status FILLED proves the whole order. An average
 * price proves that some of it filled, and the fee shows how much; a venue whose records have a filled size says it exactly. Fills are reported once they are proven and never taken back.
 */
import { assert } from '../../../base/failure/assert.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { Core } from '../../state/core.ts';
import type { Brackets } from '../../state/records/brackets.ts';
import type { Bookings } from '../bookings.ts';
import type { Order } from '../../state/records/order.ts';

/** The shared state that this file uses. */
interface ProofCore extends Core {
  readonly brackets: Brackets;
}

/** Average fill price of a record in ticks; 0 if nothing has filled. */
function averageTicks(core: ProofCore, report: OrderReport): number {
  const instrument = core.instruments[report.instrument];
  if (instrument === undefined || !(report.averagePrice > 0)) return 0;
  return (report.averagePrice * instrument.priceScale) / instrument.tickStep;
}

/** The order is completely filled: reports the fills that were not reported yet. */
export function proveFilled(bookings: Bookings, order: Order, report: OrderReport): void {
  const { core } = bookings;
  order.average = averageTicks(core, report);
  order.recordAt = report.updatedAt;
  order.isRecordDue = false;
  if (core.brackets.isAny) core.brackets.made(order.seq, report.createdAt);
  order.context.feeRates.learn(order, order.average, report.fee);
  if (order.remaining > 0) reportFill(bookings, order, order.remaining);
}

/** When a read began, and venue times that its answer is not older than. */
export interface ReadTimes {
  readonly sentAt: number;
  /** Newest time of any order in the answer. */
  readonly freshAt: number;
  /** By leg: newest change of an order that has traded. */
  readonly tradedAt: ReadonlyMap<number, number>;
}

export function readTimes(orders: readonly OrderReport[], sentAt: number): ReadTimes {
  let freshAt = -Infinity;
  const tradedAt = new Map<number, number>();
  for (const { averagePrice, createdAt, instrument, side, updatedAt } of orders) {
    freshAt = Math.max(freshAt, createdAt, updatedAt);
    const leg = 2 * instrument + side;
    if (averagePrice > 0) tradedAt.set(leg, Math.max(updatedAt, tradedAt.get(leg) ?? -Infinity));
  }
  return { sentAt, freshAt, tradedAt };
}

/** A list may hold an order twice, by pages or by mistake: the newest record of each order, in the order of the list. */
export function eachOnce(reports: readonly OrderReport[]): readonly OrderReport[] {
  const newest = new Map<string, OrderReport>();
  for (const report of reports) {
    const known = newest.get(report.venueId);
    if (known === undefined || report.updatedAt >= known.updatedAt) newest.set(report.venueId, report);
  }
  return newest.size === reports.length ? reports : [...newest.values()];
}

/** The record shows a partly filled order: reports the fills that it proves. A later record may prove more, never less. */
export function provePart(bookings: Bookings, order: Order, report: OrderReport, read: ReadTimes): void {
  const { core } = bookings;
  const average = averageTicks(core, report);
  const { filled } = report;
  const { least, most } =
    filled === undefined
      ? order.context.feeRates.range(order, average, report.fee)
      : { least: Math.min(filled, order.size), most: Math.min(filled, order.size) };
  if (most < order.filled) return;
  order.isRecordDue = false;
  assert(least <= most, 'the least that filled is not above the most', least);
  assert(most <= order.size, 'an order fills at most its size', most);
  order.average = average;
  order.realised = report.realised;
  order.madeAt = report.createdAt;
  if (core.brackets.isAny) core.brackets.made(order.seq, report.createdAt);
  order.shownMost = most;
  // A list may show an order open that is about to be matched.
  if (report.status === 'open' && most === 0 && read.sentAt >= order.sentAt + core.timings.settleMs) order.hasRested = true;
  order.shownAt = Math.max(order.shownAt, read.sentAt);
  order.shownFresh = Math.max(order.shownFresh, read.freshAt);
  order.shownTraded = Math.max(order.shownTraded, read.tradedAt.get(order.leg.index) ?? -Infinity);
  order.recordAt = Math.max(order.recordAt, report.updatedAt);
  if (least > order.filled) reportFill(bookings, order, least - order.filled);
}

/** Reports `lots` more of the order as filled, at the price that its average implies. The leg contains them from then on. */
export function reportFill(bookings: Bookings, order: Order, lots: number): void {
  const { leg } = order;
  assert(lots > 0, 'a proven fill has lots above zero', lots);
  assert(lots <= order.remaining, 'no more is proven than an order has left', lots);
  leg.provenAt = Math.max(leg.provenAt, order.recordAt);
  bookings.fill(order, lots, priceOfNext(order, lots));
}

/** Price of the next lots implied by the average, if it is plausible; else the average, else the limit price. */
function priceOfNext(order: Order, lots: number): number {
  const { average, filled, worth, price } = order;
  const rest = (average * (filled + lots) - worth) / lots;
  const next = average === 0 ? price : Math.abs(rest - average) <= average * 0.05 ? rest : average;
  order.worth += next * lots;
  return next;
}
