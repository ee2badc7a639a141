/**
 * Halts opens while positions or the account cannot be read, because size and cost of what is held are unknown. The halt begins when the
 * newest read is too old, and ends with the next one.
 */
import { assert } from '../../base/failure/assert.ts';
import type { Timer } from '../../base/time/timer-queue.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { TradingState } from '../state/trading-state.ts';

/** The shared state that this file uses. */
export interface FreshnessCore extends Core {
  readonly halts: Halts;
  readonly tradingState: TradingState;
}

/** The limit is at least this many poll periods, so that one lost answer raises no halt. */
const POLLS = 3;

export class Freshness implements Timer {
  readonly #core: FreshnessCore;
  readonly #alarm: number;
  readonly #code: 'positions-unread' | 'account-unread';
  readonly #limitMs: number;
  #readAt = -Infinity;
  #isArmed = false;

  /** `limitMs`: largest age of the newest read. `periodMs`: how often it is requested. */
  constructor(core: FreshnessCore, code: 'positions-unread' | 'account-unread', limitMs: number, periodMs: number) {
    this.#core = core;
    this.#code = code;
    this.#limitMs = Math.max(limitMs, POLLS * periodMs);
    this.#alarm = core.timerQueue.add(this);
  }

  /** Age of the newest read in milliseconds. */
  get ageMs(): number {
    return this.#core.now - this.#readAt;
  }

  /** The kernel is armed, or the first read is planned: the age counts from now on, even if no read succeeds again. */
  armed(): void {
    this.#isArmed = true;
    this.#readAt = Math.max(this.#readAt, this.#core.now);
    this.#core.timerQueue.set(this.#alarm, this.#readAt + this.#limitMs + 1);
  }

  /** It is not read any more, so its age says nothing. */
  disarm(): void {
    this.#isArmed = false;
    this.#core.timerQueue.clear(this.#alarm);
    this.#core.halts.lift({ kind: 'bot' }, this.#code, 'no symbol is traded for which it is read', 'bot');
  }

  /** A read that left at `sentAt` was answered. */
  read(sentAt: number): void {
    if (sentAt < this.#readAt) return;
    const core = this.#core;
    const silentMs = sentAt - this.#readAt;
    assert(silentMs >= 0, 'the newest read does not become older', silentMs, 'read', this.#code);
    this.#readAt = sentAt;
    // The halt of a process before this one.
    const after = silentMs === Infinity ? 'the first read since the start' : `read again after ${Math.round(silentMs / 100) / 10} s`;
    core.halts.lift({ kind: 'bot' }, this.#code, after, 'bot');
    if (this.#isArmed && core.tradingState.phase === 'armed') core.timerQueue.set(this.#alarm, sentAt + this.#limitMs + 1);
  }

  due(): void {
    const core = this.#core;
    if (core.tradingState.phase !== 'armed') return;
    assert(this.#isArmed, 'what is too old is read', this.#code);
    const what = this.#code === 'positions-unread' ? 'positions' : 'the account';
    const detail = `${what} could not be read for ${Math.round(this.ageMs / 1000)} s, at most ${this.#limitMs / 1000} s`;
    core.halts.raise({ scope: { kind: 'bot' }, code: this.#code, detail, by: 'bot' });
  }
}
