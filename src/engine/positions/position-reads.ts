/**
 * Applies reads of positions and of the account (E19, E20, E9) to the portfolio. A leg is what fills prove. A read that differs is a claim:
 * own orders explain it, or it must be repeated, and until then opens on the leg are refused. Venue times of legs and answers never
 * decrease while the venue's clock runs (market/venue-offset.ts): an older read is dropped.
 * size: the way of one claim, from its first read to its acceptance
 */
import { assert } from '../../base/failure/assert.ts';
import type { AccountReport, PositionReport } from '../../domain/report.ts';
import type { Query } from '../../ports/venue.ts';
import type { TotalValue } from '../state/account/total-value.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { Owner } from '../state/records/owner.ts';
import type { StrategyEvents } from '../state/events/strategy-events.ts';
import type { EventCounters } from '../state/events/event-counters.ts';
import type { LossCounter } from '../state/account/limit-counters.ts';
import type { Bookings } from '../orders/bookings.ts';
import type { OrderReads } from '../orders/reads/order-reads.ts';
import type { PendingQueries } from '../polling/queries.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { ForeignChanges } from './foreign-changes.ts';
import { EquityFilter } from './equity.ts';
import { explain, isShown, proveNeeded, reachOf, type FillInferenceCore } from './fill-inference.ts';
import { AgreeingReads } from './agreeing-reads.ts';
import type { Leg } from '../state/records/leg.ts';
import type { Order } from '../state/records/order.ts';

/** The shared state that this file uses. */
interface PositionReadsCore extends FillInferenceCore {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly portfolio: Portfolio;
  readonly nobody: Owner;
  readonly strategyEvents: StrategyEvents;
  readonly counters: EventCounters;
}

/** Number of agreeing unexplained reads after which the history is read for records of others, such as the fill of a bracket. */
const DOUBT_READS = 2;
/** A doubt that this read still has is logged: that history does not explain it. */
const LOGGED_READS = DOUBT_READS + 1;

interface PositionReadsDeps {
  readonly core: PositionReadsCore;
  readonly bookings: Bookings;
  readonly losses: LossCounter;
  readonly total: TotalValue;
  readonly queries: PendingQueries;
  readonly foreignChanges: ForeignChanges;
  readonly orderReads: OrderReads;
  readonly events: Pick<InternalEvents, 'readSoon'>;
}

export class PositionReads {
  readonly #core: PositionReadsCore;
  readonly #bookings: Bookings;
  readonly #losses: LossCounter;
  readonly #queries: PendingQueries;
  readonly #foreignChanges: ForeignChanges;
  readonly #orderReads: OrderReads;
  readonly #events: Pick<InternalEvents, 'readSoon'>;
  readonly #total: TotalValue;
  readonly #agreeing: readonly AgreeingReads[];
  readonly #equity = new EquityFilter();
  /** By leg: true once its size is known from agreeing reads or from an earlier run. */
  readonly #known: boolean[];
  /** Venue time of the newest applied answer, and when that answer arrived. */
  #answeredAt = -Infinity;
  #takenAt = -Infinity;

  constructor({ core, bookings, losses, total, queries, foreignChanges, orderReads, events }: PositionReadsDeps) {
    this.#core = core;
    this.#bookings = bookings;
    this.#losses = losses;
    this.#total = total;
    this.#queries = queries;
    this.#foreignChanges = foreignChanges;
    this.#orderReads = orderReads;
    this.#events = events;
    this.#agreeing = core.portfolio.legs.map(() => new AgreeingReads());
    this.#known = core.portfolio.legs.map(() => false);
  }

  /** Applies an account read. True if it should be repeated at once, because this answer alone is not accepted. */
  account(report: AccountReport): boolean {
    const { now, portfolio } = this.#core;
    const isAgain = this.#equity.take(report.equity, now);
    const equity = this.#equity.accepted;
    portfolio.equity = equity;
    portfolio.available = report.available;
    portfolio.locked = report.locked;
    portfolio.unrealised = report.unrealised;
    this.#total.equityIs(equity);
    if (!Number.isNaN(equity)) this.#losses.equityIs(equity);
    return isAgain;
  }

