/**
 * The slow middle of the book, on which the mark price leans (MarketState.mark): this venue's stand-in for an index price. It is kept
 * only while somebody watches the mark, that is while a leg is open or a plan order waits for the mark, and moves at the
 * venue's looks alone, so a market row costs nothing.
 */
import { mulDivFloor } from '../../domain/scale.ts';
import { SLOW_UNITS, type MarketState } from '../state/market-state.ts';

/** Its time constant: after this long without a look it is the middle itself. */
const SLOW_MS = 30_000;

/**
 * Moves the line's slow middle to a look that comes `elapsed` ms after the one before. With T = 1024 · middle:
 * slow ← T at the first look or when elapsed ≥ SLOW_MS, else slow ± floor(|T − slow| · elapsed / SLOW_MS) towards T.
 * A line without a book keeps what it has.
 */
export function followMid(market: MarketState, elapsed: number): void {
  const target = market.mid() * SLOW_UNITS;
  if (target === 0) return;
  const slow = market.slowMiddle;
  if (slow === 0 || elapsed >= SLOW_MS) market.slowMiddle = target;
  else if (target > slow) market.slowMiddle = slow + mulDivFloor(target - slow, elapsed, SLOW_MS);
  else market.slowMiddle = slow - mulDivFloor(slow - target, elapsed, SLOW_MS);
}
