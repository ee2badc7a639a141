/**
 * Liquidation, step by step and exact to the digit: orders are cancelled, positions are reduced a tier at a time, then closed, and the fund
 * pays the rest.
 */
import { describe, expect, test } from 'vitest';
import { ISOLATED, LONG, SHORT } from '../../../src/domain/codes.ts';
import { CANCELLED } from '../../../src/domain/orders/order.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { BTC, ETH, instrumentsOf, order, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

const { maxLeverage: _leverage, maintenanceRate: _rate, ...BARE } = BTC;
/** V · 0.005; from 1,000 on V · 0.01 − 5; from 10,000 on V · 0.02 − 105. */
const TIERED = {
  ...BARE,
  tiers: [
    { upTo: '1000', maintenanceRate: '0.005', maxLeverage: 100 },
    { upTo: '10000', maintenanceRate: '0.01', maxLeverage: 50 },
    { maintenanceRate: '0.02', maxLeverage: 25 },
  ],
};
const SMALL = [{ name: 'a', futures: '1000', spot: {} }];

describe('an isolated position', () => {
  /** 0.050 at 60,000.1 with 300.0005 of margin; the fee was 1.800003. */
  function isolated(): { sim: VenueSim; log: Recorder } {
    const venue = venueOf({ accounts: SMALL }, instrumentsOf(TIERED));
    venue.sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
    venue.sim.place(0, order({ size: 50, marginMode: ISOLATED }), 1, 500);
    return venue;
  }

  test('is reduced by a tier, pays the loss from its margin, and is safe from there', () => {
    const { sim, log } = isolated();
    const waiting = sim.place(0, order({ price: 500_000, size: 5, marginMode: ISOLATED }), 2, 500);
    // V · 0.99 = 3,000.005 − 300.0005 − 5; V / 0.050 = 54,444.535…
    expect(sim.positions(0, 0)[0]?.liquidationPrice).toBe(5_444_453_535_353);
    sim.quote(0, 544_446, 5_000, 544_447, 5_000, 600);
    sim.advance(1_000);
    expect(log.steps).toEqual([]);
    sim.quote(0, 544_400, 5_000, 544_401, 5_000, 1_500);
    sim.advance(2_000);
    // At 54,440: V = 2,722, margin + unrealised = 300.0005 − 278.005 = 21.9955, maintenance 27.22 − 5 = 22.22.
    // floor(1,000 / 54.44) = 18 lots are worth less than 1,000; the other 32 are closed.
    const about = { time: 2_000, account: 0, instrument: 0, side: LONG, mark: 544_400, backing: 2_199_550_000, maintenance: 2_222_000_000 };
    expect(log.steps).toEqual([
      { ...about, step: 'cancel', size: 0 },
      { ...about, step: 'reduce', size: 32 },
    ]);
    expect(sim.order(waiting)?.status).toBe(CANCELLED);
    // Sold 32 for 1,742.08, released floor(3,000.005 · 32 / 50) = 1,920.0032: realised −177.9232, fee 1.045248, both from the margin.
    expect(log.fills.at(-1)).toMatchObject({ size: 32, price: 544_400, realised: -17_792_320_000, fee: 104_524_800 });
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 18, margin: 12_103_205_200, maintenanceRate: 500_000 });
    expect(sim.totals(0).insurance).toBe(0);
    sim.audit();
  });

  test('costs no more than its margin: the fund pays the rest of a gap', () => {
    const { sim, log } = isolated();
    const free = sim.account(0, 0).crossMaxAvailable;
    sim.quote(0, 400_000, 5_000, 400_001, 5_000, 600);
    sim.advance(1_000);
    // Reduced to floor(1,000 / 40) = 25 lots, then closed: each half realises −500.0025 and pays a fee of 0.6.
    expect(log.steps.map(({ step, size }) => [step, size])).toEqual([
      ['reduce', 25],
      ['close', 25],
    ]);
    const insured = log.moves.filter((move) => move.why === 'insurance');
    expect(insured.map((move) => move.amount)).toEqual([50_060_250_000 - 30_000_050_000, 50_060_250_000]);
    expect(insured.map((move) => move.orderNo)).toEqual(log.fills.slice(1).map((fill) => fill.orderNo));
    expect(sim.equity(0)).toBe(100_000_000_000 - 180_000_300 - 30_000_050_000);
    expect(sim.account(0, 0).crossMaxAvailable).toBe(free);
    expect(sim.clearing()).toMatchObject({ insurance: -70_120_450_000, fees: 180_000_300 + 120_000_000 });
    sim.audit();
  });

  test('closed by hand costs no more than its margin; a part uses the whole margin first', () => {
    const { sim } = isolated();
    sim.quote(0, 500_000, 5_000, 500_001, 5_000, 600);
    const before = sim.account(0, 0).crossMaxAvailable;
    // 20 of 50 lots at 50,000: −200.002 and a fee of 0.6, more than their share of 120.0002, but less than the margin.
    sim.place(0, order({ effect: 1, size: 20, marginMode: ISOLATED }), 2, 600);
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 30, margin: 30_000_050_000 - 20_060_200_000 });
    expect(sim.account(0, 0).crossMaxAvailable).toBe(before);
    // The other 30: −300.003 and 0.9, of which 99.3985 are left in the margin.
    sim.place(0, order({ effect: 1, size: 30, marginMode: ISOLATED }), 3, 600);
    expect(sim.totals(0).insurance).toBe(30_090_300_000 - 9_939_850_000);
    expect(sim.equity(0)).toBe(100_000_000_000 - 180_000_300 - 30_000_050_000);
    sim.audit();
  });

  test('of one symbol does not affect the other side or other symbols', () => {
    const { sim } = isolated();
    sim.place(0, order({ side: SHORT, size: 10, marginMode: ISOLATED }), 2, 500);
    sim.quote(0, 530_000, 5_000, 530_001, 5_000, 600);
    sim.advance(1_000);
    expect(sim.positions(0, 0).map((leg) => [leg.side, leg.total])).toEqual([[SHORT, 10]]);
  });
});

