/** What a restart knows of orders without a name of ours: which lots have explained changes, and which orders are of another party. */
import { expect, test } from 'vitest';
import { ForeignFillLedger, type SavedForeignFills } from '../../../../src/engine/state/orders/foreign-fill-ledger.ts';
import { orderReport, polledRig } from '../../../support/engine/engine-kit.ts';

/** A record of an order of another party: 10 lots. */
function theirs(venueId: string) {
  const r = polledRig();
  r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', reason: 'test' });
  return orderReport(r.venue.last(), 'filled', { venueId, clientId: '' });
}

const ledger = (saved: SavedForeignFills = []): ForeignFillLedger => {
  const made = new ForeignFillLedger({ now: 0, journal: { note: () => undefined } });
  made.restore(saved);
  return made;
};
/** The same after a crash: what the snapshot has. */
const later = (before: ForeignFillLedger): ForeignFillLedger => ledger(before.saved);

test('many orders of others that explained nothing push none out whose lots explained a change', () => {
  const report = theirs('f');
  const live = ledger();
  live.add(report, 10);
  for (let n = 0; n < 5_000; n++) live.ofOthers(`o${n}`);
  expect([live.restOf(report), later(live).restOf(report)]).toEqual([0, 0]);
});

test('many orders that explained lots push none out that is known to be of others', () => {
  const report = theirs('f');
  const live = ledger();
  live.ofOthers('o');
  for (let n = 0; n < 5_000; n++) live.add({ ...report, venueId: `f${n}` }, 1);
  expect([live.isDecided('o'), later(live).isDecided('o')]).toEqual([true, true]);
});

test('an order of others that explains lots later has explained them after a crash too', () => {
  const report = theirs('o');
  const live = ledger();
  live.ofOthers('o');
  live.add(report, 4);
  expect([live.restOf(report), later(live).restOf(report)]).toEqual([6, 6]);
  expect(live.saved.length).toBe(1);
});

test('an order that is still shown stays in the snapshot, however many are decided after it', () => {
  const live = ledger();
  live.ofOthers('o');
  for (let n = 0; n < 5_000; n++) {
    live.shown('o');
    live.ofOthers(`o${n}`);
  }
  expect(later(live).isDecided('o')).toBe(true);
});

test('to ask whether an order is decided keeps nothing', () => {
  const live = ledger();
  live.ofOthers('a');
  live.ofOthers('b');
  const before = live.saved;
  live.isDecided('a');
  live.isDecided('c');
  expect(live.saved).toEqual(before);
});
