/** Managed trades that end without an event of their orders. */
import { expect, test } from 'vitest';
import { orderReport, polledRig, settleReads } from '../../../support/engine/engine-kit.ts';

test('a trade ends when its entry has ended, also if a read proves only later that nothing filled', () => {
  const exits: unknown[] = [];
  const r = polledRig({ onExit: ({ exits: all }) => exits.push(all.length) });
  const trade = r.ctx().enter({ market: r.ctx().markets[0]!, side: 'LONG', size: '0.010', limit: 900, stopLoss: 880 })!;
  const command = r.venue.last();
  r.venue.accepted(trade.id, 'v1');
  r.kernel.inbox.operate({ name: 'cancel-all', scope: '', by: 'ann', why: '' });
  r.venue.accepted(r.venue.last().seq, 'v1');
  const ended = orderReport(command, 'cancelled', { updatedAt: r.clock.time });
  expect(trade.state).toBe('entering');
  for (let k = 0; k < 30 && exits.length === 0; k++) {
    settleReads(r, [ended], []);
    r.advance(500);
  }
  expect([exits, r.ctx().trades()]).toEqual([[0], []]);
});
