/** Spot: balances by hand. A lot is 0.000001 BTC, a tick 0.01 USDT, the fee 0.001 of the value in USDT. */
import { describe, expect, test } from 'vitest';
import { BUY, SELL } from '../../../src/domain/codes.ts';
import { CANCELLED, FILLED, WORKING } from '../../../src/domain/orders/order.ts';
import type { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { instrumentsOf, order, SPOT_BTC, venueOf, type Recorder } from '../../support/sim/sim-kit.ts';

function quoted(spot: Record<string, string> = { USDT: '1000', BTC: '0.5' }): { sim: VenueSim; log: Recorder } {
  const venue = venueOf({ accounts: [{ name: 'a', futures: '0', spot }] }, instrumentsOf(SPOT_BTC));
  venue.sim.quote(0, 6_000_000, 100_000, 6_000_010, 10_000, 1);
  return venue;
}

const held = (sim: VenueSim): Record<string, [number, number]> =>
  Object.fromEntries(sim.balances(0).map(({ coin, free, locked }) => [coin, [free, locked]]));

describe('spot', () => {
  test('a market buy pays value and fee', () => {
    const { sim, log } = quoted();
    const no = sim.placeSpot(0, order({ side: BUY, size: 10_000 }), 1, 2);
    // 0.01 BTC at 60,000.10 = 600.001; fee 0.600001.
    expect(log.fills).toMatchObject([{ price: 6_000_010, size: 10_000, fee: 60_000_100, realised: 0 }]);
    expect(held(sim)).toEqual({ BTC: [51_000_000, 0], USDT: [100_000_000_000 - 60_000_100_000 - 60_000_100, 0] });
    expect(sim.order(no)?.status).toBe(FILLED);
    sim.audit();
  });

  test('a limit buy locks value and fee, and a better price releases the difference', () => {
    const { sim } = quoted();
    const no = sim.placeSpot(0, order({ side: BUY, price: 5_900_000, size: 10_000 }), 1, 2);
    // 0.01 at 59,000 = 590; fee 0.59.
    expect(held(sim)['USDT']).toEqual([100_000_000_000 - 59_059_000_000, 59_059_000_000]);
    sim.trade(0, 5_900_000, 4_000, SELL, 3, 1);
    // Filled 0.004: 236 and 0.236; still locked 0.006: 354 and 0.354.
    expect(held(sim)['USDT']).toEqual([100_000_000_000 - 59_059_000_000, 35_435_400_000]);
    expect(sim.cancelSpot(0, no, 4)).toBe(true);
    expect(held(sim)['USDT']).toEqual([100_000_000_000 - 23_623_600_000, 0]);
    expect(held(sim)['BTC']).toEqual([50_400_000, 0]);
    sim.audit();
  });

  test('a sell locks its coins and receives value less fee', () => {
    const { sim } = quoted();
    sim.placeSpot(0, order({ side: SELL, price: 6_100_000, size: 300_000 }), 1, 2);
    expect(held(sim)['BTC']).toEqual([20_000_000, 30_000_000]);
    sim.trade(0, 6_100_000, 300_000, BUY, 3, 1);
    // 0.3 at 61,000 = 18,300; fee 18.3.
    expect(held(sim)).toEqual({ BTC: [20_000_000, 0], USDT: [100_000_000_000 + 1_828_170_000_000, 0] });
    sim.audit();
  });

  test('a market buy that runs out of money buys what it can pay for and ends', () => {
    const { sim, log } = quoted({ USDT: '613' });
    const no = sim.placeSpot(0, order({ side: BUY, size: 10_200 }), 1, 2);
    expect(sim.order(no)?.status).toBe(WORKING);
    // 10,000 lots cost 600.601001; 12.398999 remain: at 90,000.10, 137 lots cost 12.3300137 and 0.01233002; 138 cost too much.
    sim.quote(0, 9_000_000, 100, 9_000_010, 10_000, 3);
    sim.quote(0, 9_000_000, 100, 9_000_010, 10_000, 4);
    expect(log.fills.map((fill) => fill.size)).toEqual([10_000, 137]);
    expect(sim.order(no)?.status).toBe(CANCELLED);
    expect(sim.balances(0).every(({ free }) => free >= 0)).toBe(true);
    sim.audit();
  });

  test('a market buy that could pay for a lot, but not for its fee, buys one less', () => {
    const { sim, log } = quoted({ USDT: '612.935' });
    sim.placeSpot(0, order({ side: BUY, size: 10_200 }), 1, 2);
    // 12.333999 remain after 10,000 lots: 137 lots cost 12.3300137 and 0.01233002.
    sim.quote(0, 9_000_000, 100, 9_000_010, 10_000, 3);
    sim.quote(0, 9_000_000, 100, 9_000_010, 10_000, 4);
    expect(log.fills.map((fill) => fill.size)).toEqual([10_000, 136]);
    expect(sim.balances(0).every(({ free }) => free >= 0)).toBe(true);
    sim.audit();
  });

  test.each([
    ['too little money', { side: BUY, price: 6_000_000, size: 20_000 }, 'insufficient-balance'],
    ['too few coins', { side: SELL, price: 6_000_000, size: 500_001 }, 'insufficient-balance'],
    ['below the smallest size', { side: BUY, price: 6_000_000, size: 99 }, 'size-too-small'],
    ['below the smallest value', { side: BUY, price: 4_000, size: 100 }, 'size-too-small'],
    ['above the largest size', { side: BUY, price: 1, size: 100_000_001 }, 'size-too-large'],
    ['a limit without price', { side: BUY, type: 0, size: 1_000 }, 'price-required'],
  ])('refuses %s', (_what, given, reason) => {
    const { sim } = quoted();
    expect(sim.placeSpot(0, order(given), 1, 2)).toBe(0);
    expect(sim.refusal).toBe(reason);
    sim.audit();
  });

  test('fees rounded up at each fill never exceed what is locked', () => {
    const { sim } = quoted({ USDT: '5.99599401' });
    // 0.0001 at 59,900.04 = 5.990004; fee rounded up to 0.00599001: exactly the whole balance.
    expect(sim.placeSpot(0, order({ side: BUY, price: 5_990_004, size: 100 }), 1, 2)).toBeGreaterThan(0);
    for (let k = 0; k < 100; k++) sim.trade(0, 5_990_004, 1, SELL, 3 + k, k);
    expect(held(sim)['BTC']).toEqual([10_000, 0]);
    expect(held(sim)['USDT']![0]).toBeGreaterThanOrEqual(0);
    sim.audit();
  });

  test('no account can hold more than the exact range of money', () => {
    const cheap = {
      ...SPOT_BTC,
      symbol: 'SHIBUSDT',
      baseCoin: 'SHIB',
      tickSize: '0.00000001',
      lotSize: '1',
      minSize: '1',
      minNotional: '0',
    };
    const instruments = instrumentsOf({ ...cheap, maxSize: '900000000000000' }, { ...SPOT_BTC, maxSize: '1000' });
    const { sim } = venueOf({ accounts: [{ name: 'a', futures: '0', spot: { USDT: '1000000', BTC: '10000' } }] }, instruments);
    sim.quote(0, 1_000, 1e13, 1_001, 1e13, 1);
    sim.quote(1, 6_000_000, 1e12, 6_000_010, 1e12, 1);
    // 90,071,992 of a coin are the maximum; these cost 900.72 USDT.
    expect(sim.placeSpot(0, order({ side: BUY, price: 1_001, size: 90_071_993 }), 1, 2)).toBe(0);
    expect(sim.refusal).toBe('size-too-large');
    expect(sim.placeSpot(0, order({ side: BUY, price: 1_001, size: 90_071_992 }), 1, 2)).toBeGreaterThan(0);
    expect(sim.placeSpot(0, order({ side: BUY, size: 1 }), 1, 2)).toBe(0);
    // A sell at a limit of one USDT has the value of its fill price: 22 million each, of which four fit besides the first million.
    const sell = order({ instrument: 1, side: SELL, price: 100, size: 370_000_000 });
    for (let k = 0; k < 4; k++) expect(sim.placeSpot(0, sell, 1, 2)).toBeGreaterThan(0);
    expect(sim.placeSpot(0, sell, 1, 2)).toBe(0);
    expect(sim.refusal).toBe('size-too-large');
    sim.audit();
  });

  test('futures calls do not reach spot orders', () => {
    const { sim } = quoted();
    const no = sim.placeSpot(0, order({ side: BUY, price: 5_900_000, size: 1_000 }), 1, 2);
    expect(sim.cancel(0, no, 3)).toBe(false);
    expect(sim.modify(0, no, order({ price: 1 }), 2, 3)).toBe(0);
    expect(sim.cancelSpot(0, no, 3)).toBe(true);
  });
});
