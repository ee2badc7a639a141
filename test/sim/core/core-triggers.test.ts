/** Triggers: bracket exits for the filled part of an order, trigger orders, and failures when they fire. */
import { describe, expect, test } from 'vitest';
import { BUY, BY_LAST, BY_MARK, CLOSE, LIMIT, MARKET, SELL, SHORT } from '../../../src/domain/codes.ts';
import { CANCELLED, FILLED, WORKING } from '../../../src/domain/orders/order.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { TRIGGER } from '../../../src/sim/state/kinds.ts';
import { order, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

function quoted(): { sim: VenueSim; log: Recorder } {
  const venue = venueOf();
  venue.sim.quote(0, 1_000, 100, 1_001, 100, 1);
  venue.sim.trade(0, 1_000, 1, SELL, 1, 1);
  return venue;
}

describe('bracket exits', () => {
  test.each([
    ['take profit of a long', 0, { takeProfit: 1_050 }, 1_050, 1_049],
    ['stop of a long', 0, { stopLoss: 950 }, 950, 951],
    ['take profit of a short', SHORT, { takeProfit: 950 }, 950, 951],
    ['stop of a short', SHORT, { stopLoss: 1_050 }, 1_050, 1_049],
  ])('%s', (_what, side, exits, at, before) => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ side, size: 10, ...exits }), 1, 2);
    sim.quote(0, before - 1, 100, before + 1, 100, 3);
    sim.trade(0, before, 1, BUY, 3, 2);
    expect(log.fills.length).toBe(1);
    sim.quote(0, at - 1, 100, at + 1, 100, 4);
    sim.trade(0, at, 1, BUY, 4, 3);
    const price = side === SHORT ? at + 1 : at - 1;
    expect(log.fills[1]).toMatchObject({ effect: CLOSE, side, price, size: 10, tag: 0 });
    expect(sim.order(log.fills[1]!.orderNo)).toMatchObject({ type: MARKET, byVenue: true, parent: no });
    expect(sim.positions(0, 0)).toEqual([]);
    sim.audit();
  });

  test.each([
    ['the stop of a long', 0, { stopLoss: 950 }, 940, SELL, [935, 937], 935],
    ['the stop of a short', SHORT, { stopLoss: 1_050 }, 1_060, BUY, [1_063, 1_065], 1_065],
    ['the take profit of a long', 0, { takeProfit: 1_050 }, 1_060, BUY, [1_055, 1_057], 1_055],
  ])('%s does not fill at a quote older than its trade', (_what, side, exits, at, aggressor, [bid, ask], price) => {
    const { sim, log } = quoted();
    sim.place(0, order({ side, size: 10, ...exits }), 1, 2);
    sim.trade(0, at, 1, aggressor, 3, 2);
    sim.quote(0, bid!, 100, ask!, 100, 3);
    expect(log.fills[1]).toMatchObject({ effect: CLOSE, price, size: 10 });
    expect(sim.positions(0, 0)).toEqual([]);
    sim.audit();
  });

  test('an exit that waits for a quote is an open order, and can be cancelled', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ size: 10, stopLoss: 950 }), 1, 2);
    sim.trade(0, 940, 1, SELL, 3, 2);
    const [exit] = sim.pending(0, 0);
    expect(exit).toMatchObject({ type: MARKET, effect: CLOSE, size: 10, filled: 0 });
    expect(sim.cancel(0, exit!.no, 4)).toBe(true);
    sim.quote(0, 935, 100, 937, 100, 5);
    expect(log.fills.length).toBe(1);
    expect(sim.positions(0, 0)).toMatchObject([{ total: 10, locked: 0 }]);
    sim.audit();
  });

  test('a trigger order fired by a trade above the ask does not take that ask', () => {
    const { sim, log } = quoted();
    sim.placeTrigger(0, order({ trigger: 1_050, triggerBy: BY_LAST, size: 10 }), 1, 2);
    sim.trade(0, 1_060, 1, BUY, 3, 2);
    expect(log.fills).toEqual([]);
    sim.quote(0, 1_061, 100, 1_062, 100, 4);
    expect(log.fills).toMatchObject([{ price: 1_062, size: 10 }]);
  });

  test('an execute price makes it a resting limit order', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ takeProfit: 1_050, takeProfitLimit: 1_060 }), 1, 2);
    sim.quote(0, 1_049, 100, 1_051, 100, 3);
    sim.trade(0, 1_050, 1, BUY, 3, 2);
    const [exit] = sim.pending(0, 0);
    expect(exit).toMatchObject({ type: LIMIT, price: 1_060, effect: CLOSE, size: 10, byVenue: true });
    sim.trade(0, 1_060, 10, BUY, 4, 3);
    expect(log.fills[1]).toMatchObject({ price: 1_060, realised: (1_060 - 1_001) * 10 * 10_000 });
  });

  test('one of the pair ends the other', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ takeProfit: 1_050, stopLoss: 950 }), 1, 2);
    sim.trade(0, 1_050, 1, BUY, 3, 2);
    sim.quote(0, 1_049, 100, 1_050, 100, 3);
    sim.trade(0, 950, 1, SELL, 4, 3);
    sim.quote(0, 949, 100, 950, 100, 4);
    expect(log.fills.length).toBe(2);
    expect(sim.pending(0, 0)).toEqual([]);
  });

  test('protect only the filled part, and grow with it', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ price: 990, size: 10, stopLoss: 900 }), 1, 2);
    sim.trade(0, 990, 3, SELL, 3, 2);
    sim.trade(0, 990, 2, SELL, 3, 3);
    sim.quote(0, 890, 100, 891, 100, 4);
    // The quote row reached the order first: the other 5 filled at 990, and are protected as well.
    sim.trade(0, 890, 1, SELL, 4, 4);
    expect(log.fills.map((fill) => [fill.effect, fill.size])).toEqual([
      [0, 3],
      [0, 2],
      [0, 5],
      [1, 10],
    ]);
    expect(sim.pending(0, 0)).toEqual([]);
    sim.audit();
  });

  test('end when the position is closed by hand, and close no more than available', () => {
    const { sim, log } = quoted();
    sim.place(0, order({ size: 10, stopLoss: 900 }), 1, 2);
    sim.place(0, order({ effect: CLOSE, size: 10 }), 2, 2);
    sim.trade(0, 890, 1, SELL, 3, 2);
    expect(log.fills.length).toBe(2);
    sim.quote(0, 1_000, 100, 1_001, 100, 4);
    sim.trade(0, 1_000, 1, SELL, 4, 3);
    sim.place(0, order({ size: 10, stopLoss: 900 }), 3, 4);
    sim.place(0, order({ effect: CLOSE, size: 4, price: 2_000 }), 4, 4);
    sim.trade(0, 890, 1, SELL, 5, 4);
    sim.quote(0, 889, 100, 891, 100, 5);
    expect(log.fills.at(-1)).toMatchObject({ effect: CLOSE, size: 6 });
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 4, locked: 4 });
    sim.audit();
  });

  test('an order without fills protects nothing', () => {
    const { sim, log } = quoted();
    const no = sim.place(0, order({ price: 900, stopLoss: 950 }), 1, 2);
    sim.trade(0, 940, 1, SELL, 3, 2);
    sim.cancel(0, no, 4);
    sim.trade(0, 930, 1, SELL, 5, 3);
    expect(log.fills).toEqual([]);
  });
});

