/**
 * Reads of positions and of the account (E19, E20, E9) against the portfolio. A leg is what fills prove. A read that says otherwise is a
 * claim: own orders explain it, or it has to be repeated, and until then nothing is opened on that leg. The venue's time of a leg never
 * goes back, and neither does the time of its answers: what does is older than what is known, and is dropped.
 */
import type { AccountReport, PositionReport } from '../../domain/report.ts';
import type { Query } from '../../ports/venue.ts';
import type { Core } from '../state/core.ts';
import { noteLeg, settleOrder } from '../orders/ending.ts';
import { EquityClaim } from '../state/equity.ts';
import { explain, proveNeeded, reachOf } from './fill-inference.ts';
import { Claim } from './claim.ts';
import type { Leg } from '../state/leg.ts';

/** For how long answers may say that the venue's clock went back before that is believed. */
const CLOCK_BACK_MS = 30_000;

/** So many agreeing reads that nothing explains are told of, whether they are believed yet or not. */
const TOLD_READS = 2;

/** What a claim makes necessary. */
export interface Doubts {
  /** Orders are to be read again soon: one of them may explain a change of its leg. */
  ordersWanted(leg: Leg): void;
  /** The positions of this symbol alone are to be read (E20). */
  positionWanted(instrument: number): void;
  /** The leg is shown to have changed by `lots` that no own order explains. That is not believed yet: a record of somebody else's order would prove it. */
  suspected(leg: Leg, lots: number): void;
  /** `lots` of the leg's change are nobody's; the belief has followed. */
  changed(leg: Leg, lots: number): void;
}

export class PositionReads {
  readonly #core: Core;
  readonly #doubts: Doubts;
  readonly #claims: readonly Claim[];
  readonly #equity = new EquityClaim();
  /** By leg: what it is has been read, or known from before, and agreed with another read. */
  readonly #known: boolean[];
  /** The venue's time of the newest answer that was taken, and when that answer came. */
  #answeredAt = -Infinity;
  #takenAt = -Infinity;

  constructor(core: Core, doubts: Doubts) {
    this.#core = core;
    this.#doubts = doubts;
    this.#claims = core.portfolio.legs.map(() => new Claim());
    this.#known = core.portfolio.legs.map(() => false);
  }

  /** The account was read. Whether it should be read again at once: this answer alone is not believed. */
  account(report: AccountReport): boolean {
    const { losses, now, portfolio, total } = this.#core;
    const isAgain = this.#equity.take(report.equity, now);
    const equity = this.#equity.believed;
    portfolio.equity = equity;
    portfolio.available = report.available;
    portfolio.locked = report.locked;
    portfolio.unrealised = report.unrealised;
    total.equityIs(equity);
    if (!Number.isNaN(equity)) losses.equityIs(equity);
    return isAgain;
  }

  /** What the leg was is known from a run before this one: a read has to agree with that, or to be repeated. */
  restored(leg: Leg): void {
    this.#known[leg.index] = true;
  }

  isKnown(leg: Leg): boolean {
    return this.#known[leg.index]!;
  }

  /** Whether every leg is settled: what is read of it is what is believed. */
  get isSettled(): boolean {
    return this.#core.portfolio.legs.every((leg) => !leg.isDoubted);
  }

  /** Nothing has been read yet: nothing is opened. What fills proved before this run is at least as old as now. */
  begin(): void {
    const { instruments, portfolio, now } = this.#core;
    for (const leg of portfolio.legs) {
      if (instruments[leg.index >> 1]!.product !== 'futures') continue;
      leg.isDoubted = true;
      leg.changedAt = now - 1;
    }
  }

