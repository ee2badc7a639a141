/** Margin: modes, isolated margin, the account's fields, and liquidation. */
import { describe, expect, test } from 'vitest';
import { CROSS, ISOLATED, LONG, SHORT } from '../../../src/domain/codes.ts';
import { CANCELLED } from '../../../src/domain/orders/order.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { order, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

/** 1,000 USDT at 10×, bid 60,000.0 and ask 60,000.1. */
function small(futures = '1000'): { sim: VenueSim; log: Recorder } {
  const venue = venueOf({ accounts: [{ name: 'a', futures, spot: {} }] });
  venue.sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
  return venue;
}

describe('the account', () => {
  test('equity = available + locked + unrealised, with a position and a resting order', () => {
    const { sim } = small();
    sim.place(0, order({ size: 50 }), 1, 500);
    sim.place(0, order({ price: 590_000, size: 10 }), 2, 500);
    sim.quote(0, 600_500, 5_000, 600_501, 5_000, 501);
    const view = sim.account(0, 0);
    // 0.050 at 60,000.1 = 3,000.005; fee 1.800003. Unrealised 0.050 · (60,050.0 − 60,000.1) = 2.495. Locked 0.010 · 59,000 / 10 = 59.
    expect(view).toMatchObject({ unrealised: 249_500_000, locked: 5_900_000_000, longLeverage: 10, shortLeverage: 10, marginMode: CROSS });
    expect(view.equity).toBe(100_000_000_000 - 180_000_300 + 249_500_000);
    expect(view.available + view.locked + view.unrealised).toBe(view.equity);
    // Usable: equity − 300.0005 of the position − 59 of the order.
    expect(view.crossMaxAvailable).toBe(view.equity - 30_000_050_000 - 5_900_000_000);
    expect(view.maxTransferOut).toBe(view.crossMaxAvailable - 249_500_000);
  });
});

describe('margin mode', () => {
  test('changes only without a position of the symbol; waiting orders change too', () => {
    const { sim } = small();
    expect(sim.setMarginMode(0, 0, ISOLATED, 1)).toBe(true);
    expect(sim.marginMode(0, 0)).toBe(ISOLATED);
    const no = sim.place(0, order({ price: 590_000, marginMode: ISOLATED }), 1, 2);
    expect(sim.setMarginMode(0, 0, CROSS, 3)).toBe(true);
    expect(sim.order(no)?.marginMode).toBe(CROSS);
    sim.quote(0, 580_000, 5_000, 580_001, 5_000, 4);
    expect(sim.positions(0, 0)[0]?.marginMode).toBe(CROSS);
    expect(sim.setMarginMode(0, 0, ISOLATED, 5)).toBe(false);
    expect(sim.refusal).toBe('margin-mode-conflict');
    expect(sim.setMarginMode(0, 0, CROSS, 5)).toBe(true);
    sim.place(0, order({ effect: 1 }), 2, 6);
    expect(sim.setMarginMode(0, 0, ISOLATED, 7)).toBe(true);
    sim.audit();
  });

  test('an order in another mode changes the symbol’s mode if no position is open', () => {
    const { sim } = small();
    const first = sim.place(0, order({ price: 590_000, marginMode: ISOLATED }), 1, 2);
    expect(sim.marginMode(0, 0)).toBe(ISOLATED);
    const plan = sim.placeTrigger(0, order({ trigger: 610_000, marginMode: CROSS }), 2, 2);
    expect([first, plan].map((no) => sim.order(no)?.marginMode)).toEqual([CROSS, CROSS]);
    sim.place(0, order({ marginMode: CROSS }), 3, 2);
    expect(sim.place(0, order({ price: 590_000, marginMode: ISOLATED }), 4, 2)).toBe(0);
    expect(sim.refusal).toBe('margin-mode-conflict');
    sim.audit();
  });
});

