/** At most so many intents per strategy in any running second. Cancels count, and are never refused. @hot */
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import type { Order } from '../belief/orders.ts';
import type { Owner } from '../exec/owner.ts';
import type { RiskRule } from './rule.ts';

const WINDOW_MS = 1000;

export class FloodRule implements RiskRule {
  readonly name = 'flood';

  allows(recent: Recent | null, now: number): boolean {
    return recent === null || recent.hasRoom(now);
  }

  why(_command: Command, _desk: Desk, _old: Order | null, owner: Owner): string {
    return 'at most ' + owner.recent!.max + ' intents in a second';
  }
}

/** When an intent went through, and the next younger one. */
class Moment {
  declare time: number;
  declare next: Moment;

  constructor(time: number, next: Moment | null) {
    this.time = time;
    this.next = next ?? this;
  }
}

/** The times of a strategy's last intents, in a ring that grows until it has all of a second, or the most that are allowed. */
export class Recent {
  /** How many there may be. */
  declare readonly max: number;
  /** The oldest of them. */
  oldest = new Moment(-Infinity, null);
  #count = 1;

  constructor(max: number) {
    this.max = max;
  }

  /** Whether one more may go through at `now`. */
  hasRoom(now: number): boolean {
    return now - this.oldest.time >= WINDOW_MS || this.#count < this.max;
  }

  /** One intent went through at `now`. */
  add(now: number): void {
    const oldest = this.oldest;
    if (now - oldest.time < WINDOW_MS && this.#count < this.max) this.#widen(oldest);
    oldest.time = now;
    this.oldest = oldest.next;
  }

  /** Room for one more: the next of the oldest takes its time. */
  #widen(oldest: Moment): void {
    oldest.next = new Moment(oldest.time, oldest.next); // hot-ok: growth
    this.#count++;
  }
}
