/** Converts the kernel's orders to plain JSON and back. */
import { assert } from '../../../../base/failure/assert.ts';
import { PLACE_TRIGGER } from '../../../../domain/codes.ts';
import { productOf } from '../../../../domain/orders/command-traits.ts';
import { emptyCommand } from '../../../../domain/orders/command.ts';
import { CANCELLING, FILLED, UNKNOWN, WORKING } from '../../../../domain/orders/order.ts';
import type { KernelState } from '../../../state/kernel-state.ts';
import type { EndedReads } from '../../../orders/reads/ended-reads.ts';
import type { Order } from '../../../state/records/order.ts';
import type { SavedOrder } from '../../../state/records/saved.ts';
import type { DurableKernel } from '../part.ts';

/** For a snapshot: orders that are live, or whose fills are not final. */
export function savedOrders(core: KernelState): SavedOrder[] {
  const saved: SavedOrder[] = [];
  for (const list of core.orders.of) {
    for (const order of list.known()) if (order.isAlive || !order.isSettled) saved.push(savedOrder(core, order));
  }
  return saved.sort((a, b) => a.seq - b.seq);
}

export function savedOrder({ ids, instruments }: Pick<KernelState, 'ids' | 'instruments'>, order: Order): SavedOrder {
  return {
    seq: order.seq,
    strategy: order.owner.name,
    // The triggered order is matched again by its properties.
    kind: order.isTriggered ? PLACE_TRIGGER : order.kind,
    symbol: instruments[order.instrument]!.symbol,
    side: order.side,
    effect: order.effect,
    type: order.type,
    price: order.price,
    ...(order.trigger > 0 ? { trigger: order.trigger, triggerBy: order.triggerBy } : {}),
    size: order.size,
    filled: order.filled,
    ...(order.worth > 0 ? { worth: order.worth } : {}),
    ...(order.bookedAt > 0 ? { booked: { fee: order.fee, profit: order.profit, at: order.bookedAt } } : {}),
    force: order.force,
    marginMode: order.marginMode,
    // A cancel that must be repeated is repeated after a restart too.
    state: order.state === WORKING && order.isCancelWanted ? CANCELLING : order.state,
    venueId: order.venueId,
    replaces: order.replaces,
    ...(order.repeats > 0 ? { repeats: order.repeats } : {}),
    clientId: ids.aliasOf(order.seq),
    createdAt: order.createdAt,
    sentAt: order.sentAt,
    ...(order.state === UNKNOWN && order.absent !== null ? { absent: order.absent } : {}),
    ...(order.isAlive ? {} : { endedAt: order.endedAt }),
  };
}

type OrderKeeper = Pick<DurableKernel, 'core' | 'names' | 'endedReads'>;

/** Restores the orders of a snapshot into a new core. Returns those whose symbol is not configured: they are kept untouched. */
export function restoreOrders({ core, names, endedReads }: OrderKeeper, all: readonly SavedOrder[]): SavedOrder[] {
  const unplaced: SavedOrder[] = [];
  for (const saved of all) {
    const instrument = indexOf(core, saved.symbol, saved.kind);
    if (instrument < 0) {
      unplaced.push(saved);
      core.log.error('order-of-unknown-symbol', { seq: saved.seq, symbol: saved.symbol, venueId: saved.venueId });
      continue;
    }
    restoreOrder(core, endedReads, saved, instrument, names.indexOf(saved.strategy));
  }
  return unplaced;
}

/** The instrument of a command, because futures and spot may share a symbol. −1 if there is none. */
export function indexOf(core: KernelState, symbol: string, kind: number): number {
  const product = productOf(kind);
  return core.instruments.findIndex((instrument) => instrument.symbol === symbol && instrument.product === product);
}

function restoreOrder(core: KernelState, endedReads: EndedReads, saved: SavedOrder, instrument: number, strategy: number): void {
  const { orders } = core;
  const { filled, seq, size } = saved;
  assert(seq > 0, 'a kept order has a number', seq);
  assert(seq < core.nextSeq, 'a kept order has a number that was given', seq);
  assert(filled >= 0, 'a kept order has filled at least 0 lots', filled);
  assert(filled <= size, 'a kept order has filled at most its size', filled);
  const { trigger = 0, triggerBy = 0 } = saved;
  const command = { ...emptyCommand(), ...saved, trigger, triggerBy, time: saved.createdAt, instrument };
  const order = orders.add(command, core.contexts[instrument]!, core.owners[strategy] ?? core.nobody, 0);
  if (saved.clientId !== undefined) core.ids.alias(saved.seq, saved.clientId);
  order.state = saved.state;
  order.filled = saved.filled;
  order.delivered = saved.filled;
  order.worth = saved.worth ?? 0;
  if (saved.booked !== undefined) {
    order.fee = saved.booked.fee;
    order.profit = saved.booked.profit;
    order.bookedAt = saved.booked.at;
  }
  order.venueId = saved.venueId;
  order.repeats = saved.repeats ?? 0;
  const replaced = orders.find(saved.replaces);
  if (replaced === null) order.replaces = saved.replaces;
  else order.follows(replaced);
  order.sentAt = saved.sentAt;
  order.absent = saved.absent ?? null;
  if (saved.state < FILLED) return orders.reserve(order, saved.size - saved.filled);
  order.endedAt = saved.endedAt ?? saved.sentAt;
  order.leg.endedAt = Math.max(order.leg.endedAt, order.endedAt);
  order.context.orders.ended();
  orders.doubt(order, order.remaining);
  endedReads.want(order);
}
