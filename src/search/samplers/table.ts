/** The samplers by name: what each does, what it cannot do, and how it is made. */
import { Random } from '../../base/random.ts';
import type { Dimension } from '../space.ts';
import { cmaEsSampler } from './cma-es.ts';
import { gridSampler } from './grid.ts';
import { nsga2Sampler } from './nsga2.ts';
import { randomSampler } from './random.ts';
import type { Sampler } from './sampler.ts';
import { SOBOL_DIMENSIONS, sobolSampler } from './sobol.ts';
import { tpeSampler } from './tpe.ts';

interface SamplerRow {
  readonly doc: string;
  /** A reason why this space and number of objectives do not suit it; null if they do. */
  readonly refuses: (space: readonly Dimension[], objectives: number) => string | null;
  readonly make: (space: readonly Dimension[], random: Random) => Sampler;
}

export const SAMPLERS = {
  tpe: { doc: 'models where good trials lie (Bergstra 2011)', refuses: () => null, make: tpeSampler },
  grid: { doc: 'every combination; ten values of each range without a step', refuses: () => null, make: gridSampler },
  random: { doc: 'independent random points', refuses: () => null, make: randomSampler },
  sobol: {
    doc: 'points that fill the space evenly (Joe & Kuo 2008)',
    refuses: (space) => (space.length > SOBOL_DIMENSIONS ? `at most ${SOBOL_DIMENSIONS} parameters, found ${space.length}` : null),
    make: sobolSampler,
  },
  'cma-es': {
    doc: 'a normal distribution that adapts (Hansen 2016); numbers only, one objective',
    refuses(space, objectives) {
      const choice = space.find(({ kind }) => kind === 'choice');
      if (choice !== undefined) return `parameters that are numbers, found the choice "${choice.name}"`;
      return objectives === 1 ? null : `one objective, found ${objectives}`;
    },
    make: cmaEsSampler,
  },
  nsga2: { doc: 'a population for several objectives (Deb 2002)', refuses: () => null, make: nsga2Sampler },
} as const satisfies Readonly<Record<string, SamplerRow>>;

export type SamplerName = keyof typeof SAMPLERS;

export function samplerOf(name: SamplerName, space: readonly Dimension[], seed: number): Sampler {
  return SAMPLERS[name].make(space, new Random(seed));
}
