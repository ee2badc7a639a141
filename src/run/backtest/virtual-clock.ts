/** Time that stands where the drive puts it. */
import type { Clock } from '../../ports/clock.ts';

export class VirtualClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }
}
