/** The configuration of a run, as its report shows it. */
import { limitFor } from '../../../config/model.ts';
import { tradedName, type Instrument } from '../../../domain/instrument.ts';
import { formatScaledShort } from '../../../domain/amounts/scale.ts';
import { RATE_DECIMALS } from '../../../domain/amounts/units.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import { shownParams } from '../../setup/strategy/shown-params.ts';

export function configOf(
  options: BacktestOptions,
  strategies: readonly StrategySetup[],
  instruments: readonly Instrument[],
): Record<string, unknown> {
  const { config } = options;
  return {
    strategies: strategies.map(({ name, strategy, params, instruments: traded }) => ({
      name,
      params: shownParams(strategy, params),
      symbols: traded.map((i) => tradedName(instruments[i]!)),
    })),
    everyTick: options.everyTick,
    speed: options.speed,
    seed: options.seed,
    simulation: config.simulation,
    poll: config.poll,
    risk: config.risk,
    ordersPerSecond: limitFor(config.limits, 'order'),
    instruments: instruments.map((i) => ({
      symbol: i.symbol,
      product: i.product,
      tickSize: i.tickSize,
      lotSize: i.lotSize,
      makerFeeRate: formatScaledShort(i.makerFeeRate, RATE_DECIMALS),
      takerFeeRate: formatScaledShort(i.takerFeeRate, RATE_DECIMALS),
    })),
  };
}
