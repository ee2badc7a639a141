/** When an order trades: takers against the displayed size, resting orders by each fill model, one size shared in order. */
import { describe, expect, test } from 'vitest';
import { BUY, CLOSE, MAKER, SELL, SHORT, TAKER } from '../../../src/domain/codes.ts';
import { CANCELLED, FILLED, WORKING } from '../../../src/domain/orders/order.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import type { FillModel } from '../../../src/sim/state/types.ts';
import { order, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

/** Bid 100, ask 105, 20 lots each, on a grid of 0.1. */
function quoted(fillModel: FillModel = 'touch'): { sim: VenueSim; log: Recorder } {
  const venue = venueOf({ fillModel });
  venue.sim.quote(0, 100, 20, 105, 20, 1);
  return venue;
}

const sizes = (log: Recorder): number[] => log.fills.map((fill) => fill.size);

describe('takers', () => {
  test('take at the quote and not at their limit', () => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ price: 110, size: 8 }), 1, 2);
    expect(log.fills).toMatchObject([{ price: 105, size: 8, liquidity: TAKER }]);
    expect(sim.order(no)).toMatchObject({ status: FILLED, filled: 8 });
  });

  test('two orders cannot take the same size; the next quote row brings new size', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ price: 105, size: 15 }), 1, 2);
    sim.place(0, order({ price: 105, size: 15 }), 2, 2);
    expect(sizes(log)).toEqual([15, 5]);
    sim.quote(0, 100, 20, 105, 4, 3);
    sim.quote(0, 100, 20, 105, 50, 4);
    expect(sizes(log)).toEqual([15, 5, 4, 6]);
    expect(log.fills.every((fill) => fill.liquidity === TAKER)).toBe(true);
  });

  test('the rest of a crossing limit is maker once a quote row shows that it no longer crosses', () => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ price: 105, size: 30 }), 1, 2);
    sim.trade(0, 104, 10, SELL, 3, 1);
    expect(sizes(log)).toEqual([20]);
    sim.quote(0, 100, 20, 106, 20, 4);
    sim.trade(0, 105, 4, SELL, 5, 2);
    expect(log.fills[1]).toMatchObject({ price: 105, size: 4, liquidity: MAKER });
    expect(sim.order(no)).toMatchObject({ status: WORKING, filled: 24 });
  });

  test('the rest of a market order continues at the next quote rows, at any price', () => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ size: 50 }), 1, 2);
    sim.quote(0, 100, 20, 0, 0, 3);
    sim.quote(0, 100, 20, 120, 12, 4);
    sim.quote(0, 100, 20, 121, 90, 5);
    expect(log.fills.map((fill) => [fill.price, fill.size])).toEqual([
      [105, 20],
      [120, 12],
      [121, 18],
    ]);
    expect(sim.order(no)?.status).toBe(FILLED);
    sim.audit();
  });

  test('a post-only order that would take is refused, and one that would not take rests', () => {
    const { sim, log } = quoted();
    expect(sim.place(0, order({ price: 105, force: 1 }), 1, 2)).toBe(0);
    expect(sim.refusal).toBe('would-take');
    expect(sim.place(0, order({ side: SHORT, price: 100, force: 1 }), 2, 2)).toBe(0);
    expect(sim.place(0, order({ price: 104, force: 1 }), 3, 2)).toBeGreaterThan(0);
    expect(sim.place(0, order({ side: SHORT, price: 101, force: 1 }), 4, 2)).toBeGreaterThan(0);
    expect(log.fills).toEqual([]);
  });

  test('on a tape without a book they fill completely at the last trade', () => {
    const { sim, log } = venueOf();
    sim.trade(0, 100, 1, BUY, 2, 1);
    sim.place(0, order({ size: 7 }), 1, 2);
    expect(log.fills).toMatchObject([{ price: 100, size: 7, liquidity: TAKER }]);
    sim.place(0, order({ price: 101, size: 500 }), 2, 3);
    expect(log.fills[1]).toMatchObject({ price: 100, size: 500, liquidity: TAKER });
    sim.place(0, order({ price: 99, size: 5 }), 3, 3);
    sim.trade(0, 99, 2, SELL, 4, 2);
    expect(log.fills[2]).toMatchObject({ price: 99, size: 2, liquidity: MAKER });
    sim.audit();
  });
});

