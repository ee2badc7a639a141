/** Samples equity over time: drawdown, exposure and a thinned curve in constant memory. */

/** One point of the thinned curve. */
export interface EquityPoint {
  readonly time: number;
  /** Money, 10^-8. */
  readonly equity: number;
}

const POINTS_MAX = 2_000;

/**
 * Takes samples in time order. Figures use every sample; of the curve, every second point is dropped whenever it exceeds 2,000 points.
 * Drawdown is the largest fall from a running peak, in money and as a share of that peak.
 */
export class EquityCurve {
  readonly start: number;
  end: number;
  maxDrawdown = 0;
  maxDrawdownShare = 0;
  samples = 0;
  /** Number of samples with an open position. */
  exposed = 0;
  maxExposure = 0;
  #kept: EquityPoint[] = [];
  #newest: EquityPoint | null = null;
  #peak: number;
  #stride = 1;

  /** `start` is the equity before the first row, in money. */
  constructor(start: number) {
    this.start = start;
    this.end = start;
    this.#peak = start;
  }

  /** `exposure` is the money value of all open legs at the mark. */
  sample(time: number, equity: number, exposure: number): void {
    this.end = equity;
    if (equity > this.#peak) this.#peak = equity;
    const fall = this.#peak - equity;
    if (fall > this.maxDrawdown) this.maxDrawdown = fall;
    if (this.#peak > 0 && fall / this.#peak > this.maxDrawdownShare) this.maxDrawdownShare = fall / this.#peak;
    if (exposure > 0) this.exposed++;
    if (exposure > this.maxExposure) this.maxExposure = exposure;
    this.#newest = { time, equity };
    if (this.samples % this.#stride === 0) this.#kept.push(this.#newest);
    this.samples++;
    if (this.#kept.length > POINTS_MAX) {
      this.#kept = this.#kept.filter((_, k) => k % 2 === 0);
      this.#stride *= 2;
    }
  }

  /** The thinned curve; the newest sample is always its last point. */
  get points(): readonly EquityPoint[] {
    const newest = this.#newest;
    return newest === null || this.#kept.at(-1) === newest ? this.#kept : [...this.#kept, newest];
  }
}
