/**
 * Tree-structured Parzen estimator (Bergstra, Bardenet, Bengio & Kégl, "Algorithms for hyper-parameter optimization", 2011, section 4):
 * models where good trials lie and where the others do, and takes the candidate at which the ratio of the two densities is largest.
 */
import type { Random } from '../../base/random.ts';
import { bestFirst } from '../ranking.ts';
import { countOf, placesOf, type Dimension } from '../space.ts';
import type { Trial } from '../trial.ts';
import { FreshPoints } from './random-sampler.ts';
import type { Sampler } from './sampler.ts';

const BATCH = 8;
/** Batches at the start that are drawn at random. */
const RANDOM_BATCHES = 2;
/** Share of trials that count as good (γ in the paper), and the most that do. */
const GOOD_SHARE = 0.15;
const GOOD_MAX = 25;
/** Candidates that are compared for each point. */
const CANDIDATES = 24;
/** Attempts to find a point that was not used. */
const TRIES = 20;

/**
 * Batches of eight, one of each drawn at random. A batch knows the results of all batches but the one before, so that workers do not wait
 * for one another.
 */
export function tpeSampler(space: readonly Dimension[], random: Random): Sampler {
  const trials: Trial[] = [];
  const fresh = new FreshPoints(space, random);
  let asked = 0;
  return {
    lead: 2,
    ask() {
      const isRandom = asked++ < RANDOM_BATCHES || trials.length < BATCH;
      const models = isRandom ? null : modelsOf(space, trials);
      const places: (readonly number[])[] = [];
      for (let k = 0; k < BATCH; k++) {
        const place = (models === null || k === BATCH - 1 ? null : proposed(models, fresh, random)) ?? fresh.draw();
        if (place === null) break;
        places.push(place);
      }
      return places;
    },
    tell: (told) => void trials.push(...told),
  };
}

/** The densities of the good and of the other trials along one dimension. */
interface Model {
  readonly good: Density;
  readonly other: Density;
}

interface Density {
  draw(random: Random): number;
  /** Logarithm of the density, or of the probability of the value at a place. */
  log(place: number): number;
}

function modelsOf(space: readonly Dimension[], trials: readonly Trial[]): Model[] {
  const order = bestFirst(trials);
  const count = Math.min(GOOD_MAX, Math.max(1, Math.ceil(GOOD_SHARE * trials.length)));
  const places = order.map((i) => placesOf(space, trials[i]!.point));
  return space.map((dimension, d) => {
    const values = places.map((place) => place[d]!);
    return { good: densityOf(dimension, values.slice(0, count)), other: densityOf(dimension, values.slice(count)) };
  });
}

/** An unused place where the ratio of the densities is large; null if only used ones were found. */
function proposed(models: readonly Model[], fresh: FreshPoints, random: Random): readonly number[] | null {
  for (let k = 0; k < TRIES; k++) {
    const place = bestCandidate(models, random);
    if (fresh.take(place)) return place;
  }
  return null;
}

/** The candidate of the largest expected improvement, which grows with the ratio of the densities (equation 10 of the paper). */
function bestCandidate(models: readonly Model[], random: Random): readonly number[] {
  let best: readonly number[] = [];
  let bestRatio = -Infinity;
  for (let k = 0; k < CANDIDATES; k++) {
    const place = models.map(({ good }) => good.draw(random));
    const ratio = models.reduce((sum, { good, other }, i) => sum + good.log(place[i]!) - other.log(place[i]!), 0);
    if (best.length === 0 || ratio > bestRatio) {
      bestRatio = ratio;
      best = place;
    }
  }
  return best;
}

function densityOf(dimension: Dimension, places: readonly number[]): Density {
  return dimension.kind === 'choice' ? choiceDensity(dimension.choices.length, places) : parzenDensity(places, countOf(dimension));
}

/** Frequencies of the choices, each counted once more. */
function choiceDensity(count: number, places: readonly number[]): Density {
  const weights = Array.from({ length: count }, () => 1);
  const indexOf = (place: number): number => Math.min(count - 1, Math.floor(place * count));
  for (const place of places) weights[indexOf(place)]!++;
  const total = places.length + count;
  return {
    draw(random) {
      let left = random.uniform() * total;
      for (let k = 0; k < count; k++) {
        left -= weights[k]!;
        if (left < 0) return (k + 0.5) / count;
      }
      return (count - 0.5) / count;
    },
    log: (place) => Math.log(weights[indexOf(place)]! / total),
  };
}

/**
 * A mixture of normal densities cut to [0, 1]: a wide one for the prior, and one at each place, as wide as the larger gap to its
 * neighbours. With `count` steps the density is that of the whole step.
 */
function parzenDensity(places: readonly number[], count: number): Density {
  const centres = [...places, 0.5].sort((a, b) => a - b);
  const prior = centres.indexOf(0.5);
  const narrowest = 1 / Math.min(100, centres.length + 1);
  const widths = centres.map((centre, i) => {
    if (i === prior) return 1;
    const gap = Math.max(centre - (centres[i - 1] ?? 0), (centres[i + 1] ?? 1) - centre);
    return Math.min(1, Math.max(narrowest, gap));
  });
  const shares = centres.map((centre, i) => normalBelow((1 - centre) / widths[i]!) - normalBelow(-centre / widths[i]!));
  const half = Number.isFinite(count) ? 0.5 / count : 0;
  return {
    draw(random) {
      const i = random.below(centres.length);
      for (let k = 0; k < 100; k++) {
        const place = centres[i]! + widths[i]! * random.normal();
        if (place >= 0 && place < 1) return half === 0 ? place : (Math.floor(place * count) + 0.5) / count;
      }
      return centres[i]!;
    },
    log(place) {
      let sum = 0;
      for (let i = 0; i < centres.length; i++) {
        const z = (place - centres[i]!) / widths[i]!;
        const mass =
          half === 0
            ? Math.exp(-0.5 * z * z) / (widths[i]! * Math.sqrt(2 * Math.PI))
            : normalBelow(z + half / widths[i]!) - normalBelow(z - half / widths[i]!);
        sum += mass / shares[i]!;
      }
      return Math.log(sum / centres.length + 1e-300);
    },
  };
}

/** Standard normal distribution function: Abramowitz & Stegun 26.2.17, error below 7.5e-8. */
function normalBelow(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))) * Math.exp(-0.5 * z * z)) /
    Math.sqrt(2 * Math.PI);
  return z > 0 ? 1 - tail : tail;
}
