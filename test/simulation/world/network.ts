/**
 * Between the bot and the exchange: each message takes its own time up and down, and what the plan says of it happens. What a client does
 * with bytes (cut bodies, statuses, answers about another order) is done by the client's own code.
 */
import type { Dialect, Outgoing } from '../../../src/venue/dialect.ts';
import { dialectOf } from '../../../src/venue/registry/dialects.ts';
import { decide } from '../../../src/edge/http/outcome.ts';
import { success } from '../../../src/contract/envelope.ts';
import { ADJUST_MARGIN, CANCEL, CANCEL_TRIGGER, MODIFY, PLACE, PLACE_TRIGGER } from '../../../src/domain/codes.ts';
import { isCancel, laneOf, LANES, type LaneName } from '../../../src/domain/orders/command-traits.ts';
import { formatClientId, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Rejection } from '../../../src/domain/orders/outcome.ts';
import type { Answer, OrderPort, Query, ReadPort } from '../../../src/ports/venue.ts';
import { ACCEPTED, ANSWERED, FAILED, REJECTED, UNKNOWN, UNSENT, VenueEvent, type Inbox } from '../../../src/ports/venue-event.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { answerOf } from '../../../src/sim/port/answers.ts';
import type { SimPort } from '../../../src/sim/port/port.ts';
import { IDENTITY, START } from '../../support/engine/engine-kit.ts';
import { StaleLists } from '../../support/faults/stale-lists.ts';
import { type HeardClocks, VenueTimes } from './clocks.ts';
import { directPort, WirePort } from './wire.ts';
import { HORIZON, type CommandFate, type Incident, type Plan } from '../plan.ts';
import { Random } from '../../../src/base/random.ts';

/** After so long without an answer an outcome is unknown. */
export const TIMEOUT_MS = 600;
/** A margin step is computed from two reads that are this far apart. */
const STEP_READ_MS = 1_000;
/** No list is read so often within this time. */
const MOST_ASKED = 15;
const ASKED_WITHIN_MS = 2_000;

/** A process of the bot, as the network knows it. */
export interface Caller {
  readonly name: string;
  readonly outcomes: Inbox;
  readonly answers: Inbox;
  /** The client id of an order, by its number. */
  readonly idOf: (seq: number) => string;
  /** Why a command must not leave any more, or null. */
  readonly veto: (command: Command) => string | null;
  /** The process may die here: true when it has. */
  readonly boundary: (where: 'send' | 'sent' | 'heard') => boolean;
  /** Bytes of this command leave now. */
  readonly leaving: (command: Command) => void;
  readonly backOff: (kind: number, lane: LaneName, until: number) => void;
  readonly backOffReads: (kind: Query['kind'], until: number) => void;
  /** A public answer told the time of the venue. */
  readonly sample: (requestTime: number, sentAt: number) => void;
  readonly now: () => number;
  /** Clocks of the venue that its answers have shown. */
  readonly clocks: HeardClocks;
}

export interface NetworkDeps {
  readonly plan: Plan;
  readonly sim: VenueSim;
  readonly instruments: readonly Instrument[];
  readonly now: () => number;
  /** Later, in the world: `caller` null for what no process waits for. */
  readonly after: (ms: number, caller: Caller | null, run: () => void) => void;
  readonly note: (text: string) => void;
}

/** Listens to what a bot sends and hears. */
export interface Listener {
  leaving(command: Command, id: string, target: string): void;
  accepted(id: string): void;
  /** The venue refused it, or no byte of it left. */
  refused(id: string, why: string): void;
  answered(query: Query, answer: Answer, venueTime: number, idOf: (clientId: string) => string): void;
  /** A strategy is told that so many lots more have filled. */
  told(id: string, lots: number): void;
}

/** Fills in the outcome of command `seq`. */
type Outcome = (event: VenueEvent, seq: number) => VenueEvent;
type CommandIncident = Extract<Incident, { kind: 'command' }>;
type ReadIncident = Extract<Incident, { kind: 'read' }>;
type Clog = Extract<Incident, { kind: 'clog' }>;
type Blank = Extract<Incident, { kind: 'blank' }>;
type Frozen = Extract<Incident, { kind: 'frozen' }>;