describe('cross positions', () => {
  /** LONG 0.100 BTC at 60,000.1 and 1.000 ETH at 2,600.01; fees 3.600006 + 1.560006; equity 994.819988 at the marks. */
  function two(): { sim: VenueSim; log: Recorder } {
    const venue = venueOf({ accounts: SMALL }, instrumentsOf(BTC, ETH));
    venue.sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
    venue.sim.quote(1, 260_000, 50_000, 260_001, 50_000, 500);
    venue.sim.place(0, order({ size: 100 }), 1, 500);
    venue.sim.place(0, order({ instrument: 1, size: 1_000 }), 2, 500);
    return venue;
  }

  test('with the largest loss are closed first; the rest stays if it is safe', () => {
    const { sim, log } = two();
    const waiting = sim.place(0, order({ price: 500_000, size: 1 }), 3, 500);
    sim.quote(0, 546_000, 5_000, 546_001, 5_000, 600);
    sim.quote(1, 217_000, 50_000, 217_001, 50_000, 600);
    sim.advance(1_000);
    // 1,000 − 5.160012 − 540.01 − 430.01 = 24.819988; maintenance 5,460 · 0.005 + 2,170 · 0.005 = 38.15.
    const about = { time: 1_000, account: 0, backing: 2_481_998_800, maintenance: 3_815_000_000 };
    expect(log.steps).toEqual([
      { ...about, step: 'cancel', instrument: -1, side: -1, size: 0, mark: 0 },
      { ...about, step: 'close', instrument: 0, side: LONG, size: 100, mark: 546_000 },
    ]);
    expect(sim.order(waiting)?.status).toBe(CANCELLED);
    // The fee of 3.276 leaves 21.543988, more than the 10.85 of the other leg.
    expect(sim.positions(0, -1).map((leg) => [leg.instrument, leg.total])).toEqual([[1, 1_000]]);
    expect(sim.equity(0)).toBe(2_154_398_800);
    sim.audit();
  });

  test('with the largest loss need not be the most valuable', () => {
    const { sim, log } = two();
    sim.quote(0, 594_000, 5_000, 594_001, 5_000, 600);
    sim.quote(1, 170_000, 50_000, 170_001, 50_000, 600);
    sim.advance(1_000);
    // 994.839988 − 60.01 − 900.01 leave 34.819988 of 38.2; ETH goes, and its fee of 1.02 leaves 33.799988 for the 29.7 of BTC.
    expect(log.steps.map(({ step, instrument }) => [step, instrument])).toEqual([['close', 1]]);
    expect(sim.equity(0)).toBe(3_379_998_800);
  });

  test('are covered by the fund up to zero if the last one leaves a negative balance', () => {
    const { sim, log } = two();
    sim.quote(0, 400_000, 5_000, 400_001, 5_000, 600);
    sim.advance(1_000);
    // BTC: −2,000.01 and a fee of 2.4; then ETH at 2,600: −0.01 and 1.56.
    expect(log.steps.map(({ step, instrument }) => [step, instrument])).toEqual([
      ['close', 0],
      ['close', 1],
      ['insurance', -1],
    ]);
    const missing = 200_001_000_000 + 240_000_000 + 1_000_000 + 156_000_000 - (100_000_000_000 - 516_001_200);
    expect(log.steps.at(-1)).toMatchObject({ backing: -missing, maintenance: 0 });
    expect(log.moves.at(-1)).toEqual({ account: 0, coin: 'USDT', amount: missing, why: 'insurance', orderNo: 0 });
    expect(sim.equity(0)).toBe(0);
    expect(sim.nextDue).toBe(Infinity);
    sim.audit();
  });

  test('in tiers are reduced by a tier, the highest first, and no further than needed', () => {
    const accounts = [{ name: 'a', futures: '2000', spot: {} }];
    const { sim, log } = venueOf({ accounts, leverage: 20 }, instrumentsOf(TIERED, { ...TIERED, symbol: 'ETHUSDT', baseCoin: 'ETH' }));
    sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
    sim.quote(1, 26_000, 50_000, 26_001, 50_000, 500);
    sim.place(0, order({ size: 250 }), 1, 500);
    sim.place(0, order({ instrument: 1, size: 900 }), 2, 500);
    // At 54,000 and 2,200: 2,000 − 10.404069 of fees − 1,500.025 − 360.09 = 129.480931; maintenance 13,500 · 0.02 − 105 and 1,980 · 0.01 − 5.
    sim.quote(0, 540_000, 5_000, 540_001, 5_000, 600);
    sim.quote(1, 22_000, 50_000, 22_001, 50_000, 600);
    sim.advance(1_000);
    // floor(10,000 / 54) = 185 stay: their 9,990 · 0.01 − 5 and the 14.8 are less than what the fee of 2.106 leaves.
    const about = { time: 1_000, account: 0, backing: 12_948_093_100, maintenance: 17_980_000_000 };
    expect(log.steps).toEqual([{ ...about, step: 'reduce', instrument: 0, side: LONG, size: 65, mark: 540_000 }]);
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 185, maintenanceRate: 1_000_000 });
    sim.audit();
  });
});

