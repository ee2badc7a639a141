/**
 * The simulator as a Venue for one account on bars. A command waits for the first bar of its symbol that begins when it was given or later,
 * and meets the market at the open of that bar, in the order in which the commands were given. Its outcome is told with the bar, at its end.
 * What the bot's own exits order inside a bar meets the market at once. Fills and ends are pushed; nothing can be queried.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Approved, Command } from '../../domain/orders/command.ts';
import type { Clock } from '../../ports/clock.ts';
import type { OrderPort, Query, ReadPort } from '../../ports/venue.ts';
import { VenueEvent, type Inbox } from '../../ports/venue-event.ts';
import { Message } from './messages.ts';
import { Performer, type PerformerSpec } from './performer.ts';
import { PortTap } from './port-tap.ts';

export interface BarPortSpec extends Omit<PerformerSpec, 'push'> {
  readonly clock: Clock;
  /** True while the bot's own exits act inside a bar. */
  readonly acts: () => boolean;
}

interface Given {
  readonly command: Message;
  readonly at: number;
}

export class BarPort implements OrderPort, ReadPort {
  /** Nothing is on its way between bars. */
  readonly nextDue = Infinity;
  readonly #spec: BarPortSpec;
  readonly #performer: Performer;
  readonly #tap = new PortTap();
  /** By instrument: commands in the order in which they were given. */
  readonly #waiting = new Map<number, Given[]>();
  /** Commands that no bar has met. */
  unmet = 0;
  /** Commands of the bot's own exits inside the present bar. */
  #now: Message[] = [];
  readonly #event = new VenueEvent();
  #outcomes: Inbox | null = null;

  constructor(spec: BarPortSpec) {
    this.#spec = spec;
    this.#performer = new Performer({ ...spec, push: true });
  }

  /** Sets the receiver of outcomes and pushes. */
  connect(outcomes: Inbox): void {
    this.#outcomes = outcomes;
    this.#tap.connect(outcomes);
    this.#spec.sim.setTap(this.#spec.account, this.#tap);
  }

  run(): void {}

  execute(given: Approved<Command>): void {
    const command = new Message();
    command.say(given);
    if (this.#spec.acts()) this.#now.push(command);
    else {
      const at = this.#spec.clock.now();
      this.unmet++;
      const waiting = this.#waiting.get(command.instrument);
      if (waiting === undefined) this.#waiting.set(command.instrument, [{ command, at }]);
      else waiting.push({ command, at });
    }
  }

  query(_query: Query): void {
    assert(false, 'on bars nothing is polled');
  }

  /** True if commands wait for the bar of instrument `i` that begins at `start`. */
  isAwaited(i: number, start: number): boolean {
    if (this.unmet === 0) return false;
    const first = this.#waiting.get(i)?.[0];
    return first !== undefined && first.at <= start;
  }

  /** Executes the commands that were given for instrument `i` by `start`, at the prices that the market has now. `each` is called after each. */
  meet(i: number, start: number, each: () => void): void {
    const waiting = this.#waiting.get(i) ?? [];
    while (waiting.length > 0 && waiting[0]!.at <= start) {
      this.unmet--;
      this.#perform(waiting.shift()!.command);
      each();
    }
  }

  /** Executes what the bot's own exits ordered. True if there was something. */
  act(): boolean {
    if (this.#now.length === 0) return false;
    while (this.#now.length > 0) this.#perform(this.#now.shift()!);
    return true;
  }

  #perform(command: Message): void {
    const outcomes = this.#outcomes!;
    const event = this.#event;
    const orderNo = this.#performer.perform(command, this.#spec.clock.now());
    if (orderNo < 0) outcomes.take(event.rejected(command.seq, this.#performer.rejectionOf(command.kind)));
    else outcomes.take(event.accepted(command.seq, orderNo === 0 ? command.targetVenueId : this.#performer.idOf(command.kind, orderNo)));
  }
}
