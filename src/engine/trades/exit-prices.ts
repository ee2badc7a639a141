/** The prices of a bar's path at which managed trades act by themselves: their stops, and targets for which no order rests. */
import { ticksOf } from '../../domain/instrument.ts';
import type { Trade } from './trade.ts';

/** Bid and ask are so many ticks below and above the price of the path. */
export interface HalfSpread {
  readonly below: number;
  readonly above: number;
}

/** The first price from `from` to `to` at which one of the trades acts; NaN for none. */
export function nextPrice(trades: readonly Trade[], from: number, to: number, spread: HalfSpread): number {
  let found = Number.NaN;
  const sign = to < from ? -1 : 1;
  const take = (price: number): void => {
    if (!((to - price) * sign >= 0)) return;
    if (Number.isNaN(found) || (found - price) * sign > 0) found = price;
  };
  for (const trade of trades) {
    if (trade.left <= 0 || trade.state !== 'open') continue;
    const { sign: leg } = trade;
    // A stop is reached by a move against the leg, or now; a target by one for it, or now.
    const stop = stopPrice(trade, spread);
    if (stop > 0 && (leg * (from - stop) <= 0 || leg !== sign)) take(leg * (from - stop) <= 0 ? from : stop);
    for (const target of targetPrices(trade, spread)) {
      if (leg * (from - target) >= 0 || leg === sign) take(leg * (from - target) >= 0 ? from : target);
    }
  }
  return found;
}

/** All of them, in no order. */
export function pricesOf(trade: Trade, spread: HalfSpread): number[] {
  const stop = stopPrice(trade, spread);
  return [...(stop > 0 ? [stop] : []), ...targetPrices(trade, spread)];
}

/** True if the trade acts at no price of the range, whatever comes first in it. */
export function isQuiet(trade: Trade, low: number, high: number, spread: HalfSpread): boolean {
  // What holds nothing waits for its orders.
  if (trade.left <= 0) return true;
  if (trade.state !== 'open') return false;
  const isLong = trade.sign > 0;
  const stop = stopPrice(trade, spread);
  if (stop > 0 && (isLong ? low <= stop : high >= stop)) return false;
  if (canTrail(trade, low, high, spread)) return false;
  return targetPrices(trade, spread).every((target) => (isLong ? high < target : low > target));
}

/** True if a stop that moves, once the path has been at one end of the range, could be reached before the other end. */
export function canTrail(trade: Trade, low: number, high: number, { below, above }: HalfSpread): boolean {
  const { instrument, sign, saved } = trade;
  if (saved.trailing === null && saved.breakEven === null) return false;
  const stop = trade.stopAfter(trade.priceOf(sign > 0 ? high : low));
  if (!(stop > 0)) return false;
  return sign > 0 ? ticksOf(stop, instrument, 'down') + below >= low : ticksOf(stop, instrument, 'up') - above <= high;
}

/** Where the nearest stop is reached by what closing would get; 0 for none. */
export function stopPrice(trade: Trade, { below, above }: HalfSpread): number {
  const { instrument, stopNow, sign, saved } = trade;
  // While targets rest, their size is locked and the venue's stop may leave it: the bot closes it there.
  const locked = saved.venueStop > 0 && trade.hasRestingExits ? saved.venueStop : 0;
  const price = stopNow > 0 && locked > 0 ? (sign > 0 ? Math.max(stopNow, locked) : Math.min(stopNow, locked)) : stopNow || locked;
  if (!(price > 0)) return 0;
  return sign > 0 ? ticksOf(price, instrument, 'down') + below : ticksOf(price, instrument, 'up') - above;
}

/** Where its targets that do not rest act. */
export function targetPrices(trade: Trade, { below, above }: HalfSpread): number[] {
  const { instrument, sign, saved } = trade;
  return saved.targets.flatMap((_target, k) => {
    const at = trade.targetPrice(k);
    if (!trade.awaits(k) || !(at > 0)) return [];
    return sign > 0 ? ticksOf(at, instrument, 'up') + below : ticksOf(at, instrument, 'down') - above;
  });
}
