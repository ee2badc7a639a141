/** The venue's periodic work: once a second of venue time while a leg is open or a trigger order watches the mark. */
import { TICK_MS } from '../matching/fills.ts';
import { fireMarkTriggers } from '../orders/triggers.ts';
import { payFunding } from './funding.ts';
import { liquidate } from './liquidation.ts';
import { followMid } from './mark.ts';
import type { SimState } from '../state/state.ts';

/**
 * Does, in this order: update the slow mids, fire triggers by mark, pay due funding (once for each funding time that has passed), and
 * liquidate accounts below their maintenance margin. Prices between two checks liquidate nothing. A halted instrument is skipped. The next
 * check is at the next whole second. If nothing is watched there is no next check, and the slow mids are reset.
 */
export function check(s: SimState, time: number): void {
  s.now = time;
  const elapsed = time - s.lookedAt;
  s.lookedAt = time;
  const markets = s.markets;
  for (let k = 0; k < markets.length; k++) if (markets[k]!.hasSlowMid && !markets[k]!.isHalted) followMid(markets[k]!, elapsed);
  for (let k = 0; k < markets.length; k++) {
    const { triggerOrders, brackets, isHalted } = markets[k]!;
    if (!isHalted && (triggerOrders.length > 0 || brackets.length > 0)) fireMarkTriggers(s, markets[k]!);
  }
  const funding = s.funding;
  if (funding !== null) {
    for (; s.nextFunding <= time; s.nextFunding = funding.model.after(s.nextFunding)) payFunding(s, funding, s.nextFunding);
  }
  for (let k = 0; k < s.accounts.length; k++) liquidate(s, s.accounts[k]!);
  if (isWatched(s)) s.nextDue = (Math.floor(time / TICK_MS) + 1) * TICK_MS;
  else {
    s.nextDue = Infinity;
    for (const market of s.markets) market.slowMid = 0;
  }
}

/** True if a leg is open or a trigger order watches the mark, as all do in a market without a trade. */
function isWatched(s: SimState): boolean {
  if (s.markPlans > 0) return true;
  for (let k = 0; k < s.accounts.length; k++) if (s.accounts[k]!.active.length > 0) return true;
  return s.markets.some((market) => market.last === 0 && market.triggerOrders.length > 0);
}
