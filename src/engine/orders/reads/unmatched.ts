/**
 * Orders in a read that the tracker does not hold. At the start own orders are adopted. Later they were presumed not landed or come from
 * another writer, so they are cancelled and reported. Orders with our name that the journal never numbered come from a lost journal or
 * another bot. They are tracked, and a setting decides what happens. Foreign orders are counted and never touched.
 */
import { assert } from '../../../base/failure/assert.ts';
import { LIMIT, OPEN, PLACE } from '../../../domain/codes.ts';
import { parseClientId } from '../../../domain/orders/command.ts';
import { hasEnded, type OrderReport } from '../../../domain/report.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { Core } from '../../state/core.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Halts } from '../../state/halts.ts';
import type { Portfolio } from '../../state/account/portfolio.ts';
import type { Owner } from '../../state/records/owner.ts';
import type { Brackets } from '../../state/records/brackets.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { Executor } from '../executor.ts';
import type { PendingQueries } from '../../polling/queries.ts';
import type { Resolver } from '../unknown/resolver.ts';

/** The shared state that this file uses. */
interface UnmatchedCore extends Core {
  readonly orders: Orders;
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  readonly nobody: Owner;
  readonly brackets: Brackets;
  readonly ids: ClientIds;
  /** Number of the next order or execution. */
  nextSeq: number;
  /** Newest venue time seen on an answer; 0 before the first. */
  readonly venueTime: number;
  readonly isNewJournal: boolean;
  /** The first client id with our name that this journal never issued; "" for none. */
  lostId: string;
}

/**
 * What to do with own orders that the journal does not know. `adopt`: keep and count them, without a strategy. `cancel`: cancel them when
 * the bot is armed. `halt`: keep them and open nothing until an operator resumes.
 */
export type UnknownOwnOrders = 'adopt' | 'cancel' | 'halt';

/** An own order that a list shows alive although local state has settled it. */
interface Sighting {
  /** When the first list showed it. */
  readonly since: number;
  /** When the order history was asked for it; Infinity before. */
  askedAt: number;
  /** When an answer came that does not show that the order ended; Infinity before. */
  endlessAt: number;
}

/** Largest number of foreign orders and first sightings that are kept. */
const REMEMBERED = 1000;

export class UnmatchedOrders {
  /** Venue ids of foreign orders that were read. */
  readonly foreignIds = new Set<string>();
  readonly #core: UnmatchedCore;
  readonly #executor: Executor;
  readonly #resolver: Resolver;
  readonly #queries: PendingQueries;
  readonly #policy: UnknownOwnOrders;
  /** Own orders that lists show alive and that the tracker does not hold. */
  readonly #sightings = new Map<number, Sighting>();
  /** Venue time when the first reads were complete; null before. */
  #armedAt: number | null = null;

  constructor(core: UnmatchedCore, executor: Executor, resolver: Resolver, queries: PendingQueries, policy: UnknownOwnOrders) {
    this.#core = core;
    this.#policy = policy;
    this.#queries = queries;
    this.#executor = executor;
    this.#resolver = resolver;
  }

