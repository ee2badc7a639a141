/** The samplers by name: what each cannot do, and how it is made. */
import { Random } from '../../base/random.ts';
import type { Dimension } from '../space.ts';
import type { SamplerName } from './sampler-docs.ts';
import { cmaEsSampler } from './cma-es.ts';
import { gridSampler } from './grid-sampler.ts';
import { nsga2Sampler } from './nsga2.ts';
import { randomSampler } from './random-sampler.ts';
import type { Sampler } from './sampler.ts';
import { SOBOL_DIMENSIONS, sobolSampler } from './sobol.ts';
import { tpeSampler } from './tpe.ts';

interface SamplerRow {
  /** A reason why this space and number of objectives do not suit it; null if they do. */
  readonly refuses: (space: readonly Dimension[], objectives: number) => string | null;
  readonly make: (space: readonly Dimension[], random: Random) => Sampler;
}

export const SAMPLERS: Readonly<Record<SamplerName, SamplerRow>> = {
  tpe: { refuses: () => null, make: tpeSampler },
  grid: { refuses: () => null, make: gridSampler },
  random: { refuses: () => null, make: randomSampler },
  sobol: {
    refuses: (space) => (space.length > SOBOL_DIMENSIONS ? `at most ${SOBOL_DIMENSIONS} parameters, found ${space.length}` : null),
    make: sobolSampler,
  },
  'cma-es': {
    refuses(space, objectives) {
      const choice = space.find(({ kind }) => kind === 'choice');
      if (choice !== undefined) return `parameters that are numbers, found the choice "${choice.name}"`;
      return objectives === 1 ? null : `one objective, found ${objectives}`;
    },
    make: cmaEsSampler,
  },
  nsga2: { refuses: () => null, make: nsga2Sampler },
};

export function samplerOf(name: SamplerName, space: readonly Dimension[], seed: number): Sampler {
  return SAMPLERS[name].make(space, new Random(seed));
}
