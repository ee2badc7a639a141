/**
 * Time series: distance from the mean, memory, mean reversion, filters.
 * @hot
 */
import { PairKernel, ValueKernel } from '../../core/inputs.ts';
import { CoMoments, Moments, Ring } from '../../core/rolling.ts';

export class Zscore extends ValueKernel {
  moments: Moments;

  constructor(period: number) {
    super();
    this.moments = new Moments(period);
  }

  override step(x: number): void {
    const { moments } = this;
    moments.push(x);
    if (!moments.isFull) return;
    const deviation = Math.sqrt(moments.variance);
    this.isReady = true;
    this.value = deviation === 0 ? 0 : (x - moments.mean) / deviation;
  }
}

/** Third standardised moment. One pass over the window. */
export class Skewness extends ValueKernel {
  moments: Moments;

  constructor(period: number) {
    super();
    this.moments = new Moments(period);
  }

  get power(): number {
    return 3;
  }

  override step(x: number): void {
    const { moments } = this;
    moments.push(x);
    if (!moments.isFull) return;
    const { values } = moments.ring;
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += (values[i]! - moments.mean) ** this.power;
    this.isReady = true;
    this.value = moments.variance === 0 ? 0 : sum / values.length / moments.variance ** (this.power / 2);
  }
}

/** Fourth standardised moment; 3 for a normal distribution. */
export class Kurtosis extends Skewness {
  override get power(): number {
    return 4;
  }
}

/** Correlation with the values `lag` steps before. */
export class Autocorrelation extends ValueKernel {
  lagged: Ring;
  moments: CoMoments;

  constructor(period: number, lag: number) {
    super();
    this.lagged = new Ring(lag);
    this.moments = new CoMoments(period);
  }

  override step(x: number): void {
    const { lagged, moments } = this;
    const isFull = lagged.isFull;
    const before = lagged.push(x);
    if (!isFull) return;
    moments.push(x, before);
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = moments.correlation;
  }
}

const LAGS = [1, 2, 4, 8, 16];

/** Slope of log standard deviation of changes over log lag: 0.5 for a random walk, less for mean reversion, more for a trend. */
export class Hurst extends ValueKernel {
  ring = new Ring(16);
  changes: Moments[];

  constructor(period: number) {
    super();
    this.changes = LAGS.map(() => new Moments(period));
  }

  override step(x: number): void {
    const { ring, changes } = this;
    if (ring.isFull) for (let i = 0; i < LAGS.length; i++) changes[i]!.push(x - ring.get(LAGS[i]! - 1));
    ring.push(x);
    if (!changes[0]!.isFull) return;
    // Logarithms to the base 2 of the lags are 0 … 4, their mean is 2 and their squared distances add up to 10.
    let slope = 0;
    for (let i = 0; i < LAGS.length; i++) slope += ((i - 2) * Math.log2(Math.sqrt(changes[i]!.variance))) / 10;
    this.isReady = true;
    this.value = slope;
  }
}

/** Dickey-Fuller regression with a constant: change on the value before. */
class DickeyFuller extends ValueKernel {
  moments: CoMoments;
  last = Number.NaN;
  period: number;

  constructor(period: number) {
    super();
    this.period = period;
    this.moments = new CoMoments(period);
  }

  override step(x: number): void {
    const { moments, last } = this;
    this.last = x;
    if (last !== last) return;
    moments.push(last, x - last);
    if (!moments.isFull) return;
    this.isReady = true;
    this.value = this.read(moments.xx === 0 ? 0 : moments.xy / moments.xx);
  }

  read(slope: number): number {
    return slope;
  }
}

/** Statistic t of the slope: below about −2.9 a unit root is unlikely (5 %). */
export class Adf extends DickeyFuller {
  override read(slope: number): number {
    const { moments, period } = this;
    const rest = Math.max(0, moments.yy - slope * moments.xy) / (period - 2);
    return rest === 0 || moments.xx === 0 ? 0 : slope / Math.sqrt(rest / moments.xx);
  }
}

