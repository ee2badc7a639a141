/** The configuration's terms of trade in the words of the simulator: leverage and funding. */
import type { SimulationConfig } from '../../config/model.ts';
import type { FundingSpec, Leverage } from '../../sim/state/terms.ts';

export interface SimTerms {
  readonly leverage: number;
  /** Of every account, by symbol where it differs. */
  readonly leverages: Readonly<Record<string, Leverage>>;
  readonly funding: FundingSpec | null;
}

export function simTerms({ leverage, leverages, funding }: SimulationConfig): SimTerms {
  const { model, everyMs, rate } = funding;
  return { leverage, leverages, funding: model === 'off' ? null : { model, everyMs, rate } };
}
