/** While the journal cannot be written only cancels leave: what closes at the venue must not be withdrawn for a close that cannot leave. */
import { expect, test } from 'vitest';
import { CANCEL } from '../../../../src/domain/codes.ts';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { ManagedTrade } from '../../../../src/engine/trades/trade-types.ts';
import { positionReport, pushedRig, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

/** A trade of 10 lots with a resting target for half of it, whose time is up after five seconds; then the journal goes away. */
function outage(): Rig & { trade: ManagedTrade; before: number; target: number } {
  const r = pushedRig();
  const { ctx } = r;
  const fields = { size: '0.01', stopLoss: 990, takeProfit: [{ at: 1010, share: 0.5, resting: true }], maxHoldMs: 5_000 };
  const trade = ctx().enter({ market: ctx().markets[0]!, side: 'LONG', ...fields })!;
  r.venue.accepted(trade.id, 'v-entry');
  r.venue.pushedFill(trade.id, 10, 10_000);
  const target = r.venue.last().seq;
  expect(r.venue.last()).toMatchObject({ effect: 1, price: 10_100, size: 5 });
  r.venue.accepted(target, 'v-target');
  r.kernel.inbox.journalAway(true);
  return { ...r, trade, before: r.venue.commands.length, target };
}

/** Kind, lots and target of the commands since the journal went away. */
const sent = (r: Rig & { before: number }): unknown =>
  r.venue.commands.slice(r.before).map(({ kind, size, target }) => [kind, size, target]);

test('a trade whose time is up keeps its resting targets while no close can leave', () => {
  const r = outage();
  r.advance(20_000);
  expect(r.trade.state).toBe('closing');
  expect(sent(r)).toEqual([]);
});

test('it withdraws them and closes everything once the journal is back', () => {
  const r = outage();
  r.advance(20_000);
  r.kernel.inbox.journalAway(false);
  for (let k = 0; k < 6; k++) {
    settleReads(r, [], [positionReport(0, 10)]);
    r.advance(500);
  }
  expect(sent(r)).toEqual([[CANCEL, 0, r.target]]);
  r.venue.pushedEnd(r.target, CANCELLED);
  expect(r.venue.last()).toMatchObject({ effect: 1, size: 10 });
});

test('an entry that waits is still cancelled, because that needs no journal', () => {
  const r = pushedRig();
  const { ctx } = r;
  const trade = ctx().enter({ market: ctx().markets[0]!, side: 'LONG', size: '0.01', limit: 999, stopLoss: 990 })!;
  r.venue.accepted(trade.id, 'v-entry');
  r.kernel.inbox.journalAway(true);
  trade.close('changed my mind');
  expect(r.venue.last()).toMatchObject({ kind: CANCEL });
});