  /** All legs of the query's scope; a leg that is not listed is said to be flat. `venueTime` is 0 when the answer does not say. */
  positions(query: Query, reports: readonly PositionReport[], sentAt: number, venueTime: number): void {
    const { portfolio, instruments, counters } = this.#core;
    if (this.#isOld(venueTime)) return counters.add('old-read', query.kind);
    const byLeg = new Map(reports.map((report) => [2 * report.instrument + report.side, report]));
    const from = query.instrument < 0 ? 0 : query.instrument;
    const to = query.instrument < 0 ? instruments.length : query.instrument + 1;
    for (let i = from; i < to; i++) {
      if (sentAt <= portfolio.readAt[i]! || instruments[i]!.product !== 'futures') continue;
      portfolio.readAt[i] = sentAt;
      for (const leg of [portfolio.legs[2 * i]!, portfolio.legs[2 * i + 1]!])
        this.#read(leg, byLeg.get(leg.index), sentAt, query.instrument >= 0);
      this.#core.losses.legsRead(this.#core.contexts[i]!);
    }
  }

  /** Records of orders may explain now what the last read of the positions showed. */
  review(query: Query): void {
    const { legs } = this.#core.portfolio;
    for (const leg of legs) {
      if (query.instrument >= 0 && leg.index >> 1 !== query.instrument) continue;
      const claim = this.#claims[leg.index]!;
      if (claim.reads === 0) continue;
      if (claim.isAfter(leg, this.#core.timings)) this.#judge(leg, claim);
      // The read was first: it showed what the records prove only now.
      else if (leg.isDoubted && this.#known[leg.index] && claim.total === leg.total) this.#agreed(leg);
    }
  }

  /**
   * Records of others tell that they changed the leg by `lots`, later than all that is proven of it. The last reads of the leg agree: what
   * is left between them and the belief is nothing, or own orders may have filled it. False where reads do not agree with that (yet).
   */
  confirmed(leg: Leg, lots: number): boolean {
    const core = this.#core;
    const claim = this.#claims[leg.index]!;
    if (claim.total === leg.total || claim.reads < TOLD_READS) return false;
    const left = claim.total - (leg.total + lots);
    const { up, down } = reachOf(core, leg, claim);
    if (left > up || left < -down) return false;
    // They closed more than is proven: own orders that open filled at least the rest.
    if (leg.total + lots < 0 && !proveNeeded(core, leg, claim, -(leg.total + lots))) return false;
    this.#external(leg, lots);
    this.#judge(leg, claim);
    return true;
  }

  /** Two reads show the change, and records of others are enough for it; or there are none, and the reads are enough by themselves. */
  shown(leg: Leg, isRecorded: boolean): void {
    const { timings } = this.#core;
    const claim = this.#claims[leg.index]!;
    const isEnough = isRecorded ? claim.isAfter(leg, timings) : claim.isProof(leg, timings);
    if (!leg.isDoubted || claim.reads < TOLD_READS || !isEnough) return;
    const { unexplained } = explain(this.#core, leg, claim);
    if (unexplained !== 0) this.#external(leg, unexplained);
  }

  /** An answer of before one that was taken is a copy, unless the venue's clock itself went back. */
  #isOld(venueTime: number): boolean {
    const { now } = this.#core;
    const isOld = venueTime !== 0 && venueTime < this.#answeredAt && now < this.#takenAt + CLOCK_BACK_MS;
    if (isOld) return true;
    if (venueTime !== 0) this.#answeredAt = venueTime;
    this.#takenAt = now;
    return false;
  }

  #read(leg: Leg, report: PositionReport | undefined, sentAt: number, isAlone: boolean): void {
    if (sentAt <= leg.changedAt || (report === undefined && this.#core.contexts[leg.index >> 1]!.isOffline)) return;
    const core = this.#core;
    const claim = this.#claims[leg.index]!;
    const total = report?.total ?? 0;
    const updatedAt = report?.updatedAt ?? -Infinity;
    const isSame = claim.take(leg, total, updatedAt, report !== undefined, sentAt, isAlone, core.now);
    claim.createdAt = report?.createdAt ?? -Infinity;
    if (!this.#known[leg.index]) return this.#meet(leg, claim, report, isSame);
    if (report !== undefined && updatedAt < leg.shownAt && total !== leg.total && !claim.isProof(leg, core.timings)) {
      core.counters.add('old-read', 'leg');
      return;
    }
    if (report === undefined || updatedAt >= leg.shownAt) this.#figures(leg, report);
    if (claim.isAfter(leg, core.timings)) return this.#judge(leg, claim);
    if (total === leg.total) this.#agreed(leg);
    else this.#wait(leg, claim);
  }

  /** The first reads of a leg of which nothing is known: two that agree are taken for what they say. */
  #meet(leg: Leg, claim: Claim, report: PositionReport | undefined, isSame: boolean): void {
    const { portfolio, timings } = this.#core;
    if (!isSame) return;
    // Nothing at all is held, but something has a profit or a loss: the list is not whole.
    const isMissing =
      report === undefined && Math.abs(portfolio.unrealised) > 0 && !this.#isAnyHeld() && claim.lastSentAt < claim.since + timings.settleMs;
    if (isMissing) return;
    leg.adopt(claim.total);
    this.#figures(leg, report);
    this.#known[leg.index] = true;
    this.#agreed(leg);
    noteLeg(this.#core, leg);
  }

  #isAnyHeld(): boolean {
    return this.#claims.some((claim) => claim.reads > 0 && claim.total > 0);
  }

  /** The claim holds all that is proven: orders explain it, or nothing does. */
  #judge(leg: Leg, claim: Claim): void {
    const { unexplained, isOpen, isSpent } = explain(this.#core, leg, claim);
    if (isOpen && !claim.isAsked) {
      claim.isAsked = true;
      this.#doubts.ordersWanted(leg);
    }
    if (claim.total !== leg.total && !claim.isShown) this.#doubts.positionWanted(leg.index >> 1);
    leg.above = Math.max(0, unexplained);
    leg.below = Math.max(0, -unexplained);
    if (unexplained === 0) {
      leg.isDoubted = false;
      if (isSpent) this.#share(leg, claim.total - leg.total);
      if (claim.total === leg.total) this.#agreed(leg);
      else if (claim.reads >= TOLD_READS && !claim.isOthersAsked) {
        // Own orders may have done it, and nothing says that they did: a record of somebody else's order would.
        claim.isOthersAsked = true;
        this.#doubts.suspected(leg, claim.total - leg.total);
      }
      return;
    }
    leg.isDoubted = true;
    if (claim.reads === TOLD_READS && !claim.isDoubtTold) {
      claim.isDoubtTold = true;
      this.#core.log.warn('position-doubted', { ...this.#names(leg), proven: leg.total, shown: claim.total });
    }
    // Records of others say more exactly what it was: where own orders filled as well, the sum of both is all that positions show.
    if (claim.reads >= TOLD_READS) this.#doubts.suspected(leg, unexplained);
  }

  /** The read may be older than what fills prove: nothing follows from it yet but that nothing is opened on a leg that it does not show. */
  #wait(leg: Leg, claim: Claim): void {
    if (claim.isShown) return this.#core.counters.add('old-read', 'leg');
    leg.isDoubted = true;
    // A list may leave out a leg that is there. The record of who closed it proves that it is gone.
    if (claim.reads >= TOLD_READS && leg.total > 0) this.#doubts.suspected(leg, -leg.total);
  }

  #agreed(leg: Leg): void {
    leg.above = 0;
    leg.below = 0;
    leg.isDoubted = false;
    const claim = this.#claims[leg.index]!;
    if (claim.isShown) leg.shownAt = Math.max(leg.shownAt, claim.updatedAt);
  }

  /** Orders that have ended filled `lots` among them, and nothing will ever say which: the leg has them, no order does. */
  #share(leg: Leg, lots: number): void {
    const core = this.#core;
    const orders: number[] = [];
    let isBooked = true;
    for (const order of core.orders.of[leg.index >> 1]!.known()) {
      if (order.leg !== leg || order.isAlive || order.isSettled) continue;
      orders.push(order.seq);
      // A record has told what its fills brought, however many they were.
      if (!(order.average > 0)) isBooked = false;
      settleOrder(core, order);
    }
    core.log.warn('fills-undecided', { ...this.#names(leg), lots, orders });
    if (lots === 0) return;
    leg.adopt(leg.total + lots);
    if (lots < 0) core.losses.closedElsewhere(leg, -lots, 0, isBooked ? 0 : Number.NaN, core.nobody);
    leg.entry = leg.shownEntry;
    noteLeg(core, leg);
    core.strategyEvents.leg(leg, lots, false);
  }

  /** `lots` more (or less, below zero) than own orders explain: somebody else traded, or the venue by itself. The leg is what reads say. */
  #external(leg: Leg, lots: number): void {
    leg.adopt(Math.max(0, leg.total + lots));
    const claim = this.#claims[leg.index]!;
    if (claim.total === leg.total) leg.entry = leg.shownEntry;
    leg.above = 0;
    leg.below = 0;
    leg.isDoubted = false;
    leg.shownAt = Math.max(leg.shownAt, claim.updatedAt);
    noteLeg(this.#core, leg);
    this.#doubts.changed(leg, lots);
  }

  #names(leg: Leg): { symbol: string; side: string } {
    return { symbol: this.#core.instruments[leg.index >> 1]!.symbol, side: leg.index & 1 ? 'SHORT' : 'LONG' };
  }

  #figures(leg: Leg, report: PositionReport | undefined): void {
    leg.margin = report?.margin ?? 0;
    leg.available = report?.available ?? Infinity;
    leg.marginMode = report?.marginMode ?? -1;
    leg.realised = report?.realised ?? leg.realised;
    leg.liquidation = report !== undefined && report.liquidationPrice > 0 ? report.liquidationPrice : Number.NaN;
    if (report !== undefined) leg.mark = report.markPrice;
    const instrument = this.#core.instruments[leg.index >> 1]!;
    const entry = report === undefined ? Number.NaN : (report.entryPrice * instrument.priceScale) / instrument.tickStep;
    if (entry !== leg.shownEntry) leg.entrySince = report?.updatedAt ?? Infinity;
    leg.shownEntry = entry;
    // While fills are missing, the entry goes with those that are known: it tells which of them are missing. A read of before the last
    // fill may show as many lots, and they are others.
    const claim = this.#claims[leg.index]!;
    if ((report?.total ?? 0) !== leg.total || (this.#known[leg.index] && !claim.isAfter(leg, this.#core.timings))) return;
    leg.entry = entry > 0 ? entry : Number.NaN;
    const { up, down } = reachOf(this.#core, leg, claim);
    // Where own orders may have opened and closed as many, beyond what is proven, the lots are not those of `total` either.
    leg.isEntryExact = up === 0 || down === 0;
  }
}
