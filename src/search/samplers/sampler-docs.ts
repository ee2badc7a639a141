/** The samplers by name, and what each does. */
export const SAMPLER_DOCS = {
  tpe: 'models where good trials lie (Bergstra 2011)',
  grid: 'every combination; ten values of each range without a step',
  random: 'independent random points',
  sobol: 'points that fill the space evenly (Joe & Kuo 2008)',
  'cma-es': 'a normal distribution that adapts (Hansen 2016); numbers only, one objective',
  nsga2: 'a population for several objectives (Deb 2002)',
} as const;

export type SamplerName = keyof typeof SAMPLER_DOCS;
