/**
 * CMA-ES (Hansen, "The CMA evolution strategy: a tutorial", 2016, figure 6 and table 1): a normal distribution whose mean, width and
 * shape follow the better half of each generation. When it has become narrow it starts again at a random place with twice the
 * population (IPOP: Auger & Hansen, "A restart CMA evolution strategy with increasing population size", 2005).
 */
import type { Random } from '../../base/random.ts';
import { bestFirst } from '../ranking.ts';
import { countOf, type Dimension } from '../space.ts';
import type { Trial } from '../trial.ts';
import type { Sampler } from './sampler.ts';
import { symmetricEigen } from './eigen.ts';

/** Width at the start, as a share of each dimension. */
const SIGMA = 0.3;
/** Width at which the distribution starts again. */
const NARROW = 1e-9;
/** Draws of a candidate before it is moved onto the bounds. */
const TRIES = 20;

/** Each batch is a generation of 4 + 3 ln(dimensions) candidates. Dimensions of choices are not possible. */
export function cmaEsSampler(space: readonly Dimension[], random: Random): Sampler {
  const smallest = 4 + Math.floor(3 * Math.log(space.length));
  const steps = space.map((dimension) => (Number.isFinite(countOf(dimension)) ? 1 / countOf(dimension) : 0));
  let run = new Evolution(
    space.map(() => 0.5),
    smallest,
    steps,
  );
  let starts = 1;
  return {
    lead: 1,
    ask() {
      if (run.isNarrow) {
        run = new Evolution(
          space.map(() => random.uniform()),
          smallest * 2 ** Math.min(starts++, 8),
          steps,
        );
      }
      return run.ask(random);
    },
    // A study may end within a generation. An incomplete generation is not used.
    tell: (trials) => void (trials.length === run.size && run.tell(trials)),
  };
}

/** One run from a wide distribution to a narrow one. Names follow the tutorial. */
class Evolution {
  readonly size: number;
  readonly #n: number;
  readonly #steps: readonly number[];
  readonly #weights: readonly number[];
  readonly #muEff: number;
  readonly #cSigma: number;
  readonly #dSigma: number;
  readonly #cc: number;
  readonly #c1: number;
  readonly #cMu: number;
  readonly #chiN: number;
  #mean: number[];
  #sigma = SIGMA;
  readonly #pc: number[];
  readonly #pSigma: number[];
  readonly #cov: number[][];
  #basis: readonly (readonly number[])[] = [];
  #widths: readonly number[] = [];
  #generation = 0;

  constructor(mean: number[], size: number, steps: readonly number[]) {
    const n = mean.length;
    this.#n = n;
    this.#mean = mean;
    this.#steps = steps;
    this.size = size;
    const mu = Math.floor(size / 2);
    const raw = Array.from({ length: mu }, (_, i) => Math.log((size + 1) / 2) - Math.log(i + 1));
    const total = raw.reduce((sum, w) => sum + w, 0);
    this.#weights = raw.map((w) => w / total);
    this.#muEff = 1 / this.#weights.reduce((sum, w) => sum + w * w, 0);
    this.#cSigma = (this.#muEff + 2) / (n + this.#muEff + 5);
    this.#dSigma = 1 + 2 * Math.max(0, Math.sqrt((this.#muEff - 1) / (n + 1)) - 1) + this.#cSigma;
    this.#cc = (4 + this.#muEff / n) / (n + 4 + (2 * this.#muEff) / n);
    this.#c1 = 2 / ((n + 1.3) ** 2 + this.#muEff);
    this.#cMu = Math.min(1 - this.#c1, (2 * (this.#muEff - 2 + 1 / this.#muEff)) / ((n + 2) ** 2 + this.#muEff));
    this.#chiN = Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    this.#pc = mean.map(() => 0);
    this.#pSigma = mean.map(() => 0);
    this.#cov = mean.map((_, i) => mean.map((__, j) => (i === j ? 1 : 0)));
    this.#decompose();
  }

  /** True if every dimension is narrower than can matter. */
  get isNarrow(): boolean {
    return this.#mean.every((_, i) => this.#sigma * Math.sqrt(this.#cov[i]![i]!) < Math.max(NARROW, this.#steps[i]! / 20));
  }

  ask(random: Random): number[][] {
    return Array.from({ length: this.size }, () => {
      let x = this.#draw(random);
      for (let k = 1; k < TRIES && x.some((value) => value < 0 || value > 1); k++) x = this.#draw(random);
      return x.map((value) => Math.min(1, Math.max(0, value)));
    });
  }

  #draw(random: Random): number[] {
    const z = this.#widths.map((width) => width * random.normal());
    return this.#mean.map((mean, i) => mean + this.#sigma * this.#basis[i]!.reduce((sum, b, k) => sum + b * z[k]!, 0));
  }

  tell(trials: readonly Trial[]): void {
    const n = this.#n;
    const best = bestFirst(trials).map((i) => trials[i]!.place);
    const old = this.#mean;
    // Steps of the better half, in units of sigma.
    const y = this.#weights.map((_, k) => old.map((mean, i) => (best[k]![i]! - mean) / this.#sigma));
    const step = old.map((_, i) => this.#weights.reduce((sum, w, k) => sum + w * y[k]![i]!, 0));
    this.#mean = old.map((mean, i) => mean + this.#sigma * step[i]!);
    this.#generation++;

    const rest = Math.sqrt(this.#cSigma * (2 - this.#cSigma) * this.#muEff);
    const white = this.#whitened(step);
    for (let i = 0; i < n; i++) this.#pSigma[i] = (1 - this.#cSigma) * this.#pSigma[i]! + rest * white[i]!;
    const length = Math.sqrt(this.#pSigma.reduce((sum, p) => sum + p * p, 0));
    const expected = Math.sqrt(1 - (1 - this.#cSigma) ** (2 * this.#generation));
    const isSteady = length / expected < (1.4 + 2 / (n + 1)) * this.#chiN;
    const gain = isSteady ? Math.sqrt(this.#cc * (2 - this.#cc) * this.#muEff) : 0;
    for (let i = 0; i < n; i++) this.#pc[i] = (1 - this.#cc) * this.#pc[i]! + gain * step[i]!;
    const lost = isSteady ? 0 : this.#cc * (2 - this.#cc);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        const rankMu = this.#weights.reduce((sum, w, k) => sum + w * y[k]![i]! * y[k]![j]!, 0);
        const kept = (1 - this.#c1 - this.#cMu + this.#c1 * lost) * this.#cov[i]![j]!;
        const value = kept + this.#c1 * this.#pc[i]! * this.#pc[j]! + this.#cMu * rankMu;
        this.#cov[i]![j] = value;
        this.#cov[j]![i] = value;
      }
    }
    this.#sigma *= Math.exp(Math.min(1, (this.#cSigma / this.#dSigma) * (length / this.#chiN - 1)));
    this.#decompose();
  }

  /** C^(−1/2) · step. */
  #whitened(step: readonly number[]): number[] {
    const inner = this.#widths.map((width, k) => step.reduce((sum, s, i) => sum + this.#basis[i]![k]! * s, 0) / width);
    return step.map((_, i) => inner.reduce((sum, value, k) => sum + this.#basis[i]![k]! * value, 0));
  }

  #decompose(): void {
    const { values, vectors } = symmetricEigen(this.#cov);
    this.#basis = vectors;
    this.#widths = values.map((value) => Math.sqrt(Math.max(value, 1e-20)));
  }
}
