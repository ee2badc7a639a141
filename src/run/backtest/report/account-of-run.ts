/** The money of a backtest: the parts of several strategies, the spot profit, and the totals that the simulator counted. */
import { Attribution } from '../../../domain/attribution.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { nameOf, type StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { ReportInputs } from '../../../report/backtest-report.ts';
import { SpotBook } from '../../../report/fills/spot-book.ts';
import type { VenueSim } from '../../../sim/core/venue-core.ts';
import { coinOf } from '../venue/venue-of-run.ts';

/** The parts of several strategies; null for one alone. */
export function attributionFor(
  sim: VenueSim,
  instruments: readonly Instrument[],
  strategies: readonly StrategySetup[],
): Attribution | null {
  if (strategies.length < 2) return null;
  return new Attribution({
    instruments,
    strategies: strategies.map(nameOf),
    coin: coinOf(instruments),
    markOf: (i) => (instruments[i]!.product === 'spot' ? spotPrice(sim, i) : sim.markPrice(i)),
  });
}

/** Price in ticks at which a spot holding is valued. */
function spotPrice(sim: VenueSim, instrument: number): number {
  return sim.bookTicker(instrument)?.bid || sim.markPrice(instrument);
}

/** The spot profit, which is part of the result if a strategy trades spot; otherwise null. */
export function spotBookFor(sim: VenueSim, instruments: readonly Instrument[], traded: ReadonlySet<number>): SpotBook | null {
  if (!instruments.some((one) => one.product === 'spot' && traded.has(one.index))) return null;
  return new SpotBook(instruments, coinOf(instruments), (i) => spotPrice(sim, i));
}

export function spotCash(sim: VenueSim, instruments: readonly Instrument[]): number {
  const coin = coinOf(instruments);
  return sim.balances(0).reduce((sum, one) => (one.coin === coin ? sum + one.free + one.locked : sum), 0);
}

export function totalsOf(
  sim: VenueSim,
  spot: SpotBook | null,
): Pick<ReportInputs, 'realised' | 'unrealised' | 'fees' | 'funding' | 'insurance'> {
  const { realised, unrealised, fees, funding, insurance } = sim.totals(0);
  const cash = { funding, insurance };
  if (spot === null) return { realised, unrealised, fees, ...cash };
  return { realised: realised + spot.realised, unrealised: unrealised + spot.unrealised(), fees: fees + spot.fees, ...cash };
}
