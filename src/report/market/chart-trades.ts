/** The trades around which a chart has the finest bars, those that matter first. */
import type { RoundTrip } from '../trades/trade.ts';
import type { TradeRows } from '../trades/trade-rows.ts';

/** Of the best and of the worst, as the page lists them. */
export const LISTED = 8;
/** The newest, and as many others evenly spread over the run. */
const NEWEST = 30;
const SPREAD = 2_000;

/** More than there is room for: the best and the worst, the newest, then others, evenly spread. */
export function chartTrades({ net, named }: TradeRows): RoundTrip[] {
  const count = net.length;
  const ranked = [...net.keys()].sort((a, b) => net[b]! - net[a]!);
  const newest = Array.from({ length: Math.min(NEWEST, count) }, (_, k) => count - 1 - k);
  const places = new Set([
    ...ranked.slice(0, LISTED),
    ...ranked.slice(-LISTED),
    ...newest,
    ...spread(Math.min(count, SPREAD + NEWEST), count),
  ]);
  const trades = named(places);
  return [...places].map((place) => trades.get(place)!);
}

/**
 * `most` of the places 0 to `count`, so that each beginning of the list is spread over all of them: the golden ratio of the way on, again and again.
 */
function spread(most: number, count: number): number[] {
  const step = (Math.sqrt(5) - 1) / 2;
  return Array.from({ length: most }, (_, k) => Math.floor(((k * step) % 1) * count));
}
