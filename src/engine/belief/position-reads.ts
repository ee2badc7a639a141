/**
 * Reads of positions and of the account (E19, E20, E9) against the portfolio. A leg's change is explained by own orders; what two
 * reads in a row cannot explain is external: adopted, shown to strategies, logged.
 */
import { OPEN } from '../../domain/codes.ts';
import type { AccountReport, PositionReport } from '../../domain/report.ts';
import type { Query } from '../../ports/venue.ts';
import type { Core } from '../core.ts';
import { attribute } from './attribute.ts';
import type { Leg } from './leg.ts';
import type { Order } from './orders.ts';

const STRIKES = 2;

export class PositionReads {
  readonly #core: Core;
  readonly #filledUp: (order: Order) => void;
  readonly #unexplained: (leg: Leg, lots: number) => void;
  /** True until the first reads are in: what the venue says is taken as it is. */
  isAdopting = true;

  /** `filledUp` is told of orders that the position shows to be full, `unexplained` of what no order explains. */
  constructor(core: Core, filledUp: (order: Order) => void, unexplained: (leg: Leg, lots: number) => void) {
    this.#core = core;
    this.#filledUp = filledUp;
    this.#unexplained = unexplained;
  }

  account(report: AccountReport): void {
    const portfolio = this.#core.portfolio;
    portfolio.equity = report.equity;
    portfolio.available = report.available;
    portfolio.locked = report.locked;
    portfolio.unrealised = report.unrealised;
    this.#core.total.equityIs(report.equity);
  }

  /** All legs of the query's scope; a leg that is not listed is flat. */
  positions(query: Query, reports: readonly PositionReport[], sentAt: number): void {
    const { portfolio, instruments } = this.#core;
    const byLeg = new Map(reports.map((report) => [2 * report.instrument + report.side, report]));
    const from = query.instrument < 0 ? 0 : query.instrument;
    const to = query.instrument < 0 ? instruments.length : query.instrument + 1;
    for (let i = from; i < to; i++) {
      if (sentAt <= portfolio.readAt[i]! || instruments[i]!.product !== 'futures') continue;
      if (this.#isPriceOnItsWay(i, byLeg, sentAt)) continue;
      portfolio.readAt[i] = sentAt;
      this.#leg(portfolio.legs[2 * i]!, byLeg.get(2 * i), sentAt);
      this.#leg(portfolio.legs[2 * i + 1]!, byLeg.get(2 * i + 1), sentAt);
      this.#settle(i, sentAt);
    }
  }

  /**
   * Whether a leg moved by an order whose record, with the price, is on its way. Another read follows that record; an order puts one
   * read aside and no more.
   */
  #isPriceOnItsWay(i: number, byLeg: ReadonlyMap<number, PositionReport>, sentAt: number): boolean {
    const { orders } = this.#core;
    let isOnItsWay = false;
    for (const order of orders.of[i]!.known()) {
      if (!order.isPriceAsked || !order.isAlive || order.createdAt >= sentAt) continue;
      const gap = (byLeg.get(order.leg.index)?.total ?? 0) - order.leg.total;
      if (gap === 0 || gap > 0 !== (order.effect === OPEN)) continue;
      order.isPriceAsked = false;
      isOnItsWay = true;
    }
    return isOnItsWay;
  }

  #leg(leg: Leg, report: PositionReport | undefined, sentAt: number): void {
    if (sentAt <= leg.changedAt) return;
    this.#figures(leg, report);
    const gap = (report?.total ?? 0) - leg.total;
    if (gap === 0) return leg.agreed();
    if (this.isAdopting) leg.adopt(report?.total ?? 0);
    else this.#explain(leg, gap, sentAt);
    this.#entry(leg, report);
  }

  /** A leg that is counted too high is corrected first, then orders explain the rest, then a leg that is counted too low. */
  #explain(leg: Leg, gap: number, sentAt: number): void {
    const { notices } = this.#core;
    const moved = gap < 0 ? leg.correct(gap) : 0;
    const rest = gap - moved;
    const left = rest === 0 ? 0 : attribute(this.#core, leg.index, rest, sentAt, this.#filledUp);
    const late = left > 0 ? leg.correct(left) : 0;
    if (moved + late !== 0) notices.leg(leg, moved + late, false);
    if (left - late === 0) leg.agreed();
    else if (++leg.strikes >= STRIKES) this.#external(leg, left - late);
  }

  #external(leg: Leg, left: number): void {
    leg.adopt(leg.total + left);
    this.#unexplained(leg, left);
  }

  #figures(leg: Leg, report: PositionReport | undefined): void {
    leg.margin = report?.margin ?? 0;
    leg.realised = report?.realised ?? leg.realised;
    leg.liquidation = report !== undefined && report.liquidationPrice > 0 ? report.liquidationPrice : Number.NaN;
    if (report !== undefined) leg.mark = report.markPrice;
    this.#entry(leg, report);
  }

  #entry(leg: Leg, report: PositionReport | undefined): void {
    const instrument = this.#core.instruments[leg.index >> 1]!;
    const known = report !== undefined && report.entryPrice > 0;
    leg.entry = known ? (report.entryPrice * instrument.priceScale) / instrument.tickStep : Number.NaN;
  }

  /** Orders that ended before the read left cannot fill any more: their fills are final. */
  #settle(i: number, sentAt: number): void {
    const orders = this.#core.orders;
    for (const order of orders.of[i]!.known()) {
      if (order.isAlive || order.isSettled || order.endedAt >= sentAt) continue;
      orders.settle(order);
    }
  }
}
