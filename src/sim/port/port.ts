/**
 * @hot The simulator as a Venue for one account, on virtual time. Commands and queries arrive after the latency up, outcomes and answers
 * after the latency down, in order. An order command allocates nothing except its venue id if orders are named. With `push`, fills and
 * ends also reach the inbox when they happen.
 */
import { assert, AssertionError } from '../../base/assert.ts';
import * as codes from '../../domain/codes.ts';
import { COMMANDS } from '../../domain/codes.ts';
import type { Approved, FreeCommands, Command, IdentitySpec } from '../../domain/command.ts';
import type { Reason, Rejection } from '../../domain/outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Inbox, PushInbox, Query, Venue } from '../../ports/venue.ts';
import type { VenueSim } from '../core/venue-core.ts';
import type { Order } from '../state/order.ts';
import * as kinds from '../state/kinds.ts';
import { answerOf, type QueryOwner } from './answers.ts';
import { Delay, Messages, type LatencySpec, type Message } from './messages.ts';
import { OwnOrders } from './own-orders.ts';
import { PortTap } from './port-tap.ts';
import { orderIdOf, orderNoOf } from '../state/wire-ids.ts';

const { ADJUST_MARGIN, CANCEL, CANCEL_SPOT, CANCEL_TRIGGER, MODIFY, PLACE, PLACE_SPOT, PLACE_TRIGGER, SET_MARGIN_MODE } = codes;
const { FUTURES, TRIGGER, SPOT } = kinds;

export type { LatencySpec } from './messages.ts';

/** Most messages in one call of `run`. More means that a strategy sends without end and no risk rule stopped it. */
const ENDLESS = 500_000;
const ANSWERS_ITSELF = 'messages without latency come to an end: a strategy reacts to its own orders without end at one instant';

export interface PortSpec {
  readonly sim: VenueSim;
  readonly account: number;
  readonly identity: IdentitySpec;
  readonly latency: LatencySpec;
  readonly clock: Clock;
  /** True: fills and ends are pushed at once, which no real venue of this interface does. */
  readonly push: boolean;
  /** True (default): acceptances carry the order's venue id. False: they carry "sim", which saves a string per order. */
  readonly nameOrders?: boolean | undefined;
  /** Code and message of a refusal by command kind. Default: no code, and the reason as the message. */
  readonly rejection?: ((commandKind: number, reason: Reason) => Rejection) | undefined;
}

export class SimPort implements Venue {
  /** Time of the next arrival; Infinity if no message is in flight. */
  nextDue = Infinity;
  declare private readonly sim: VenueSim;
  declare private readonly account: number;
  declare private readonly asker: QueryOwner;
  declare private readonly clock: Clock;
  declare private readonly push: boolean;
  declare private readonly nameOrders: boolean;
  readonly #word: (commandKind: number, reason: Reason) => Rejection;
  readonly #words = COMMANDS.map(() => new Map<Reason, Rejection>());
  declare private readonly messages: Messages;
  declare private readonly upDelay: Delay;
  declare private readonly downDelay: Delay;
  declare private readonly orders: OwnOrders;
  readonly #tap = new PortTap();
  #inbox: Inbox | PushInbox | null = null;

  constructor(spec: PortSpec) {
    const { sim, latency } = spec;
    assert(Number.isInteger(latency.upMs) && latency.upMs >= 0, 'latency.upMs is a whole number of at least 0');
    assert(Number.isInteger(latency.downMs) && latency.downMs >= 0, 'latency.downMs is a whole number of at least 0');
    this.sim = sim;
    this.account = spec.account;
    this.asker = { account: spec.account, identity: spec.identity, futures: sim.futures() };
    this.clock = spec.clock;
    this.push = spec.push;
    this.nameOrders = spec.nameOrders ?? true;
    this.#word = spec.rejection ?? ((_kind, reason) => ({ reason, code: '', message: reason }));
    this.messages = new Messages();
    this.upDelay = new Delay(latency.upMs, latency.up);
    this.downDelay = new Delay(latency.downMs, latency.down);
    this.orders = new OwnOrders(sim.accountOf(spec.account));
  }

