/**
 * Decides whether reads of orders and positions are urgent because an exit is undecided. Urgent reads do not wait for the whole pause that
 * the venue asked for.
 */
import { CLOSE, MARKET, PLACE_SPOT } from '../../domain/codes.ts';
import { CANCELLING, UNKNOWN, WORKING } from '../../domain/orders/order.ts';
import type { Order } from '../state/orders/orders.ts';
import type { Core } from '../state/core.ts';
import type { Orders } from '../state/orders/orders.ts';
import type { Halts } from '../state/halts.ts';
import type { InFlight } from '../state/orders/in-flight.ts';

/** The shared state that this file uses. */
export interface OpenExitsCore extends Core {
  readonly orders: Orders;
  readonly halts: Halts;
  readonly inFlight: InFlight;
}

/** True while a leg is being flattened, or the outcome of a close or a cancel depends on a read. */
export function hasOpenExit(core: OpenExitsCore): boolean {
  if (core.halts.all().some(({ code }) => code === 'flatten')) return true;
  return core.orders.of.some((list) => list.live > 0 && list.known().some((order) => isUndecided(core, order)));
}

function isUndecided(core: OpenExitsCore, order: Order): boolean {
  const { effect, isCancelWanted, kind, seq, state, type } = order;
  // No endpoint shows a spot order.
  if (kind === PLACE_SPOT) return false;
  if (state === UNKNOWN) return isCancelWanted || effect === CLOSE;
  if (state === CANCELLING) return !core.inFlight.concerns(seq);
  return state === WORKING && (isCancelWanted || (effect === CLOSE && type === MARKET));
}
