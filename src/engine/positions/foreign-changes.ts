/**
 * Explains changes of a leg that no own order explains, by reading the order history (E17). The cause is a bracket of an own order, a
 * liquidation, or another party. Until it is known, opens on the leg are refused. Everything but own brackets is reported as external.
 * size: cases and suspicions use the same history reads and the same reported lots
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE, LONG, OPEN } from '../../domain/codes.ts';
import { formatLots, formatTicks, type Instrument } from '../../domain/instrument.ts';
import type { OrderReport, PositionReport } from '../../domain/report.ts';
import type { Answer, Query } from '../../ports/venue.ts';
import { AGAIN_MS, type Timer } from '../../base/time/timer-queue.ts';
import type { AccountFigures } from '../state/account/account-figures.ts';
import type { InternalEvents } from '../state/internal-events.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Portfolio } from '../state/account/portfolio.ts';
import type { TradingState } from '../state/trading-state.ts';
import { BEGIN_SLACK_MS, type BracketMatch, type Brackets, type FiredBracket } from '../state/records/brackets.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import type { ForeignFillLedger } from '../state/orders/foreign-fill-ledger.ts';
import type { QueryOwner, PendingQueries } from '../polling/queries.ts';
import { ForeignRecords, hasLeftFlat, isTraded, signOf } from '../orders/reads/foreign-records.ts';
import { eachOnce, readTimes } from '../orders/reads/proof.ts';
import type { Triggered } from '../orders/triggered.ts';
import type { Exit, FiredBrackets } from './fired-brackets.ts';
import type { External, OthersOrder } from './external.ts';
import { mayHoldMore, unseenSince, type UnseenFillsCore } from './unseen-fills.ts';
import type { Leg } from '../state/records/leg.ts';

/** The shared state that this file uses. */
interface ForeignChangesCore extends UnseenFillsCore {
  readonly contexts: readonly InstrumentContext[];
  readonly portfolio: Portfolio;
  readonly tradingState: TradingState;
  readonly brackets: Brackets;
  readonly ids: ClientIds;
  /** Venue time of the current answer, or our time if answers carry none. */
  readonly venueNow: number;
  readonly foreignFills: ForeignFillLedger;
}

/** Number of history reads before an unexplained change counts as external, and the pause between them. */
const LOOKS = 3;
const PAUSE_MS = 1_000;
/** How far before the last agreeing read a record may have been created, in milliseconds. */
const BEFORE_MS = 60_000;
/** Number of market trades that are read to find the spike that fired a bracket: the most that one answer (E8) holds. */
const TRADES = 1_000;
/** How near the liquidation price counts as reached, as a share: liquidation is decided by the mark price and filled at the book price. */
const NEAR = 0.002;

/** One change that is being explained. */
interface Case {
  /** Its change that is left to explain is `leg.unexplained`. */
  readonly leg: Leg;
  readonly since: number;
  looks: number;
  nextAt: number;
  query: Query | null;
  /** True once the newest market trades were asked for: they show a spike that fired a bracket. */
  hasTrades: boolean;
}

/** What history proves about the change of a leg. */
type ProofEvents = Pick<InternalEvents, 'changeProven' | 'historyClean' | 'historyRead'>;

interface ForeignChangesDeps {
  readonly core: ForeignChangesCore;
  readonly queries: PendingQueries;
  readonly external: External;
  readonly triggered: Triggered;
  readonly firedBrackets: FiredBrackets;
  readonly figures: AccountFigures;
  readonly events: ProofEvents;
}