describe('resting orders', () => {
  test.each([
    ['touch', 100, [6]],
    ['touch', 99, [6]],
    ['touch', 101, []],
    ['through', 100, []],
    ['through', 99, [6]],
    ['queue', 100, []],
    ['queue', 99, [6]],
  ] as const)('%s: a buy at 100 and a trade of 6 at %i', (fillModel, price, expected) => {
    const { sim, log } = quoted(fillModel);
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.trade(0, price, 6, SELL, 3, 1);
    expect(sizes(log)).toEqual(expected);
    if (expected.length > 0) expect(log.fills[0]).toMatchObject({ price: 100, liquidity: MAKER });
  });

  test.each([
    ['touch', 105, [6]],
    ['touch', 104, []],
    ['through', 105, []],
    ['through', 106, [6]],
    ['queue', 106, [6]],
  ] as const)('%s: a sell at 105 and a trade of 6 at %i', (fillModel, price, expected) => {
    const { sim, log } = quoted(fillModel);
    sim.place(0, order({ side: SHORT, price: 105, size: 10 }), 1, 2);
    sim.trade(0, price, 6, BUY, 3, 1);
    expect(sizes(log)).toEqual(expected);
  });

  test.each([
    ['touch', 100, [10]],
    ['touch', 101, []],
    ['through', 100, []],
    ['through', 99, [10]],
    ['queue', 100, [10]],
  ] as const)('%s: a buy at 100 and an ask that moves to %i', (fillModel, ask, expected) => {
    const { sim, log } = quoted(fillModel);
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.quote(0, ask - 2, 20, ask, 30, 3);
    expect(sizes(log)).toEqual(expected);
  });

  test('an opposite quote fills no more than its size until its price or size changes', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.place(0, order({ price: 99, size: 10 }), 2, 2);
    sim.quote(0, 97, 20, 98, 14, 3);
    expect(log.fills.map((fill) => [fill.price, fill.size, fill.liquidity])).toEqual([
      [100, 10, MAKER],
      [99, 4, MAKER],
    ]);
    sim.quote(0, 96, 30, 98, 14, 4);
    expect(sizes(log)).toEqual([10, 4]);
    sim.quote(0, 96, 30, 98, 15, 5);
    expect(sizes(log)).toEqual([10, 4, 6]);
  });

  test('size taken by a market order stays taken while rows repeat that side of the book', () => {
    const { sim, log } = quoted();
    sim.quote(0, 97, 20, 98, 5, 3);
    sim.place(0, order({ price: 0, size: 12 }), 1, 3);
    for (let k = 0; k < 5; k++) sim.quote(0, 97 - k, 20 + k, 98, 5, 4 + k);
    expect(sizes(log)).toEqual([5]);
    sim.quote(0, 97, 20, 99, 5, 10);
    expect(log.fills.map((fill) => [fill.price, fill.size])).toEqual([
      [98, 5],
      [99, 5],
    ]);
    sim.quote(0, 97, 20, 98, 5, 11);
    expect(sizes(log)).toEqual([5, 5, 2]);
  });

  test('one trade is shared: better price first, then older first', () => {
    const { sim, log } = quoted();
    const older = sim.place(0, order({ price: 101, size: 5 }), 1, 2);
    const best = sim.place(0, order({ price: 102, size: 5 }), 2, 2);
    const younger = sim.place(0, order({ price: 101, size: 5 }), 3, 2);
    sim.trade(0, 101, 12, SELL, 3, 1);
    expect(log.fills.map((fill) => [fill.orderNo, fill.size])).toEqual([
      [best, 5],
      [older, 5],
      [younger, 2],
    ]);
    sim.audit();
  });

  test('orders of several accounts share by the same rule', () => {
    const accounts = ['a', 'b'].map((name) => ({ name, futures: '1000', spot: {} }));
    const { sim, log } = venueOf({ accounts });
    sim.quote(0, 100, 20, 105, 20, 1);
    sim.place(1, order({ price: 100, size: 5 }), 1, 2);
    sim.place(0, order({ price: 100, size: 5 }), 1, 2);
    sim.trade(0, 100, 7, SELL, 3, 1);
    expect(log.fills.map((fill) => [fill.account, fill.size])).toEqual([
      [1, 5],
      [0, 2],
    ]);
  });

  test('a cancelled order does not fill any more', () => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.trade(0, 100, 3, SELL, 3, 1);
    expect(sim.cancel(0, no, 4)).toBe(true);
    sim.trade(0, 100, 3, SELL, 5, 2);
    expect(sizes(log)).toEqual([3]);
    expect(sim.order(no)).toMatchObject({ status: CANCELLED, filled: 3 });
    expect(sim.cancel(0, no, 6)).toBe(false);
    expect(sim.refusal).toBe('order-not-found');
  });
});

