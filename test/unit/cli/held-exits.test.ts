/** What `positions`, `status` and `orders` show of the exits of a position: those at the venue, those of the bot, and what none protects. */
import { expect, test } from 'vitest';
import { controlText } from '../../../src/cli/bot/control-text.ts';
import type { OrderAnswer, PositionAnswer } from '../../../src/control/answers.ts';
import { ClientIds } from '../../../src/domain/orders/client-ids.ts';
import { watchdogClientId } from '../../../src/domain/orders/command.ts';
import { EMPTY_SNAPSHOT, foldRecords } from '../../../src/engine/recovery/registry.ts';
import { orderOf, positionsOf } from '../../../src/run/bot/answers/views.ts';
import { btc, pushedRig, restarted, rig, type Rig } from '../../support/engine/engine-kit.ts';

const SCREEN = { isStopped: false, paint: (_: string, word: string) => word, width: 80 };

/** The bid is 1000.0, the ask 1000.2. */
function started(): Rig {
  const r = pushedRig();
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  return r;
}

function fill(r: Rig, order: number, lots: number): void {
  r.venue.accepted(order, `v${order}`);
  r.venue.pushedFill(order, lots, 10_001);
}

function shown(r: Rig): { position: PositionAnswer | undefined; text: string } {
  const positions = positionsOf(r.kernel, [btc()], []);
  return { position: positions[0], text: controlText('positions', { positions }, SCREEN) };
}

function ordersOf(r: Rig): OrderAnswer[] {
  const facts = {
    instruments: [btc()],
    ids: { idOf: String, placerOf: () => undefined },
    bracketOf: (order: number) => r.kernel.bracketOf(order),
  };
  return r.kernel.liveOrders().map((order) => orderOf(order, facts));
}

test('a position without a stop-loss says so', () => {
  const r = started();
  fill(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' }), 10);
  const { position, text } = shown(r);
  expect(position).toMatchObject({ exits: [], unprotected: '0.010' });
  expect(text).toMatch(/^BTCUSDT +LONG +venue +no stop-loss +0\.010 +- +-$/m);
});

test('the bracket of a filled order is shown with size, price and distance, also after a restart', () => {
  const r = started();
  const order = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss: 990, takeProfit: { trigger: 1020, limit: 1019.5 } });
  expect(ordersOf(r)).toMatchObject([{ stopLoss: '990.0', takeProfit: '1020.0' }]);
  expect(controlText('orders', { orders: ordersOf(r) }, SCREEN)).toMatch(/stop-loss 990\.0, take-profit 1020\.0/);
  fill(r, order, 10);
  const exits = [
    { by: 'venue', what: 'stop-loss', size: '0.010', price: '990.0', limit: '', distance: '-1.01', order },
    { by: 'venue', what: 'take-profit', size: '0.010', price: '1020.0', limit: '1019.5', distance: '1.99', order },
  ];
  expect(shown(r).position).toMatchObject({ exits, unprotected: '0.000' });
  expect(shown(r).text).not.toContain('no stop-loss');
  const next = rig();
  next.kernel.restore(foldRecords(null, r.records));
  expect(next.kernel.exitsOf(0, 0).exits).toMatchObject([{ what: 'stop-loss' }, { what: 'take-profit' }]);
});

test('a stop-loss protects no more than the position, and not what a resting order locks', () => {
  const r = started();
  const [market] = r.ctx().markets;
  fill(r, r.ctx().open(market!, 'LONG', { size: '0.01', stopLoss: 990 }), 10);
  fill(r, r.ctx().open(market!, 'LONG', { size: '0.006' }), 6);
  expect(shown(r).position).toMatchObject({ size: '0.016', unprotected: '0.006' });
  const resting = r.ctx().limit(market!, 'LONG', 'CLOSE', 1010, '0.012');
  // Not at the venue before its answer.
  expect(shown(r).position).toMatchObject({ exits: [{ what: 'stop-loss' }], unprotected: '0.006' });
  r.venue.accepted(resting, 'rests');
  expect(shown(r).position).toMatchObject({
    exits: [
      { what: 'stop-loss', size: '0.010' },
      { what: 'limit', size: '0.012', price: '1010.0', order: resting },
    ],
    unprotected: '0.012',
    locked: '0.006',
  });
  // Of the 0.012 the stop-loss leaves, it is there for 0.006.
  const lines = shown(r).text.split('\n');
  expect(lines.filter((line) => line.includes('no stop-loss'))).toEqual([expect.stringMatching(/ venue +no stop-loss +0\.006 /)]);
  expect(lines.filter((line) => line.includes('size locked'))).toEqual([expect.stringMatching(/ venue +stop-loss, size locked +0\.006 /)]);
  expect(shown(r).text.replace(/\s+/g, ' ')).toContain(
    'BTCUSDT LONG: the stop-loss closes 0.004 of 0.016; a closing order that rests locks 0.006, until it fills or is cancelled',
  );
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
});