export class ForeignChanges implements Timer, QueryOwner {
  readonly #core: ForeignChangesCore;
  readonly #queries: PendingQueries;
  readonly #external: External;
  readonly #records: ForeignRecords;
  readonly #firedBrackets: FiredBrackets;
  readonly #figures: AccountFigures;
  readonly #foreignFills: ForeignFillLedger;
  readonly #alarm: number;
  readonly #cases = new Map<number, Case>();
  /** By leg: when a read last agreed with local state, and the liquidation price last read. */
  readonly #agreedAt: Float64Array;
  readonly #liquidation: Float64Array;
  /** Foreign orders in the histories that were read before the bot is armed, by venue id: each as it was read last. */
  readonly #seen = new Map<string, OrderReport>();
  readonly #events: ProofEvents;
  /** Changes that reads show and that are not accepted yet, by the history query that may prove them. */
  readonly #suspicions = new Map<Query, { readonly leg: Leg; readonly lots: number }>();

  constructor({ core, queries, external, triggered, firedBrackets, figures, events }: ForeignChangesDeps) {
    this.#core = core;
    this.#foreignFills = core.foreignFills;
    this.#events = events;
    this.#queries = queries;
    this.#external = external;
    this.#records = new ForeignRecords(core, triggered);
    this.#firedBrackets = firedBrackets;
    this.#figures = figures;
    this.#alarm = core.timerQueue.add(this);
    this.#agreedAt = new Float64Array(core.portfolio.legs.length).fill(-Infinity);
    this.#liquidation = new Float64Array(core.portfolio.legs.length).fill(Number.NaN);
  }

  /** Number of changes being explained. */
  get count(): number {
    return this.#cases.size;
  }

