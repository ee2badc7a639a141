/** The order of trades by their ids. */
import type { TradeReport } from '../../domain/report.ts';

/** Compares two trade ids: digits of any length that grow with time. */
export function compareTradeIds(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}

/** Trades from old to new, without duplicates. */
export function inOrder(trades: readonly TradeReport[]): TradeReport[] {
  const sorted = trades.toSorted((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  return sorted.filter((trade, k) => trade.tradeId !== sorted[k + 1]?.tradeId);
}