describe('trigger orders', () => {
  test('become an order with the same tag when the last trade reaches the trigger', () => {
    const { sim, log } = quoted();
    const plan = sim.placeTrigger(0, order({ trigger: 1_020, triggerBy: BY_LAST, size: 5, stopLoss: 1_000 }), 9, 2);
    expect(sim.order(plan)).toMatchObject({ kind: TRIGGER, status: WORKING, trigger: 1_020 });
    expect(sim.account(0, 0).locked).toBe(0);
    sim.quote(0, 1_030, 100, 1_031, 100, 3);
    expect(log.fills).toEqual([]);
    sim.trade(0, 1_030, 1, SELL, 4, 2);
    expect(log.fills).toMatchObject([{ tag: 9, price: 1_031, size: 5 }]);
    expect(sim.order(plan)?.status).toBe(FILLED);
    expect(sim.order(log.fills[0]!.orderNo)).toMatchObject({ parent: plan, byVenue: true, stopLoss: 1_000 });
    sim.audit();
  });

  test('below the market they fire downward, and a price makes them limit orders', () => {
    const { sim } = quoted();
    const plan = sim.placeTrigger(0, order({ trigger: 980, price: 970, size: 5 }), 9, 2);
    sim.trade(0, 981, 1, SELL, 3, 2);
    expect(sim.pending(0, 0).map((x) => x.no)).toEqual([plan]);
    expect(sim.workingOf(0, 0, 9)?.no).toBe(plan);
    sim.trade(0, 980, 1, SELL, 3, 3);
    expect(sim.pending(0, 0)).toMatchObject([{ type: LIMIT, price: 970, parent: plan, tag: 9 }]);
    const child = sim.pending(0, 0)[0]!.no;
    expect(sim.workingOf(0, 0, 9)?.no).toBe(child);
    expect(sim.modify(0, child, order({ price: 971, size: 0 }), 10, 4)).toBeGreaterThan(0);
    expect([sim.workingOf(0, 0, 9), sim.workingOf(0, 0, 10)?.parent]).toEqual([null, child]);
  });

  test.each([false, true])('by mark they fire at the next check, whether or not another order is near (%s)', (isNear) => {
    const { sim, log } = quoted();
    sim.placeTrigger(0, order({ trigger: 1_020, triggerBy: BY_MARK, size: 5 }), 9, 2);
    if (isNear) sim.placeTrigger(0, order({ trigger: 1_021, triggerBy: BY_LAST, size: 1 }), 8, 2);
    expect(sim.nextDue).toBe(1_000);
    sim.quote(0, 1_022, 100, 1_023, 100, 3);
    sim.trade(0, 1_020, 1, BUY, 4, 2);
    expect(log.fills).toEqual([]);
    sim.advance(1_000);
    expect(log.fills).toMatchObject([{ price: 1_023, size: 5, time: 1_000 }]);
    sim.audit();
  });

  test('by last on a market without trades they watch the mark, at the checks', () => {
    const { sim, log } = venueOf();
    sim.quote(0, 1_000, 100, 1_002, 100, 1);
    sim.placeTrigger(0, order({ trigger: 1_020, triggerBy: BY_LAST, size: 5, stopLoss: 1_015 }), 9, 2);
    sim.quote(0, 1_019, 100, 1_023, 100, 3);
    expect(log.fills).toEqual([]);
    sim.advance(1_000);
    expect(log.fills).toMatchObject([{ price: 1_023, size: 5, time: 1_000 }]);
    sim.quote(0, 1_010, 100, 1_012, 100, 1_001);
    sim.advance(2_000);
    expect(log.fills[1]).toMatchObject({ effect: CLOSE, price: 1_010, size: 5, time: 2_000 });
    expect(sim.pending(0, 0)).toEqual([]);
    sim.audit();
  });

  test('are cancelled like orders, and end cancelled if the account cannot afford them', () => {
    const { sim, log } = venueOf({ accounts: [{ name: 'a', futures: '10', spot: {} }] });
    sim.trade(0, 1_000, 1, BUY, 1, 1);
    const first = sim.placeTrigger(0, order({ trigger: 1_100, size: 500 }), 1, 2);
    const second = sim.placeTrigger(0, order({ trigger: 1_100, size: 500 }), 2, 2);
    const third = sim.placeTrigger(0, order({ trigger: 1_100, size: 500 }), 3, 2);
    expect(sim.cancel(0, third, 3)).toBe(true);
    sim.trade(0, 1_100, 1, BUY, 4, 2);
    expect(log.ends.slice(0, 2)).toEqual([
      { orderNo: third, how: CANCELLED },
      { orderNo: first, how: FILLED },
    ]);
    expect(log.ends.slice(-2)).toEqual([
      { orderNo: second, how: FILLED },
      { orderNo: second + 3, how: CANCELLED },
    ]);
    expect(sim.order(second + 3)).toMatchObject({ parent: second, filled: 0, size: sim.order(second)?.size });
    expect(log.fills.length).toBe(1);
    sim.audit();
  });

  test('without a trigger price they are refused', () => {
    const { sim } = quoted();
    expect(sim.placeTrigger(0, order({ trigger: 0 }), 1, 2)).toBe(0);
    expect(sim.refusal).toBe('trigger-required');
  });
});