test('a stop-loss of the whole position whose size an order locks is not called missing', () => {
  const r = started();
  const [market] = r.ctx().markets;
  fill(r, r.ctx().open(market!, 'LONG', { size: '0.01', stopLoss: 990 }), 10);
  const resting = r.ctx().limit(market!, 'LONG', 'CLOSE', 1010, '0.01');
  r.venue.accepted(resting, 'rests');
  expect(shown(r).position).toMatchObject({ unprotected: '0.010' });
  expect(shown(r).text).toMatch(/^BTCUSDT +LONG +venue +stop-loss, size locked +0\.010 +- +-$/m);
  expect(shown(r).text).not.toContain('no stop-loss');
});

test('stops and targets that the bot watches are shown as its own', () => {
  const r = started();
  const trade = r.ctx().enter({
    market: r.ctx().markets[0]!,
    side: 'LONG',
    size: '0.01',
    stopLoss: 990,
    trailing: { percent: 0.5, after: 1 },
    takeProfit: [
      { at: 1010, share: 0.4 },
      { at: 1020, share: 0.6 },
    ],
  });
  fill(r, trade!.id, 10);
  expect(shown(r).position?.exits).toMatchObject([
    { by: 'venue', what: 'stop-loss', size: '0.010', price: '990.0' },
    { by: 'bot', what: 'trailing-stop', size: '0.010', price: '', distance: '', order: 0 },
    { by: 'bot', what: 'target', size: '0.004', price: '1010.0', distance: '0.99' },
    { by: 'bot', what: 'target', size: '0.006', price: '1020.0' },
  ]);
  expect(shown(r).text).toMatch(/^BTCUSDT +LONG +bot +trailing-stop +0\.010 +not yet +-$/m);
  const stopped = controlText('positions', { positions: [shown(r).position!] }, { ...SCREEN, isStopped: true });
  expect(stopped).toMatch(/^BTCUSDT +LONG +bot \(off\) +trailing-stop /m);
  for (const line of shown(r).text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('whether lots that no own order opened have a stop-loss is not known', () => {
  // As after the restore of an older backup: the order that opened 20 of 30 lots, and its stop-loss, are in no record of this store.
  const r = restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total: 30, own: 10, provenAt: 0 }] }, 30);
  const { position, text } = shown(r);
  expect(position).toMatchObject({ size: '0.030', unprotected: '0.030', stopUnknown: '0.020' });
  expect(text).toMatch(/^BTCUSDT +LONG +venue +no stop-loss +0\.010 +- +-$/m);
  expect(text).toMatch(/^BTCUSDT +LONG +venue +stop-loss not known +0\.020 +- +-$/m);
  expect(text.replace(/\s+/g, ' ')).toContain('whether the venue holds a stop-loss for the rest is not known; “can lose” counts none');
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('of a whole position that no own order opened, nothing says that it has no stop-loss', () => {
  const r = restarted({ ...EMPTY_SNAPSHOT, legs: [{ symbol: 'BTCUSDT', side: 0, total: 20, own: 0, provenAt: 0 }] }, 20);
  expect(shown(r).position).toMatchObject({ exits: [], unprotected: '0.020', stopUnknown: '0.020' });
  expect(shown(r).text).not.toContain('no stop-loss');
  // A stop-loss of an own order that opens more ends the loss of its own lots.
  const own = started();
  fill(own, own.ctx().open(own.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss: 990 }), 10);
  expect(shown(own).position).toMatchObject({ unprotected: '0.000', stopUnknown: '0.000' });
});

test('a bot of an older version shows its position without a word about exits', () => {
  const r = started();
  fill(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' }), 10);
  const { exits: _exits, unprotected: _size, own: _own, strategies: _names, ...older } = positionsOf(r.kernel, [btc()], [])[0]!;
  expect(controlText('positions', { positions: [older] }, SCREEN).split('\n')).toHaveLength(3);
});

test('an own order that this store did not number is neither of a strategy nor of a person', () => {
  const r = started();
  r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' });
  const [order] = r.kernel.liveOrders();
  const placed = (clientId: string): OrderAnswer => {
    const ids = ClientIds.begin({ bot: 'tw', epoch: 5 });
    ids.alias(order!.seq, clientId);
    return orderOf({ ...order!, strategy: '' }, { instruments: [btc()], ids, bracketOf: () => undefined });
  };
  const unknown = placed('tw-9-4');
  expect([unknown.clientId, unknown.placedBy]).toEqual(['tw-9-4', 'unknown']);
  expect(controlText('orders', { orders: [unknown] }, { ...SCREEN, width: 120 })).toContain('own, not in this store');
  expect(placed(watchdogClientId({ bot: 'tw', epoch: 4 }, 0, 0)).placedBy).toBe('watchdog');
});

test('of many stops of a leg that was never flat the nearest have a line each, and the others one', () => {
  const r = started();
  for (let k = 0; k < 9; k++) fill(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss: 990 - k }), 10);
  const { position, text } = shown(r);
  expect(position!.exits).toHaveLength(9);
  expect([...text.matchAll(/^BTCUSDT +LONG +venue +stop-loss +0\.010 +(\S+) /gm)].map(([, price]) => price)).toEqual([
    '990.0',
    '989.0',
    '988.0',
    '987.0',
    '986.0',
  ]);
  expect(text).toMatch(/^BTCUSDT +LONG +venue +4 × stop-loss +0\.040 +985\.0 to 982\.0 +-1\.51 %$/m);
});
