/** Orders: refusals, modify, history, and the fields of positions and accounts meanwhile. */
import { describe, expect, test } from 'vitest';
import { CLOSE, ISOLATED, LIMIT, SELL, SHORT } from '../../../src/domain/codes.ts';
import { CANCELLED, FILLED, REPLACED, WORKING } from '../../../src/domain/orders/order.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { BTC, instrumentsOf, order, SPOT_BTC, venueOf } from '../../support/sim/sim-kit.ts';

/** A long of 100 lots at 60,000.0, bid 59,999.9 and ask 60,000.0. */
function holding(): VenueSim {
  const { sim } = venueOf();
  sim.quote(0, 599_999, 1_000, 600_000, 1_000, 1);
  sim.place(0, order({ size: 100 }), 1, 1);
  return sim;
}

describe('a refusal', () => {
  const cases: [string, Partial<Command>, string][] = [
    ['no such instrument', { instrument: 9 }, 'unknown-instrument'],
    ['a spot instrument', { instrument: 1 }, 'unknown-instrument'],
    ['a close without a position', { side: SHORT, effect: CLOSE }, 'no-position'],
    ['another margin mode than the position', { marginMode: ISOLATED }, 'margin-mode-conflict'],
    ['a size above the largest', { size: 100_001 }, 'size-too-large'],
    ['a size below the smallest', { size: 1 }, 'size-too-small'],
    ['no size', { size: 0 }, 'size-too-small'],
    ['a limit without a price', { type: LIMIT, price: 0 }, 'price-required'],
    ['more than the balance', { size: 17_000, price: 600_000 }, 'insufficient-balance'],
    ['a post-only that would take', { price: 600_000, force: 1 }, 'would-take'],
    ['a close of more than there is', { effect: CLOSE, size: 101 }, 'exceeds-position'],
    // Both rows of the table apply: the earlier one is answered.
    ['a post-only close of more than there is that would take', { effect: CLOSE, size: 101, price: 599_000, force: 1 }, 'would-take'],
    ['a value below the minimum', { size: 2, price: 100 }, 'size-too-small'],
    ['a value beyond the range of money', { size: 100_000, price: 1_000_000_000 }, 'size-too-large'],
  ];

  test.each(cases)('for %s', (_what, given, reason) => {
    const { sim } = venueOf({}, instrumentsOf({ ...BTC, minSize: '0.002', minNotional: '5' }, SPOT_BTC));
    sim.quote(0, 599_999, 1_000, 600_000, 1_000, 1);
    sim.place(0, order({ size: 100 }), 1, 1);
    const before = JSON.stringify(sim.snapshot());
    expect(sim.place(0, order(given), 2, 1)).toBe(0);
    expect(sim.refusal).toBe(reason);
    expect(JSON.stringify(sim.snapshot())).toBe(before);
  });

  test('a close below the smallest size is accepted, so that dust can be closed', () => {
    const { sim } = venueOf({}, instrumentsOf({ ...BTC, minSize: '0.002' }));
    sim.quote(0, 599_999, 1_000, 600_000, 1_000, 1);
    sim.place(0, order({ size: 3 }), 1, 1);
    expect(sim.place(0, order({ effect: CLOSE, size: 1 }), 2, 1)).toBeGreaterThan(0);
  });

  test('size locked by resting closes is not available to another close', () => {
    const sim = holding();
    sim.place(0, order({ effect: CLOSE, price: 610_000, size: 70 }), 2, 2);
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 100, locked: 70, available: 30 });
    expect(sim.place(0, order({ effect: CLOSE, price: 610_000, size: 31 }), 3, 2)).toBe(0);
    expect(sim.refusal).toBe('exceeds-position');
    expect(sim.place(0, order({ effect: CLOSE, price: 610_000, size: 30 }), 4, 2)).toBeGreaterThan(0);
  });

  test('balance: a sell far below the bid needs the margin of its fill price, and reserves it', () => {
    const { sim } = venueOf({ accounts: [{ name: 'a', futures: '600', spot: {} }] });
    sim.quote(0, 600_000, 40, 600_001, 1_000, 1);
    // 0.101 BTC at a bid of 60,000.0 is 6,060, whatever its limit below the bid.
    expect(sim.place(0, order({ side: SHORT, price: 1, size: 101 }), 1, 1)).toBe(0);
    expect(sim.refusal).toBe('insufficient-balance');
    expect(sim.place(0, order({ side: SHORT, price: 1, size: 90 }), 1, 1)).toBeGreaterThan(0);
    // 0.040 of it are sold; the 0.050 that still take reserve a tenth of 3,000.
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 40, opening: 50, margin: 24_000_000_000 });
    expect(sim.account(0, 0)).toMatchObject({ locked: 30_000_000_000 });
    // Above the bid the limit counts.
    expect(sim.place(0, order({ side: SHORT, price: 700_000, size: 7 }), 2, 1)).toBeGreaterThan(0);
    expect(sim.account(0, 0)).toMatchObject({ locked: 34_900_000_000 });
    sim.audit();
  });

  test('a price: before a symbol has one, no market or sell order opens, and trigger orders wait', () => {
    const { sim, log } = venueOf();
    for (const given of [{}, { side: SHORT }, { side: SHORT, price: 1 }, { side: SHORT, price: 600_000 }]) {
      expect(sim.place(0, order({ size: 100_000, ...given }), 1, 1)).toBe(0);
      expect(sim.refusal).toBe('price-required');
    }
    const bid = sim.place(0, order({ price: 600_000 }), 1, 1);
    expect(sim.placeTrigger(0, order({ side: SHORT, trigger: 590_000 }), 2, 1)).toBeGreaterThan(0);
    sim.quote(0, 600_000, 40, 600_001, 1_000, 2);
    expect(sim.isWorking(bid)).toBe(true);
    expect(log.fills).toEqual([]);
    expect(sim.place(0, order({ side: SHORT, price: 1 }), 3, 3)).toBeGreaterThan(0);
    sim.audit();
  });

  test('balance: an order reserves exactly its margin, and releases it', () => {
    const { sim } = venueOf({ accounts: [{ name: 'a', futures: '600', spot: {} }] });
    sim.quote(0, 599_999, 1_000, 600_001, 1_000, 1);
    // 0.100 BTC at 60,000.0 is 6,000; at 10× it needs all of the 600.
    const whole = sim.place(0, order({ price: 600_000, size: 100 }), 1, 1);
    expect(sim.account(0, 0)).toMatchObject({ locked: 60_000_000_000, available: 0, crossMaxAvailable: 0 });
    expect(sim.place(0, order({ price: 1, size: 1 }), 2, 1)).toBe(0);
    expect(sim.refusal).toBe('insufficient-balance');
    sim.cancel(0, whole, 2);
    expect(sim.account(0, 0)).toMatchObject({ locked: 0, available: 60_000_000_000 });
    expect(sim.place(0, order({ price: 600_001, size: 100 }), 3, 2)).toBe(0);
  });
});

