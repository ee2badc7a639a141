/** Builds the funding model from the terms of the simulator. */
import { assert } from '../../base/failure/assert.ts';
import { FUNDING_MAX } from '../../domain/instrument.ts';
import { FUNDING_MODELS, type FundingModel } from '../../domain/models/funding.ts';
import { parseScaled } from '../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../domain/amounts/units.ts';
import type { FundingSpec } from './terms.ts';

export interface Funding {
  readonly model: FundingModel;
  /** 10^-8, of instruments without a rate of their own. */
  readonly rate: number;
}

/** null for no funding. @throws AssertionError | ScaleError when the terms are not sound */
export function fundingOfSpec({ everyMs, model, rate: text, recorded = [] }: FundingSpec): Funding | null {
  assert(Number.isInteger(everyMs) && everyMs >= 1_000 && everyMs % 1_000 === 0, 'funding.everyMs is a whole number of seconds');
  const rate = parseScaled(text, RATE_DECIMALS);
  assert(Math.abs(rate) <= FUNDING_MAX, 'a funding rate is at most 0.0075 either way');
  const made = FUNDING_MODELS[model].make({ everyMs, recorded });
  return made === null ? null : { model: made, rate };
}
