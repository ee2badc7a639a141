/** Leverage and funding of the configuration as simulator options. */
import type { SimulationConfig } from '../../config/model.ts';
import type { FundingSpec, Leverage } from '../../sim/state/terms.ts';

export interface SimTerms {
  readonly leverage: number;
  /** Leverages of every account by symbol, if they differ from the common one. */
  readonly leverages: Readonly<Record<string, Leverage>>;
  readonly funding: FundingSpec | null;
}

export function simTerms({ leverage, leverages, funding }: SimulationConfig): SimTerms {
  const { model, everyMs, rate } = funding;
  return { leverage, leverages, funding: model === 'off' ? null : { model, everyMs, rate } };
}
