/**
 * @hot The simulator as a Venue for one account, on virtual time. Commands and queries arrive after the latency up, outcomes and answers
 * after the latency down, in order. An order command allocates nothing except its venue id if orders are named. With `push`, fills and
 * ends also reach the inbox when they happen.
 */
import { assert, AssertionError } from '../../base/failure/assert.ts';
import type { Approved, FreeCommands, Command, IdentitySpec } from '../../domain/orders/command.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { VenueEvent, type Inbox } from '../../ports/venue-event.ts';
import type { VenueSim } from '../core/venue-core.ts';
import { answerOf, type QueryOwner } from './answers.ts';
import { Delay, Messages, type LatencySpec, type Message } from './messages.ts';
import { Performer, type PerformerSpec } from './performer.ts';
import { PortTap } from './port-tap.ts';

export type { LatencySpec } from './messages.ts';

/** Most messages in one call of `run`. More means that a strategy sends without end and no risk rule stopped it. */
const ENDLESS = 500_000;
const ANSWERS_ITSELF = 'messages without latency come to an end: a strategy reacts to its own orders without end at one instant';

export interface PortSpec extends PerformerSpec {
  readonly identity: IdentitySpec;
  readonly latency: LatencySpec;
  readonly clock: Clock;
}

export class SimPort implements OrderPort, ReadPort {
  /** Time of the next arrival; Infinity if no message is in flight. */
  nextDue = Infinity;
  declare private readonly sim: VenueSim;
  declare private readonly account: number;
  declare private readonly asker: QueryOwner;
  declare private readonly clock: Clock;
  declare private readonly push: boolean;
  declare private readonly messages: Messages;
  declare private readonly performer: Performer;
  declare private readonly upDelay: Delay;
  declare private readonly downDelay: Delay;
  readonly #tap = new PortTap();
  private readonly event = new VenueEvent();
  #outcomes: Inbox | null = null;
  #answers: Inbox | null = null;

  constructor(spec: PortSpec) {
    const { sim, latency } = spec;
    assert(Number.isInteger(latency.upMs) && latency.upMs >= 0, 'latency.upMs is a whole number of at least 0');
    assert(Number.isInteger(latency.downMs) && latency.downMs >= 0, 'latency.downMs is a whole number of at least 0');
    this.sim = sim;
    this.account = spec.account;
    this.asker = { account: spec.account, identity: spec.identity, futures: sim.futures() };
    this.clock = spec.clock;
    this.push = spec.push;
    this.messages = new Messages();
    this.upDelay = new Delay(latency.upMs, latency.up);
    this.downDelay = new Delay(latency.downMs, latency.down);
    this.performer = new Performer(spec);
  }

  /** Sets the receivers: of outcomes and pushes, and of answers to queries. Call it before the first `run`. */
  connect(outcomes: Inbox, answers: Inbox): void {
    this.#outcomes = outcomes;
    this.#answers = answers;
    if (!this.push) return;
    this.#tap.connect(outcomes);
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
    const orderNo = this.performer.perform(message, time);
    message.orderNo = orderNo;
    if (orderNo < 0) message.rejection = this.performer.rejectionOf(message.kind);
  }

  #answer(message: Message, query: Query, time: number): void {
    const answer = answerOf(this.sim, this.asker, query);
    const isFailure = typeof answer === 'string';
    message.answer = isFailure ? null : answer;
    message.cause = isFailure ? answer : '';
    message.venueTime = time;
  }

  /** Delivers the next message to the bot. */
  #deliver(message: Message): void {
    const outcomes = this.#outcomes;
    if (outcomes === null) throw new AssertionError('a port is connected before it runs');
    this.messages.drop();
    const { event } = this;
    if (message.query !== null) return this.#tell(event, message, message.query);
    const { seq, orderNo } = message;
    if (orderNo < 0) outcomes.take(event.rejected(seq, message.rejection!));
    else outcomes.take(event.accepted(seq, orderNo === 0 ? message.targetVenueId : this.performer.idOf(message.kind, orderNo)));
  }

  #tell(event: VenueEvent, { answer, cause, sentAt, venueTime }: Message, query: Query): void {
    this.#answers!.take(answer === null ? event.failed(query, cause) : event.answered(query, answer, sentAt, venueTime));
  }
}
