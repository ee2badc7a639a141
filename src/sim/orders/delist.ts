/** Ends the trading of an instrument: the venue cancels its orders and closes its positions. */
import { CLOSE } from '../../domain/codes.ts';
import { CANCELLED } from '../../domain/orders/order.ts';
import type { Leg } from '../state/account.ts';
import { FUTURES } from '../state/kinds.ts';
import type { SimState } from '../state/state.ts';
import { claim, create } from './create.ts';
import { fill, finish, TAKES } from '../matching/fills.ts';
import { withdraw } from './place.ts';

/**
 * Cancels all orders of instrument `i`, in order of their numbers, then closes all positions in it, as taker at the opposite quote regardless
 * of the displayed size, or at the mark without a book.
 */
export function delist(s: SimState, i: number, time: number): void {
  s.now = time;
  const market = s.markets[i]!;
  const orders = [...market.buys.list(), ...market.sells.list(), ...market.triggerOrders].sort((x, y) => x.no - y.no);
  for (const order of orders) {
    withdraw(s, order);
    finish(s, order, CANCELLED);
  }
  if (market.isSpot) return;
  for (const { pairs } of s.accounts) for (const leg of [pairs[i]!.long, pairs[i]!.short]) if (leg.total > 0) close(s, leg);
}

function close(s: SimState, leg: Leg): void {
  const order = create(s, leg, FUTURES, leg.side, CLOSE, 0, leg.total, 0);
  order.isByVenue = true;
  claim(s, order, leg.pair.isIsolated);
  s.ledger?.order(order.no);
  fill(s, order, leg.market.reference(order.isSell), leg.total, TAKES);
}