  /** Sets the receiver of outcomes. Call it before the first `run`. With `push` it must be a PushInbox. */
  connect(inbox: Inbox | PushInbox): void {
    this.#inbox = inbox;
    if (!this.push) return;
    this.#tap.connect(inbox as PushInbox);
    this.sim.setTap(this.account, this.#tap);
  }

  /** Records in which the caller can build a command, so that it need not be copied. */
  get freeCommands(): FreeCommands {
    return this.messages;
  }

  execute(command: Approved<Command>): void {
    const due = this.upDelay.arrival(this.clock.now());
    const message = this.messages.send(due);
    message.query = null;
    const given: Command = command;
    if (message !== given) message.say(given);
    if (due < this.nextDue) this.nextDue = due;
  }

  query(query: Query): void {
    const now = this.clock.now();
    const due = this.upDelay.arrival(now);
    const message = this.messages.send(due);
    message.query = query;
    message.sentAt = now;
    if (due < this.nextDue) this.nextDue = due;
  }

  /** Delivers everything that is due by now, in order of time, including what that causes if it is also due. */
  run(): void {
    const now = this.clock.now();
    let left = ENDLESS;
    for (;;) {
      const { falling, rising } = this.messages;
      const up = rising.upDue;
      const down = falling.downDue;
      if (down < up) {
        if (down > now) return this.#setDue(down);
        this.#deliver(falling);
      } else {
        // Infinity when nothing is in flight.
        if (up > now || rising === this.messages.free) return this.#setDue(up);
        this.#arrive(rising, up);
        if (--left === 0) throw new AssertionError(ANSWERS_ITSELF);
      }
    }
  }

  #setDue(next: number): void {
    this.nextDue = next;
  }

