/** Samples the equity of a backtest: for its curve, and for the returns of its periods. */
import type { EquityCurve } from '../../../report/equity/equity-curve.ts';
import type { PeriodSeries } from '../../../report/equity/period-series.ts';
import type { SpotBook } from '../../../report/fills/spot-book.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import type { TapeMerge } from '../../../tape/merge.ts';

export interface SampleDeps {
  readonly merge: Pick<TapeMerge, 'rows'>;
  readonly sim: VenueSim;
  readonly curve: EquityCurve;
  /** Equity at the ends of days, hours, minutes or seconds; absent if nobody wants them. */
  readonly periods?: PeriodSeries | undefined;
  /** Spot profit, which is part of the equity; null or absent if no strategy trades spot. */
  readonly spot?: SpotBook | null | undefined;
  /** Milliseconds between equity samples. */
  readonly sampleMs: number;
  /** Called at each sample of the equity with the rows so far and the time. */
  readonly progress?: ((rows: number, now: number) => void) | undefined;
}

export class EquitySamples {
  /** Time of the next sample, of the curve or of the periods. */
  nextAt = Infinity;
  readonly #deps: SampleDeps;
  /** Start equity in addition to the futures account. */
  readonly #spotCash: number;
  /** Next sample of the curve. */
  #nextPoint = Infinity;

  constructor(deps: SampleDeps) {
    this.#deps = deps;
    this.#spotCash = deps.curve.start - deps.sim.equity(0);
  }

  /** Called with the time of the first row. */
  begin(time: number): void {
    this.#nextPoint = time + this.#deps.sampleMs;
    this.#plan();
  }

  /** Takes the samples that are due at `now`. */
  take(now: number): void {
    const { periods, progress, merge } = this.#deps;
    const equity = this.#equity();
    if (this.#nextPoint <= now) this.#addPoint(now, equity);
    if (periods !== undefined && periods.nextAt <= now) periods.take(now, equity);
    progress?.(merge.rows, now);
    this.#plan();
  }

  /** Takes the last samples. */
  end(now: number): void {
    const { periods, progress, merge } = this.#deps;
    const equity = this.#equity();
    this.#addPoint(now, equity);
    periods?.end(now, equity);
    progress?.(merge.rows, now);
  }

  #equity(): number {
    const { sim, spot = null } = this.#deps;
    return sim.equity(0) + (spot === null ? 0 : this.#spotCash + spot.net());
  }

  #addPoint(now: number, equity: number): void {
    const { sim, curve, sampleMs, spot } = this.#deps;
    curve.sample(now, equity, sim.exposure(0) + (spot?.exposure() ?? 0));
    this.#nextPoint = Math.max(this.#nextPoint + sampleMs, now + 1);
  }

  #plan(): void {
    this.nextAt = Math.min(this.#nextPoint, this.#deps.periods?.nextAt ?? Infinity);
  }
}