/** Values until half of a distance from the mean is gone; Infinity where it does not return. */
export class HalfLife extends DickeyFuller {
  override read(slope: number): number {
    return slope < 0 && slope > -1 ? -Math.LN2 / Math.log(1 + slope) : slope <= -1 ? 0 : Infinity;
  }
}

/** Level of a noisy value: the gain follows from the two variances. */
export class Kalman extends ValueKernel {
  drift: number;
  noise: number;
  variance = 1;

  constructor(drift: number, noise: number) {
    super();
    this.drift = drift;
    this.noise = noise;
  }

  override step(x: number): void {
    if (!this.isReady) {
      this.isReady = true;
      this.value = x;
      return;
    }
    const before = this.variance + this.drift;
    const gain = before / (before + this.noise);
    this.value += gain * (x - this.value);
    this.variance = (1 - gain) * before;
  }
}

/** y = alpha + beta · x with coefficients that follow random walks; the first output is beta. */
export class KalmanBeta extends PairKernel {
  drift: number;
  noise: number;
  alpha = Number.NaN;
  error = Number.NaN;
  a = 0;
  b = 0;
  p00 = 1;
  p01 = 0;
  p11 = 1;

  constructor(drift: number, noise: number) {
    super();
    this.drift = drift;
    this.noise = noise;
  }

  override step(x: number, y: number): void {
    const p00 = this.p00 + this.drift;
    const p11 = this.p11 + this.drift;
    const { p01 } = this;
    const error = y - (this.a + this.b * x);
    const toA = p00 + p01 * x;
    const toB = p01 + p11 * x;
    const total = toA + toB * x + this.noise;
    const gainA = toA / total;
    const gainB = toB / total;
    this.a += gainA * error;
    this.b += gainB * error;
    this.p00 = p00 - gainA * toA;
    this.p01 = p01 - gainA * toB;
    this.p11 = p11 - gainB * toB;
    this.isReady = true;
    this.value = this.b;
    this.alpha = this.a;
    this.error = error;
  }
}

/** Engle and Granger: the line of y on x, the distance from it in deviations, and the Dickey-Fuller t of the distances. */
export class Cointegration extends PairKernel {
  moments: CoMoments;
  alpha = Number.NaN;
  zscore = Number.NaN;
  adf = Number.NaN;

  constructor(period: number) {
    super();
    this.moments = new CoMoments(period);
  }

  override step(x: number, y: number): void {
    const { moments } = this;
    moments.push(x, y);
    if (!moments.isFull) return;
    const n = moments.x.values.length;
    const beta = moments.xx === 0 ? 0 : moments.xy / moments.xx;
    const alpha = moments.meanY - beta * moments.meanX;
    const deviation = Math.sqrt(Math.max(0, moments.yy - beta * moments.xy) / n);
    this.isReady = true;
    this.value = beta;
    this.alpha = alpha;
    this.zscore = deviation === 0 ? 0 : (y - alpha - beta * x) / deviation;
    this.adf = this.statistic(n, alpha, beta);
  }

  distance(back: number, alpha: number, beta: number): number {
    return this.moments.y.get(back) - alpha - beta * this.moments.x.get(back);
  }

  statistic(n: number, alpha: number, beta: number): number {
    const count = n - 1;
    const first = this.distance(count, alpha, beta);
    const last = this.distance(0, alpha, beta);
    let sum = 0;
    for (let back = count; back > 0; back--) sum += this.distance(back, alpha, beta);
    const mean = sum / count;
    const meanChange = (last - first) / count;
    let xx = 0;
    let xy = 0;
    let yy = 0;
    for (let back = count; back > 0; back--) {
      const level = this.distance(back, alpha, beta) - mean;
      const change = this.distance(back - 1, alpha, beta) - this.distance(back, alpha, beta) - meanChange;
      xx += level * level;
      xy += level * change;
      yy += change * change;
    }
    if (xx === 0) return 0;
    const slope = xy / xx;
    const rest = Math.max(0, yy - slope * xy) / (count - 2);
    return rest === 0 ? 0 : slope / Math.sqrt(rest / xx);
  }
}
