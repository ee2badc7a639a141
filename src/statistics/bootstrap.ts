/**
 * Resampling of returns that depend on each other: the stationary bootstrap of Politis & Romano (1994), which joins blocks of random length, with
 * the automatic mean block length of Politis & White (2004), corrected by Patton, Politis & White (2009). All randomness comes from `random`.
 */
import type { Random } from '../base/random.ts';
import { mean, type Sample } from './samples/moments.ts';

/** Fills `indices` with places of a sample of the same length: blocks of geometric length with mean `meanLength` (at least 1), around the end. */
export function stationaryIndices(indices: Uint32Array, meanLength: number, random: Random): void {
  const n = indices.length;
  const restart = 1 / Math.max(meanLength, 1);
  let place = 0;
  for (let i = 0; i < n; i++) {
    if (i === 0 || random.uniform() < restart) place = random.below(n);
    else place = place + 1 === n ? 0 : place + 1;
    indices[i] = place;
  }
}

/** Autocovariance of `sample` around `centre` at `lag`, divided by the length. */
function autocovariance(sample: Sample, centre: number, lag: number): number {
  let sum = 0;
  for (let i = lag; i < sample.length; i++) sum += ((sample[i] ?? 0) - centre) * ((sample[i - lag] ?? 0) - centre);
  return sum / sample.length;
}

/** Politis & Romano's flat-top window. */
const flatTop = (x: number): number => (Math.abs(x) <= 0.5 ? 1 : Math.max(2 * (1 - Math.abs(x)), 0));

/** The mean block length that suits the dependence within `sample`: 1 for independent returns. At most a third of the sample. */
export function blockLength(sample: Sample): number {
  const n = sample.length;
  if (n < 10) return 1;
  const centre = mean(sample);
  const variance = autocovariance(sample, centre, 0);
  if (!(variance > 0)) return 1;
  const quiet = Math.max(5, Math.ceil(Math.log10(n)));
  const lastLag = Math.min(Math.ceil(Math.sqrt(n)) + quiet, n - 1);
  const bound = 2 * Math.sqrt(Math.log10(n) / n);
  const covariances = Array.from({ length: lastLag + 1 }, (_, lag) => autocovariance(sample, centre, lag));
  const loud = covariances.map((value) => Math.abs(value / variance) >= bound);
  // The first lag that begins a run of small correlations, as in the authors' own program; without such a run, all lags are used.
  let width = lastLag;
  for (let lag = 1; lag + quiet <= lastLag; lag++) {
    if (loud.slice(lag, lag + quiet).every((is) => !is)) {
      width = Math.min(2 * lag, lastLag);
      break;
    }
  }
  let spectrum = variance;
  let slope = 0;
  for (let k = 1; k <= width; k++) {
    const weighted = flatTop(k / width) * (covariances[k] ?? 0);
    spectrum += 2 * weighted;
    slope += 2 * k * weighted;
  }
  const d = 2 * spectrum * spectrum;
  const length = d > 0 ? ((2 * slope * slope) / d) ** (1 / 3) * n ** (1 / 3) : 1;
  return Math.min(Math.max(length, 1), Math.ceil(Math.min(3 * Math.sqrt(n), n / 3)));
}
