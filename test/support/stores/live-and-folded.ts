/** Compares what a running kernel keeps with what its journal alone gives: a restart must find what the process knew. */
import { isDeepStrictEqual } from 'node:util';
import { isEnded } from '../../../src/domain/orders/order.ts';
import type { KernelSnapshot } from '../../../src/engine/recovery/registry.ts';
import type { SavedOrder } from '../../../src/engine/state/records/saved.ts';

/**
 * Parts whose every change has a record. Not compared: what reads alone have shown (that an order rests, its venue id, fees, what a leg agreed
 * with), which a restart reads again, and what only snapshots have.
 */
export function differences(live: KernelSnapshot, folded: KernelSnapshot): string[] {
  const [a, b] = [journaled(live), journaled(folded)];
  return Object.keys(a)
    .filter((key) => !isDeepStrictEqual(a[key], b[key]))
    .map((key) => `${key} of the journal is not that of the kernel: ${JSON.stringify(b[key])}, not ${JSON.stringify(a[key])}`);
}

function journaled(snapshot: KernelSnapshot): Record<string, unknown> {
  const plain = JSON.parse(JSON.stringify(snapshot)) as KernelSnapshot;
  const { nextSeq, orders, brackets, halts, modes = {}, legs = [], marginSteps, params = {}, explained = [], lostTriggers } = plain;
  const byStrategy = [plain.state, plain.schedules, plain.executions, plain.trades].map((kept = {}) =>
    Object.fromEntries(Object.entries(kept).filter(([, one]) => Object.keys(one).length > 0)),
  );
  return {
    nextSeq,
    orders: Object.fromEntries(orders.map((order) => [order.seq, provenOf(order)])),
    brackets,
    halts,
    modes,
    legs: Object.fromEntries(
      legs.filter(({ total }) => total !== 0).map(({ symbol, side, total, own = 0 }) => [`${symbol} ${side}`, [total, own]]),
    ),
    marginSteps,
    params,
    explained: Object.fromEntries(explained),
    lostTriggers,
    byStrategy,
  };
}

function provenOf({ absent: _a, booked: _b, clientId: _c, sentAt: _s, state, venueId: _v, ...order }: SavedOrder): object {
  return { ...order, how: isEnded(state) ? state : null };
}