  /** The leg is known from an earlier run: a read must agree with that, or be repeated. */
  restored(leg: Leg): void {
    assert(this.#answeredAt === -Infinity, 'a leg is restored before the first read', leg.index);
    this.#known[leg.index] = true;
  }

  isKnown(leg: Leg): boolean {
    return this.#known[leg.index]!;
  }

  /** True if every leg is certain: reads agree with local state. */
  get isSettled(): boolean {
    return this.#core.portfolio.legs.every((leg) => !leg.isDoubted);
  }

  /** Start: opens are refused until the legs have been read. Fills of an earlier run are older than now. */
  begin(): void {
    const { instruments, portfolio, now } = this.#core;
    for (const leg of portfolio.legs) {
      if (instruments[leg.index >> 1]!.product !== 'futures') continue;
      leg.doubt(now);
      leg.changedAt = now - 1;
    }
  }

  /** The venue's clock was set by so much: times from before say nothing about the order of answers. */
  clockMoved(byMs: number): void {
    this.#answeredAt = -Infinity;
    this.#takenAt = -Infinity;
    this.#clockSet(byMs);
  }

  /** The first answer shows a clock of the venue, which may have been set since an earlier process read the legs. */
  clockShown(): void {
    const { portfolio, venueOffset } = this.#core;
    for (const leg of portfolio.legs) leg.clockShown(venueOffset.newest);
  }

  /** The clock of the first answer runs, so it is the venue's. */
  clockProven(): void {
    this.#clockSet(0);
  }

  #clockSet(byMs: number): void {
    const { portfolio, venueOffset } = this.#core;
    for (const leg of portfolio.legs) leg.clockSet(venueOffset.newest, byMs);
  }

  /** Applies a read of all legs in the query's scope; a leg that is not listed counts as flat. */
  positions(query: Query, reports: readonly PositionReport[], sentAt: number): void {
    const { portfolio, instruments } = this.#core;
    const byLeg = new Map(reports.map((report) => [2 * report.instrument + report.side, report]));
    const isAlone = query.instrument >= 0;
    const from = query.instrument < 0 ? 0 : query.instrument;
    const to = query.instrument < 0 ? instruments.length : query.instrument + 1;
    for (let i = from; i < to; i++) {
      // The position of one symbol is asked for after the list of all, also within a millisecond.
      const isOlder = query.instrument < 0 ? sentAt <= portfolio.readAt[i]! : sentAt < portfolio.readAt[i]!;
      if (isOlder || instruments[i]!.product !== 'futures') continue;
      portfolio.readAt[i] = sentAt;
      for (const leg of [portfolio.legs[2 * i]!, portfolio.legs[2 * i + 1]!]) this.#read(leg, byLeg.get(leg.index), sentAt, isAlone);
      this.#losses.legsRead(this.#core.contexts[i]!);
    }
  }

