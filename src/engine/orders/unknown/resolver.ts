/**
 * Determines the outcome of commands whose outcome is unknown, by reading the venue. One complete look is a read of pending orders (E18),
 * then of the history (E17), both complete and begun after the command. `policy.ts` says what is done for each endpoint.
 * size: the life of one case, from the lost outcome to its end
 */
import { assert } from '../../../base/failure/assert.ts';
import { COMMANDS, LIMIT, MODIFY, PLACE } from '../../../domain/codes.ts';
import { CANCELLED, CANCELLING, OUTCOME_UNKNOWN, REFUSED, transition, UNKNOWN } from '../../../domain/orders/order.ts';
import type { OrderReport } from '../../../domain/report.ts';
import type { Answer, Query } from '../../../ports/venue.ts';
import { absentSince, isAbsentForGood, type AbsenceCore } from './absence.ts';
import { historyOf, presumedEnd } from './search.ts';
import type { Order } from '../../state/orders/orders.ts';
import type { KeyGate } from '../../state/key-gate.ts';
import type { InternalEvents } from '../../state/internal-events.ts';
import type { Orders } from '../../state/orders/orders.ts';
import type { Halts } from '../../state/halts.ts';
import type { FillSource } from '../../state/fill-source.ts';
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import type { StrategyEvents } from '../../state/events/strategy-events.ts';
import type { InFlight } from '../../state/orders/in-flight.ts';
import type { Bookings } from '../bookings.ts';
import type { Executor } from '../executor.ts';
import type { Triggered } from '../triggered.ts';
import type { PendingQueries } from '../../polling/queries.ts';
import { Cases, type CaseOwner } from '../../polling/cases.ts';
import { CancelRetries } from './cancel-retries.ts';
import { FullCloses } from './full-closes.ts';
import { LastProbes } from './last-probes.ts';
import { haltRow } from '../../state/events/halt-codes.ts';
import { cancelOf, type ResolvePolicy, waitsForTrigger } from '../../../domain/orders/command-traits.ts';
import { ID_TAKEN, policyFor, policyOf, TRIGGER_GONE } from './policy.ts';
import { mayWait, type Search, type Step } from './search.ts';

/** The shared state that this file uses. */
interface ResolverCore extends AbsenceCore {
  readonly orders: Orders;
  readonly halts: Halts;
  readonly fills: FillSource;
  readonly ids: ClientIds;
  readonly strategyEvents: StrategyEvents;
  readonly inFlight: InFlight;
}

/** Waits between looks; the last one repeats. */
const DELAYS_MS = [1000, 2000, 4000, 8000] as const;
/** Time between two probes of one order. */
const PROBE_MS = 8_000;
/** Reads that fail for this long halt the symbol. */
const BLIND_MS = 300_000;

interface ResolverDeps {
  readonly core: ResolverCore;
  readonly executor: Executor;
  readonly bookings: Bookings;
  readonly queries: PendingQueries;
  readonly triggered: Triggered;
  readonly keyGate: KeyGate;
  readonly events: Pick<InternalEvents, 'marginOutcome'>;
}

export class Resolver implements CaseOwner<Search> {
  readonly cancels: CancelRetries;
  readonly #core: ResolverCore;
  readonly #events: Pick<InternalEvents, 'marginOutcome'>;
  readonly #executor: Executor;
  readonly #bookings: Bookings;
  readonly #triggered: Triggered;
  readonly #fullCloses: FullCloses;
  readonly #lastProbes: LastProbes;
  readonly #cases: Cases<Search>;
  /** Orders presumed not landed, and the time until which they are watched for. */
  readonly #tombstones = new Map<number, number>();

  constructor({ core, executor, bookings, queries, triggered, keyGate, events }: ResolverDeps) {
    this.#core = core;
    this.#events = events;
    this.#bookings = bookings;
    this.#triggered = triggered;
    this.#executor = executor;
    this.#cases = new Cases(core, queries, this);
    this.#fullCloses = new FullCloses(core, executor, queries);
    this.#lastProbes = new LastProbes(core, executor);
    this.cancels = new CancelRetries(core, {
      keyGate,
      cancelIfWanted: (order) => executor.cancelIfWanted(order),
      halt: (instrument, seq, detail) => this.halt(instrument, seq, 'cancel-unresolved', detail),
      lift: (seq, why) => this.lift(seq, why),
    });
  }

  /** The venue does not know the unknown `order`: the answer to its probe. */
  probeRefused({ seq }: Order): void {
    const one = this.#cases.get(seq);
    if (one !== undefined) one.refusedAt = one.probedAt;
  }

