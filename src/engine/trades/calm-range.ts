/**
 * Prices between which a managed trade neither acts nor has seen less or more: most bars lie there, and two comparisons tell so. Known for a
 * trade until it changes.
 */
import { priceOf, ticksOf } from '../../domain/instrument.ts';
import type { HalfSpread } from './exit-prices.ts';
import type { Trade } from './trade.ts';

/** True if nothing of the trade changes in a bar with this range, in ticks, and at a quote inside it. False if that is not known. */
export function isCalm(trade: Trade, low: number, high: number, { below, above }: HalfSpread): boolean {
  if (trade.left <= 0 || trade.state !== 'open') return false;
  const { instrument, sign, calm } = trade;
  if (Number.isNaN(calm.above)) findRange(trade);
  // Closing would get the bid or the ask. On the side of its targets also the price itself stays inside: a trailing stop may be asked there.
  const least = sign > 0 ? low - below : low;
  const most = sign > 0 ? high : high + above;
  return priceOf(least, instrument) > calm.above && priceOf(most, instrument) < calm.below;
}

/** The same for what closing would get now. The range is found by bars alone. */
export function isCalmAt({ calm }: Trade, price: number): boolean {
  return price > calm.above && price < calm.below;
}

function findRange(trade: Trade): void {
  // A break-even stop that is due moves with the next quote.
  if (trade.isBreakEvenDue) return;
  const { saved, sign, instrument, calm } = trade;
  const { best, worst, venueStop, targets } = saved;
  // A bar is compared with a stop or target on the grid, a quote with its price: the nearer of both.
  const toStop = sign > 0 ? 'down' : 'up';
  const toTarget = sign > 0 ? 'up' : 'down';
  const against = sign > 0 ? Math.max : Math.min;
  const onward = sign > 0 ? Math.min : Math.max;
  let far = worst;
  for (const stop of [trade.stopNow, venueStop])
    if (stop > 0) far = against(far, stop, priceOf(ticksOf(stop, instrument, toStop), instrument));
  let near = best;
  for (let k = 0; k < targets.length; k++) {
    if (targets[k]!.resting) continue;
    const at = trade.targetPrice(k);
    near = at > 0 ? onward(near, at, priceOf(ticksOf(at, instrument, toTarget), instrument)) : Number.NaN;
  }
  calm.above = sign > 0 ? far : near;
  calm.below = sign > 0 ? near : far;
}
