/** The venue's own work, once a second of its time while somebody has a leg or a plan order that waits for the mark. */
import { TICK_MS } from './fills.ts';
import { fireMarkTriggers } from './fire.ts';
import { fundingAfter, payFunding } from '../state/funding.ts';
import { liquidate } from './liquidation.ts';
import { followMid } from './mark.ts';
import type { SimState } from '../state/state.ts';

/**
 * In this order: the slow middles move, triggers by the mark fire, funding that has come due is paid, once for every moment
 * that has passed, and what cannot carry its maintenance margin is liquidated, account by account. Prices between two looks liquidate
 * nobody. Of an instrument that is halted neither the middle moves nor does a trigger fire. The next look is at the next whole second; with nothing to watch there is none, and the slow middles are forgotten.
 */
export function look(s: SimState, time: number): void {
  s.now = time;
  const elapsed = time - s.lookedAt;
  s.lookedAt = time;
  const markets = s.markets;
  for (let k = 0; k < markets.length; k++) if (!markets[k]!.isSpot && !markets[k]!.isHalted) followMid(markets[k]!, elapsed);
  for (let k = 0; k < markets.length; k++) {
    const { triggerOrders, brackets, isHalted } = markets[k]!;
    if (!isHalted && (triggerOrders.length > 0 || brackets.length > 0)) fireMarkTriggers(s, markets[k]!);
  }
  const terms = s.funding;
  if (terms !== null) {
    for (; s.nextFunding <= time; s.nextFunding = fundingAfter(terms, s.nextFunding)) payFunding(s, terms);
  }
  for (let k = 0; k < s.accounts.length; k++) liquidate(s, s.accounts[k]!);
  if (isWatched(s)) s.nextDue = (Math.floor(time / TICK_MS) + 1) * TICK_MS;
  else {
    s.nextDue = Infinity;
    for (const market of s.markets) market.slowMiddle = 0;
  }
}

/** Whether a leg is open or a plan order waits for the mark, as on a line without a trade all do. */
function isWatched(s: SimState): boolean {
  if (s.markPlans > 0) return true;
  for (let k = 0; k < s.accounts.length; k++) if (s.accounts[k]!.active.length > 0) return true;
  return s.markets.some((market) => market.last === 0 && market.triggerOrders.length > 0);
}
