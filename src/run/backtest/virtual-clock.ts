/** Time that stands where the drive puts it. */
import type { Clock } from '../../ports/clock.ts';

export class VirtualClock implements Clock {
  /** −Infinity until then. */
  time = -Infinity;

  now(): number {
    return this.time;
  }
}
