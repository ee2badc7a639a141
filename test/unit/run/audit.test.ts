/** The comparison of a recording with a ledger: what agrees, what differs, and what the recording cannot have. */
import { expect, it } from 'vitest';
import { PLACE, PLACE_TRIGGER } from '../../../src/domain/codes.ts';
import { CANCELLED, FILLED, REJECTED, REPLACED } from '../../../src/domain/orders/order.ts';
import type { LedgerLine } from '../../../src/edge/file/ledger/read-ledger.ts';
import { compare, type OwnSide } from '../../../src/run/live/audit/audit.ts';
import { OwnOrders, type OwnOrder } from '../../../src/run/live/audit/own-orders.ts';
import { VenueOrders } from '../../../src/run/live/audit/venue-orders.ts';
import { btc } from '../../support/engine/engine-kit.ts';

/** A limit order for 10 lots at 600,000 ticks that filled, as both sides have it. */
const OWN: OwnOrder = {
  seq: 1,
  at: 1000,
  kind: PLACE,
  instrument: 0,
  side: 0,
  effect: 0,
  type: 0,
  price: 600_000,
  size: 10,
  trigger: 0,
  bracket: [0, 0],
  outcome: 'accepted',
  lots: 10,
  worth: 6_000_000,
  money: { fee: 5, profit: 0 },
  ended: FILLED,
  isLost: false,
};
const order = (given: object = {}): LedgerLine => ({
  kind: 'order',
  request: 1,
  order: {
    no: 1,
    account: 'a',
    instrument: 0,
    side: 0,
    effect: 0,
    type: 0,
    price: 600_000,
    size: 10,
    trigger: 0,
    takeProfit: 0,
    stopLoss: 0,
    byVenue: false,
    parent: 0,
    createdAt: 1000,
    orderId: 'fu-1',
    clientOid: 'bot-1-1',
    ...given,
  },
});
const fill = (given: object = {}): LedgerLine => ({
  kind: 'fill',
  fill: {
    fillNo: 1,
    orderNo: 1,
    account: 'a',
    time: 1500,
    instrument: 0,
    side: 0,
    effect: 0,
    price: 600_000,
    size: 10,
    fee: 5,
    liquidity: 0,
    realised: 0,
    ...given,
  },
});
const end = (how: number, orderNo = 1): LedgerLine => ({ kind: 'end', request: 0, orderNo, how });
const cash = (amount: number, why: string): LedgerLine => ({
  kind: 'cash',
  account: 'a',
  wallet: 'futures',
  coin: 'USDT',
  amount,
  why,
  orderNo: 0,
});

function found(lines: readonly LedgerLine[], given: Partial<OwnSide> = {}): string[] {
  const venue = new VenueOrders('a');
  for (const [k, line] of lines.entries()) venue.take({ ...line, n: k + 1 });
  const own: OwnSide = {
    bot: 'bot',
    instruments: [btc()],
    orders: new Map([['bot-1-1', OWN]]),
    exits: new Map(),
    legs: new Map([[0, 10]]),
    balances: [],
    from: 0,
    to: 10_000,
    gaps: [],
    ...given,
  };
  const { lines: all } = compare(own, venue);
  return all
    .filter(({ verdict }) => verdict !== 'agrees')
    .map(
      ({ line, what, verdict, recorded, ledger, why }) =>
        `${line} ${what} ${verdict}: ${recorded} / ${ledger}${why === '' ? '' : ` (${why})`}`,
    );
}

const LEDGER = [order(), fill(), end(FILLED)];
const changed = (given: Partial<OwnOrder>): Partial<OwnSide> => ({ orders: new Map([['bot-1-1', { ...OWN, ...given }]]) });

it('a recording that is as the ledger has no other line', () => {
  expect(found(LEDGER)).toEqual([]);
});

