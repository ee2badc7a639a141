/** The named timers of a strategy, each an entry of the timer queue. */
import { assert } from '../../../base/failure/assert.ts';
import type { TimerQueue, Timer } from '../../../base/time/timer-queue.ts';
import type { Core } from '../../state/core.ts';

/** The shared state that this file uses. */
interface TimersCore extends Core {
  /** Counts commands and timers started by strategies. */
  acts: number;
}

export class Timers {
  readonly #core: TimersCore;
  readonly #strategy: string;
  readonly #call: (name: string) => void;
  readonly #timers = new Map<string, NamedTimer>();

  /** `call` is the strategy's onTimer. */
  constructor(core: TimersCore, strategy: string, call: (name: string) => void) {
    this.#core = core;
    this.#strategy = strategy;
    this.#call = call;
  }

  /** @throws RangeError if the delay is not at least 1 ms */
  set(name: string, delayMs: number): void {
    if (!(delayMs >= 1 && Number.isFinite(delayMs))) {
      throw new RangeError(`${this.#strategy}: a timer needs a delay of at least 1 ms, found ${delayMs}`);
    }
    let timer = this.#timers.get(name);
    if (timer === undefined) this.#timers.set(name, (timer = new NamedTimer(name, this.#core.timerQueue, this.#call)));
    this.#core.acts++;
    this.#core.timerQueue.set(timer.id, this.#core.now + delayMs);
    assert(this.#core.timerQueue.at(timer.id) >= this.#core.now, 'a timer runs later than it was set', name, 'strategy', this.#strategy);
  }

  /** Cancels all timers. */
  clear(): void {
    for (const timer of this.#timers.values()) this.#core.timerQueue.clear(timer.id);
  }

  cancel(name: string): void {
    const timer = this.#timers.get(name);
    if (timer === undefined) return;
    this.#core.acts++;
    this.#core.timerQueue.clear(timer.id);
  }
}

class NamedTimer implements Timer {
  readonly isOnce = true;
  readonly id: number;
  readonly #name: string;
  readonly #call: (name: string) => void;

  constructor(name: string, timerQueue: TimerQueue, call: (name: string) => void) {
    this.#name = name;
    this.#call = call;
    this.id = timerQueue.add(this);
  }

  due(): void {
    this.#call(this.#name);
  }
}
