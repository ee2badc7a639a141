/**
 * Nothing is opened while positions or the account cannot be read: what is held, and what it may cost, is not known then. A halt begins
 * when the newest read is too old, and ends with the next one.
 */
import type { Timer } from '../../base/timer-queue.ts';
import type { Core } from '../state/core.ts';

/** A limit is never less than so many polls: one lost answer is not silence. */
const POLLS = 3;

export class Freshness implements Timer {
  readonly #core: Core;
  readonly #alarm: number;
  readonly #code: 'positions-unread' | 'account-unread';
  readonly #limitMs: number;
  #readAt = -Infinity;

  /** `limitMs` is how old the newest read may be, `periodMs` how often it is asked for. */
  constructor(core: Core, code: 'positions-unread' | 'account-unread', limitMs: number, periodMs: number) {
    this.#core = core;
    this.#code = code;
    this.#limitMs = Math.max(limitMs, POLLS * periodMs);
    this.#alarm = core.timerQueue.add(this);
  }

  /** How old the newest read is. */
  get ageMs(): number {
    return this.#core.now - this.#readAt;
  }

  /** Local state agrees with the venue: from now on silence counts, also when no read succeeds any more. */
  armed(): void {
    this.#readAt = Math.max(this.#readAt, this.#core.now);
    this.#core.timerQueue.set(this.#alarm, this.#readAt + this.#limitMs + 1);
  }

  /** A read that left at `sentAt` was answered. */
  read(sentAt: number): void {
    if (sentAt < this.#readAt) return;
    const core = this.#core;
    const silentMs = sentAt - this.#readAt;
    this.#readAt = sentAt;
    core.halts.lift({ kind: 'bot' }, this.#code, `read again after ${Math.round(silentMs / 100) / 10} s`, 'bot');
    if (core.tradingState.phase === 'armed') core.timerQueue.set(this.#alarm, sentAt + this.#limitMs + 1);
  }

  due(): void {
    const core = this.#core;
    if (core.tradingState.phase !== 'armed') return;
    const what = this.#code === 'positions-unread' ? 'positions' : 'the account';
    const detail = `${what} could not be read for ${Math.round(this.ageMs / 1000)} s, at most ${this.#limitMs / 1000} s`;
    core.halts.raise({ scope: { kind: 'bot' }, code: this.#code, detail, by: 'bot' });
  }
}