test('with a loss beyond the money after a manual close are covered at the next check', () => {
  const { sim, log } = venueOf({ accounts: SMALL });
  sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
  sim.place(0, order({ size: 100 }), 1, 500);
  sim.quote(0, 400_000, 5_000, 400_001, 5_000, 600);
  sim.place(0, order({ effect: 1, size: 100 }), 2, 600);
  expect(sim.equity(0)).toBeLessThan(0);
  sim.advance(1_000);
  expect(log.steps.map(({ step }) => step)).toEqual(['insurance']);
  expect(sim.equity(0)).toBe(0);
  sim.audit();
});

describe('leverage', () => {
  test('depends on account, symbol and side, capped by the instrument', () => {
    const accounts = [
      { name: 'a', futures: '10000', spot: {}, leverage: { BTCUSDT: { long: 5, short: 400 } } },
      { ...SMALL[0]!, name: 'b' },
    ];
    const { sim } = venueOf({ accounts }, instrumentsOf(BTC, ETH));
    sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
    expect([0, 1].map((i) => [sim.account(0, i).longLeverage, sim.account(0, i).shortLeverage])).toEqual([
      [5, 100],
      [10, 10],
    ]);
    expect(sim.account(1, 0)).toMatchObject({ longLeverage: 10, shortLeverage: 10 });
    sim.place(0, order({ size: 10 }), 1, 500);
    sim.place(0, order({ side: SHORT, size: 10 }), 2, 500);
    // 600.001 / 5 and 600 / 100.
    expect(sim.positions(0, 0).map((leg) => [leg.leverage, leg.margin])).toEqual([
      [5, 12_000_020_000],
      [100, 600_000_000],
    ]);
  });

  test('is allowed up to the value of its tier: an order beyond it is too large', () => {
    const accounts = [{ name: 'a', futures: '100000', spot: {} }];
    const { sim } = venueOf({ accounts, leverage: 60 }, instrumentsOf(TIERED));
    sim.quote(0, 600_000, 5_000, 600_001, 5_000, 500);
    expect(sim.place(0, order({ price: 500_000, size: 21 }), 1, 500)).toBe(0);
    expect(sim.refusal).toBe('size-too-large');
    expect(sim.place(0, order({ price: 500_000, size: 15 }), 2, 500)).toBeGreaterThan(0);
    expect(sim.place(0, order({ price: 500_000, size: 6 }), 3, 500)).toBe(0);
    expect(sim.place(0, order({ price: 500_000, size: 5 }), 4, 500)).toBeGreaterThan(0);
  });
});

test('a crash that costs 200 accounts more than one exact number keeps all books balanced', () => {
  const accounts = Array.from({ length: 200 }, (_, k) => ({ name: `a${k}`, futures: '2000000', spot: {} }));
  const { sim } = venueOf({ accounts }, instrumentsOf({ ...BTC, maxSize: '1000', takerFeeRate: '0.00060001' }));
  for (let a = 0; a < accounts.length; a++) {
    sim.quote(0, 600_001, 1_000_000 + a, 600_002, 1_000_000 + a, a);
    expect(sim.place(a, order({ size: 290_001 + 7 * a }), 1, a)).toBeGreaterThan(0);
  }
  sim.quote(0, 522_001, 1_000_000, 522_002, 1_000_000, 2_000);
  expect(accounts.map((_, a) => sim.equity(a)).every((equity) => equity === 0)).toBe(true);
  const { market, fees, insurance } = sim.clearing();
  expect(market).toBeGreaterThan(400_000_000e8);
  expect(market + fees + insurance).toBeCloseTo(400_000_000e8, -3);
  sim.audit();
  const twin = venueOf({ accounts }, instrumentsOf({ ...BTC, maxSize: '1000', takerFeeRate: '0.00060001' })).sim;
  twin.restore(JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<typeof sim.snapshot>);
  twin.audit();
});