export class Network {
  readonly #event = new VenueEvent();
  readonly #deps: NetworkDeps;
  readonly #port: Pick<SimPort, 'execute' | 'query' | 'run'>;
  /** The exchange behind its wire; null without one. */
  readonly #wire: WirePort | null;
  readonly #dialect: Dialect;
  readonly #lists: StaleLists;
  readonly #random: Random;
  readonly #times: VenueTimes;
  /** Client ids by the number under which the exchange knows them, and back. */
  readonly #names: string[] = [''];
  readonly #numbers = new Map<string, number>();
  readonly #shown = new Map<string, string>();
  /** Client ids of trigger orders. */
  readonly #triggers = new Set<string>();
  readonly #used = new Set<number>();
  readonly #commandFates = new Map<number, CommandIncident>();
  readonly #readFates = new Map<string, ReadIncident>();
  readonly #clogs: Clog[] = [];
  readonly #frozen: Frozen[] = [];
  readonly #blanks: Blank[] = [];
  /** The first answer to a question while its kind is frozen. */
  readonly #cached = new Map<string, { readonly answer: Answer; readonly venueTime: number; readonly of: Frozen }>();
  readonly #reads = new Map<string, number>();
  readonly #before = new Map<string, { readonly answer: Answer; readonly venueTime: number }>();
  /** Who listens to what the bots send and hear. */
  listener: Listener | null = null;
  #commands = 0;
  /** No fault happens any more. */
  isCalm = false;
  /** What the exchange says of the message that it has just taken. */
  #said: Outcome | null = null;
  /** It accepted it. */
  #isTaken = false;
  /** It said that the client id was used before. */
  #wasUsed = false;
  #answer: { readonly answer: Answer; readonly venueTime: number } | string = '';
  /** Margin steps under way: together they are more than one step. */
  readonly steps = { last: '', overlapping: '', landedAt: -Infinity, early: '' };
  /** A question that was asked again and again, while others waited for their turn. */
  repeated = '';
  readonly #asked = new Map<string, number[]>();
  /** Orders that landed long after they were given up. */
  readonly late = new Set<string>();
  /**
   * Those of them that landed after the horizon, and trigger orders that the journal has forgotten. Until a read shows such an order, no bot can
   * count it.
   */
  readonly beyond = new Set<string>();
  /** Commands that the venue accepted, by the id of their number. */
  readonly #taken = new Set<string>();
  /** Ids that the venue refused as used. */
  readonly refused = new Set<string>();