it('each fact of an order counts, a price to half a tick of its lots', () => {
  expect(found([order({ price: 600_001 }), fill(), end(FILLED)])).toEqual([
    '1 order differs: BTCUSDT LONG OPEN LIMIT 0.010 at 60000.0 / BTCUSDT LONG OPEN LIMIT 0.010 at 60000.1',
  ]);
  expect(found([order({ stopLoss: 590_000 }), fill(), end(FILLED)])[0]).toMatch(/stop-loss 59000\.0$/);
  expect(found(LEDGER, changed({ worth: 6_000_005 }))).toEqual([]);
  expect(found(LEDGER, changed({ worth: 6_000_006 }))).toEqual(['3 fills differs: 0.010 at 60000.1 / 0.010 at 60000.0']);
  expect(found(LEDGER, changed({ money: { fee: 6, profit: 0 } }))).toEqual(['3 fee differs: 0.00000006 / 0.00000005']);
  expect(found(LEDGER, changed({ money: { fee: 5, profit: -1 } }))).toEqual(['3 profit differs: -0.00000001 / 0.00000000']);
  expect(found(LEDGER, changed({ ended: CANCELLED }))).toEqual(['3 end differs: cancelled / filled']);
});

it('an order that a modify replaced may have been read as cancelled, not the other way round', () => {
  const none = { lots: 0, worth: 0, money: null };
  const replaced = changed({ ...none, ended: CANCELLED });
  expect(found([order(), end(REPLACED)], { ...replaced, legs: new Map() })).toEqual([]);
  expect(found([order(), end(CANCELLED)], { ...changed({ ...none, ended: REPLACED }), legs: new Map() })).toEqual([
    '2 end differs: replaced / cancelled',
  ]);
  // The order that replaced it is missing.
  const next = order({ no: 2, clientOid: 'bot-1-2', price: 600_010 });
  expect(found([order(), end(REPLACED), next], { ...replaced, legs: new Map() })).toEqual([
    '3 order differs: no order / BTCUSDT LONG OPEN LIMIT 0.010 at 60001.0',
  ]);
});

it('an order that only one side has', () => {
  expect(found([], { legs: new Map() })).toEqual(['0 order differs: BTCUSDT LONG OPEN LIMIT 0.010 at 60000.0 / no order']);
  const none = { lots: 0, worth: 0, money: null };
  expect(found([], { ...changed({ ...none, outcome: 'rejected', ended: REJECTED }), legs: new Map() })).toEqual([]);
  expect(found(LEDGER, { ...changed({ ...none, outcome: 'rejected', ended: REJECTED }), legs: new Map([[0, 10]]) })).toEqual([
    '1 order differs: rejected / BTCUSDT LONG OPEN LIMIT 0.010 at 60000.0',
  ]);
  expect(found([], { ...changed({ ...none, outcome: '', ended: null }), legs: new Map() })[0]).toMatch(/not recorded.*before its answer/);
  expect(found(LEDGER, { orders: new Map() })).toEqual(['1 order differs: no order / BTCUSDT LONG OPEN LIMIT 0.010 at 60000.0']);
  expect(found([...LEDGER, order({ no: 2 })])).toEqual(['4 order differs: one order / a second order with this id']);
  // Of others, and of before the recording.
  expect(found([...LEDGER, order({ no: 2, clientOid: 'hand' })])).toEqual([]);
  expect(found(LEDGER, { orders: new Map(), from: 2000 })).toEqual([]);
});

it('what the recording cannot have is not a difference', () => {
  expect(found(LEDGER, { orders: new Map(), gaps: [[900, 1100]] })[0]).toMatch(/not recorded.*in a gap of the recording/);
  const open = { lots: 0, worth: 0, money: null, ended: null };
  const late = found(LEDGER, { ...changed(open), legs: new Map(), to: 1400 });
  expect(late).toHaveLength(4);
  for (const line of late) expect(line).toContain('not recorded');
  // The same was readable before.
  expect(found(LEDGER, { ...changed(open), to: 2000 }).filter((line) => line.includes('differs'))).toHaveLength(2);
  const lost = found(LEDGER, changed({ ...open, isLost: true }));
  for (const line of lost) expect(line).toContain('not recorded');
});

