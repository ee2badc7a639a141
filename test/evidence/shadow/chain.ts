/** An order in the eyes of a bot: what was sent, and the newest record of each of its ids. */
import type { OrderReport } from '../../../src/domain/report.ts';
import type { Absences } from './absences.ts';
import type { CLOSE, OPEN, OrderRecord, OwnOrder } from '../solver/facts.ts';
import type { Triggers } from './market.ts';

/** Later than any time of a venue. */
export const NEVER = 1e15;

/** The newest record of an order, and what its fee and average price say of the lots that it filled. */
export interface Heard {
  readonly report: OrderReport;
  readonly answered: number;
  readonly least?: number;
  readonly most?: number;
  /** Update time of the first record with this fee and average price. */
  readonly since: number;
}

/** An order with those that replaced it. `isOther`: the bot did not send it. */
export interface Chain {
  readonly ids: string[];
  /** The venue id of what a trigger order became, if the venue shows that without its client id. */
  alias: string;
  readonly effect: typeof OPEN | typeof CLOSE;
  /** By id. */
  readonly sizes: number[];
  from: number;
  by: number;
  /** A cancel of it was accepted by this time. */
  cancelledBy: number;
  /** The last of its ids that may have come to be. */
  lastId: string;
  /** A cancel of it found nothing at this time. */
  notFoundAt: number;
  /** How often its bytes left. */
  sends: number;
  /** Newest record of each id. */
  readonly records: Map<string, Heard>;
  readonly notPending: Absences;
  readonly notEnded: Absences;
  readonly type: number;
  readonly force: number;
  readonly price: number;
  readonly isTrigger: boolean;
  /** Of its brackets: of each of its ids that has one. */
  readonly triggers: Triggers[];
  readonly isOther: boolean;
  /** The venue shows it under its own id. */
  isNamed: boolean;
}

/** The sizes of the order and of what modifies may have made of it. */
export function sizesOf({ from, sizes: [size = 0, ...later] }: Chain): Pick<OwnOrder, 'size' | 'later'> {
  return later.length === 0 ? { size } : { size, later: later.map((one) => ({ size: one, from })) };
}

/** The least that the records of the chain alone prove. */
export function provenOf(chain: Chain): number {
  let lots = 0;
  for (const { report, least } of chain.records.values())
    lots = Math.max(lots, report.status === 'filled' ? report.size : report.averagePrice > 0 ? Math.max(1, least ?? 1) : 0);
  return lots;
}

export function recordOf(chain: Chain, order: number, id: string, { report, answered, least, most, since }: Heard): OrderRecord {
  const { size, updatedAt } = report;
  const isTraded = report.averagePrice > 0;
  // Only an order that has not traded can be modified.
  const isLast = id === chain.lastId || isTraded;
  const ended = report.status === 'filled' ? 'filled' : isLast ? 'cancelled' : 'replaced';
  const status = isEnded(report) ? ended : 'new';
  const createdAt = id === chain.ids[0] ? report.createdAt : -Infinity;
  const record = {
    kind: 'order',
    answered,
    order,
    status,
    isTraded,
    createdAt,
    updatedAt,
    size,
    since,
    version: chain.ids.indexOf(id),
  } as const;
  return status === 'filled' || !isTraded || least === undefined || most === undefined ? record : { ...record, least, most };
}

export function isFilled({ records }: Chain): boolean {
  return [...records.values()].some(({ report }) => report.status === 'filled');
}

export function isEnded({ status }: OrderReport): boolean {
  return status !== 'open' && status !== 'partial';
}

/** True if nothing filled between the two records: each fill costs a fee. */
export function hasSameFills(one: OrderReport, other: OrderReport): boolean {
  return one.fee !== 0 && one.fee === other.fee && one.averagePrice === other.averagePrice;
}

export function isNewer(one: Pick<Heard, 'report' | 'answered'>, other: Pick<Heard, 'report' | 'answered'>): boolean {
  if (isEnded(one.report) !== isEnded(other.report)) return isEnded(one.report);
  if (one.report.updatedAt !== other.report.updatedAt) return one.report.updatedAt > other.report.updatedAt;
  return one.answered > other.answered;
}
