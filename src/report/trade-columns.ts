/** The closed trades as columns for the metrics. */
import { parseScaled } from '../domain/scale.ts';
import { MONEY_DECIMALS } from '../domain/units.ts';
import type { TradeColumns } from './metrics/facts.ts';
import type { RoundTrip } from './round-trips.ts';

export function tradeColumns(trades: readonly RoundTrip[]): TradeColumns {
  return { net: Float64Array.from(trades, ({ net }) => parseScaled(net, MONEY_DECIMALS)) };
}
