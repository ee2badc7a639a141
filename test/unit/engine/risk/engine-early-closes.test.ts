/** Closes of a managed trade that are known before the fills of what they closed. */
import { describe, expect, test } from 'vitest';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { ManagedTrade } from '../../../../src/engine/trades/trade-types.ts';
import { pushedRig, type Rig } from '../../../support/engine/engine-kit.ts';

describe('a close that is told before the fill of what it closed', () => {
  /** Two trades on a leg. The venue's stop of the first closed its 4 lots, and its target 4 more that no fill has shown yet. */
  const ahead = (): Rig & { first: ManagedTrade; second: ManagedTrade; ended: ManagedTrade[] } => {
    const ended: ManagedTrade[] = [];
    const r = pushedRig({ onExit: (trade) => void ended.push(trade) });
    const leg = { market: r.ctx().markets[0]!, side: 'LONG' } as const;
    const fill = (n: number, lots: number, ticks: number): void => {
      r.venue.accepted(n, `v${n}`);
      r.venue.pushedFill(n, lots, ticks);
    };
    const first = r.ctx().enter({ ...leg, size: '0.01', limit: 1000, stopLoss: 990, takeProfit: [{ at: 1010, share: 1 }] })!;
    fill(first.id, 4, 10_000);
    const second = r.ctx().enter({ ...leg, size: '0.005', stopLoss: 900 })!;
    fill(second.id, 5, 10_000);
    r.advance(10);
    r.kernel.inbox.onQuote(0, 10_100, 5_000, 10_102, 5_000);
    const target = r.venue.last();
    expect(target).toMatchObject({ effect: 1, size: 4 });
    r.venue.pushedOwnFill(0, 0, 1, 4, 9_895);
    fill(target.seq, 4, 10_090);
    return { ...r, first, second, ended };
  };

  test('closes that: the fill is awaited, and no other trade loses lots', () => {
    const r = ahead();
    expect([r.first.size, r.second.size]).toEqual([0, 0.005]);
    r.venue.pushedFill(r.first.id, 4, 9_990);
    expect([r.first.entered, r.first.size, r.second.size]).toEqual([0.008, 0, 0.005]);
    expect(r.first.exits).toMatchObject([
      { size: 0.004, why: 'stop-loss' },
      { size: 0.004, price: 1009, why: 'target' },
    ]);
  });

  test('closes lots of others if the order ends without that fill', () => {
    const r = ahead();
    r.ctx().cancel(r.first.id);
    r.venue.pushedEnd(r.first.id, CANCELLED);
    expect(r.ended).toEqual([r.first]);
    expect(r.first.exits).toMatchObject([{ size: 0.004, price: 989.5, why: 'stop-loss' }]);
    expect(r.second).toMatchObject({ size: 0.001, exits: [{ size: 0.004, price: 1009, why: 'target' }] });
  });
});