  /** The outcome of the closing `order` is unknown while its leg is being flattened. */
  closeUnknown(order: Order): void {
    assert(order.state === UNKNOWN, 'the outcome of a close that is looked for is unknown', order.state, 'order', order.seq);
    this.#fullCloses.flatten(order);
  }

  /** Number of unknown outcomes being resolved. */
  get count(): number {
    return this.#cases.count;
  }

  /** True if `sweep` has something to check. */
  get isWatching(): boolean {
    return this.#cases.count + this.cancels.count > 0;
  }

  /** The outcome of command `seq` is unknown. Called while the command is still registered as in flight. */
  unknown(seq: number, cause: string): void {
    const core = this.#core;
    const entry = core.inFlight.take(seq);
    if (entry === null) return;
    const { kind, instrument, order } = entry;
    core.journal.outcome(seq, 'unknown', '', cause, core.now);
    // A record has already shown how the order ended.
    const isEnded = order === null ? kind === PLACE || kind === MODIFY : !order.isAlive && order.seq === seq;
    if (isEnded) return;
    const policy = cause === 'duplicate-client-id' ? { ...ID_TAKEN, probes: kind === PLACE } : policyFor(kind, cause);
    const fields = { seq, command: COMMANDS[kind], endpoint: policy.endpoint, symbol: core.instruments[instrument]!.symbol, cause };
    core.log.warn('outcome-unknown', fields);
    if (policy.by === 'operator') this.#quarantine(instrument, seq, policy, cause);
    else if (policy.by === 'margin-read') this.halt(instrument, seq, 'outcome-unknown', cause);
    if (order === null) return this.#events.marginOutcome(seq, 'unknown');
    if (policy.by === 'again') return this.#executor.cancelLost(order, kind, 'unknown', cause);
    const old = order.replaced;
    if (old !== null && transition(old.state, OUTCOME_UNKNOWN) >= 0) this.open(old, policy, cause);
    this.open(order, policy, cause);
    if (core.fills.readsOrders) this.#fullCloses.unknown(order);
  }

  /** Sets the order to UNKNOWN and starts the search. */
  open(order: Order, policy: ResolvePolicy, cause: string): void {
    order.absent = null;
    this.#open(order, policy, cause);
  }

