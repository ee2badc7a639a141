/**
 * Estimates how many independent trials a search of resembling trials amounts to: the number of clusters of their returns, as in López de
 * Prado & Lewis, "Detection of false investment strategies using unsupervised learning methods", Quantitative Finance (2019). Trials are
 * points with the distance √((1 − ρ) / 2); the number of clusters is the one whose silhouettes have the highest mean divided by deviation.
 * Where the mean silhouette shows no structure, each trial is one of its own.
 */
import { Random } from '../../base/random.ts';
import { correlation, deviation, mean } from '../samples/moments.ts';

/** More trials than this are thinned evenly before they are clustered. */
const MOST_CLUSTERED = 240;
const MOST_CLUSTERS = 40;
const STARTS = 3;
const ROUNDS = 40;
/** At most this mean silhouette is no structure (Kaufman & Rousseeuw 1990, table 4). */
const NO_STRUCTURE = 0.25;

/** `returns`: for each trial its returns, all of equal length. At least 1, at most the number of trials. Trials that never vary count as one. */
export function effectiveTrials(returns: readonly Float64Array[], seed = 1): number {
  const varying = returns.filter((series) => deviation(series) > 0);
  if (varying.length <= 2) return Math.max(1, distinct(varying));
  const step = Math.ceil(varying.length / MOST_CLUSTERED);
  const sample = varying.filter((_, k) => k % step === 0);
  const rho = sample.map((a) => Float64Array.from(sample, (b) => Math.max(-1, Math.min(1, correlation(a, b)))));
  const points = rho.map((row) => row.map((value) => Math.sqrt(Math.max(0, (1 - value) / 2))));
  const off = meanOffDiagonal(rho);
  // Without resemblance there is no structure to find: each trial is one of its own.
  if (off.largest < 0.5) return returns.length;
  if (off.mean > 0.9) return 1;
  const squares = points.map((a) => Float64Array.from(points, (b) => distance2(a, b)));
  const apart = squares.map((row) => row.map(Math.sqrt));
  const random = new Random(seed);
  let best = { quality: Number.NEGATIVE_INFINITY, centre: 0, clusters: 1 };
  for (let clusters = 2; clusters <= Math.min(MOST_CLUSTERS, sample.length - 1); clusters++) {
    for (let start = 0; start < STARTS; start++) {
      const { quality, centre } = silhouettesOf(apart, cluster({ points, squares }, clusters, random));
      if (quality > best.quality) best = { quality, centre, clusters };
    }
  }
  return best.centre <= NO_STRUCTURE ? returns.length : Math.min(returns.length, Math.max(1, best.clusters));
}

function distinct(returns: readonly Float64Array[]): number {
  const [a, b] = returns;
  return a === undefined ? 0 : b === undefined || correlation(a, b) > 0.9 ? 1 : 2;
}

function meanOffDiagonal(rho: readonly Float64Array[]): { readonly mean: number; readonly largest: number } {
  let sum = 0;
  let largest = -1;
  rho.forEach((row, i) => {
    row.forEach((value, j) => {
      if (i === j) return;
      sum += value;
      largest = Math.max(largest, value);
    });
  });
  return { mean: sum / (rho.length * (rho.length - 1)), largest };
}

/** Of two points that are at least as far apart as `most`, any value from it on. */
function distance2(a: Float64Array, b: Float64Array, most = Number.POSITIVE_INFINITY): number {
  let sum = 0;
  for (let i = 0; i < a.length && sum < most; i++) sum += (a[i]! - b[i]!) ** 2;
  return sum;
}

interface Cloud {
  readonly points: readonly Float64Array[];
  /** The squared distances of each point to all. */
  readonly squares: readonly Float64Array[];
}

/** Lloyd's k-means with the seeding of k-means++ (Arthur & Vassilvitskii 2007): for each point its cluster. */
function cluster(cloud: Cloud, clusters: number, random: Random): Uint32Array {
  const { points } = cloud;
  const seeded = seeds(cloud, clusters, random);
  const labels = seeded.labels;
  const centres = seeded.places.map((place) => points[place]!.slice());
  for (let round = 1; round < ROUNDS; round++) {
    moveCentres(centres, points, labels);
    let moved = false;
    for (let i = 0; i < points.length; i++) {
      let nearest = 0;
      let least = Number.POSITIVE_INFINITY;
      for (let c = 0; c < centres.length; c++) {
        const d = distance2(points[i]!, centres[c]!, least);
        if (d < least) [least, nearest] = [d, c];
      }
      if (labels[i] !== nearest) moved = true;
      labels[i] = nearest;
    }
    if (!moved) break;
  }
  return labels;
}

/** Each centre becomes the mean of its members; one without members stays. */
function moveCentres(centres: readonly Float64Array[], points: readonly Float64Array[], labels: Uint32Array): void {
  const sums = centres.map(({ length }) => new Float64Array(length));
  const sizes = new Uint32Array(centres.length);
  for (let k = 0; k < points.length; k++) {
    const point = points[k]!;
    const sum = sums[labels[k]!]!;
    sizes[labels[k]!]!++;
    for (let i = 0; i < sum.length; i++) sum[i]! += point[i]!;
  }
  for (const [c, centre] of centres.entries()) {
    const size = sizes[c]!;
    if (size > 0) for (let i = 0; i < centre.length; i++) centre[i] = sums[c]![i]! / size;
  }
}

/** Points as first centres, by place, and for each point the nearest of them. */
function seeds({ points, squares }: Cloud, clusters: number, random: Random): { readonly places: number[]; readonly labels: Uint32Array } {
  const first = random.below(points.length);
  const places = [first];
  const nearest = squares[first]!.slice();
  const labels = new Uint32Array(points.length);
  while (places.length < clusters) {
    let rest = random.uniform() * nearest.reduce((a, b) => a + b, 0);
    let chosen = 0;
    while (chosen < points.length - 1 && (rest -= nearest[chosen]!) > 0) chosen++;
    const far = squares[chosen]!;
    for (let i = 0; i < points.length; i++) {
      if (far[i]! >= nearest[i]!) continue;
      nearest[i] = far[i]!;
      labels[i] = places.length;
    }
    places.push(chosen);
  }
  return { places, labels };
}

/** The mean of the silhouettes (Rousseeuw 1987), and that divided by their deviation. `apart`: the distances of each point to all. */
function silhouettesOf(apart: readonly Float64Array[], labels: Uint32Array): { readonly quality: number; readonly centre: number } {
  const clusters = Math.max(...labels) + 1;
  const sizes = new Float64Array(clusters);
  for (const label of labels) sizes[label] = (sizes[label] ?? 0) + 1;
  const silhouettes = Array.from(apart, (distances, i) => {
    const sums = new Float64Array(clusters);
    for (let j = 0; j < distances.length; j++) if (i !== j) sums[labels[j]!]! += distances[j]!;
    const own = labels[i] ?? 0;
    const ownSize = sizes[own] ?? 0;
    if (ownSize <= 1) return 0;
    const inside = (sums[own] ?? 0) / (ownSize - 1);
    let outside = Number.POSITIVE_INFINITY;
    for (let c = 0; c < clusters; c++) {
      const size = sizes[c] ?? 0;
      if (c !== own && size > 0) outside = Math.min(outside, (sums[c] ?? 0) / size);
    }
    return (outside - inside) / Math.max(inside, outside, Number.MIN_VALUE);
  });
  const spread = deviation(silhouettes);
  const centre = mean(silhouettes);
  return { quality: spread > 0 ? centre / spread : 0, centre };
}