  /** An order with this bot's name that the tracker does not hold. True if it holds it now and must take the record. */
  own(seq: number, report: OrderReport, sentAt: number): boolean {
    const core = this.#core;
    if (hasEnded(report)) {
      // An order that has ended stays ended: the list that showed it alive was a copy.
      this.#sightings.delete(seq);
      if (!this.#resolver.sighted(seq, report)) return false;
      this.#landedLate(report);
      if (report.status !== 'filled' && !(report.averagePrice > 0)) return false;
      // Its fills are in the position: they are ours.
      this.#adopt(seq, report).sentAt = sentAt;
      return true;
    }
    if (this.#resolver.sighted(seq, report)) this.#landedLate(report);
    else {
      if (!this.#isAlive(seq, report, sentAt)) return false;
      core.log.error('unexpected-order', { seq, symbol: core.instruments[report.instrument]?.symbol, venueId: report.venueId });
    }
    this.#sightings.delete(seq);
    this.#executor.cancel(this.#adopt(seq, report), this.#core.nobody, 'not expected to be alive');
    return false;
  }

  /** An order that was presumed not landed is at the venue after all. What was opened meanwhile did not count it: a person looks first. */
  #landedLate({ clientId, effect, instrument, side, venueId }: OrderReport): void {
    const { halts, timings } = this.#core;
    if (effect !== OPEN) return;
    const detail = `${clientId} landed as ${venueId} after more than ${timings.horizonMs / 1_000} s`;
    halts.raise({ scope: { kind: 'leg', instrument, side }, code: 'late-landing', detail, by: 'bot' });
  }

  /**
   * True if the settled order is alive after all. Its list may be older than its end. So three reads are needed: a list after the longest
   * lag, then an order history that does not show its end, and then another list.
   */
  #isAlive(seq: number, { instrument, clientId }: OrderReport, sentAt: number): boolean {
    const { now, timings } = this.#core;
    const one = this.#sightings.get(seq);
    if (one === undefined) {
      if (this.#sightings.size >= REMEMBERED) this.#sightings.clear();
      this.#sightings.set(seq, { since: now, askedAt: Infinity, endlessAt: Infinity });
      return false;
    }
    if (sentAt < one.since + timings.settleMs) return false;
    if (one.askedAt === Infinity) {
      one.askedAt = now;
      this.#queries.ask(
        { kind: 'history', instrument, clientId, since: 0 },
        {
          answered: () => (one.endlessAt = this.#core.now),
          failed: () => (one.askedAt = Infinity),
        },
      );
      return false;
    }
    return sentAt >= one.endlessAt;
  }

  foreign(report: OrderReport): void {
    if (report.status !== 'open' && report.status !== 'partial') return;
    if (this.#core.brackets.isAny && this.#isBracket(report)) return;
    if (this.foreignIds.has(report.venueId) || this.foreignIds.size >= REMEMBERED) return;
    this.foreignIds.add(report.venueId);
    this.#core.log.warn('foreign-order', { symbol: this.#core.instruments[report.instrument]?.symbol, venueId: report.venueId });
  }

  /** True if the venue created the order from an own bracket. */
  #isBracket(report: OrderReport): boolean {
    const { portfolio, instruments, brackets } = this.#core;
    const leg = portfolio.legs[2 * report.instrument + report.side]!;
    const { priceScale, tickStep } = instruments[report.instrument]!;
    // Before a trade no price identifies the bracket; the size does.
    if (!(report.averagePrice > 0)) return brackets.isLikeBracket(report, leg);
    return brackets.firedOf(report, leg, (report.averagePrice * priceScale) / tickStep, 'any') !== null;
  }

  /** No read has shown this working order for too long. */
  lost(order: Order): void {
    this.#resolver.lost(order);
  }

  /** Adopts the order without a strategy and returns it. */
  #adopt(seq: number, report: OrderReport): Order {
    const core = this.#core;
    assert(seq > 0, 'an order that is adopted has a number', seq);
    assert(seq < core.nextSeq, 'the number of an order that is adopted was given', seq);
    assert(core.orders.find(seq) === null, 'an order that is adopted is not tracked already', seq);
    const command = this.#executor.begin(PLACE, report.instrument);
    command.seq = seq;
    command.side = report.side;
    command.effect = report.effect;
    command.type = report.type;
    command.price = report.type === LIMIT ? report.price : 0;
    command.size = report.size;
    command.time = Math.min(core.now, report.createdAt);
    const order = core.orders.add(command, core.contexts[report.instrument]!, core.nobody, report.size);
    core.log.warn('order-adopted', { seq, symbol: core.instruments[report.instrument]?.symbol, venueId: report.venueId });
    this.#executor.found(order, report.venueId);
    return order;
  }

  /** The first reads are complete: an order of our name that appears later and is not in the journal was placed by another bot. */
  armed(): void {
    assert(this.#armedAt === null, 'the bot is armed once');
    this.#armedAt = this.#core.venueTime;
    this.#applyPolicy();
  }

  /** The venue's clock was set by so much. */
  clockMoved(byMs: number): void {
    if (this.#armedAt !== null) this.#armedAt += byMs;
  }

  /** An operator has confirmed that the journal of the unknown orders is lost: the policy is applied now. */
  acknowledged(): void {
    this.#applyPolicy();
  }

  /** An order with this bot's name that this journal never numbered. */
  unknown(report: OrderReport): void {
    const core = this.#core;
    const { epoch } = parseClientId(core.ids.bot, report.clientId);
    core.ids.sighted(epoch);
    core.lostId ||= report.clientId;
    const isAlive = report.status === 'open' || report.status === 'partial' || report.status === 'unknown';
    if (this.#armedAt === null) {
      // A new journal has issued no id: its epoch moves above that of the lost one. Both may have begun in one second.
      if (core.isNewJournal && epoch >= core.ids.epoch) core.ids.rotate(core.now, core.nextSeq);
      if (epoch > core.ids.lostUpTo) this.#rollback(epoch, report);
      else if (isAlive) core.log.error('journal-lost', { epoch, clientId: report.clientId, policy: this.#policy });
      if (isAlive) this.#track(report);
      return;
    }
    // An order older than our first reads was listed late and is no sign of another bot.
    if (report.createdAt > this.#armedAt || epoch > core.ids.epoch) this.#splitBrain(epoch, report);
    if (!isAlive) return;
    this.#track(report);
    this.#applyPolicy();
  }

  /** Tracks the order under a new number, so that it counts in the exposure and can be cancelled. */
  #track(report: OrderReport): void {
    const core = this.#core;
    const seq = core.nextSeq++;
    core.ids.alias(seq, report.clientId);
    this.#adopt(seq, report);
  }

  /** Applies the setting: cancels unknown own orders, keeps them, or halts opens until an operator resumes. */
  #applyPolicy(): void {
    const core = this.#core;
    const policy = this.#policy;
    // After a rollback an operator must say whose orders they are. Of two bots only the newer one acts.
    if (core.halts.find({ kind: 'bot' }, 'journal-rollback') !== null) return;
    const left = this.#unowned();
    if (policy === 'halt' && left.length > 0) {
      core.halts.hold(
        'all',
        'unknown-own-orders',
        `${left.length} live orders with our name are not in the journal: cancel or keep them by hand`,
      );
    }
    if (policy !== 'cancel') return;
    for (const order of left) {
      const { epoch } = parseClientId(core.ids.bot, core.ids.idOf(order.seq));
      if (epoch <= core.ids.epoch) this.#executor.cancel(order, core.nobody, 'not in this journal');
    }
  }

  /** Live orders that this journal did not number. */
  #unowned(): Order[] {
    const { ids, orders } = this.#core;
    return orders.of.flatMap((list) => list.alive().filter((order) => ids.isUnexplained(order.seq)));
  }

  /** The venue holds an id that the journal never issued although it covers that time: the journal was restored, or another bot writes. */
  #rollback(epoch: number, { clientId, venueId }: OrderReport): void {
    const core = this.#core;
    const why = `the venue shows ${clientId}, which is not in the journal: it was lost or put back to an earlier state, or another bot writes`;
    if (core.halts.hold('all', 'journal-rollback', why))
      core.log.error('journal-rollback', { clientId, venueId, epoch, nextSeq: core.nextSeq });
  }

  #splitBrain(epoch: number, { clientId, venueId }: OrderReport): void {
    const core = this.#core;
    const why = `${clientId} appeared, which this bot did not place (its epoch is ${core.ids.epoch}): another bot trades on this account`;
    if (core.halts.hold('all', 'split-brain', why)) core.log.error('split-brain', { clientId, venueId, epoch, ownEpoch: core.ids.epoch });
  }
}
