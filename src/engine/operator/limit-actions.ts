/**
 * Carries out what a limit does beyond halting opens: cancels the opening orders of its scope and closes its positions. This runs as a
 * timer, because a limit may be exceeded in the middle of a step.
 */
import { assert } from '../../base/failure/assert.ts';
import { CLOSE } from '../../domain/codes.ts';
import type { LimitAction } from '../../domain/limits.ts';
import { AGAIN_MS, type Timer } from '../../base/time/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Halts } from '../state/halts.ts';
import type { Executor } from '../orders/executor.ts';
import type { Flattener } from './flat/flatten.ts';
import type { HaltScope } from '../state/halts.ts';

/** The shared state that this file uses. */
interface LimitActionsCore extends Core {
  readonly orders: Orders;
  readonly halts: Halts;
}

interface Wanted {
  readonly action: LimitAction;
  readonly scope: HaltScope;
  readonly code: string;
}

export class LimitActions implements Timer {
  readonly #core: LimitActionsCore;
  readonly #executor: Executor;
  readonly #flattener: Flattener;
  readonly #alarm: number;
  #wanted = new Set<Wanted>();

  constructor(core: LimitActionsCore, executor: Executor, flattener: Flattener) {
    this.#flattener = flattener;
    this.#core = core;
    this.#executor = executor;
    this.#alarm = core.timerQueue.add(this);
  }

  act(action: LimitAction, scope: HaltScope, code: string): void {
    assert(action !== 'halt-opens', 'a limit does more than its halt', code, 'scope', scope.kind);
    this.#wanted.add({ action, scope, code });
    this.#core.timerQueue.set(this.#alarm, this.#core.now);
  }

  due(now: number): void {
    const { timerQueue } = this.#core;
    const wanted = this.#wanted;
    this.#wanted = new Set();
    const again = (one: Wanted): void => {
      this.#wanted.add(one);
      timerQueue.set(this.#alarm, now + AGAIN_MS);
    };
    const flattens = [...wanted].filter(({ action }) => action === 'flatten');
    timerQueue.each(flattens, (one) => this.#flatten(one), again);
    timerQueue.each(wanted, (one) => this.#cancel(one), again);
  }

  /** Flattens the scope as an operator would, by a "flatten" halt. */
  #flatten({ scope, code }: Wanted): void {
    this.#core.halts.raise({ scope, code: 'flatten', detail: `the limit ${code} asked for it`, by: 'bot' });
    this.#flattener.wake();
  }

  #cancel({ scope, code }: Wanted): void {
    const { orders, halts } = this.#core;
    for (const list of orders.of) {
      for (const order of list.known()) {
        if (!order.isAlive || order.effect === CLOSE || !halts.covers(scope, order.context, order.side, order.owner)) continue;
        if (order.quote !== null) order.quote.forget();
        this.#executor.cancel(order, order.owner, `limit ${code}`);
      }
    }
  }
}
