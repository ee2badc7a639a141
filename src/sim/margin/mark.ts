/**
 * The slow mid: a smoothed mid of the book that takes the place of an index price in the mark price (MarketState.mark). It is computed at
 * the venue's checks, and only while a leg is open or a trigger order watches the mark, so market rows cost nothing.
 * Where a bar is one event there is no slow mid: its prices are those of its path, so there is nothing to smooth.
 */
import { mulDivFloor } from '../../domain/amounts/scale.ts';
import { SLOW_UNITS, type MarketState } from '../state/market-state.ts';

/** Time constant in milliseconds. After this long without a check, the slow mid is set to the mid. */
export const SLOW_MS = 30_000;

/**
 * Updates the slow mid at a check `elapsed` milliseconds after the previous one, towards T = 1024 · mid. Without a book it does not change.
 */
export function followMid(market: MarketState, elapsed: number): void {
  const target = market.mid() * SLOW_UNITS;
  if (target !== 0) market.slowMid = slowAfter(market.slowMid, target, elapsed);
}

/** The slow mid `elapsed` after `slow`: T if `slow` is 0 or elapsed ≥ SLOW_MS, else slow ± floor(|T − slow| · elapsed / SLOW_MS) towards T. */
export function slowAfter(slow: number, target: number, elapsed: number): number {
  if (slow === 0 || elapsed >= SLOW_MS) return target;
  if (target > slow) return slow + mulDivFloor(target - slow, elapsed, SLOW_MS);
  return slow - mulDivFloor(slow - target, elapsed, SLOW_MS);
}