it('the order of a fired trigger counts for it; the exit of a bracket is compared by its own id', () => {
  const child = { no: 2, byVenue: true, parent: 1, clientOid: '', orderId: 'fu-2', createdAt: 1400 };
  const ledger = [order({ trigger: 610_000 }), end(CANCELLED), order(child), fill({ orderNo: 2 }), end(FILLED, 2)];
  expect(found(ledger, changed({ kind: PLACE_TRIGGER, trigger: 610_000 }))).toEqual([]);
  expect(found(ledger, changed({ kind: PLACE_TRIGGER, trigger: 610_000, lots: 9, worth: 5_400_000 }))[0]).toMatch(
    /^5 fills differs: 0\.009/,
  );
  const closed = [
    ...LEDGER,
    order({ ...child, effect: 1 }),
    fill({ fillNo: 2, orderNo: 2, effect: 1, price: 610_000, fee: 7, realised: 9 }),
    end(FILLED, 2),
  ];
  const exit = { at: 1600, instrument: 0, side: 0, what: 'take-profit', lots: 10, worth: 6_100_000, money: { fee: 7, profit: 9 } };
  expect(found(closed, { exits: new Map([['fu-2', exit]]), legs: new Map() })).toEqual([]);
  expect(found(closed, { exits: new Map([['fu-2', { ...exit, money: { fee: 7, profit: 8 } }]]), legs: new Map() })).toEqual([
    '6 profit differs: 0.00000008 / 0.00000009',
  ]);
  expect(found(closed, { legs: new Map() })).toEqual(['4 order differs: no order / BTCUSDT LONG CLOSE LIMIT 0.010 at 60000.0']);
});

it('a position must be one of those since the last read, a balance one of those at its time', () => {
  expect(found(LEDGER, { legs: new Map([[0, 9]]) })).toEqual(['2 position differs: 0.009 / 0.010']);
  expect(found(LEDGER, { legs: new Map([[0, 0]]), to: 1500 })).toEqual([]);
  expect(found(LEDGER, { legs: new Map([[0, 0]]), to: 1501 })).toEqual(['2 position differs: 0.000 / 0.010']);
  const money = [
    cash(100, 'deposit'),
    order(),
    fill(),
    cash(-5, 'fee'),
    end(FILLED),
    cash(-7, 'funding'),
    fill({ fillNo: 2, time: 3000, size: 0, account: 'b' }),
  ];
  const shown = (time: number, amount: number): string[] => found(money, { balances: [{ time, coin: 'USDT', amount }] });
  expect(shown(1200, 100)).toEqual([]);
  expect(shown(1200, 95)).toEqual(['1 balance differs: 0.00000095 / 0.00000100']);
  // At the time of the fill both are right; what has no time of its own has that of its neighbours.
  for (const amount of [100, 95, 88]) expect(shown(1500, amount), String(amount)).toEqual([]);
  for (const amount of [95, 88]) expect(shown(2000, amount), String(amount)).toEqual([]);
  expect(shown(2000, 100)).toHaveLength(1);
  expect(shown(3001, 88)).toEqual([]);
  expect(shown(3001, 95)).toHaveLength(1);
});

it('a record of a fill has the value of all fills of its order so far', () => {
  const own = new OwnOrders([btc()]);
  const record = (kind: string, data: object): void => own.record({ kind, seq: 1, time: 1000, data: { ...data } });
  record('command', { kind: PLACE, instrument: 0, side: 0, effect: 0, type: 1, price: 0, size: 10 });
  record('fill', { lots: 4, ticks: 600_000, worth: 2_400_000 });
  record('fill', { lots: 6, ticks: 600_010, worth: 6_000_060 });
  expect(own.orders.get(1)).toMatchObject({ lots: 10, worth: 6_000_060 });
  record('fill', { lots: 1, ticks: 0 });
  expect(own.orders.get(1)).toMatchObject({ lots: 11, worth: null });
});

it('an order that ended in the second which a kill took from the recording has the end that the next start knows', () => {
  const own = new OwnOrders([btc()]);
  own.starts(null);
  const { seq, side, effect, type, price, size } = OWN;
  own.record({ kind: 'command', seq, time: 1000, data: { kind: PLACE, instrument: 0, side, effect, type, price, size } });
  own.record({ kind: 'outcome', seq, time: 1100, data: { status: 'accepted' } });
  own.breaksOff();
  expect(found(LEDGER, { orders: new Map([['bot-1-1', own.orders.get(1)!]]) })).toContain(
    '3 end not recorded: open / filled (after the last read of it)',
  );
  const saved = { seq, symbol: 'BTCUSDT', kind: PLACE, state: FILLED, filled: 10, worth: 6_000_000 };
  own.starts({ orders: [saved], legs: [] } as unknown as Parameters<OwnOrders['starts']>[0]);
  expect(found(LEDGER, { orders: new Map([['bot-1-1', own.orders.get(1)!]]) })).toEqual([
    '3 fee not recorded:  / 0.00000005 (never read)',
    '3 profit not recorded:  / 0.00000000 (never read)',
  ]);
});