describe('modify', () => {
  test('puts a new order with a new number in its place', () => {
    const sim = holding();
    const old = sim.place(0, order({ price: 590_000, size: 5, takeProfit: 620_000 }), 2, 2);
    const next = sim.modify(0, old, order({ price: 591_000, size: 0 }), 3, 3);
    expect(next).toBeGreaterThan(old);
    expect(sim.order(old)?.status).toBe(REPLACED);
    expect(sim.order(next)).toMatchObject({ price: 591_000, size: 5, tag: 3, parent: old, takeProfit: 620_000, status: WORKING });
    expect(sim.positions(0, 0)[0]).toMatchObject({ opening: 5 });
    sim.audit();
  });

  test('loses the place in the queue', () => {
    const { sim, log } = venueOf({ fillModel: 'queue' });
    sim.quote(0, 100, 20, 105, 20, 1);
    const no = sim.place(0, order({ price: 100, size: 5 }), 1, 1);
    sim.trade(0, 100, 19, SELL, 2, 1);
    sim.modify(0, no, order({ price: 0, size: 6 }), 2, 3);
    sim.trade(0, 100, 19, SELL, 4, 2);
    expect(log.fills).toEqual([]);
  });

  test('leaves the old order unchanged if the new one is refused', () => {
    const sim = holding();
    const old = sim.place(0, order({ price: 590_000, size: 5, force: 1 }), 2, 2);
    const before = JSON.stringify(sim.snapshot().parts['orders']);
    const refused: [Partial<Command>, string][] = [
      [{ size: 0, price: 0 }, 'nothing-to-modify'],
      [{ size: 100_001, price: 0 }, 'size-too-large'],
      [{ size: 18_000, price: 0 }, 'insufficient-balance'],
      [{ size: 0, price: 600_000 }, 'price-invalid'],
    ];
    for (const [given, reason] of refused) {
      expect(sim.modify(0, old, order(given), 3, 3)).toBe(0);
      expect(sim.refusal).toBe(reason);
    }
    expect(JSON.stringify(sim.snapshot().parts['orders'])).toBe(before);
    sim.audit();
  });

  test('its own margin counts as free for the new one', () => {
    const { sim } = venueOf({ accounts: [{ name: 'a', futures: '600', spot: {} }] });
    sim.quote(0, 599_999, 1_000, 600_001, 1_000, 1);
    const old = sim.place(0, order({ price: 600_000, size: 100 }), 1, 1);
    expect(sim.modify(0, old, order({ price: 599_000, size: 100 }), 2, 2)).toBeGreaterThan(0);
  });

  test('applies only to open orders without fills', () => {
    const sim = holding();
    const part = sim.place(0, order({ price: 599_000, size: 5 }), 2, 2);
    sim.trade(0, 599_000, 1, SELL, 3, 1);
    for (const no of [part, 1, 99]) {
      expect(sim.modify(0, no, order({ price: 598_000, size: 0 }), 3, 4)).toBe(0);
      expect(sim.refusal).toBe('order-not-found');
    }
  });

  test('may cross, and then takes', () => {
    const { sim, log } = venueOf();
    sim.quote(0, 100, 20, 105, 20, 1);
    const old = sim.place(0, order({ price: 100, size: 5 }), 1, 1);
    const next = sim.modify(0, old, order({ price: 105, size: 0 }), 2, 2);
    expect(log.fills).toMatchObject([{ orderNo: next, price: 105, size: 5 }]);
    expect(log.ends).toEqual([
      { orderNo: old, how: REPLACED },
      { orderNo: next, how: FILLED },
    ]);
  });
});

