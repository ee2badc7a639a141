/** The value of all legs together where a price is not known yet. */
import { expect, test } from 'vitest';
import type { OrderEvent } from '../../../../src/index.ts';
import { btc, pushedRig, rig } from '../../../support/engine/engine-kit.ts';

test('after a start, a live order on a symbol without a price stops opens under a limit on all legs', () => {
  const options = { instruments: [btc(0), btc(1, 'ETHUSDT')], risk: { maxNotionalTotal: '800 USDT' } };
  const first = pushedRig({}, options);
  first.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  first.ctx().limit(first.ctx().markets[1]!, 'LONG', 'OPEN', 990, 0.7);
  first.venue.accepted(first.venue.last().seq, 'v-1');
  const refusals: (string | undefined)[] = [];
  const r = rig({ onOrder: (e: OrderEvent) => void refusals.push(e.message) }, options);
  r.kernel.restore(first.kernel.snapshot());
  r.kernel.inbox.start();
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const open = (size: number): number => r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 990, size);
  expect(open(0.1)).toBe(0);
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  expect(refusals).toEqual(['an order or position has a symbol without a price so far']);
  r.kernel.inbox.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  expect([open(0.2), open(0.09)]).toEqual([0, expect.any(Number)]);
  expect(r.venue.last().size).toBe(90);
});
