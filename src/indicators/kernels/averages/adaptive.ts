/**
 * Averages that choose their own speed.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Ring, RollingSum } from '../../core/rolling.ts';
import { Hilbert, RAD, SHORT_LEAD, SHORT_WAIT } from '../math/cycle.ts';

/** Kaufman's adaptive average: fast where the price goes straight, slow where it goes to and fro. */
export class Kama extends ValueKernel {
  ring: Ring;
  steps: RollingSum;
  last = 0;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.ring = new Ring(period);
    this.steps = new RollingSum(period);
  }

  override step(x: number): void {
    const { ring, steps } = this;
    const isFull = ring.isFull;
    const old = ring.push(x);
    if (ring.count > 1 || isFull) steps.push(Math.abs(x - this.last));
    if (!isFull) {
      this.last = x;
      return;
    }
    const before = this.isReady ? this.value : this.last;
    const path = steps.sum;
    const way = x - old;
    const ratio = path <= way || path === 0 ? 1 : Math.abs(way / path);
    const fastest = 2 / 3;
    const slowest = 2 / 31;
    const smooth = (ratio * (fastest - slowest) + slowest) ** 2;
    this.isReady = true;
    this.value = before + (x - before) * smooth;
    this.last = x;
  }
}

/** MESA adaptive average and its follower: the speed comes from the turning of the phase. */
export class Mama extends ValueKernel {
  hilbert = new Hilbert(SHORT_LEAD);
  fastLimit: number;
  slowLimit: number;
  previousPhase = 0;
  mama = 0;
  trail = 0;
  fama = Number.NaN;

  constructor(fastLimit: number, slowLimit: number) {
    super();
    this.fastLimit = fastLimit;
    this.slowLimit = slowLimit;
  }

  override step(x: number): void {
    const { hilbert } = this;
    if (!hilbert.push(x)) return;
    const phase = hilbert.inPhase === 0 ? 0 : Math.atan(hilbert.quadrature / hilbert.inPhase) * RAD;
    const turned = Math.max(1, this.previousPhase - phase);
    this.previousPhase = phase;
    const alpha = turned > 1 ? Math.max(this.fastLimit / turned, this.slowLimit) : this.fastLimit;
    this.mama = alpha * x + (1 - alpha) * this.mama;
    this.trail = 0.5 * alpha * this.mama + (1 - 0.5 * alpha) * this.trail;
    if (hilbert.count <= SHORT_WAIT) return;
    this.isReady = true;
    this.value = this.mama;
    this.fama = this.trail;
  }
}
