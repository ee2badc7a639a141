/** At most so many intents per strategy in any running second. Cancels count, and are never refused. @hot */
import type { Command } from '../../domain/command.ts';
import type { Desk } from '../belief/desk.ts';
import type { Order } from '../belief/orders.ts';
import type { Owner } from '../exec/owner.ts';
import type { RiskRule } from './rule.ts';

export class FloodRule implements RiskRule {
  readonly name = 'flood';

  allows(recent: Recent | null, now: number): boolean {
    return recent === null || now - recent.oldest >= 1000;
  }

  why(_command: Command, _desk: Desk, _old: Order | null, owner: Owner): string {
    return 'at most ' + owner.recent!.max + ' intents in a second';
  }
}

/** The times of a strategy's last intents, in a ring. */
export class Recent {
  /** How many. */
  declare readonly max: number;
  /** The oldest of them. */
  oldest = -Infinity;
  declare private readonly times: Float64Array;
  #at = 0;

  constructor(max: number) {
    this.max = max;
    this.times = new Float64Array(max).fill(-Infinity); // hot-ok: construction
  }

  /** One intent went through at `now`. */
  add(now: number): void {
    const at = this.#at;
    const next = at + 1 === this.max ? 0 : at + 1;
    this.times[at] = now;
    this.oldest = this.times[next]!;
    this.#at = next;
  }
}
