/** The kernel's belief as plain JSON and back: live orders, halts, numbers, what strategies keep. */
import { emptyCommand } from '../domain/command.ts';
import { FILLED } from '../domain/order.ts';
import type { Core } from './core.ts';
import type { KernelSnapshot, SavedOrder } from './options.ts';

/** Live orders as a snapshot keeps them. */
export function savedOrders(core: Core, names: readonly string[]): SavedOrder[] {
  const { orders, instruments } = core;
  const saved: SavedOrder[] = [];
  for (let i = 0; i < orders.head.length; i++) {
    for (let slot = orders.head[i]!; slot >= 0; slot = orders.next[slot]!) {
      if (!orders.isLive(slot) || orders.seq[slot] === 0) continue;
      saved.push({
        seq: orders.seq[slot]!,
        strategy: names[orders.strategy[slot]!] ?? '',
        kind: orders.kind[slot]!,
        symbol: instruments[i]!.symbol,
        side: orders.side[slot]!,
        effect: orders.effect[slot]!,
        type: orders.type[slot]!,
        price: orders.price[slot]!,
        size: orders.size[slot]!,
        filled: orders.filled[slot]!,
        postOnly: orders.postOnly[slot]!,
        marginMode: orders.marginMode[slot]!,
        state: orders.state[slot]!,
        venueId: orders.venueId[slot]!,
        replaces: orders.replaces[slot]!,
        createdAt: orders.createdAt[slot]!,
        sentAt: orders.sentAt[slot]!,
      });
    }
  }
  return saved.sort((a, b) => a.seq - b.seq);
}

/** Puts the orders and halts of a snapshot into a new core. Returns those whose symbol is not known here: they are kept, not touched. */
export function restoreOrders(core: Core, snapshot: KernelSnapshot, names: readonly string[]): SavedOrder[] {
  const bySymbol = new Map(core.instruments.map((instrument) => [instrument.symbol, instrument.index as number]));
  const unplaced: SavedOrder[] = [];
  core.nextSeq = Math.max(core.nextSeq, snapshot.nextSeq);
  for (const saved of snapshot.orders) {
    const instrument = bySymbol.get(saved.symbol);
    if (instrument === undefined) {
      unplaced.push(saved);
      core.log.error('order-of-unknown-symbol', { seq: saved.seq, symbol: saved.symbol, venueId: saved.venueId });
      continue;
    }
    if (saved.state < FILLED) restoreOrder(core, saved, instrument, names.indexOf(saved.strategy));
  }
  for (const halt of snapshot.halts) {
    const instrument = bySymbol.get(halt.symbol);
    if (instrument !== undefined) core.standing.halt(instrument, halt.seq, halt.why);
  }
  return unplaced;
}

function restoreOrder(core: Core, saved: SavedOrder, instrument: number, strategy: number): void {
  const { orders } = core;
  const command = { ...emptyCommand(), ...saved, time: saved.createdAt, instrument };
  const slot = orders.add(command, strategy);
  orders.state[slot] = saved.state;
  orders.filled[slot] = saved.filled;
  orders.venueId[slot] = saved.venueId;
  orders.replaces[slot] = saved.replaces;
  orders.sentAt[slot] = saved.sentAt;
  orders.reserve(slot, saved.size - saved.filled);
}
