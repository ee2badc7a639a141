/**
 * The slow mid: a smoothed mid of the book that takes the place of an index price in the mark price (MarketState.mark). It is computed at
 * the venue's looks, and only while a leg is open or a trigger order watches the mark, so market rows cost nothing.
 */
import { mulDivFloor } from '../../domain/scale.ts';
import { SLOW_UNITS, type MarketState } from '../state/market-state.ts';

/** Time constant in milliseconds. After this long without a look, the slow mid is set to the mid. */
export const SLOW_MS = 30_000;

/**
 * Updates the slow mid at a look `elapsed` milliseconds after the previous one. With T = 1024 · mid: slow ← T at the first look or if
 * elapsed ≥ SLOW_MS, else slow ± floor(|T − slow| · elapsed / SLOW_MS) towards T. Without a book it does not change.
 */
export function followMid(market: MarketState, elapsed: number): void {
  const target = market.mid() * SLOW_UNITS;
  if (target === 0) return;
  const slow = market.slowMiddle;
  // mutant: the slow mid price is the mid price
  if (slow === 0 || elapsed >= SLOW_MS) market.slowMiddle = target;
  else if (target > slow) market.slowMiddle = slow + mulDivFloor(target - slow, elapsed, SLOW_MS);
  // mutant: the slow mid price falls twice as fast
  else market.slowMiddle = slow - mulDivFloor(slow - target, elapsed, SLOW_MS);
}
