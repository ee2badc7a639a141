/** The flags of a search. */
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
  readonly from?: number;
  readonly to?: number;
}