describe('the queue', () => {
  test('at the best level is the displayed size; trades reduce it first, then fill us', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.trade(0, 100, 15, SELL, 3, 1);
    expect(sizes(log)).toEqual([]);
    sim.trade(0, 100, 8, SELL, 4, 2);
    expect(sizes(log)).toEqual([3]);
    sim.trade(0, 100, 2, SELL, 5, 3);
    expect(sizes(log)).toEqual([3, 2]);
  });

  test('is empty if the order improves the best price', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 101, size: 10 }), 1, 2);
    sim.trade(0, 101, 4, SELL, 3, 1);
    expect(sizes(log)).toEqual([4]);
  });

  test('of a deeper level is unknown until the level is the best', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 98, size: 10 }), 1, 2);
    sim.trade(0, 98, 50, SELL, 3, 1);
    expect(sizes(log)).toEqual([]);
    sim.quote(0, 98, 30, 105, 20, 4);
    sim.trade(0, 98, 31, SELL, 5, 2);
    expect(sizes(log)).toEqual([1]);
  });

  test('shrinks with the displayed size, and does not grow with it', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.quote(0, 100, 4, 105, 20, 3);
    sim.quote(0, 100, 90, 105, 20, 4);
    sim.trade(0, 100, 6, SELL, 5, 1);
    expect(sizes(log)).toEqual([2]);
  });

  test('is gone when the best price moves behind the order', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.quote(0, 99, 20, 105, 20, 3);
    sim.trade(0, 100, 6, SELL, 4, 1);
    expect(sizes(log)).toEqual([6]);
  });

  test('is reduced only by trades of the other direction', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 101, size: 10 }), 1, 2);
    sim.trade(0, 101, 6, BUY, 3, 1);
    expect(sizes(log)).toEqual([]);
  });

  test('includes the lots of others between two of our orders', () => {
    const { sim, log } = quoted('queue');
    const first = sim.place(0, order({ price: 100, size: 5 }), 1, 2);
    sim.quote(0, 100, 30, 105, 20, 3);
    const second = sim.place(0, order({ price: 100, size: 5 }), 2, 3);
    // 20 of others, 5 of ours, 10 of others, 5 of ours.
    sim.trade(0, 100, 27, SELL, 4, 1);
    expect(log.fills.map((fill) => [fill.orderNo, fill.size])).toEqual([[first, 5]]);
    sim.trade(0, 100, 9, SELL, 5, 2);
    expect(log.fills.map((fill) => [fill.orderNo, fill.size])).toEqual([
      [first, 5],
      [second, 1],
    ]);
  });

  test('a trade beyond the price fills whatever was ahead', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ price: 100, size: 10 }), 1, 2);
    sim.place(0, order({ price: 98, size: 10 }), 2, 2);
    sim.trade(0, 97, 14, SELL, 3, 1);
    expect(log.fills.map((fill) => [fill.price, fill.size])).toEqual([
      [100, 10],
      [98, 4],
    ]);
  });

  test('of a sell mirrors that of a buy', () => {
    const { sim, log } = quoted('queue');
    sim.place(0, order({ side: SHORT, price: 105, size: 10 }), 1, 2);
    sim.place(0, order({ side: SHORT, price: 107, size: 10 }), 2, 2);
    sim.trade(0, 105, 22, BUY, 3, 1);
    expect(sizes(log)).toEqual([2]);
    sim.quote(0, 100, 20, 106, 5, 4);
    sim.trade(0, 105, 3, BUY, 5, 2);
    sim.quote(0, 100, 20, 107, 6, 6);
    sim.trade(0, 107, 12, BUY, 7, 3);
    // The last row: 5 of the sell at 105 (beyond its price), then of the remaining 7, 6 are ahead and 1 is ours.
    expect(sizes(log)).toEqual([2, 3, 5, 1]);
    sim.audit();
  });
});

test('closing fills a short by buying', () => {
  const { sim, log } = quoted();
  sim.place(0, order({ side: SHORT, size: 10 }), 1, 2);
  sim.place(0, order({ side: SHORT, effect: CLOSE, price: 101, size: 6 }), 2, 2);
  expect(sim.positions(0, 0)[0]).toMatchObject({ total: 10, locked: 6, available: 4 });
  sim.trade(0, 101, 6, SELL, 3, 1);
  expect(log.fills[1]).toMatchObject({ price: 101, side: SHORT, effect: CLOSE, realised: -6 * 10_000 });
});
