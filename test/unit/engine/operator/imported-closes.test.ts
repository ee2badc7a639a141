/** What the bot makes of closes that its watchdog sent while it was silent: own orders, whose outcome the venue's records prove. */
import { expect, it } from 'vitest';
import { CLOSE, LONG, MARKET } from '../../../../src/domain/codes.ts';
import { emptyCommand, watchdogClientId } from '../../../../src/domain/orders/command.ts';
import type { WatchdogClose } from '../../../../src/domain/messages/watchdog.ts';
import { EMPTY_SNAPSHOT, foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { orderReport, positionReport, restarted, settleReads, type Rig } from '../../../support/engine/engine-kit.ts';

const clientId = watchdogClientId({ bot: 'tw', epoch: 1 }, 0, 1);
const CLOSED: WatchdogClose = { clientId, symbol: 'BTCUSDT', side: LONG, size: 20, time: 5 };
const LEGS = [{ symbol: 'BTCUSDT', side: 0, total: 25, own: 20, provenAt: 0 }];
const RECORD = orderReport({ ...emptyCommand(), effect: CLOSE, type: MARKET, size: 20 }, 'filled', {
  clientId,
  averagePrice: 1_000,
  venueId: 'v9',
});

const holding = (): Rig => restarted({ ...EMPTY_SNAPSHOT, legs: LEGS }, 25);
const take = (r: Rig, closes = [CLOSED]) => r.kernel.inbox.operate({ name: 'import-closes', closes, by: 'watchdog', why: '' });

function shows(r: Rig, records: (typeof RECORD)[], lots: number, ms = 3_000): void {
  for (let k = 0; k < ms; k += 100) {
    r.advance(100);
    settleReads(r, records, [positionReport(0, lots, { updatedAt: r.clock.time })]);
  }
}

it('a close that landed is booked as an own order of nobody, and nothing is sent again', () => {
  const r = holding();
  expect(take(r)).toMatchObject({ ok: true, orders: [1], did: ['taken over from the watchdog: a close of 0.020 BTCUSDT as order 1'] });
  const commands = r.venue.commands.length;
  shows(r, [RECORD], 5);
  expect(r.kernel.namedLegs()).toEqual([]);
  expect(r.records.filter(({ kind }) => kind === 'fill')).toMatchObject([{ seq: 1, data: { lots: 20 } }]);
  expect(r.records.find(({ kind }) => kind === 'command')).toMatchObject({ data: { effect: CLOSE, size: 20, strategy: '' } });
  expect(r.venue.commands).toHaveLength(commands);
  expect(r.log.events().filter((event) => ['external', 'journal-rollback', 'split-brain'].includes(event))).toEqual([]);
  expect(r.kernel.halts()).toEqual([]);
});

it('one that nothing shows counts as not landed after the horizon, and halts its symbol until then', () => {
  const r = holding();
  take(r);
  shows(r, [], 25, 5_000);
  expect(r.kernel.halts()).toMatchObject([{ scope: 'symbol:BTCUSDT', code: 'outcome-unknown' }]);
  shows(r, [], 25, 120_000);
  expect([r.kernel.halts(), r.kernel.namedLegs()]).toMatchObject([[], [{ own: 20, total: 25 }]]);
});

it('taking it over twice does no harm, and a symbol that is not configured is named', () => {
  const r = holding();
  take(r);
  const other = { ...CLOSED, clientId: watchdogClientId({ bot: 'tw', epoch: 1 }, 2, 1), symbol: 'OLDUSDT' };
  expect(take(r, [CLOSED, other])).toMatchObject({
    orders: [],
    did: [`not taken over, because OLDUSDT is not configured: ${other.clientId}`],
  });
});

it('a kill -9 right after that loses nothing: the journal has the order with its client id', () => {
  const first = holding();
  const from = first.records.length;
  take(first);
  const snapshot = foldRecords({ ...EMPTY_SNAPSHOT, legs: LEGS }, first.records.slice(from));
  expect(snapshot.orders).toMatchObject([{ seq: 1, clientId, effect: CLOSE, size: 20 }]);
  const r = restarted(snapshot, 5);
  shows(r, [RECORD], 5);
  expect(r.kernel.namedLegs()).toEqual([]);
  expect(take(r)).toMatchObject({ did: ['there was nothing to take over'] });
  expect(r.log.events()).not.toContain('external');
});