  /** Order records have arrived: they may explain what the last position read showed. Of a leg that is not known yet they explain nothing. */
  review(query: Query): void {
    const { legs } = this.#core.portfolio;
    for (const leg of legs) {
      if (query.instrument >= 0 && leg.index >> 1 !== query.instrument) continue;
      const claim = this.#agreeing[leg.index]!;
      if (claim.reads === 0 || !this.#known[leg.index]) continue;
      if (claim.isAfter(leg, this.#core.timings)) this.#judge(leg, claim);
      // The position read came first, and the records now prove the same.
      else if (leg.isDoubted && claim.total === leg.proven) this.#agreed(leg);
    }
  }

  /**
   * Foreign records show that they changed the leg by `lots`, after all proven fills. The rest between reads and local state must be zero
   * or possible own fills; with `mustFit` the fees of own orders must show those. False if the reads do not agree with that yet.
   */
  confirmed(leg: Leg, lots: number, mustFit: boolean): boolean {
    const core = this.#core;
    const claim = this.#agreeing[leg.index]!;
    if (claim.reads < DOUBT_READS) return false;
    const { up, down, earlier, opens, closes } = reachOf(core, leg, claim);
    // Reads agree: then both filled as many lots, in opposite directions. The fees of own orders show that, or that others closed more than
    // is proven.
    const isForced = leg.proven + lots < 0;
    if (claim.total === leg.proven && !isForced && (!mustFit || isShown(opens, closes, 0))) return false;
    const left = claim.total - (leg.proven + lots);
    // What an order of an earlier position filled may be the rest of a gain alone.
    const most = mustFit || lots < 0 ? up : up + earlier;
    if (left > most || left < -down) return false;
    if (mustFit && !isShown(opens, closes, left)) return false;
    // They closed more than is proven: own opening orders must have filled at least the rest.
    if (isForced && !proveNeeded(core, this.#bookings, leg, claim, -(leg.proven + lots))) return false;
    this.#external(leg, lots);
    this.#judge(leg, claim);
    return true;
  }

  /** History was read for a suspected change. Accepts the change if the records explain it, or if the reads alone are enough. */
  shown(leg: Leg, isRecorded: boolean): void {
    const { timings } = this.#core;
    const claim = this.#agreeing[leg.index]!;
    claim.isHistoryRead = true;
    const isEnough = isRecorded ? claim.isAfter(leg, timings) : claim.isProof(leg, timings);
    if (!leg.isDoubted || claim.reads < DOUBT_READS || !isEnough) return;
    const { unexplained } = explain(this.#core, this.#bookings, leg, claim);
    if (unexplained !== 0) this.#external(leg, unexplained);
  }

  /**
   * The history, read from `sentAt` on, shows no trade of another party on the leg: its changes are those of own orders. A history that
   * shows no time as late as that of the last change may be one from before it.
   */
  clean(leg: Leg, sentAt: number, freshAt: number): void {
    const claim = this.#agreeing[leg.index]!;
    const isFresh = claim.isShown && freshAt >= claim.updatedAt;
    if (!isFresh && sentAt < claim.since + this.#core.timings.settleMs) return;
    claim.cleanAt = sentAt;
    if (claim.reads > 0 && claim.isOwn && claim.isAfter(leg, this.#core.timings)) this.#judge(leg, claim);
  }

  /**
   * True if the answer is to be dropped: it is older than one already applied, or of the same time to a question that left after that answer
   * had come. `venueTime` is 0 if the answer has none.
   */
  isOld(venueTime: number, sentAt: number): boolean {
    if (venueTime === 0) return false;
    if (venueTime < this.#answeredAt || (venueTime === this.#answeredAt && sentAt > this.#takenAt)) return true;
    this.#answeredAt = venueTime;
    this.#takenAt = this.#core.now;
    return false;
  }

  #read(leg: Leg, report: PositionReport | undefined, sentAt: number, isAlone: boolean): void {
    if (report === undefined && this.#core.contexts[leg.index >> 1]!.isOffline) return;
    leg.read(isAlone, report?.total ?? 0, sentAt, report?.updatedAt ?? -Infinity);
    if (sentAt <= leg.changedAt) return;
    const core = this.#core;
    const claim = this.#agreeing[leg.index]!;
    const total = report?.total ?? 0;
    const updatedAt = report?.updatedAt ?? -Infinity;
    const isSame = claim.take(leg, total, updatedAt, report !== undefined, sentAt, isAlone, core.now);
    leg.shown = total;
    claim.createdAt = report?.createdAt ?? -Infinity;
    if (!this.#known[leg.index]) return this.#firstReads(leg, claim, report, isSame);
    if (report !== undefined && updatedAt < leg.shownAt && total !== leg.proven && !claim.isProof(leg, core.timings)) {
      core.counters.add('old-read', 'leg');
      return;
    }
    if (report === undefined || updatedAt >= leg.shownAt) this.#copyFigures(leg, report);
    if (claim.isAfter(leg, core.timings)) return this.#judge(leg, claim);
    if (total === leg.proven) this.#agreed(leg);
    else this.#wait(leg, claim);
  }

  /** First reads of an unknown leg: two that agree are accepted. */
  #firstReads(leg: Leg, claim: AgreeingReads, report: PositionReport | undefined, isSame: boolean): void {
    const { portfolio, timings } = this.#core;
    if (!isSame) return;
    // No position is listed although the account has unrealised profit or loss: the list is incomplete.
    const isMissing =
      report === undefined && Math.abs(portfolio.unrealised) > 0 && !this.#isAnyHeld() && claim.lastSentAt < claim.since + timings.settleMs;
    if (isMissing) return;
    leg.begin(claim.total, Math.max(0, claim.total - leg.own));
    this.#copyFigures(leg, report);
    this.#known[leg.index] = true;
    this.#agreed(leg);
    this.#core.journal.leg(leg, this.#core.now);
  }

  #isAnyHeld(): boolean {
    return this.#agreeing.some((claim) => claim.reads > 0 && claim.total > 0);
  }

  /** Reads own orders soon: one of them may explain the change of the leg. */
  #askOrders(leg: Leg): void {
    this.#events.readSoon('pending', leg.index >> 1);
    this.#orderReads.askUnlistable(leg);
  }

  /** The claim contains all proven fills: own orders explain the rest, or nothing does. */
  #judge(leg: Leg, claim: AgreeingReads): void {
    const { unexplained, isHeld, isOpen, spent } = explain(this.#core, this.#bookings, leg, claim);
    if (isOpen && !claim.isAsked) {
      claim.isAsked = true;
      this.#askOrders(leg);
    }
    // What an ended order may have filled is open until the leg is known: a list without it proves nothing, the leg alone does.
    if ((claim.total !== leg.proven || leg.mayOpen + leg.mayClose > 0) && !claim.isShown) this.#askAlone(leg, claim);
    const rest = Math.abs(claim.total - leg.proven);
    assert(Math.abs(unexplained) <= rest, 'no more is unexplained than reads differ', unexplained, 'leg', leg.index);
    leg.excess = Math.max(0, unexplained);
    leg.missing = Math.max(0, -unexplained);
    if (unexplained === 0) {
      leg.isDoubted = false;
      if (isHeld) this.#suspect(leg, claim, claim.total - leg.proven);
      // A change whose cause is still being read may be that of a bracket: it shows what its order filled. So may the history.
      if (spent.length > 0 && leg.unexplained === 0 && (claim.isHistoryRead || !isHeld))
        this.#assignToLeg(leg, spent, claim.total - leg.proven);
      if (claim.total === leg.proven) this.#agreed(leg);
      else if (claim.reads >= DOUBT_READS && !claim.isOthersAsked) {
        // Own orders may explain the change without proof: foreign records are read as well.
        claim.isOthersAsked = true;
        this.#suspect(leg, claim, claim.total - leg.proven);
      }
      return;
    }
    leg.doubt(this.#core.now);
    if (claim.reads === LOGGED_READS && !claim.isDoubtLogged) {
      claim.isDoubtLogged = true;
      this.#core.log.warn('position-doubted', { ...this.#names(leg), proven: leg.proven, shown: claim.total });
    }
    // Foreign records are more exact: if own orders filled as well, positions show only the sum of both.
    if (claim.reads >= DOUBT_READS) this.#suspect(leg, claim, unexplained);
  }

  /** Reads the position of the symbol alone, once for each read of all: its answer is judged too, and would ask for the next at once. */
  #askAlone(leg: Leg, claim: AgreeingReads): void {
    if (claim.isAloneAsked) return;
    claim.isAloneAsked = true;
    this.#queries.ask({ kind: 'positions', instrument: leg.index >> 1 }, null);
  }

  /** The read may be older than the proven fills: it only stops opens on a leg that it does not show. */
  #wait(leg: Leg, claim: AgreeingReads): void {
    if (claim.isShown) return this.#core.counters.add('old-read', 'leg');
    leg.doubt(this.#core.now);
    // A list may omit an existing leg. The record of the order that closed it proves that it is gone.
    if (claim.reads >= DOUBT_READS && leg.total > 0) this.#suspect(leg, claim, -leg.total);
  }

  /**
   * Reads the history for trades of other parties. Its answer is reviewed as well, so it is read only once for each position read: otherwise
   * it would be read again at once, as fast as the rate allows, and no other read would get a turn.
   */
  #suspect(leg: Leg, claim: AgreeingReads, lots: number): void {
    if (claim.readsSuspected === claim.reads) return;
    claim.readsSuspected = claim.reads;
    this.#foreignChanges.suspected(leg, lots);
  }

  #agreed(leg: Leg): void {
    leg.excess = 0;
    leg.missing = 0;
    leg.isDoubted = false;
    const claim = this.#agreeing[leg.index]!;
    if (claim.isShown) leg.shownAt = Math.max(leg.shownAt, claim.updatedAt);
  }

  /** These ended orders filled `lots` together, and no read can show which of them: the leg gets the lots, no single order does. */
  #assignToLeg(leg: Leg, spent: readonly Order[], lots: number): void {
    const core = this.#core;
    const orders = spent.map(({ seq }) => seq);
    let isBooked = true;
    for (const order of spent) {
      assert(order.leg === leg, 'orders whose fills a leg gets are orders of it', leg.index, 'order', order.seq);
      assert(!order.isAlive, 'orders whose fills a leg gets have ended', order.state, 'order', order.seq);
      // A record has shown the money of its fills, whatever their number.
      if (!(order.average > 0)) isBooked = false;
      this.#bookings.settle(order);
    }
    core.log.warn('fills-undecided', { ...this.#names(leg), lots, orders });
    assert(leg.proven + lots >= 0, 'what ended orders filled leaves at least 0 lots', lots, 'leg', leg.index);
    if (lots === 0) return;
    leg.adopt(leg.proven + lots, core.now);
    if (lots < 0) this.#losses.closedExternally(leg, -lots, 0, isBooked ? 0 : Number.NaN, core.nobody);
    leg.entry = leg.shownEntry;
    core.journal.leg(leg, core.now);
    core.strategyEvents.leg(leg, lots, false);
  }

  /**
   * Accepts `lots` (negative: closed) beyond own orders as external: another party traded, or the venue. The leg is set to what reads show.
   */
  #external(leg: Leg, lots: number): void {
    assert(lots !== 0, 'a change that is accepted changes the leg', lots, 'leg', leg.index);
    assert(this.#known[leg.index] === true, 'a leg that others change is known', leg.index);
    leg.adopt(leg.proven + lots, this.#core.now);
    const claim = this.#agreeing[leg.index]!;
    if (claim.total === leg.proven) leg.entry = leg.shownEntry;
    leg.excess = 0;
    leg.missing = 0;
    leg.isDoubted = false;
    leg.shownAt = Math.max(leg.shownAt, claim.updatedAt);
    this.#foreignChanges.changed(leg, lots);
    this.#core.journal.leg(leg, this.#core.now);
  }

  #names(leg: Leg): { symbol: string; side: string } {
    return { symbol: this.#core.instruments[leg.index >> 1]!.symbol, side: leg.index & 1 ? 'SHORT' : 'LONG' };
  }

  #copyFigures(leg: Leg, report: PositionReport | undefined): void {
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
    // While fills are missing, the entry price belongs to the known ones and helps to infer the rest. A read from before the last fill may
    // show the same number of other lots.
    const claim = this.#agreeing[leg.index]!;
    if ((report?.total ?? 0) !== leg.total || (this.#known[leg.index] && !claim.isAfter(leg, this.#core.timings))) return;
    leg.entry = entry > 0 ? entry : Number.NaN;
    const { up, down } = reachOf(this.#core, leg, claim);
    // If own orders may have both opened and closed unproven lots, the entry price is not that of `total`.
    leg.isEntryExact = up === 0 || down === 0;
  }
}
