/** The simulator's containers compared with simple ones: orders by number, resting orders by rank, sequence numbers. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Account, type Leg } from '../../../src/sim/state/account.ts';
import { MarketState } from '../../../src/sim/state/market-state.ts';
import type { Order } from '../../../src/sim/state/order.ts';
import { OrderPool } from '../../../src/sim/state/order-pool.ts';
import { Resting } from '../../../src/sim/state/resting.ts';
import { CANCELLED, WORKING } from '../../../src/domain/orders/order.ts';
import { OwnOrders } from '../../../src/sim/port/own-orders.ts';
import { BTC, instrumentsOf } from '../../support/sim/sim-kit.ts';

const RULES = { bracketsByMark: false, fundingRate: 0, baseCoin: -1, quoteCoin: -1, coinUnit: 0 };
const market = new MarketState(instrumentsOf(BTC)[0]!, RULES, { now: 0 });
const account = new Account({ index: 0, name: 'a', deposits: 0, markets: [market], leverages: [{ long: 10, short: 10 }], coins: 0 });
const leg: Leg = account.pairs[0]!.long;

describe('the order pool', () => {
  test.each([3, 40])('finds an order by its number through growth, release and reuse (1 of %i stays for ever)', (stays) => {
    fc.assert(
      fc.property(fc.array(fc.nat(99), { minLength: 200, maxLength: 6_000 }), (choices) => {
        const pool = new OrderPool();
        const model = new Map<number, Order>();
        const waiting: number[] = [];
        let no = 0;
        for (const choice of choices) {
          if (choice < 10 && waiting.length > 0) {
            const [old] = waiting.splice(choice % waiting.length, 1);
            const order = model.get(old!)!;
            model.delete(old!);
            pool.renumber(order, ++no);
            model.set(no, order);
            waiting.push(no);
          } else if (choice < 60 || waiting.length === 0) {
            model.set(++no, pool.claim(no, account, market, leg));
            if (no % stays !== 0) waiting.push(no);
          } else {
            const [gone] = waiting.splice(choice % waiting.length, 1);
            pool.release(model.get(gone!)!);
            model.delete(gone!);
          }
        }
        for (let k = 1; k <= no; k++) expect(pool.find(k)).toBe(model.get(k) ?? null);
        expect(new Set(model.values()).size).toBe(model.size);
        expect(pool.find(0)).toBeNull();
        expect(pool.find(no + 1)).toBeNull();
        const twin = new OrderPool();
        twin.load(pool.all, pool.freeSlots());
        for (let k = 1; k <= no; k++) expect(twin.find(k)).toBe(model.get(k) ?? null);
        expect(twin.claim(no + 1, account, market, leg).slot).toBe(pool.claim(no + 1, account, market, leg).slot);
      }),
      { numRuns: 25 },
    );
  });

  test('finds numbers that are far apart and live long', () => {
    const pool = new OrderPool();
    const kept: Order[] = [];
    for (let no = 1; no <= 200_000; no++) {
      const order = pool.claim(no, account, market, leg);
      if (no % 97 === 0) kept.push(order);
      else pool.release(order);
    }
    for (const order of kept) expect(pool.find(order.no)).toBe(order);
    expect(pool.find(1)).toBeNull();
    expect(pool.all.length).toBeLessThanOrEqual(kept.length + 16);
  });
});

describe('resting orders', () => {
  test.each([1, -1])('keep price-time rank under any inserts and removals (sign %i)', (sign) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(9), fc.nat(200)), { maxLength: 600 }), fc.nat(30), (steps, spread) => {
        const pool = new OrderPool();
        const side = new Resting(sign);
        let model: Order[] = [];
        let no = 0;
        for (const [what, value] of steps) {
          if (what < 8) {
            const order = pool.claim(++no, account, market, leg);
            order.key = (value % (spread + 1)) + 1;
            side.insert(order);
            model.push(order);
          } else if (model.length > 0) {
            const order = model[value % model.length]!;
            side.removeAt(side.placeOf(order), order);
            model = model.filter((x) => x !== order);
          }
          model.sort((a, b) => (a.key - b.key) * sign || b.no - a.no);
        }
        expect(side.list().map((x) => x.no)).toEqual(model.map((x) => x.no));
        expect(side.count).toBe(model.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe('own orders by tag', () => {
  const other = new Account({ index: 1, name: 'b', deposits: 0, markets: [market], leverages: [{ long: 10, short: 10 }], coins: 0 });

  function working(pool: OrderPool, no: number, tag: number, whose = account): Order {
    return Object.assign(pool.claim(no, whose, market, whose.pairs[0]!.long), { tag, status: WORKING });
  }

  test('are found until newer ones take their slots', () => {
    const pool = new OrderPool();
    const own = new OwnOrders(account);
    const orders = Array.from({ length: 3_000 }, (_, k) => working(pool, k + 1, 3 * k + 1));
    for (const [k, order] of orders.entries()) {
      own.set(order.tag, order);
      for (const past of [order, orders[Math.max(0, k - 300)]!]) expect(own.find(past.tag)).toBe(past);
    }
    for (const order of orders) expect([order, null]).toContain(own.find(order.tag));
    expect([own.find(0), own.find(2)]).toEqual([null, null]);
  });

  test('are not found after the end of the order, with another tag, or of another account', () => {
    const pool = new OrderPool();
    const own = new OwnOrders(account);
    const order = working(pool, 1, 7);
    own.set(7, order);
    expect(own.find(7)).toBe(order);
    order.status = CANCELLED;
    expect(own.find(7)).toBeNull();
    order.status = WORKING;
    order.tag = 8;
    expect(own.find(7)).toBeNull();
    pool.release(order);
    expect(working(pool, 2, 7, other)).toBe(order);
    expect(own.find(7)).toBeNull();
  });
});
