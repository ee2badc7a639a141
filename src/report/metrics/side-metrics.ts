/** The metrics that trades alone decide, of the long trades (spot trades among them) and of the short ones. */
import { columnWhere } from '../../statistics/samples/columns.ts';
import type { MetricFacts, TradeColumns } from './facts.ts';
import { HOLDING_METRICS } from './holding-metrics.ts';
import { resultsOf, type MetricKey } from './metrics.ts';
import type { MetricResults } from './results.ts';
import { TRADE_METRICS } from './trade-metrics.ts';

/** Of one side already. */
const ONE_SIDED: readonly string[] = ['longWinRate', 'shortWinRate', 'longNet', 'shortNet'];

/** In the order in which they are shown. */
export const SIDE_METRICS = ['grossProfit', 'grossLoss', ...Object.keys(TRADE_METRICS), ...Object.keys(HOLDING_METRICS)].filter(
  (key) => !ONE_SIDED.includes(key),
) as readonly MetricKey[];

export function sideMetrics(facts: MetricFacts): Readonly<Record<'long' | 'short', MetricResults>> {
  const of = (side: 1 | -1): MetricResults => resultsOf({ ...facts, trades: tradesOf(facts.trades, side) }, SIDE_METRICS);
  return { long: of(1), short: of(-1) };
}

function tradesOf({ net, side, heldMs, mae, mfe }: TradeColumns, wanted: 1 | -1): TradeColumns {
  const own = (column: typeof net): typeof net => columnWhere(column, (by) => by === wanted, side);
  return { net: own(net), side: own(side), heldMs: own(heldMs), mae: own(mae), mfe: own(mfe) };
}
