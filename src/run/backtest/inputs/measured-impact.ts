/** Measures on the tape the terms of the impact model that the configuration does not state. */
import { reachOf } from '../../../engine/strategy/definition/universe.ts';
import { Failure } from '../../../base/failure/failure.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import { measureImpact, type MeasuredImpact } from '../../market/measure-impact.ts';
import type { Tape } from '../../../tape/tape.ts';
import type { RunInstruments } from '../../setup/instruments/instruments.ts';
import type { BacktestOptions } from '../../setup/options.ts';
import { isMeasured } from '../../setup/sim-terms.ts';

interface Parts {
  readonly options: BacktestOptions;
  readonly market: RunInstruments;
  readonly strategies: readonly StrategySetup[];
  /** Opens the tape on the grids of the instruments. */
  readonly opened: () => Tape;
}

/** By symbol, from one pass over the whole tape; null if nothing is to be measured. @throws Failure if the tape has too little of a traded symbol */
export function measuredImpact({ options, market, strategies, opened }: Parts): ReadonlyMap<string, MeasuredImpact> | null {
  if (!isMeasured(options.config.simulation.impact)) return null;
  const { instruments } = market;
  const found = measureImpact(
    opened(),
    (name) => instruments.find(({ symbol, product }) => symbol === name && product === 'futures')?.unitValue,
  );
  const traded = [...new Set(strategies.flatMap((one) => reachOf(one).map((k) => instruments[k]!.symbol)))];
  const missing = traded.filter((symbol) => !found.has(symbol));
  if (missing.length === 0) return new Map(traded.map((symbol) => [symbol, found.get(symbol)!]));
  throw new Failure('config-invalid', {
    what: `expected prices and trades of at least ten seconds to measure the impact of ${missing.join(', ')}, found less on the tape`,
    where: 'simulation.impact',
    hint: 'state coefficient, volatility and turnover as numbers',
  });
}
