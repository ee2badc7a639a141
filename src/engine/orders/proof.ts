/**
 * Fills without a fills endpoint: what the record of an order (E17, E18) proves. FILLED proves the whole of it; an average price proves
 * that some of it filled, and with the fee how much. Fills are told as far as they are proven and never taken back.
 */
import type { OrderReport } from '../../domain/report.ts';
import type { Core } from '../state/core.ts';
import { fillOrder } from './ending.ts';
import type { Order } from '../state/order.ts';

/** The average fill price of a record in ticks; 0 when nothing has filled. */
function averageTicks(core: Core, report: OrderReport): number {
  const instrument = core.instruments[report.instrument];
  if (instrument === undefined || !(report.averagePrice > 0)) return 0;
  return (report.averagePrice * instrument.priceScale) / instrument.tickStep;
}

/** The order is full: tells what was not told of it. */
export function proveFilled(core: Core, order: Order, report: OrderReport): void {
  order.average = averageTicks(core, report);
  order.recordAt = report.updatedAt;
  core.feeRates[order.instrument]!.learn(order, order.average, report.fee);
  if (order.remaining > 0) reportFill(core, order, order.remaining);
}

/** When a read began, and times of the venue that its answer is no older than. */
export interface ReadTimes {
  readonly sentAt: number;
  /** The newest that it shows of any order. */
  readonly freshAt: number;
  /** By leg: the newest change of an order that has traded. */
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

/** The order is not full by this record: tells what it proves. A later record may prove more, never less. */
export function provePart(core: Core, order: Order, report: OrderReport, read: ReadTimes): void {
  const average = averageTicks(core, report);
  const { least, most } = core.feeRates[order.instrument]!.range(order, average, report.fee);
  if (most < order.filled) return;
  order.average = average;
  order.realised = report.realised;
  order.madeAt = report.createdAt;
  order.shownMost = most;
  order.shownAt = Math.max(order.shownAt, read.sentAt);
  order.shownFresh = Math.max(order.shownFresh, read.freshAt);
  order.shownTraded = Math.max(order.shownTraded, read.tradedAt.get(order.leg.index) ?? -Infinity);
  order.recordAt = Math.max(order.recordAt, report.updatedAt);
  if (least > order.filled) reportFill(core, order, least - order.filled);
}

/** `lots` more of the order are proven, at the price that its average leaves for them. The leg holds them from then on. */
export function reportFill(core: Core, order: Order, lots: number): void {
  const { leg } = order;
  leg.provenAt = Math.max(leg.provenAt, order.recordAt);
  fillOrder(core, order, lots, priceOfNext(order, lots));
}

/** What is left of the average over all, when that is a price at all; otherwise the average, else the limit. */
function priceOfNext(order: Order, lots: number): number {
  const { average, filled, worth, price } = order;
  if (average === 0) return price;
  const rest = (average * (filled + lots) - worth) / lots;
  const next = Math.abs(rest - average) <= average * 0.05 ? rest : average;
  order.worth += next * lots;
  return next;
}
