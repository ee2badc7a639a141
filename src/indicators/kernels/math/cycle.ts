/**
 * Hilbert transform: the dominant cycle of prices, after John Ehlers. The price is smoothed over four values; two filters of seven taps
 * give the part in phase and the part in quadrature; the angle between two updates gives the period, which is smoothed twice.
 * @hot
 */
import { ValueKernel } from '../../core/inputs.ts';
import { Part } from '../../core/part.ts';
import { Ring } from '../../core/rolling.ts';

const A = 0.0962;
const B = 0.5769;
export const RAD = 180 / Math.PI;

/** One Hilbert filter over every second value, scaled by the period: two lanes, for odd and even values. */
class HilbertFilter extends Part {
  odd = new Float64Array(3);
  even = new Float64Array(3);
  newerOdd = 0;
  olderOdd = 0;
  newerEven = 0;
  olderEven = 0;
  value = 0;

  step(input: number, isEven: boolean, slot: number, scale: number): void {
    const lane = isEven ? this.even : this.odd;
    const oldest = lane[slot]!;
    lane[slot] = input;
    // Differences first: of equal values they are exactly 0.
    if (isEven) {
      this.value = (A * (input - oldest) + B * (this.newerEven - this.olderEven)) * scale;
      this.olderEven = this.newerEven;
      this.newerEven = input;
    } else {
      this.value = (A * (input - oldest) + B * (this.newerOdd - this.olderOdd)) * scale;
      this.olderOdd = this.newerOdd;
      this.newerOdd = input;
    }
  }
}

/** Smoothed price, in-phase and quadrature parts, and the raw period. */
export class Hilbert extends Part {
  prices = new Ring(4);
  detrender = new HilbertFilter();
  q1 = new HilbertFilter();
  ji = new HilbertFilter();
  jq = new HilbertFilter();
  i1ForOdd2 = 0;
  i1ForOdd3 = 0;
  i1ForEven2 = 0;
  i1ForEven3 = 0;
  previousI2 = 0;
  previousQ2 = 0;
  re = 0;
  im = 0;
  period = 0;
  smooth = 0;
  inPhase = 0;
  slot = 0;
  /** Values taken, and the value from which the filters run. */
  count = 0;
  /** Number of values that the price smoother of TA-Lib takes before the filters begin. */
  lead: number;
  /** Smoothed values taken by the filters. */
  time = 0;

  constructor(lead: number) {
    super();
    this.lead = lead;
  }

  /** True once the filters have taken this value. */
  push(x: number): boolean {
    const { prices } = this;
    prices.push(x);
    this.count++;
    if (this.count <= this.lead) return false;
    this.smooth = (4 * prices.get(0) + 3 * prices.get(1) + 2 * prices.get(2) + prices.get(3)) / 10;
    const isEven = (this.count - 1) % 2 === 0;
    const scale = 0.075 * this.period + 0.54;
    const { slot } = this;
    this.detrender.step(this.smooth, isEven, slot, scale);
    const detrended = this.detrender.value;
    this.q1.step(detrended, isEven, slot, scale);
    this.inPhase = isEven ? this.i1ForEven3 : this.i1ForOdd3;
    this.ji.step(this.inPhase, isEven, slot, scale);
    this.jq.step(this.q1.value, isEven, slot, scale);
    if (isEven) {
      if (++this.slot === 3) this.slot = 0;
      this.i1ForOdd3 = this.i1ForOdd2;
      this.i1ForOdd2 = detrended;
    } else {
      this.i1ForEven3 = this.i1ForEven2;
      this.i1ForEven2 = detrended;
    }
    const q2 = 0.2 * (this.q1.value + this.ji.value) + 0.8 * this.previousQ2;
    const i2 = 0.2 * (this.inPhase - this.jq.value) + 0.8 * this.previousI2;
    this.re = 0.2 * (i2 * this.previousI2 + q2 * this.previousQ2) + 0.8 * this.re;
    this.im = 0.2 * (i2 * this.previousQ2 - q2 * this.previousI2) + 0.8 * this.im;
    this.previousQ2 = q2;
    this.previousI2 = i2;
    const before = this.period;
    let period = before;
    if (this.im !== 0 && this.re !== 0) period = 360 / (Math.atan(this.im / this.re) * RAD);
    period = Math.min(period, 1.5 * before);
    period = Math.max(period, 0.67 * before);
    period = Math.min(50, Math.max(6, period));
    this.period = 0.2 * period + 0.8 * before;
    this.time++;
    return true;
  }

  get quadrature(): number {
    return this.q1.value;
  }
}

export const SHORT_WAIT = 32;
const LONG_WAIT = 63;
export const SHORT_LEAD = 12;
const LONG_LEAD = 37;

/** Period of the dominant cycle. */
export class HtDcperiod extends ValueKernel {
  hilbert = new Hilbert(SHORT_LEAD);
  smoothPeriod = 0;

  override step(x: number): void {
    if (!this.hilbert.push(x)) return;
    this.smoothPeriod = 0.33 * this.hilbert.period + 0.67 * this.smoothPeriod;
    if (this.hilbert.count <= SHORT_WAIT) return;
    this.isReady = true;
    this.value = this.smoothPeriod;
  }
}