  constructor(parts: NetworkDeps) {
    this.#deps = parts;
    const { plan, sim } = parts;
    this.#dialect = dialectOf(plan.dialect ?? 'interface');
    const inbox: Inbox = { take: (event) => this.#hears(event) };
    this.#wire = plan.dialect === undefined ? null : new WirePort({ ...parts, dialect: this.#dialect, scope: plan.dupScope, inbox });
    this.#port = this.#wire ?? directPort(sim, parts.now, inbox);
    const asker = { account: 0, identity: IDENTITY, futures: sim.futures() };
    const read = (query: Query): Answer | string => this.#wire?.read(query) ?? answerOf(sim, asker, query);
    this.#random = new Random(plan.seed * 2 + 1);
    this.#times = new VenueTimes(plan.incidents);
    this.#lists = new StaleLists(plan.lists, new Random(plan.seed * 3 + 1), () => ({
      pending: read({ kind: 'pending', instrument: -1 }) as never,
      positions: read({ kind: 'positions', instrument: -1 }) as never,
    }));
    for (const one of plan.incidents) {
      if (one.kind === 'command') this.#commandFates.set(one.nth, one);
      if (one.kind === 'read') this.#readFates.set(`${one.of} ${one.nth}`, one);
      if (one.kind === 'clog') this.#clogs.push(one);
      if (one.kind === 'frozen') this.#frozen.push(one);
      if (one.kind === 'blank') this.#blanks.push(one);
    }
  }

  /** The client id of an order of the exchange, by the number that it goes by there. */
  nameOf(tag: number): string {
    const names = this.#names;
    return (this.#wire === null ? names[tag] : this.#shown.get(this.#wire.idOf(tag))) ?? '';
  }

  /** True if the venue shows what this trigger order becomes without its client id. */
  isHidden(clientId: string): boolean {
    return this.#deps.plan.triggers === 'hidden' && this.#triggers.has(clientId);
  }

  numberOf(clientId: string): number {
    const known = this.#numbers.get(clientId);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#names.push(clientId);
    this.#numbers.set(clientId, number);
    this.#shown.set(formatClientId(IDENTITY, number), clientId);
    return number;
  }

  /** What the lists show later is what there is now. */
  look(now: number): void {
    this.#lists.note(now);
  }

  /** The way of one process to the exchange. */
  connect(caller: Caller): OrderPort & ReadPort {
    return {
      execute: (command) => this.#execute(caller, command),
      query: (query) => this.#query(caller, query),
    };
  }

  #execute(caller: Caller, command: Approved<Command>): void {
    if (caller.boundary('send')) return;
    const { seq, kind } = command;
    const why = caller.veto(command);
    if (why !== null) return this.#tell(caller, 0, seq, `command ${seq} is not sent: ${why}`, (event) => event.unsent(seq, why));
    const incident = this.isCalm ? undefined : this.#commandFates.get(++this.#commands);
    const isClogged = this.#now(this.#clogs, 'commands') !== undefined;
    const fate: CommandFate | 'well' = isClogged ? (seq % 2 === 0 ? 'lost' : 'no answer') : (incident?.fate ?? 'well');
    const ms = incident?.ms ?? 0;
    if (fate !== 'unsent') {
      caller.leaving(command);
      this.listener?.leaving(command, caller.idOf(seq), command.target === 0 ? '' : caller.idOf(command.target));
    }
    const copy = { ...command };
    const id = caller.idOf(isCancel(kind) ? command.target : seq);
    if (fate !== 'well') this.#deps.note(`${caller.name}: command ${seq} (${id}): ${fate}`);
    if (!isCancel(kind)) this.numberOf(id);
    if (kind === PLACE_TRIGGER) this.#triggers.add(id);
    if (kind === ADJUST_MARGIN) {
      this.steps.last = id;
      if (this.#deps.now() < this.steps.landedAt + STEP_READ_MS) this.steps.early = id;
    }
    const outgoing = (): Outgoing =>
      this.#dialect.requestOf(copy, { instruments: this.#deps.instruments, clientIdOf: (of) => caller.idOf(of), crossWord: 'CROSS' });
    this.#fly(caller, copy, fate, ms, outgoing);
    caller.boundary('sent');
  }

  #fly(caller: Caller, command: Command, fate: CommandFate | 'well', ms: number, outgoing: () => Outgoing): void {
    const { seq } = command;
    const up = this.#way(this.#deps.plan.upMs);
    const unknown = (cause: string) => (event: VenueEvent) => event.unknown(seq, cause);
    const lost = (afterMs: number, cause: string): void => this.#tell(caller, afterMs, seq, `unknown: ${cause}`, unknown(cause));
    // Bytes of an answer, as the client reads them. What it reads from them is told.
    const reads = (afterMs: number, status: number, body: string): void => {
      const { endpoint, params } = outgoing();
      const reply = { ok: true, status, headers: {}, body, sentAt: 0, receivedAt: 0 } as const;
      const called = decide(endpoint, params, reply);
      const { status: said } = called;
      this.#tell(caller, afterMs, seq, `${said}${'cause' in called ? `: ${called.cause}` : ''}`, (event) => {
        if (said === 'accepted') return event.accepted(seq, 'fu-0');
        if (said === 'rejected') return event.rejected(seq, called.rejection);
        return said === 'unsent' ? event.unsent(seq, called.cause) : event.unknown(seq, called.cause);
      });
    };
    switch (fate) {
      case 'unsent':
        return this.#tell(caller, 1, seq, 'unsent: connection-refused', (event) => event.unsent(seq, 'connection-refused'));
      case 'lost':
        return lost(up + 1, 'reset');
      case 'lands late':
        lost(TIMEOUT_MS, 'timeout');
        {
          const lateMs = Math.round(ms * 1.6);
          if (lateMs > HORIZON * this.#deps.plan.settleMs) this.beyond.add(caller.idOf(seq));
          return this.#arrive(caller, command, TIMEOUT_MS + lateMs, null, true);
        }
      case 'no answer':
        lost(TIMEOUT_MS, 'timeout');
        return this.#arrive(caller, command, up, null);
      case 'answer late':
        lost(TIMEOUT_MS, 'timeout');
        return this.#arrive(caller, command, up, TIMEOUT_MS + ms);
      case 'slow':
        if (up + ms >= TIMEOUT_MS) lost(TIMEOUT_MS, 'timeout');
        return this.#arrive(caller, command, up, up + ms >= TIMEOUT_MS ? null : ms);
      case 'cut answer': {
        this.#arrive(caller, command, up, null);
        const body = JSON.stringify(success({ orderId: 'fu-1', clientOid: caller.idOf(seq) }, this.#deps.now()));
        return reads(up + this.#way(this.#deps.plan.downMs), 200, body.slice(0, ms % (body.length - 1)));
      }
      case 'status 503 before':
        return reads(up + this.#way(this.#deps.plan.downMs), 503, '<html>upstream</html>');
      case 'status 503 after':
        this.#arrive(caller, command, up, null);
        return reads(up + this.#way(this.#deps.plan.downMs), 503, '');
      case 'status 429': {
        const lane = LANES[laneOf(command.kind, command.effect)]!;
        const down = up + this.#way(this.#deps.plan.downMs);
        // Some venues count what they refuse for its rate, and some have done it.
        if (ms % 3 === 0) this.#arrive(caller, command, up, null);
        reads(down, 429, 'slow down');
        return this.#deps.after(down, caller, () => caller.backOff(command.kind, lane, caller.now() + ms));
      }
      case 'sent twice': {
        this.#arrive(caller, command, up, 0);
        const isSafe = this.#deps.plan.dupScope === 'all' && [PLACE, PLACE_TRIGGER, MODIFY, CANCEL, CANCEL_TRIGGER].includes(command.kind);
        // Not every venue keeps the ids that it refused: there a copy of a refused order would be an order that the bot was told is none.
        if (isSafe)
          this.#deps.after(up + 1 + (ms >> 4), null, () => this.#taken.has(caller.idOf(seq)) && this.#perform(caller, command, false));
        return;
      }
      case 'answered twice':
        return this.#arrive(caller, command, up, 0, false, ms % 2_000);
      case 'mixed-up answer': {
        if (!isCancel(command.kind)) return this.#arrive(caller, command, up, 0);
        // The answer to a cancel of somebody else's order, which is all that ever arrives.
        const entry = { orderId: '99', clientOid: 'other' };
        const verdict = outgoing().settle({ successList: [entry], failureList: [] });
        const down = up + this.#way(this.#deps.plan.downMs);
        return this.#tell(caller, down, seq, verdict.status, (event) => {
          if (verdict.status === 'accepted') return event.accepted(seq, verdict.venueId);
          return verdict.status === 'rejected' ? event.rejected(seq, verdict.rejection) : event.unknown(seq, verdict.cause);
        });
      }
      case 'well':
        return this.#arrive(caller, command, up, 0);
    }
  }

  /** It reaches the exchange after `up`; its answer starts back `slowMs` late, or never. */
  #arrive(caller: Caller, command: Command, up: number, slowMs: number | null, isLate = false, againMs = -1): void {
    this.#deps.after(up, null, () => {
      const outcome = this.#perform(caller, command, isLate);
      if (slowMs === null) return;
      const down = this.#way(this.#deps.plan.downMs) + slowMs;
      this.#tell(caller, down, command.seq, '', outcome);
      if (againMs >= 0) this.#tell(caller, down + againMs, command.seq, 'again', outcome);
    });
  }

  /** The exchange takes the command under its own number. */
  #perform(caller: Caller, command: Command, isLate: boolean): Outcome {
    const { kind, seq, target } = command;
    const id = caller.idOf(seq);
    const tag = this.numberOf(id);
    // What speaks a dialect refuses used ids itself, by the scope that it has; a modify by another row of its table.
    const isRefused = this.#wire === null || kind === MODIFY;
    if (!isCancel(kind) && isRefused && this.#isUsed(tag)) {
      this.refused.add(id);
      const rejection: Rejection = { reason: 'duplicate-client-id', code: '40011', message: 'Duplicate clientOid' };
      return (event, of) => event.rejected(of, rejection);
    }
    if (isLate && !isCancel(kind)) this.late.add(id);
    if (kind === ADJUST_MARGIN && this.steps.last !== id) this.steps.overlapping = `${id} after ${this.steps.last}`;
    if (kind === ADJUST_MARGIN) this.steps.landedAt = this.#deps.now();
    const given = { ...command, seq: tag, target: target === 0 ? 0 : this.numberOf(caller.idOf(target)) };
    this.#used.add(tag);
    this.#port.execute(given as Approved<Command>);
    this.#port.run();
    const said = this.#said;
    this.#said = null;
    if (this.#isTaken) this.#taken.add(id);
    this.#isTaken = false;
    if (this.#wasUsed) this.refused.add(id);
    this.#wasUsed = false;
    return said ?? ((event, of) => event.unknown(of, 'no-answer'));
  }

  /** The disk was put back: the journal knows these orders only. */
  forget(known: ReadonlyMap<string, unknown>): void {
    for (const id of this.#triggers) if (!known.has(id)) this.beyond.add(id);
  }

  #isUsed(tag: number): boolean {
    if (!this.#used.has(tag)) return false;
    if (this.#deps.plan.dupScope === 'all') return true;
    const name = this.#names[tag];
    return this.#deps.sim.pending(0, -1).some((order) => this.nameOf(order.tag) === name);
  }

  #query(caller: Caller, query: Query): void {
    const { kind } = query;
    const nth = (this.#reads.get(kind) ?? 0) + 1;
    this.#reads.set(kind, nth);
    const incident = this.isCalm ? undefined : this.#readFates.get(`${kind} ${nth}`);
    const fate = incident?.fate;
    const sentAt = caller.now();
    const askedAt = this.#deps.now();
    this.#asks(caller, query);
    const failed = (ms: number, cause: string): void => {
      this.#deps.note(`${caller.name}: read of ${kind}: ${cause}`);
      this.#deps.after(ms, caller, () => caller.answers.take(this.#event.failed(query, cause)));
    };
    if (fate === 'no answer' || this.#now(this.#clogs, kind) !== undefined) return failed(TIMEOUT_MS, 'timeout');
    if (fate === 'status 429') {
      this.#deps.after(30, caller, () => caller.backOffReads(kind, caller.now() + incident!.ms));
      return failed(30, 'rate-limited');
    }
    this.#deps.after(this.#way(this.#deps.plan.upMs), null, () => {
      this.#port.query(query.kind === 'history' && query.clientId !== '' ? { ...query, clientId: this.#formatted(query.clientId) } : query);
      this.#port.run();
      const given = this.#answer;
      const down = this.#way(this.#deps.plan.downMs) + (fate === 'late' ? incident!.ms : 0);
      if (typeof given === 'string') return this.#deps.after(down, caller, () => caller.answers.take(this.#event.failed(query, given)));
      const { answer, venueTime: time } = this.#shownTo(query, given, fate);
      const off = this.isCalm ? 0 : this.#times.next(this.#deps.now() - START);
      const venueTime = time + off;
      const ageMs = askedAt - time;
      if (off !== 0) this.#deps.note(`${caller.name}: the answer of ${query.kind} is of a clock that is ${off} ms off`);
      this.#deps.after(down, caller, () => {
        if (answer.kind === 'quotes') caller.sample(venueTime, sentAt);
        caller.clocks.heard(query, answer, off, ageMs, this.#deps.now() - askedAt);
        this.listener?.answered(query, answer, time, (clientId) => clientId);
        caller.answers.take(this.#event.answered(query, answer, sentAt, venueTime));
      });
    });
  }

  /** Counts how often the same is asked. */
  #asks(caller: Caller, query: Query): void {
    if (query.kind === 'quotes') return;
    const key = `${caller.name} ${keyOf(query)}`;
    const times = this.#asked.get(key) ?? [];
    this.#asked.set(key, times);
    times.push(this.#deps.now());
    if (times.length > MOST_ASKED && times.shift()! > this.#deps.now() - ASKED_WITHIN_MS) this.repeated ||= key;
  }

  #shownTo(query: Query, given: { answer: Answer; venueTime: number }, fate: ReadIncident['fate'] | undefined): typeof given {
    const listed = this.isCalm ? given : this.#lists.answer(query, given.answer, given.venueTime);
    const named = { answer: this.#named(listed.answer, query), venueTime: listed.venueTime };
    const key = keyOf(query);
    const before = this.#before.get(key);
    this.#before.set(key, named);
    if (fate !== undefined) this.#deps.note(`a read of ${query.kind}: ${fate}`);
    if (fate === 'before' && before !== undefined) return before;
    const frozen = this.#now(this.#frozen, query.kind);
    if (frozen !== undefined) {
      const cached = this.#cached.get(key);
      if (cached?.of === frozen) return frozen.isNew ? { ...cached, venueTime: named.venueTime } : cached;
      this.#cached.set(key, { ...named, of: frozen });
    }
    if (fate !== 'empty' && this.#now(this.#blanks, query.kind) === undefined) return named;
    const { answer } = named;
    if (answer.kind === 'positions') return { ...named, answer: { kind: 'positions', positions: [] } };
    if (answer.kind === 'pending' || answer.kind === 'history') return { ...named, answer: { kind: answer.kind, orders: [] } };
    return named;
  }

  /** Orders as the venue names them: by their client ids, where it shows those. */
  #named(answer: Answer, query: Query): Answer {
    if (answer.kind !== 'pending' && answer.kind !== 'history') return answer;
    const { kind } = answer;
    if (kind === 'history' && query.kind === 'history' && this.isHidden(query.clientId)) return { kind, orders: [] };
    const orders = answer.orders.map((one) => {
      if (one.clientId === '') return one;
      const clientId = this.#shown.get(one.clientId) ?? '';
      return { ...one, clientId: this.isHidden(clientId) ? '' : clientId };
    });
    return { kind, orders };
  }

  #formatted(clientId: string): string {
    const number = this.#numbers.get(clientId);
    return number === undefined ? 'nobody' : formatClientId(IDENTITY, number);
  }

  #tell(caller: Caller, ms: number, seq: number, note: string, outcome: Outcome): void {
    this.#deps.after(ms, caller, () => {
      if (caller.boundary('heard')) return;
      if (note !== '') this.#deps.note(`${caller.name}: command ${seq}: ${note}`);
      const event = outcome(this.#event, seq);
      if (this.listener !== null) tell(this.listener, event, caller.idOf(seq));
      caller.outcomes.take(event);
    });
  }

  /** The incident of these that is under way. */
  #now<T extends Frozen | Blank | Clog>(incidents: readonly T[], what: string): T | undefined {
    if (this.isCalm || incidents.length === 0) return undefined;
    const now = this.#deps.now() - START;
    return incidents.find((one) => one.what === what && one.at <= now && now < one.at + one.forMs);
  }

  #way(ms: number): number {
    const { jitterMs } = this.#deps.plan;
    return jitterMs === 0 || this.isCalm ? ms : ms + this.#random.below(jitterMs + 1);
  }

  /** What the exchange says of the message that it has just taken. */
  #hears({ kind, text, rejection, answer, venueTime }: VenueEvent): void {
    if (kind === ANSWERED) this.#answer = { answer: answer!, venueTime };
    else if (kind === FAILED) this.#answer = text;
    else if (kind === ACCEPTED) {
      this.#isTaken = true;
      this.#said = (event, seq) => event.accepted(seq, text);
    } else if (kind === UNKNOWN) this.#said = (event, seq) => event.unknown(seq, text);
    else {
      this.#wasUsed = rejection!.reason === 'duplicate-client-id';
      this.#said = (event, seq) => event.rejected(seq, rejection!);
    }
  }
}

function tell(listener: Listener, { kind, rejection, text }: VenueEvent, id: string): void {
  if (kind === ACCEPTED) listener.accepted(id);
  else if (kind === REJECTED) listener.refused(id, rejection!.reason);
  else if (kind === UNSENT) listener.refused(id, text);
}

/** The same for two queries of the same. */
function keyOf(query: Query): string {
  return `${query.kind} ${query.instrument} ${query.kind === 'history' ? query.clientId : ''}`;
}
