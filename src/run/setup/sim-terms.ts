/** The simulation section of the configuration as simulator options: leverage, funding, impact, fees and latency. */
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/failure/failure.ts';
import { readDelays, readFundingRates } from '../../config/files/model-files.ts';
import type { SimulationConfig } from '../../config/model.ts';
import type { RecordedRate } from '../../domain/models/funding.ts';
import { FEE_MODELS, type FeeModel } from '../../domain/models/fees.ts';
import type { ImpactTerms } from '../../domain/models/impact.ts';
import { LATENCY_MODELS, type LatencyModel } from '../../domain/models/latency.ts';
import { parseScaled } from '../../domain/amounts/scale.ts';
import { ONE, RATE_DECIMALS } from '../../domain/amounts/units.ts';
import type { LatencySpec } from '../../sim/port/port.ts';
import type { FundingSpec, ImpactSpec, Leverage } from '../../sim/state/terms.ts';

/** How many ended orders (E17) and market trades (E8) a simulated venue keeps for a bot that polls it. */
export const KEPT_FOR_POLLS = { historyLimit: 10_000, keepTrades: 8_192 };
/** Lots of each price of a replayed market, where only prices are known: any order fills. */
export const MANY_LOTS = 1e12;

export interface SimTerms {
  readonly leverage: number;
  /** Leverages of every account by symbol, if they differ from the common one. */
  readonly leverages: Readonly<Record<string, Leverage>>;
  readonly funding: FundingSpec | null;
  readonly impact: ImpactSpec | undefined;
}

/** What was measured on a tape, by symbol. */
export type MeasuredTerms = ReadonlyMap<string, ImpactTerms>;

/** What a tape says of the venue. */
export interface TapeTerms {
  readonly impact: MeasuredTerms | null;
  /** Recorded funding rates, where no file of them is named. */
  readonly funding: () => readonly RecordedRate[];
}

const NO_TAPE: TapeTerms = { impact: null, funding: () => readFundingRates('') };

/**
 * Terms of backtests and of the paper exchange, which has no tape to read or measure. @throws Failure when a file of a model is wrong, or
 * what is to be measured was not
 */
export function simTerms({ leverage, leverages, funding, impact }: SimulationConfig, tape: TapeTerms = NO_TAPE): SimTerms {
  const { model, everyMs, rate } = funding;
  const rates = (): readonly RecordedRate[] => (funding.file === '' ? tape.funding() : readFundingRates(funding.file));
  const recorded = model === 'recorded' ? { recorded: rates() } : {};
  return {
    leverage,
    leverages,
    funding: model === 'off' ? null : { model, everyMs, rate, ...recorded },
    impact: impactSpec(impact, tape.impact),
  };
}

type ImpactConfig = SimulationConfig['impact'];

/** True if a term of the impact is measured on the tape. */
export function isMeasured({ model, coefficient, volatility, turnover }: ImpactConfig): boolean {
  return model !== 'none' && [coefficient, volatility, turnover].includes('tape');
}

function impactSpec(impact: ImpactConfig, measured: MeasuredTerms | null): ImpactSpec | undefined {
  if (impact.model === 'none') return undefined;
  if (isMeasured(impact) && measured === null) {
    throw new Failure('config-invalid', {
      what: 'expected numbers for coefficient, volatility and turnover, found tape: only a backtest can measure them',
      where: 'simulation.impact',
    });
  }
  const termsOf = (found: ImpactTerms): ImpactTerms => ({
    coefficient: impact.coefficient === 'tape' ? found.coefficient : Number(impact.coefficient),
    volatility: impact.volatility === 'tape' ? found.volatility : Number(impact.volatility),
    turnover: impact.turnover === 'tape' ? found.turnover : Number(impact.turnover) * ONE,
  });
  const bySymbol = Object.fromEntries([...(measured ?? [])].map(([symbol, found]) => [symbol, termsOf(found)]));
  // Symbols that were not measured are not traded.
  return { model: impact.model, ...termsOf({ coefficient: 0, volatility: 0, turnover: 1 }), bySymbol };
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
  const { orders, reads } = model === 'measured' ? readDelays(file) : { orders: NO_DELAYS, reads: null };
  const modelOf = (delays: readonly number[]): LatencyModel | null =>
    LATENCY_MODELS[model].make({ jitterMs, spikeMs, spikeChance: Number(spikeChance), delays }, random.fork());
  const common = { upMs, downMs, up: modelOf(orders.up), down: modelOf(orders.down) };
  return reads === null ? common : { ...common, reads: { up: modelOf(reads.up), down: modelOf(reads.down) } };
}

const NO_DELAYS = { up: [], down: [] };

/** Keeps these draws apart from those of the strategies. */
const LATENCY_STREAM = 0x6c61_7465;
