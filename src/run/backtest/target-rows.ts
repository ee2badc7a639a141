/**
 * Adds quotes between two points of a bar's path, at the prices at which the bot itself closes a share of a managed trade. Without them
 * the bot would see only the point beyond such a price, and close there.
 */
import { LONG, SHORT } from '../../domain/codes.ts';
import type { TradesOnBars } from '../../engine/trades/on-bars.ts';
import type { MarketState } from '../../sim/state/market-state.ts';

/** The first bid between the one now and `bid` at which such a price is reached; `bid` if there is none. */
export function bidAtTarget(trades: TradesOnBars, { index, bid: now, ask }: MarketState, bid: number): number {
  const targets: number[] = [];
  trades.targets(index, bid > now ? LONG : SHORT, targets);
  if (bid > now) return Math.min(bid, ...targets.filter((ticks) => ticks > now));
  const spread = ask - now;
  return Math.max(bid, ...targets.map((ticks) => ticks - spread).filter((ticks) => ticks < now));
}

/** The bid around a price of the path, with the spread of the quote now. */
export function bidAround({ bid, ask }: MarketState, price: number): number {
  return Math.max(1, price - Math.floor((ask - bid) / 2));
}
