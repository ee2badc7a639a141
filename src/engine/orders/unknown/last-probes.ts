/**
 * Cancels trigger orders once more after they were presumed not landed: at once, and after another horizon. No read shows a trigger order
 * that waits, so one that lands late would wait for its price with nobody watching.
 */
import { assert } from '../../../base/failure/assert.ts';
import { AGAIN_MS, type Timer } from '../../../base/time/timer-queue.ts';
import type { Core } from '../../state/core.ts';
import type { Executor } from '../executor.ts';
import type { Order } from '../../state/records/order.ts';

type Presumed = Pick<Order, 'instrument' | 'side' | 'effect' | 'seq'>;

export class LastProbes implements Timer {
  readonly #core: Core;
  readonly #executor: Executor;
  readonly #alarm: number;
  /** With the time of the last cancel of each. */
  readonly #presumed = new Map<Presumed, number>();

  constructor(core: Core, executor: Executor) {
    this.#core = core;
    this.#executor = executor;
    this.#alarm = core.timerQueue.add(this);
  }

  /** The order is presumed not landed. */
  begin({ instrument, side, effect, seq }: Presumed): void {
    assert(seq > 0, 'an order that is presumed lost has a number', seq);
    const one = { instrument, side, effect, seq };
    this.#executor.cancelWaiting(one);
    this.#presumed.set(one, this.#core.now + this.#core.timings.horizonMs);
    this.#arm();
  }

  due(now: number): void {
    this.#core.timerQueue.each(
      this.#presumed,
      ([one, at]) => {
        if (at > now) return;
        this.#presumed.delete(one);
        this.#executor.cancelWaiting(one);
      },
      ([one]) => this.#presumed.set(one, now + AGAIN_MS),
    );
    this.#arm();
  }

  #arm(): void {
    this.#core.timerQueue.set(this.#alarm, Math.min(Infinity, ...this.#presumed.values()));
  }
}
