/** An overview of the venue: complete counts, short lists with the newest first, and fast on a large venue. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SHORT } from '../../../src/domain/codes.ts';
import { BTC, ETH, instrumentsOf, order, venueOf } from '../../support/sim/sim-kit.ts';

const twoAccounts = [
  { name: 'a', futures: '100000', spot: {} },
  { name: 'b', futures: '50000', spot: {} },
];

describe('the overview', () => {
  test('counts every open order and position, and lists only the requested ones', () => {
    const { sim } = venueOf({ accounts: twoAccounts }, instrumentsOf(BTC, ETH));
    sim.quote(0, 600_000, 100, 600_001, 100, 1);
    sim.quote(1, 300_000, 100, 300_001, 100, 1);
    sim.place(0, order({ instrument: 0, price: 500_000 }), 0, 2);
    const eth = sim.place(1, order({ instrument: 1, price: 200_000 }), 7, 3);
    sim.place(1, order({ instrument: 1, side: SHORT }), 0, 4);
    const seen = sim.overview([false, true], 10, 10);
    expect(seen.ordersByInstrument).toEqual([1, 1]);
    expect(seen.fills).toBe(1);
    expect(seen.orders).toEqual({ total: 1, newest: [sim.order(eth)] });
    expect(seen.legs).toMatchObject({ total: 1, first: [{ account: 1, instrument: 1, side: SHORT, total: 10 }] });
    expect(seen.accounts.map((x) => [x.name, x.orders, x.legs])).toEqual([
      ['a', 1, 0],
      ['b', 1, 1],
    ]);
    const [position] = sim.positions(1, 1);
    expect(seen.legs.first[0]).toMatchObject({
      entryValue: position!.entryValue,
      unrealised: position!.unrealised,
      margin: position!.margin,
    });
    for (const k of [0, 1]) expect(seen.accounts[k]!.equity).toBe(sim.equity(k));
    expect(seen.accounts[1]!.available).toBe(sim.account(1, 1).crossMaxAvailable);
  });

  test('lists as newest the orders with the highest numbers, whatever price, side and instrument', () => {
    const one = fc.record({ instrument: fc.nat(1), price: fc.integer({ min: 1000, max: 2000 }), side: fc.nat(1), cancels: fc.boolean() });
    const property = fc.property(fc.array(one, { maxLength: 40 }), fc.nat(12), (wants, limit) => {
      const { sim } = venueOf({ leverage: 100 }, instrumentsOf(BTC, ETH));
      for (const i of [0, 1]) sim.quote(i, 2500, 1, 2501, 1, 1);
      const working: number[] = [];
      for (const { instrument, price, side, cancels } of wants) {
        const no = sim.place(0, order({ instrument, side, price: side === SHORT ? price + 3000 : price }), 0, 2);
        if (cancels) sim.cancel(0, no, 2);
        else working.push(no);
      }
      const seen = sim.overview([true, true], limit, 1);
      expect(seen.orders.total).toBe(working.length);
      expect(seen.orders.newest.map((x) => x.no)).toEqual(working.toReversed().slice(0, limit));
    });
    fc.assert(property, { numRuns: 200, seed: 20_260_301 });
  });

  test('of 20,000 orders and 2,000 positions of 20 accounts over 1,000 symbols is fast', () => {
    const specs = Array.from({ length: 1000 }, (_, k) => ({ ...BTC, symbol: `S${k}USDT` }));
    const accounts = Array.from({ length: 20 }, (_, k) => ({ name: `a${k}`, futures: '10000000', spot: {} }));
    const { sim } = venueOf({ accounts, leverage: 100 }, instrumentsOf(...specs));
    for (let i = 0; i < 1000; i++) sim.quote(i, 10_000, 1_000_000, 10_001, 1_000_000, 1);
    for (let k = 0; k < 20_000; k++) sim.place(k % 20, order({ instrument: k % 1000, price: 5_000 + (k % 97), size: 1 }), 0, 2);
    for (let k = 0; k < 2_000; k++) sim.place(k % 20, order({ instrument: (k * 7) % 1000, side: k % 2, size: 1 }), 0, 3);
    const all = specs.map(() => true);
    const times = Array.from({ length: 5 }, () => {
      const started = performance.now();
      const seen = sim.overview(all, 50, 50);
      expect([seen.orders.total, seen.orders.newest.length, seen.legs.first.length]).toEqual([20_000, 50, 50]);
      return performance.now() - started;
    });
    console.info(`overview: ${Math.min(...times).toFixed(1)} ms`);
    expect(Math.min(...times)).toBeLessThan(400);
  });
});