  /** The next message reaches the venue at `time`; its outcome starts the way back. */
  #arrive(message: Message, time: number): void {
    this.messages.turn(this.downDelay.arrival(time));
    if (message.query !== null) return this.#answer(message, message.query, time);
    const orderNo = this.#perform(message, time);
    message.orderNo = orderNo;
    if (orderNo < 0) message.rejection = this.#rejectionOf(message.kind);
  }

  #answer(message: Message, query: Query, time: number): void {
    const answer = answerOf(this.sim, this.asker, query);
    const isFailure = typeof answer === 'string';
    message.answer = isFailure ? null : answer;
    message.cause = isFailure ? answer : '';
    message.venueTime = time;
  }

  /** Executes a command. Returns the order number, 0 for success without an order, −1 for a refusal. */
  #perform(c: Command, time: number): number {
    switch (c.kind) {
      case PLACE:
        return this.#noted(c.seq, this.sim.place(this.account, c, c.seq, time));
      case MODIFY:
        return this.#modify(c, time);
      case CANCEL:
        return this.#cancel(c, time);
      default:
        return this.#performRarer(c, time);
    }
  }

  #performRarer(c: Command, time: number): number {
    const { account, sim } = this;
    switch (c.kind) {
      case CANCEL_TRIGGER:
        return this.#cancelTrigger(c, time);
      case PLACE_TRIGGER:
        return this.#noted(c.seq, sim.placeTrigger(account, c, c.seq, time));
      case PLACE_SPOT:
        return this.#noted(c.seq, sim.placeSpot(account, c, c.seq, time));
      case CANCEL_SPOT:
        return sim.cancelSpot(account, this.#orderOf(c)?.no ?? this.#namedBy(c), time) ? 0 : -1;
      case SET_MARGIN_MODE:
        return sim.setMarginMode(account, c.instrument, c.marginMode, time) ? 0 : -1;
      case ADJUST_MARGIN:
        return sim.adjustMargin(account, c.instrument, c.side, c.amount, time) ? 0 : -1;
      default:
        assert(false, 'a command is of a known kind');
    }
  }

  #noted(seq: number, orderNo: number): number {
    if (orderNo === 0) return -1;
    this.orders.set(seq, this.sim.made);
    return orderNo;
  }

  #modify(c: Command, time: number): number {
    const order = this.orders.find(c.target);
    return order === null ? this.#modifyOlder(c, time) : this.#modifyOrder(order, c, time);
  }

  #modifyOrder(order: Order, c: Command, time: number): number {
    // The record becomes that of the new order. If the modify is refused, its tag differs, so this slot does not match.
    this.orders.set(c.seq, order);
    return this.sim.modifyOrder(order, c, c.seq, time) || -1;
  }

  #modifyOlder(c: Command, time: number): number {
    const order = this.#olderOf(c);
    if (order !== null) return this.#modifyOrder(order, c, time);
    return this.#noted(c.seq, this.sim.modify(this.account, this.#namedBy(c), c, c.seq, time));
  }

  #cancel(c: Command, time: number): number {
    return this.#cancelOrder(c, this.#orderOf(c), time);
  }

  /** Cancels a trigger order. If it has fired and fills are pushed, so that the bot knows, cancels the order it created. */
  #cancelTrigger(c: Command, time: number): number {
    const order = this.#orderOf(c);
    const isMeant = order === null || order.kind === TRIGGER || this.push;
    return this.#cancelOrder(c, isMeant ? order : null, time);
  }

  #cancelOrder(c: Command, order: Order | null, time: number): number {
    const { account, sim } = this;
    const isDone = order === null ? sim.cancel(account, this.#namedBy(c), time) : sim.cancelOrder(order, time);
    return isDone ? 0 : -1;
  }

  /** The working order that a command refers to by the bot's number; null if there is none. */
  #orderOf(c: Command): Order | null {
    return this.orders.find(c.target) ?? this.#olderOf(c);
  }

  /** The same for an older order, or one that a trigger order created. */
  #olderOf(c: Command): Order | null {
    return c.target === 0 ? null : this.sim.workingOf(this.account, c.instrument, c.target);
  }

  /** The number of an order known only by its venue id. */
  #namedBy({ kind, targetVenueId }: Command): number {
    if (kind === CANCEL_SPOT) return orderNoOf(SPOT, targetVenueId);
    return orderNoOf(kind === CANCEL_TRIGGER ? TRIGGER : FUTURES, targetVenueId);
  }

  /** The rejection of a command kind and reason; one cached object each. */
  #rejectionOf(commandKind: number): Rejection {
    const reason = this.sim.refusal;
    const known = this.#words[commandKind]!.get(reason);
    if (known !== undefined) return known;
    const made = this.#word(commandKind, reason);
    this.#words[commandKind]!.set(reason, made);
    return made;
  }

  /** Delivers the next message to the bot. */
  #deliver(message: Message): void {
    const inbox = this.#inbox;
    if (inbox === null) throw new AssertionError('a port is connected before it runs');
    this.messages.drop();
    if (message.query !== null) return this.#tell(inbox, message, message.query);
    const { seq, orderNo } = message;
    if (orderNo < 0) inbox.rejected(seq, message.rejection!);
    else inbox.accepted(seq, orderNo === 0 ? message.targetVenueId : this.#idOf(message.kind, orderNo));
  }

  #tell(inbox: Inbox, { answer, cause, sentAt, venueTime }: Message, query: Query): void {
    if (answer === null) inbox.failed(query, cause);
    else inbox.answered(query, answer, sentAt, venueTime);
  }

  /** The venue id of the created order. */
  #idOf(kind: number, orderNo: number): string {
    if (!this.nameOrders) return 'sim';
    return orderIdOf(kind === PLACE_TRIGGER ? TRIGGER : kind === PLACE_SPOT ? SPOT : FUTURES, orderNo);
  }
}