  #open(order: Order, policy: ResolvePolicy, cause: string): void {
    const core = this.#core;
    const { seq, instrument } = order;
    assert(seq > 0, 'an order of unknown outcome has a number', seq);
    assert(order.isAlive, 'an order of unknown outcome has not ended', order.state, 'order', seq);
    if (order.state !== UNKNOWN) core.orders.apply(order, OUTCOME_UNKNOWN);
    if (policy.by === 'operator') this.#quarantine(instrument, seq, policy, cause);
    else if (policy.halts) this.halt(instrument, seq, 'outcome-unknown', cause);
    core.strategyEvents.order(order, 0, 0, 'unknown', cause);
    if (policy.by !== 'look' || !core.fills.readsOrders) return;
    const isQuarantined = core.halts.find({ kind: 'symbol', instrument }, 'order-quarantined', seq)?.code === 'order-quarantined';
    const times = { since: core.now, nextAt: core.now, probedAt: -Infinity, refusedAt: -Infinity, seenAt: core.now };
    this.#cases.open({ key: seq, policy, ...times, absences: 0, looks: 0, isBlind: false, isQuarantined, step: 'pending' });
  }

  /** The cancel of a trigger order (E16) did not find it. The order that it may have become must be cancelled too. */
  triggerGone(order: Order): void {
    assert(waitsForTrigger(order.kind), 'an order whose trigger is gone waited for it', order.kind, 'order', order.seq);
    order.isCancelWanted = true;
    this.open(order, TRIGGER_GONE, 'order-not-found');
  }

  /** After a restart: a command about `order` was in flight when the process ended. */
  reopen(order: Order): void {
    assert(!this.#cases.has(order.seq), 'an order is looked for once after a restart', order.seq);
    if (order.state === CANCELLING) return this.#executor.cancelLost(order, cancelOf(order.kind), 'unknown', 'restart');
    this.#open(order, policyOf(order.replaces === 0 ? order.kind : MODIFY), 'restart');
  }

  /** No read has shown this working order for a long time. */
  lost(order: Order): void {
    if (!this.#cases.has(order.seq)) this.open(order, { ...policyOf(PLACE), probes: false }, 'neither pending nor in the history');
  }

  /** Closes the cases whose orders were found or have ended. Called after every event that may do so. */
  sweep(): void {
    for (const one of this.#cases.all()) {
      const order = this.#core.orders.find(one.key);
      if (order === null || order.state !== UNKNOWN) this.#close(one);
    }
    this.cancels.sweep();
  }

  /** Ends the halt about command `seq`. False if there is none. */
  lift(seq: number, why: string): boolean {
    return this.#core.halts.liftCommand(seq, why, 'bot') !== null;
  }

  /**
   * An operator states the outcome of order `seq`: its venue id if it is at the venue, null if it is not. With null, an unknown or
   * cancelled order ends. With an id, an unknown order rests, and a lost cancel is sent again. False if the order waits for neither.
   */
  settle(order: Order, venueId: string | null): boolean {
    const isUnknown = order.state === UNKNOWN;
    if (!isUnknown && !this.cancels.has(order.seq)) return false;
    if (venueId === null) {
      const how = isUnknown && order.venueId === '' ? REFUSED : CANCELLED;
      this.#bookings.end(order, how, 'settled-by-hand', 'an operator said that it is not at the venue');
    } else if (isUnknown) this.#executor.found(order, venueId);
    else this.cancels.restart(order.seq);
    return true;
  }

  /** An order with our name that the tracker does not hold. True if it was presumed not landed; the caller cancels and reports it. */
  sighted(seq: number, report: OrderReport): boolean {
    const core = this.#core;
    const until = this.#tombstones.get(seq);
    if (until === undefined || core.now > until) return false;
    core.log.error('late-landing', { seq, symbol: core.instruments[report.instrument]?.symbol, status: report.status });
    this.#tombstones.delete(seq);
    return true;
  }

  turn(one: Search): void {
    this.#look(one, 'pending');
  }

  answered(query: Query, _answer: Answer, sentAt: number): void {
    const one = this.#cases.asked(query);
    if (one === null) return;
    const order = this.#core.orders.find(one.key);
    if (order === null || order.state !== UNKNOWN) return this.#close(one);
    if (sentAt < one.since) return this.#wait(one);
    if (one.step === 'pending') return this.#look(one, 'history');
    // A trigger order is listed nowhere: only the position shows its effect.
    if (one.step === 'history' && waitsForTrigger(order.kind)) return this.#look(one, 'positions');
    this.#absent(one, order);
  }

  failed(query: Query): void {
    const one = this.#cases.asked(query);
    if (one === null) return;
    const order = this.#core.orders.find(one.key);
    if (order?.context.isOffline === true) this.#haltOffline(one, order);
    else this.#warnIfBlind(one);
    this.#wait(one);
  }

  /** Halts the symbol because of command `seq`. A command has one halt: a new code replaces the old one. */
  halt(instrument: number, seq: number, code: string, detail: string): void {
    const { halts } = this.#core;
    const scope = { kind: 'symbol', instrument } as const;
    const before = halts.all().find((one) => one.seq === seq);
    if (before !== undefined && (before.code === code || haltRow(before.code).end === 'settle')) return;
    if (before !== undefined) halts.end(before, code, 'bot');
    halts.raise({ scope, code, detail, by: 'bot', seq });
  }

  /** A complete look did not show the order. */
  #absent(one: Search, order: Order): void {
    const { inFlight, now, timings } = this.#core;
    // Lists may omit a symbol that the venue does not know at the moment.
    if (order.context.isOffline) {
      this.#haltOffline(one, order);
      return this.#wait(one);
    }
    one.seenAt = now;
    const since = absentSince(this.#core, order, order.seq, one.since);
    one.absences = now - since >= timings.horizonMs ? one.absences + 1 : 0;
    const isOld = isAbsentForGood(this.#core, one.absences, since) && !inFlight.concerns(one.key);
    const resting = isOld && waitsForTrigger(order.kind) ? this.#triggered.restingMatchOf(order) : null;
    if (resting !== null) {
      const { mustCancel, venueId } = resting;
      if (mustCancel && now - one.probedAt >= PROBE_MS) {
        one.probedAt = now;
        this.#executor.cancelByVenueId(order, venueId, 'the result of one of two trigger orders');
      }
      const what = mustCancel ? 'it is being cancelled' : 'cancel it at the venue';
      const detail = `the order ${venueId} is what this trigger order became, or another one: ${what}`;
      this.halt(order.instrument, one.key, 'outcome-unknown', detail);
      return this.#wait(one);
    }
    if (isOld && one.policy.mayPresume && !one.isQuarantined && !mayWait(one, order, since + timings.horizonMs))
      return this.#presume(one, order);
    if (isOld && !one.policy.mayPresume && !one.isQuarantined) {
      one.isQuarantined = true;
      this.#quarantine(order.instrument, one.key, one.policy, 'its id is taken, and no read shows it');
    }
    this.#probe(one, order);
    this.#wait(one);
  }

  /** Sends a cancel as a probe. Market orders cannot be cancelled, and the replacement of a modify is the only order left. */
  #probe(one: Search, order: Order): void {
    const { now } = this.#core;
    const isProbed = one.policy.probes && order.replaces === 0 && (waitsForTrigger(order.kind) || order.type === LIMIT);
    if (!isProbed || now - one.probedAt < PROBE_MS) return;
    if (this.#executor.probe(order)) one.probedAt = now;
  }

  #look(one: Search, step: Step): void {
    const core = this.#core;
    const order = core.orders.find(one.key);
    if (order === null) return this.#close(one);
    one.step = step;
    this.#cases.ask(one, this.#queryOf(step, order));
  }

  #queryOf(step: Step, order: Order): Query {
    const { instrument, seq } = order;
    if (step === 'pending') return { kind: 'pending', instrument, isProof: true };
    if (step === 'positions') return { kind: 'positions', instrument };
    return historyOf(order, this.#core.ids.idOf(seq));
  }

  #wait(one: Search): void {
    const delayMs = DELAYS_MS[Math.min(one.looks++, DELAYS_MS.length - 1)]!;
    // The looks after the horizon are spread over the lag of the lists.
    this.#cases.wait(one, one.absences > 0 ? Math.min(delayMs, this.#core.timings.settleMs / 2) : delayMs);
  }

  /** Reads decide; if they fail for long, the symbol is halted and an error is logged. */
  #warnIfBlind(one: Search): void {
    const core = this.#core;
    const order = core.orders.find(one.key);
    if (order === null || one.isBlind || core.now - one.seenAt < BLIND_MS) return;
    one.isBlind = true;
    const { instrument, seq } = order;
    core.log.error('resolve-blind', { seq, symbol: core.instruments[instrument]!.symbol, failingMs: core.now - one.seenAt });
    this.halt(instrument, seq, 'reads-failing', 'no complete read of orders for ' + BLIND_MS / 60_000 + ' minutes');
  }

  /**
   * No list of a symbol that the venue does not know proves anything, and no answer is none. After the horizon the halt names the command
   * with which a person who knows the outcome ends it; if the symbol comes back, reads decide.
   */
  #haltOffline(one: Search, order: Order): void {
    const { instruments, now, timings } = this.#core;
    if (now - one.since < timings.horizonMs) return;
    const { symbol } = instruments[order.instrument]!;
    this.halt(order.instrument, one.key, 'outcome-offline', `the venue does not know ${symbol}, so no read shows what became of the order`);
  }

  /** Only an operator can find the outcome: the halt names the command to type. */
  #quarantine(instrument: number, seq: number, { endpoint }: ResolvePolicy, cause: string): void {
    const { instruments, log } = this.#core;
    log.error('quarantined', { seq, endpoint, symbol: instruments[instrument]!.symbol, cause });
    this.halt(instrument, seq, endpoint === 'E1' ? 'outcome-unreadable' : 'order-quarantined', cause);
  }

  #presume(one: Search, order: Order): void {
    const core = this.#core;
    assert(order.state === UNKNOWN, 'an order that is presumed lost is of unknown outcome', order.state);
    assert(one.policy.mayPresume, 'an order is presumed lost where the policy allows it', one.policy.endpoint);
    const isTrigger = one.policy.endpoint === 'E13';
    this.#tombstones.set(one.key, core.now + core.timings.watchMs);
    core.log.error('presumed-not-landed', { seq: one.key, symbol: core.instruments[order.instrument]!.symbol });
    const how = isTrigger && order.venueId !== '' ? CANCELLED : presumedEnd(order);
    if (isTrigger && order.venueId === '') this.#lastProbes.begin(order);
    this.#bookings.end(order, how, 'presumed-not-landed', one.absences + ' complete reads after its horizon did not show it');
    assert(!order.isAlive, 'an order that is presumed lost has ended', order.state, 'order', one.key);
    this.#close(one);
  }

  #close(one: Search): void {
    this.#cases.close(one);
    this.lift(one.key, 'resolved');
  }
}
