/**
 * @hot The simulator as a Venue for one account, on virtual time: commands and questions arrive after the way up, outcomes and
 * answers after the way down, in order. An order command allocates nothing but, when orders are named, its venue id. With
 * `push`, fills and ends also reach the inbox at the moment they happen.
 */
import { assert, AssertionError } from '../base/assert.ts';
import * as codes from '../domain/codes.ts';
import { COMMANDS } from '../domain/codes.ts';
import { copyCommand, type Approved, type Command, type IdentitySpec } from '../domain/command.ts';
import type { Reason, Rejection } from '../domain/outcome.ts';
import type { Clock } from '../ports/clock.ts';
import type { Inbox, PushInbox, Query, Venue } from '../ports/venue.ts';
import type { VenueSim } from './core.ts';
import * as kinds from './kinds.ts';
import { answerOf, type Asker } from './port/answers.ts';
import * as messages from './port/messages.ts';
import { Delay, Messages, type LatencySpec, type Message } from './port/messages.ts';
import { OrderNumbers } from './port/order-numbers.ts';
import { PortTap } from './port/port-tap.ts';
import { orderIdOf, orderNoOf } from './wire-ids.ts';

const { ACCEPTED, ANSWERED, FAILED, REJECTED } = messages;
const { ADJUST_MARGIN, CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, MODIFY, PLACE, PLACE_SPOT, PLACE_TRIGGER, SET_MARGIN_MODE } = codes;
const { FUTURES, PLAN, SPOT } = kinds;

export type { LatencySpec } from './port/messages.ts';

/** More messages than this in one call of `run` are a strategy without end: no rule of risk stopped it. */
const ENDLESS = 1_000_000;
const ANSWERS_ITSELF = 'messages without latency come to an end: a strategy answers itself for ever at one instant';

export interface PortSpec {
  readonly sim: VenueSim;
  readonly account: number;
  readonly identity: IdentitySpec;
  readonly latency: LatencySpec;
  readonly clock: Clock;
  /** Whether fills and ends are pushed at once, as no real venue of this interface does. */
  readonly push: boolean;
  /** Whether acceptances carry the order's venue id. Default true; without, they carry "sim" and spare a string per order. */
  readonly nameOrders?: boolean | undefined;
  /** The venue's words for a refusal of a command kind. Default: no code, and the reason as the message. */
  readonly rejection?: ((commandKind: number, reason: Reason) => Rejection) | undefined;
}

export class SimPort implements Venue {
  /** When the next message arrives anywhere; Infinity when none is under way. */
  nextDue = Infinity;
  declare private readonly sim: VenueSim;
  declare private readonly account: number;
  declare private readonly asker: Asker;
  declare private readonly clock: Clock;
  declare private readonly push: boolean;
  declare private readonly nameOrders: boolean;
  readonly #word: (commandKind: number, reason: Reason) => Rejection;
  readonly #words = COMMANDS.map(() => new Map<Reason, Rejection>());
  readonly #messages = new Messages();
  declare private readonly upDelay: Delay;
  declare private readonly downDelay: Delay;
  declare private readonly numbers: OrderNumbers;
  #inbox: Inbox | PushInbox | null = null;

  constructor(spec: PortSpec) {
    const { sim, latency } = spec;
    assert(Number.isInteger(latency.upMs) && latency.upMs >= 0, 'latency.upMs is a whole number of at least 0');
    assert(Number.isInteger(latency.downMs) && latency.downMs >= 0, 'latency.downMs is a whole number of at least 0');
    assert((latency.jitterMs ?? 0) === 0 || latency.random !== undefined, 'jitter is drawn from a seeded generator');
    this.sim = sim;
    this.account = spec.account;
    this.asker = { account: spec.account, identity: spec.identity, futures: sim.futures() };
    this.clock = spec.clock;
    this.push = spec.push;
    this.nameOrders = spec.nameOrders ?? true;
    this.#word = spec.rejection ?? ((_kind, reason) => ({ reason, code: '', message: reason }));
    this.upDelay = new Delay(latency.upMs, latency);
    this.downDelay = new Delay(latency.downMs, latency);
    this.numbers = new OrderNumbers((orderNo) => sim.isWorking(orderNo));
  }

  /** Says where outcomes go; before the first `run`. With `push` it must be a PushInbox. */
  connect(inbox: Inbox | PushInbox): void {
    this.#inbox = inbox;
    this.sim.setTap(this.account, new PortTap(this.numbers, this.push ? (inbox as PushInbox) : null)); // hot-ok: once
  }

  execute(command: Approved<Command>): void {
    const due = this.upDelay.arrival(this.clock.now());
    const message = this.#messages.send(due);
    message.query = null;
    copyCommand(command, message.command);
    if (due < this.nextDue) this.nextDue = due;
  }

  query(query: Query): void {
    const now = this.clock.now();
    const due = this.upDelay.arrival(now);
    const message = this.#messages.send(due);
    message.query = query;
    message.sentAt = now;
    if (due < this.nextDue) this.nextDue = due;
  }

