/** The simulation section of the configuration as simulator options: leverage, funding, impact, fees and latency. */
import { Random } from '../../base/random.ts';
import { readDelays, readFundingRates } from '../../config/model-files.ts';
import type { SimulationConfig } from '../../config/model.ts';
import { FEE_MODELS, type FeeModel } from '../../domain/models/fees.ts';
import { LATENCY_MODELS } from '../../domain/models/latency.ts';
import { parseScaled } from '../../domain/scale.ts';
import { ONE, RATE_DECIMALS } from '../../domain/units.ts';
import type { LatencySpec } from '../../sim/port/port.ts';
import type { FundingSpec, ImpactSpec, Leverage } from '../../sim/state/terms.ts';

export interface SimTerms {
  readonly leverage: number;
  /** Leverages of every account by symbol, if they differ from the common one. */
  readonly leverages: Readonly<Record<string, Leverage>>;
  readonly funding: FundingSpec | null;
  readonly impact: ImpactSpec | undefined;
}

/** Terms of backtests and of the paper exchange. @throws Failure when a file of a model is wrong */
export function simTerms({ leverage, leverages, funding, impact }: SimulationConfig): SimTerms {
  const { model, everyMs, rate } = funding;
  const recorded = model === 'recorded' ? { recorded: readFundingRates(funding.file) } : {};
  return {
    leverage,
    leverages,
    funding: model === 'off' ? null : { model, everyMs, rate, ...recorded },
    impact:
      impact.model === 'none'
        ? undefined
        : {
            model: impact.model,
            coefficient: Number(impact.coefficient),
            volatility: Number(impact.volatility),
            turnover: Number(impact.turnover) * ONE,
          },
  };
}

/** Makes the fee model of an account of a backtest. */
export function feeModelOf({ fees }: SimulationConfig): () => FeeModel | null {
  const money = (coins: string): bigint => BigInt(coins) * BigInt(ONE);
  const rate = (text: string): number => parseScaled(text, RATE_DECIMALS);
  const tiers = fees.tiers.map(({ from, maker, taker }) => ({ from: money(from), maker: rate(maker), taker: rate(taker) }));
  const terms = { tiers: tiers.toSorted((a, b) => (a.from < b.from ? -1 : 1)), volume: money(fees.volume) };
  return () => FEE_MODELS[fees.model].make(terms);
}

/** The latency of a backtest. Its draws depend on the seed alone. @throws Failure when the file of delays is wrong */
export function latencyOf({ upMs, downMs, latency }: SimulationConfig, seed: number): LatencySpec {
  const { model, jitterMs, spikeMs, spikeChance, file } = latency;
  const random = new Random(seed ^ LATENCY_STREAM);
  const delays = model === 'measured' ? readDelays(file) : [];
  const terms = { jitterMs, spikeMs, spikeChance: Number(spikeChance), delays };
  const { make } = LATENCY_MODELS[model];
  return { upMs, downMs, up: make(terms, random.fork()), down: make(terms, random.fork()) };
}

/** Keeps these draws apart from those of the strategies. */
const LATENCY_STREAM = 0x6c61_7465;
