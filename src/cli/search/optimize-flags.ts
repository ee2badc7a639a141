/** The flags of a search, and those that its study keeps. */
import type { SamplerName } from '../../search/samplers/sampler-docs.ts';
import type { ConfigFlags } from '../shell/cli-context.ts';
import type { ResultFlags } from '../shell/show-result.ts';
import type { SpreadModel } from '../shell/values.ts';

export interface OptimizeFlags extends ConfigFlags, ResultFlags {
  readonly tape: string;
  /** Only of `optimize`: the study whose flags count. */
  readonly resume?: string;
  readonly strategy?: string;
  readonly param?: Readonly<Record<string, string>>;
  readonly symbol?: readonly string[];
  readonly trials?: number;
  readonly by: string;
  readonly sampler: SamplerName;
  readonly constraint?: readonly string[];
  readonly prune?: true;
  readonly study?: string;
  readonly workers?: number;
  readonly redis?: string;
  readonly seed?: number;
  readonly holdout: number;
  readonly everyTick?: true;
  readonly spread?: SpreadModel;
  readonly detail?: string;
  readonly signals?: string;
  readonly from?: number;
  readonly to?: number;
}

/** Flags whose values are paths; a study may be continued from another folder. */
export const PATH_FLAGS = ['tape', 'strategy', 'config', 'detail', 'signals'] as const;

/** Flags that a study keeps: they say what is searched and how often, not where it runs, and not where the result goes. */
export const KEPT_FLAGS = [
  ...PATH_FLAGS,
  ...(['param', 'symbol', 'from', 'to', 'trials', 'by', 'sampler', 'constraint', 'prune', 'holdout', 'seed'] as const),
  ...(['everyTick', 'spread', 'set'] as const),
];
