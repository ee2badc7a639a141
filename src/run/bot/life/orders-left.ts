/** Lists the orders that are still open at the venue when the bot ends, and reports them. */
import type { ClientIds } from '../../../domain/orders/client-ids.ts';
import { ORDER_STATES } from '../../../domain/orders/order.ts';
import type { SavedOrder } from '../../../engine/state/records/saved.ts';
import type { Log } from '../../../ports/log.ts';

/** An order that is or may be open at the venue when the bot ends. */
export interface OrderLeft {
  readonly symbol: string;
  readonly clientId: string;
  /** "" if unknown. */
  readonly venueId: string;
  /** Local state, for example "working", or "unknown" for an unknown outcome. */
  readonly state: string;
  readonly strategy: string;
}

export function ordersLeft(orders: readonly SavedOrder[], ids: Pick<ClientIds, 'idOf'>): readonly OrderLeft[] {
  return orders.map(({ symbol, seq, venueId, state, strategy }) => ({
    symbol,
    clientId: ids.idOf(seq),
    venueId,
    state: ORDER_STATES[state] ?? 'unknown',
    strategy,
  }));
}

/** Logs one line per order and one summary line. */
export function reportOrdersLeft(left: readonly OrderLeft[], log: Log): void {
  if (left.length === 0) return;
  for (const order of left) log.warn('order-left', { ...order });
  const symbols = [...new Set(left.map(({ symbol }) => symbol))].join(', ');
  log.error('orders-left', {
    orders: left.length,
    symbols,
    hint: 'start the bot again so that it manages them, or cancel them at the venue',
  });
}