  /** `lots` of the leg's change are not from own orders; the leg has been updated. */
  changed(leg: Leg, lots: number): void {
    assert(lots !== 0, 'a change that is to be explained changes the leg', lots, 'leg', leg.index);
    leg.unexplained += lots;
    if (!this.#cases.has(leg.index)) this.#open(leg);
  }

  /** Continues with a change that an earlier process was explaining. */
  restored(leg: Leg): void {
    if (leg.unexplained !== 0) this.#open(leg);
  }

  #open(leg: Leg): void {
    assert(!this.#cases.has(leg.index), 'one change of a leg is explained at a time', leg.unexplained, 'leg', leg.index);
    const core = this.#core;
    const one: Case = { leg, since: this.#sinceOf(leg), looks: 0, nextAt: core.now, query: null, hasTrades: false };
    this.#cases.set(leg.index, one);
    doubt(core, leg, 1);
    this.#look(one);
  }

  /** Reads show that the leg changed by `lots`, which is not accepted yet. Reads the history for a foreign order that proves it. */
  suspected(leg: Leg, lots: number): void {
    for (const one of this.#suspicions.values()) if (one.leg === leg) return;
    const query: Query = { kind: 'history', instrument: leg.index >> 1, clientId: '', since: this.#sinceOf(leg) };
    this.#suspicions.set(query, { leg, lots });
    this.#queries.ask(query, this);
  }

  #sinceOf(leg: Leg): number {
    const since = Math.max(0, this.#agreedAt[leg.index]! - BEFORE_MS);
    return Number.isFinite(since) ? since : 0;
  }

  /** A position read has been applied to the legs: updates liquidation prices, agreed times and brackets. */
  positions(query: Query, reports: readonly PositionReport[], sentAt: number): void {
    const { brackets, portfolio, timings } = this.#core;
    const listed = new Set<number>();
    for (const report of reports) {
      const index = 2 * report.instrument + report.side;
      listed.add(index);
      if (report.total > 0 && brackets.isAny) this.#ended(index, report.createdAt, report.createdAt);
      if (report.total > 0) this.#liquidation[index] = report.liquidationPrice > 0 ? report.liquidationPrice : Number.NaN;
      const leg = portfolio.legs[index]!;
      // A late list from before the last fill may show the same total by chance.
      const isBehind = report.updatedAt < leg.provenAt && sentAt < leg.changedAt + timings.settleMs;
      if (report.total !== leg.proven || isBehind) continue;
      // Own lots from before this position began are gone: the total agrees by chance.
      const isChance = leg.own > 0 && leg.provenAt + BEGIN_SLACK_MS < report.createdAt;
      if (brackets.isAny && sentAt > leg.changedAt && !this.#cases.has(index) && !isChance && !mayHoldMore(this.#core, leg))
        brackets.forget(index, this.#core.venueNow - BEFORE_MS);
      // An own fill that is not known yet and a change by others may cancel out: then the total agrees by chance.
      if (report.updatedAt < unseenSince(this.#core, leg)) this.#agreed(leg, sentAt, report.updatedAt);
    }
    for (const leg of portfolio.legs) {
      if (listed.has(leg.index) || (query.instrument >= 0 && query.instrument !== leg.index >> 1)) continue;
      if (leg.proven !== 0 || mayHoldMore(this.#core, leg)) continue;
      const { now, venueNow } = this.#core;
      // A list may be as old as the longest lag.
      if (unseenSince(this.#core, leg) === Infinity) this.#agreed(leg, sentAt, venueNow - (now - sentAt) - timings.settleMs);
      if (!brackets.isAny || sentAt <= leg.changedAt || this.#cases.has(leg.index)) continue;
      this.#ended(leg.index, Infinity, venueNow);
      brackets.forget(leg.index, venueNow - BEFORE_MS);
    }
  }

  /** The position of the leg that was there before venue time `before` had ended at `at`, and its brackets with it. */
  #ended(leg: number, before: number, at: number): void {
    const { brackets, journal, now } = this.#core;
    const orders = brackets.ended(leg, before, at);
    // A later process may see the record of one that fired, and not when its position ended.
    if (orders.length > 0) journal.note('brackets-ended', { orders, at }, now);
  }

  /** A read that was sent at `sentAt` shows the lots that are known, as of venue time `upTo`. */
  #agreed(leg: Leg, sentAt: number, upTo: number): void {
    this.#agreedAt[leg.index] = sentAt;
    leg.agreed(upTo);
  }

  /**
   * Call at the start, when positions and history have been read. Foreign orders explain what changed while the bot was down. A foreign order
   * that the position contains already explains no later change. It may explain one if it is newer than the position list, or if it closed
   * lots of an own order whose fills are not known yet.
   */
  begin(): void {
    for (const one of this.#cases.values()) {
      this.#explain(one, [...this.#seen.values()]);
      if (one.leg.unexplained === 0) this.#close(one);
    }
    const open = new Set([...this.#cases.values()].map(({ leg }) => leg.index));
    for (const { venueId, instrument, side, updatedAt } of this.#seen.values()) {
      const index = 2 * instrument + side;
      const leg = this.#core.portfolio.legs[index]!;
      // The total also agrees if this order closed just what an own order filled, and that fill is not known yet.
      const isLater = updatedAt >= unseenSince(this.#core, leg) || (leg.total > 0 && updatedAt > leg.agreedUpTo);
      if (!open.has(index) && !isLater) this.#foreignFills.contained(venueId);
    }
    this.#seen.clear();
  }

  /** Takes the history that is read before the bot is armed. */
  history(reports: readonly OrderReport[]): void {
    for (const report of reports) if (this.#records.isOthers(report) && isTraded(report)) this.#seen.set(report.venueId, report);
  }

  due(now: number): void {
    this.#core.timerQueue.each(
      this.#cases.values(),
      (one) => {
        if (one.query === null && one.nextAt <= now) this.#look(one);
      },
      (one) => (one.nextAt = now + AGAIN_MS),
    );
    this.#arm();
  }

  answered(query: Query, answer: Answer, sentAt: number): void {
    const suspicion = this.#suspicions.get(query);
    if (suspicion !== undefined && answer.kind === 'history') {
      this.#suspicions.delete(query);
      const { leg, lots } = suspicion;
      const orders = eachOnce(answer.orders);
      this.#trace(leg, orders);
      const found = this.#records.foundOf(leg, orders);
      if (found.length === 0 && !this.#records.isOpen(leg, orders))
        this.#events.historyClean(leg, sentAt, readTimes(orders, sentAt).freshAt);
      const others = this.#records.netOf(leg, this.#records.newsOf(leg, orders));
      if (others !== 0 && this.#events.changeProven(leg, others, false)) return;
      const all = this.#records.netOf(leg, found);
      if (all !== 0 && this.#events.changeProven(leg, all, true)) return;
      // Reads may have agreed only because own fills were not known. Then other parties traded another size than the reads show.
      const unreported = this.#records.netOf(leg, this.#records.unreported(leg, orders));
      if (unreported !== 0 && unreported !== lots && this.#events.changeProven(leg, unreported, true)) return;
      const proven = this.#records
        .ofOthers(leg, lots < 0 ? CLOSE : OPEN, orders)
        .filter(({ updatedAt }) => this.#records.isNews(leg, updatedAt));
      this.#events.historyRead(leg, this.#records.areOf(proven, Math.abs(lots)) || this.#records.together(leg, lots, orders).length > 0);
      return;
    }
    const one = this.#caseOf(query);
    if (one === null) return;
    if (answer.kind === 'trades') {
      for (const { instrument, price, venueTime } of answer.trades) this.#core.brackets.saw(instrument, price, price, venueTime);
      return this.#look(one);
    }
    if (answer.kind !== 'history') return;
    const orders = eachOnce(answer.orders);
    if (!one.hasTrades && this.#hasFarExit(one.leg, orders)) return this.#askTrades(one);
    this.#explain(one, orders);
    if (one.leg.unexplained === 0) return this.#close(one);
    this.#again(one);
  }

  failed(query: Query): void {
    const suspicion = this.#suspicions.get(query);
    this.#suspicions.delete(query);
    if (suspicion !== undefined) this.#events.historyRead(suspicion.leg, false);
    const one = this.#caseOf(query);
    if (one === null) return;
    // Only a history that was read can lack the record of a bracket.
    if (this.#mayHaveFired(one.leg)) one.looks--;
    this.#again(one);
  }

  #look(one: Case): void {
    one.looks++;
    one.query = { kind: 'history', instrument: one.leg.index >> 1, clientId: '', since: one.since };
    this.#queries.ask(one.query, this);
  }

  /** True if a market order closed exactly what a bracket protects, and nothing that the bot has seen shows that the bracket did it. */
  #hasFarExit(leg: Leg, reports: readonly OrderReport[]): boolean {
    const { brackets } = this.#core;
    if (!brackets.isAny) return false;
    const isFar = (report: OrderReport): boolean =>
      report.price === 0 && brackets.isLikeBracket(report, leg) && brackets.firedOf(report, leg, this.#priceOf(report), 'exact') === null;
    return this.#records.ofOthers(leg, CLOSE, reports).some(isFar);
  }

  /** Reads the newest trades of the market, then the history again. */
  #askTrades(one: Case): void {
    one.hasTrades = true;
    one.looks--;
    one.query = { kind: 'trades', instrument: one.leg.index >> 1, before: '', limit: TRADES };
    this.#queries.ask(one.query, this);
  }

  #caseOf(query: Query): Case | null {
    for (const one of this.#cases.values()) {
      if (one.query !== query) continue;
      one.query = null;
      return one;
    }
    return null;
  }

  /** No record explains the change yet. If a bracket may have fired, its record may be late; otherwise another party did it. */
  #again(one: Case): void {
    const { leg } = one;
    // Changes that came up meanwhile have undone one another.
    if (leg.unexplained === 0) return this.#close(one);
    if (this.#mayHaveFired(leg) && one.looks < LOOKS) {
      one.nextAt = this.#core.now + PAUSE_MS * Math.max(1, one.looks);
      return this.#arm();
    }
    leg.attributedWithoutRecord += leg.unexplained;
    leg.attributedUntil = this.#core.venueNow;
    this.#external.position(leg, leg.unexplained, this.#isLiquidated(leg, referenceOf(this.#core, leg)) ? 'liquidation' : 'position', null);
    leg.unexplained = 0;
    this.#core.journal.leg(leg, this.#core.now);
    this.#close(one);
  }

  #mayHaveFired(leg: Leg): boolean {
    return leg.unexplained < 0 && this.#core.brackets.mayFire(leg.index);
  }

  /** A change was reported before any record explained it. Records that explain it now are not reported a second time. */
  #trace(leg: Leg, reports: readonly OrderReport[]): void {
    if (leg.attributedWithoutRecord === 0) return;
    for (const report of this.#records
      .ofOthers(leg, leg.attributedWithoutRecord < 0 ? CLOSE : OPEN, reports)
      .sort((a, b) => a.createdAt - b.createdAt)) {
      if (report.createdAt > leg.attributedUntil) continue;
      const lots = Math.min(this.#foreignFills.restOf(report), Math.abs(leg.attributedWithoutRecord));
      if (!this.#foreignFills.has(report.venueId)) this.#external.traced(leg, this.#othersOrder(report));
      this.#foreignFills.add(report, lots);
      const rest = Math.abs(leg.attributedWithoutRecord) - lots;
      leg.attributedWithoutRecord -= signOf(report) * lots;
      const left = Math.abs(leg.attributedWithoutRecord);
      assert(left === rest, 'a record explains lots that were told without one', left, 'leg', leg.index);
      this.#core.journal.leg(leg, this.#core.now);
      if (leg.attributedWithoutRecord === 0) return;
    }
  }

  #close(one: Case): void {
    const { index, unexplained } = one.leg;
    assert(this.#cases.get(index) === one, 'a change whose cause is known was looked into', unexplained, 'leg', index);
    assert(unexplained === 0, 'nothing of a change is left when its cause is known', unexplained, 'leg', index);
    this.#cases.delete(index);
    doubt(this.#core, one.leg, -1);
    this.#arm();
  }

  #arm(): void {
    let next = Infinity;
    for (const one of this.#cases.values()) if (one.query === null) next = Math.min(next, one.nextAt);
    this.#core.timerQueue.set(this.#alarm, next);
  }

  /** Reduces the case by the lots that foreign records explain. */
  #explain(one: Case, reports: readonly OrderReport[]): void {
    const { leg } = one;
    this.#trace(leg, reports);
    const together = this.#records.together(leg, leg.unexplained, reports);
    if (together.length > 0) return this.#inTurn(one, together, reports, (report) => signOf(report) * this.#foreignFills.restOf(report));
    const others = this.#records.ofOthers(leg, leg.unexplained < 0 ? CLOSE : OPEN, reports).sort((a, b) => a.createdAt - b.createdAt);
    this.#inTurn(one, others, reports, (report) => signOf(report) * Math.min(this.#foreignFills.restOf(report), Math.abs(leg.unexplained)));
  }

  /**
   * Assigns the records to the case: while one closed exactly what a bracket still protects, it is next, then the others, oldest first.
   * `changeOf` is evaluated for each record in turn. `all`: every record that was read.
   */
  #inTurn(one: Case, reports: readonly OrderReport[], all: readonly OrderReport[], changeOf: (report: OrderReport) => number): void {
    const left = [...reports];
    while (left.length > 0) {
      const exact = left.findIndex((report) => this.#firedOf(report, one.leg, 'exact') !== null);
      const [report] = left.splice(Math.max(0, exact), 1) as [OrderReport];
      const change = changeOf(report);
      if (change !== 0) this.#inferFills(one, report, change, hasLeftFlat(report, all, one.leg) ? 'rest' : 'any');
    }
  }

  /** Assigns `change` lots of the case to this order. */
  #inferFills(one: Case, report: OrderReport, change: number, match: BracketMatch): void {
    const core = this.#core;
    const { leg } = one;
    const lots = Math.abs(change);
    assert(change !== 0, 'an order of others explains a change', change, 'order', report.venueId);
    const order = this.#othersOrder(report);
    const price = order.price || referenceOf(core, leg);
    leg.unexplained -= change;
    const fired = this.#firedOf(report, leg, match);
    this.#foreignFills.add(report, lots);
    const shared = fired !== null || change > 0 ? [] : core.brackets.sharedOf(report, lots, leg, price);
    if (fired !== null || shared.length > 0) core.journal.leg(leg, core.now);
    if (fired !== null) return this.#firedBrackets.report(leg, fired.bracket, fired.kind, { ...order, lots });
    if (shared.length > 0) return this.#reportShared(leg, shared, { ...order, lots });
    const kind = change < 0 && this.#isLiquidated(leg, price) ? 'liquidation' : 'position';
    this.#external.position(leg, change, kind, order, leg.unexplained);
    core.journal.leg(leg, core.now);
  }

  /** These brackets together closed `exit.lots`. The money of the record is told with the first of them. */
  #reportShared(leg: Leg, shared: readonly FiredBracket[], exit: Exit): void {
    let { lots: rest, realised, fee } = exit;
    for (const { bracket, kind } of shared) {
      const lots = Math.min(rest, bracket.lots);
      if (lots <= 0) return;
      this.#firedBrackets.report(leg, bracket, kind, { ...exit, lots, realised, fee });
      rest -= lots;
      realised = 0;
      fee = 0;
    }
  }

  /** What a record shows of an order. Its money is that of all its fills together: only the first report of it has that. */
  #othersOrder(report: OrderReport): OthersOrder {
    const { fee, realised, venueId } = report;
    const price = this.#priceOf(report);
    const text = describeOrder(report, this.#core.instruments[report.instrument]!, price);
    const { now, venueNow } = this.#core;
    const at = now - (venueNow - report.updatedAt);
    return { venueId, text, price, at, ...(this.#foreignFills.has(report.venueId) ? { realised: 0, fee: 0 } : { realised, fee }) };
  }

  /** The bracket that produced the record, of which part may have been explained in an earlier process. */
  #firedOf(report: OrderReport, leg: Leg, match: BracketMatch): FiredBracket | null {
    const rest = { ...report, size: this.#foreignFills.restOf(report) };
    return this.#core.brackets.firedOf(rest, leg, this.#priceOf(report) || referenceOf(this.#core, leg), match);
  }

  /** Average price of the order in ticks, 0 if it has none. */
  #priceOf({ instrument, averagePrice }: OrderReport): number {
    const { priceScale, tickStep } = this.#core.instruments[instrument]!;
    return averagePrice > 0 ? (averagePrice * priceScale) / tickStep : 0;
  }

  #isLiquidated(leg: Leg, price: number): boolean {
    // Figures by function call are those of a simulated account, on which nobody else trades.
    if (this.#figures.pushed !== null) return leg.unexplained <= 0;
    const instrument = this.#core.instruments[leg.index >> 1]!;
    const at = ((this.#liquidation[leg.index] ?? Number.NaN) * instrument.priceScale) / instrument.tickStep;
    if (leg.unexplained > 0 || !(at > 0) || !(price > 0)) return false;
    return (leg.index & 1) === LONG ? price <= at * (1 + NEAR) : price >= at * (1 - NEAR);
  }
}

function describeOrder(report: OrderReport, instrument: Instrument, price: number): string {
  const at = price > 0 ? ` at ${formatTicks(Math.round(price), instrument)}` : '';
  return `the venue's order ${report.venueId} of ${formatLots(report.size, instrument)}${at}`;
}

/** Current market price in ticks, 0 if unknown. */
function referenceOf(core: ForeignChangesCore, leg: Leg): number {
  return core.contexts[leg.index >> 1]!.market.reference;
}

/** Stops opens on the leg while the cause is being read: a short halt without journal record. */
function doubt(core: ForeignChangesCore, leg: Leg, by: 1 | -1): void {
  leg.halts += by;
  core.tradingState.halted('leg', by);
}
