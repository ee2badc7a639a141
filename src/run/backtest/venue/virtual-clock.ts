/** A clock that the backtest loop sets. */
import type { Clock } from '../../../ports/clock.ts';

export class VirtualClock implements Clock {
  /** −Infinity before the first row. */
  time = -Infinity;

  now(): number {
    return this.time;
  }
}