describe('lists', () => {
  test('pending and history are newest first and drop the oldest', () => {
    const { sim } = venueOf({ historyLimit: 3 });
    sim.quote(0, 599_999, 1_000, 600_000, 1_000, 1);
    const numbers = [1, 2, 3, 4, 5].map((k) => sim.place(0, order({ price: 500_000 + k }), k, k));
    expect(sim.pending(0, -1).map((x) => x.tag)).toEqual([5, 4, 3, 2, 1]);
    for (const no of [numbers[1]!, numbers[4]!, numbers[0]!, numbers[2]!]) sim.cancel(0, no, 9);
    expect(sim.history(0, 0).map((x) => x.tag)).toEqual([5, 3, 1]);
    expect(sim.order(numbers[1]!)).toBeNull();
    expect(sim.order(numbers[4]!)).toMatchObject({ status: CANCELLED, updatedAt: 9 });
    expect(sim.pending(0, 0).map((x) => x.tag)).toEqual([4]);
    sim.audit();
  });

  test('without a history an ended order is dropped at once', () => {
    const { sim, log } = venueOf({ historyLimit: 0 });
    sim.quote(0, 599_999, 1_000, 600_000, 1_000, 1);
    const no = sim.place(0, order(), 1, 1);
    expect(log.fills.length).toBe(1);
    expect(sim.order(no)).toBeNull();
    sim.audit();
  });

  test('orders of another account are not found', () => {
    const accounts = ['a', 'b'].map((name) => ({ name, futures: '1000', spot: {} }));
    const { sim } = venueOf({ accounts });
    const no = sim.place(0, order({ price: 100 }), 1, 1);
    expect(sim.cancel(1, no, 2)).toBe(false);
    expect(sim.pending(1, -1)).toEqual([]);
    expect(sim.cancel(0, no, 2)).toBe(true);
  });

  test('a thousand resting orders keep price-time order through growth and removal', () => {
    const { sim } = venueOf({ accounts: [{ name: 'a', futures: '10000000', spot: {} }] });
    sim.quote(0, 1, 1, 10_000, 1, 0);
    const numbers: number[] = [];
    for (let k = 0; k < 2_000; k++) numbers.push(sim.place(0, order({ price: 1_000 + ((k * 7_919) % 300), side: k % 2 }), k + 1, k));
    for (let k = 0; k < 2_000; k += 3) sim.cancel(0, numbers[k]!, 3_000);
    sim.audit();
    expect(sim.pending(0, -1).length).toBe(2_000 - 667);
  });
});