describe('isolated margin', () => {
  function isolated(): { sim: VenueSim; log: Recorder } {
    const venue = small();
    venue.sim.place(0, order({ size: 50, marginMode: ISOLATED }), 1, 500);
    return venue;
  }

  test('starts as the initial margin and is changed by hand', () => {
    const { sim } = isolated();
    expect(sim.positions(0, 0)[0]).toMatchObject({ marginMode: ISOLATED, margin: 30_000_050_000 });
    const before = sim.account(0, 0).crossMaxAvailable;
    expect(sim.adjustMargin(0, 0, LONG, 10_000_000_000, 501)).toBe(true);
    expect(sim.positions(0, 0)[0]?.margin).toBe(40_000_050_000);
    expect(sim.account(0, 0).crossMaxAvailable).toBe(before - 10_000_000_000);
    expect(sim.adjustMargin(0, 0, LONG, -9_999_000_000, 501)).toBe(true);
    sim.audit();
  });

  test('cannot be reduced below the initial margin, nor increased beyond what is free', () => {
    const { sim } = isolated();
    expect(sim.adjustMargin(0, 0, LONG, -1, 501)).toBe(false);
    expect(sim.refusal).toBe('insufficient-position-margin');
    expect(sim.adjustMargin(0, 0, LONG, 90_000_000_000, 501)).toBe(false);
    expect(sim.refusal).toBe('insufficient-balance');
    expect(sim.adjustMargin(0, 0, SHORT, 1, 501)).toBe(false);
    expect(sim.refusal).toBe('no-position');
  });

  test('does not affect cross positions', () => {
    const { sim } = small();
    sim.place(0, order({ size: 50 }), 1, 500);
    expect(sim.adjustMargin(0, 0, LONG, 1, 501)).toBe(false);
    expect(sim.refusal).toBe('cross-margin-unsupported');
  });

  test('a close releases its share', () => {
    const { sim } = isolated();
    sim.place(0, order({ effect: 1, size: 20, marginMode: ISOLATED }), 2, 501);
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 30, margin: 18_000_030_000 });
    sim.place(0, order({ effect: 1, size: 30, marginMode: ISOLATED }), 3, 501);
    sim.audit();
  });

  test('is liquidated alone', () => {
    const { sim, log } = isolated();
    // Margin 300.0005 over 3,000.005: used up except for 0.5 % of the value at about 54,271.4.
    sim.quote(0, 542_720, 5_000, 542_721, 5_000, 1_500);
    expect(sim.positions(0, 0).length).toBe(1);
    sim.quote(0, 542_700, 5_000, 542_701, 5_000, 2_500);
    expect(sim.positions(0, 0)).toEqual([]);
    expect(log.moves.some((move) => move.why === 'liquidation')).toBe(true);
    expect(sim.equity(0)).toBeGreaterThan(69_000_000_000);
    sim.audit();
  });
});

describe('liquidation on cross margin', () => {
  test('closes all positions as taker if equity is at most the maintenance margin, and cancels the orders', () => {
    const { sim, log } = small();
    // 0.160 at 60,000.1 = 9,600.016; fee 5.7600096; equity 994.22 or so.
    sim.place(0, order({ size: 160 }), 1, 500);
    const resting = sim.place(0, order({ price: 500_000, size: 5 }), 2, 500);
    const [position] = sim.positions(0, 0);
    // V · (1 − 0.005) = 9,600.016 − 994.2399904; V / 0.160 = 54,056.38196984924…
    expect(position?.liquidationPrice).toBe(5_405_638_196_984);
    sim.quote(0, 540_564, 5_000, 540_565, 5_000, 1_000);
    expect(sim.positions(0, 0).length).toBe(1);
    sim.quote(0, 540_563, 5_000, 540_564, 5_000, 1_999);
    expect(sim.positions(0, 0).length).toBe(1);
    sim.advance(2_000);
    expect(sim.positions(0, 0)).toEqual([]);
    expect(sim.order(resting)?.status).toBe(CANCELLED);
    expect(log.fills.at(-1)).toMatchObject({ size: 160, price: 540_563, tag: 0 });
    const last = log.moves.filter((move) => move.orderNo === log.fills.at(-1)!.orderNo);
    expect(last.map((move) => move.why)).toEqual(['liquidation', 'fee']);
    expect(sim.nextDue).toBe(Infinity);
    sim.audit();
  });

  test('a profit of one position covers the loss of another', () => {
    const { sim } = small();
    sim.place(0, order({ size: 80 }), 1, 500);
    sim.place(0, order({ side: SHORT, size: 80 }), 2, 500);
    sim.quote(0, 300_000, 5_000, 300_001, 5_000, 1_500);
    expect(sim.positions(0, 0).length).toBe(2);
    sim.audit();
  });

  test('a position that cannot be liquidated shows no liquidation price', () => {
    const { sim } = small('1000000');
    sim.place(0, order({ size: 10 }), 1, 500);
    expect(sim.positions(0, 0)[0]?.liquidationPrice).toBe(0);
  });
});

test('break-even is the price at which closing as taker recovers the fees', () => {
  const { sim } = small();
  sim.place(0, order({ size: 50 }), 1, 500);
  const [position] = sim.positions(0, 0);
  // (3,000.005 + 1.800003) / (1 − 0.0006) / 0.050 = 60,072.14334600760…
  expect(position?.breakEvenPrice).toBe(6_007_214_334_600);
  expect(position?.marginRate).toBe(Math.floor((sim.markPrice(0) * 50 * 10_000 * 0.005 * 1e8) / sim.equity(0)));
});