/** In-phase and quadrature parts. */
export class HtPhasor extends ValueKernel {
  hilbert = new Hilbert(SHORT_LEAD);
  quadrature = Number.NaN;

  override step(x: number): void {
    if (!this.hilbert.push(x) || this.hilbert.count <= SHORT_WAIT) return;
    this.isReady = true;
    this.value = this.hilbert.inPhase;
    this.quadrature = this.hilbert.quadrature;
  }
}

/** Phase of the dominant cycle, by a discrete Fourier sum over one period of smoothed prices. */
class Phase extends Part {
  hilbert = new Hilbert(LONG_LEAD);
  smoothed = new Ring(50);
  smoothPeriod = 0;
  degrees = 0;

  push(x: number): boolean {
    const { hilbert, smoothed } = this;
    if (!hilbert.push(x)) return false;
    smoothed.push(hilbert.smooth);
    this.smoothPeriod = 0.33 * hilbert.period + 0.67 * this.smoothPeriod;
    const count = Math.trunc(this.smoothPeriod + 0.5);
    let real = 0;
    let imag = 0;
    for (let i = 0; i < count; i++) {
      const angle = (i * 2 * Math.PI) / count;
      // The sums of a constant are 0, so only the distance from the newest value counts.
      const distance = smoothed.get(i) - hilbert.smooth;
      real += Math.sin(angle) * distance;
      imag += Math.cos(angle) * distance;
    }
    const size = Math.abs(imag);
    if (size > 0) this.degrees = Math.atan(real / imag) * RAD;
    else if (real < 0) this.degrees -= 90;
    else if (real > 0) this.degrees += 90;
    this.degrees += 90;
    this.degrees += 360 / this.smoothPeriod;
    if (imag < 0) this.degrees += 180;
    if (this.degrees > 315) this.degrees -= 360;
    return true;
  }

  get isDue(): boolean {
    return this.hilbert.count > LONG_WAIT;
  }
}

export class HtDcphase extends ValueKernel {
  phase = new Phase();

  override step(x: number): void {
    if (!this.phase.push(x) || !this.phase.isDue) return;
    this.isReady = true;
    this.value = this.phase.degrees;
  }
}

/** Sine of the phase, and 45 degrees ahead. */
export class HtSine extends ValueKernel {
  phase = new Phase();
  leadsine = Number.NaN;

  override step(x: number): void {
    if (!this.phase.push(x) || !this.phase.isDue) return;
    this.isReady = true;
    this.value = Math.sin(this.phase.degrees / RAD);
    this.leadsine = Math.sin((this.phase.degrees + 45) / RAD);
  }
}

/** The trend line: the mean price over one dominant cycle, smoothed over four values. */
class TrendLine extends Part {
  prices = new Ring(50);
  trends = new Ring(3);
  value = 0;

  step(smoothPeriod: number): void {
    const count = Math.trunc(smoothPeriod + 0.5);
    let sum = 0;
    for (let i = 0; i < count; i++) sum += this.prices.get(i);
    const mean = count > 0 ? sum / count : 0;
    const { trends } = this;
    this.value = (4 * mean + 3 * trends.get(0) + 2 * trends.get(1) + trends.get(2)) / 10;
    trends.push(mean);
  }
}

export class HtTrendline extends ValueKernel {
  hilbert = new Hilbert(LONG_LEAD);
  line = new TrendLine();
  smoothPeriod = 0;

  override step(x: number): void {
    this.line.prices.push(x);
    if (!this.hilbert.push(x)) return;
    this.smoothPeriod = 0.33 * this.hilbert.period + 0.67 * this.smoothPeriod;
    this.line.step(this.smoothPeriod);
    if (this.hilbert.count <= LONG_WAIT) return;
    this.isReady = true;
    this.value = this.line.value;
  }
}

/** 1 in a trend, 0 in a cycle. */
export class HtTrendmode extends ValueKernel {
  phase = new Phase();
  line = new TrendLine();
  days = 0;
  previousDegrees = 0;
  previousSine = 0;
  previousLead = 0;

  override step(x: number): void {
    const { phase, line } = this;
    line.prices.push(x);
    const before = phase.degrees;
    if (!phase.push(x)) return;
    const sine = Math.sin(phase.degrees / RAD);
    const lead = Math.sin((phase.degrees + 45) / RAD);
    line.step(phase.smoothPeriod);
    let isTrend = true;
    if ((sine > lead && this.previousSine <= this.previousLead) || (sine < lead && this.previousSine >= this.previousLead)) {
      this.days = 0;
      isTrend = false;
    }
    this.days++;
    if (this.days < 0.5 * phase.smoothPeriod) isTrend = false;
    const turned = phase.degrees - before;
    const even = 360 / phase.smoothPeriod;
    if (phase.smoothPeriod !== 0 && turned > 0.67 * even && turned < 1.5 * even) isTrend = false;
    if (line.value !== 0 && Math.abs((phase.hilbert.smooth - line.value) / line.value) >= 0.015) isTrend = true;
    this.previousSine = sine;
    this.previousLead = lead;
    if (!phase.isDue) return;
    this.isReady = true;
    this.value = isTrend ? 1 : 0;
  }
}