  /** Lets everything arrive that is due by `now`, in order of time, and what comes of it if that is due as well. */
  run(now: number): void {
    const ways = this.#messages;
    let left = ENDLESS;
    for (;;) {
      const up = ways.upDue;
      const down = ways.downDue;
      if (up <= down) {
        if (up > now || up === Infinity) break;
        this.#arrive(up);
      } else {
        if (down > now) break;
        this.#deliver();
      }
      if (--left === 0) throw new AssertionError(ANSWERS_ITSELF); // hot-ok: a bug
    }
    const up = ways.upDue;
    const down = ways.downDue;
    this.nextDue = up < down ? up : down;
  }

  /** The next message reaches the venue at `time`, and what became of it starts on its way back. */
  #arrive(time: number): void {
    const message = this.#messages.rising();
    if (message.query === null) this.#carryOut(message, time);
    else this.#answer(message, message.query, time);
    this.#messages.turn(message, this.downDelay.arrival(time));
  }

  #answer(message: Message, query: Query, time: number): void {
    const answer = answerOf(this.sim, this.asker, query);
    const isFailure = typeof answer === 'string';
    message.outcome = isFailure ? FAILED : ANSWERED;
    message.answer = isFailure ? null : answer;
    message.cause = isFailure ? answer : '';
    message.venueTime = time;
  }

  #carryOut(message: Message, time: number): void {
    const command = message.command;
    const orderNo = this.#perform(command, time);
    if (orderNo < 0) {
      message.outcome = REJECTED;
      message.rejection = this.#rejectionOf(command.kind);
      return;
    }
    message.outcome = ACCEPTED;
    message.orderNo = orderNo;
  }

  /** The order number that came to be, 0 for done without one, −1 for refused. */
  #perform(c: Command, time: number): number {
    const sim = this.sim;
    const a = this.account;
    switch (c.kind) {
      case PLACE:
        return this.#noted(c.seq, sim.place(a, c, c.seq, time));
      case CANCEL:
      case CANCEL_TRIGGER:
        return this.#cancel(c, time) ? 0 : -1;
      case MODIFY:
        return this.#noted(c.seq, sim.modify(a, this.#targetOf(c), c, c.seq, time));
      case PLACE_TRIGGER:
        return this.#noted(c.seq, sim.placeTrigger(a, c, c.seq, time));
      case PLACE_SPOT:
        return this.#noted(c.seq, sim.placeSpot(a, c, c.seq, time));
      case CANCEL_SPOT:
        return sim.cancelSpot(a, this.#targetOf(c), time) ? 0 : -1;
      case SET_MARGIN_MODE:
        return sim.setMarginMode(a, c.instrument, c.marginMode, time) ? 0 : -1;
      case ADJUST_MARGIN:
        return sim.adjustMargin(a, c.instrument, c.side, c.amount, time) ? 0 : -1;
      default:
        assert(false, 'a command is of a known kind');
    }
  }

  #noted(seq: number, orderNo: number): number {
    if (orderNo === 0) return -1;
    this.numbers.set(seq, orderNo);
    return orderNo;
  }

  /** A plan that has fired stands for the order it became. */
  #cancel(c: Command, time: number): boolean {
    const orderNo = this.#targetOf(c);
    if (this.sim.cancel(this.account, orderNo, time)) return true;
    if (c.kind !== CANCEL && !this.push) return false;
    const child = this.sim.childOf(this.account, c.instrument, orderNo, c.target);
    return child > 0 && this.sim.cancel(this.account, child, time);
  }

  /** The order a command is about: by our own number for it, else by its venue id. */
  #targetOf(c: Command): number {
    const orderNo = c.target > 0 ? this.numbers.get(c.target) : 0;
    if (orderNo > 0) return orderNo;
    const id = c.targetVenueId;
    if (c.kind === CANCEL_SPOT) return orderNoOf(SPOT, id);
    return c.kind === CANCEL_TRIGGER ? orderNoOf(PLAN, id) : orderNoOf(FUTURES, id);
  }

  /** One object for each kind of command and reason. */
  #rejectionOf(commandKind: number): Rejection {
    const reason = this.sim.refusal;
    const known = this.#words[commandKind]!.get(reason);
    if (known !== undefined) return known;
    const made = this.#word(commandKind, reason);
    this.#words[commandKind]!.set(reason, made);
    return made;
  }

  /** The next message reaches the bot. */
  #deliver(): void {
    const inbox = this.#inbox;
    if (inbox === null) throw new AssertionError('a port is connected before it runs'); // hot-ok: a bug
    const message = this.#messages.falling();
    const outcome = message.outcome;
    if (outcome === ACCEPTED) inbox.accepted(message.command.seq, this.#idOf(message));
    else if (outcome === REJECTED) inbox.rejected(message.command.seq, message.rejection!);
    else if (outcome === ANSWERED) inbox.answered(message.query!, message.answer!, message.sentAt, message.venueTime);
    else inbox.failed(message.query!, message.cause);
    this.#messages.drop();
  }

  /** The venue id of the order that came to be, or that the command was about. */
  #idOf({ command, orderNo }: Message): string {
    if (orderNo === 0) return command.targetVenueId;
    if (!this.nameOrders) return 'sim';
    const kind = command.kind;
    return orderIdOf(kind === PLACE_TRIGGER ? PLAN : kind === PLACE_SPOT ? SPOT : FUTURES, orderNo);
  }
}
