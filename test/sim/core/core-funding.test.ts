/** Funding by hand: who pays whom, when, and exactly how much. */
import { describe, expect, test } from 'vitest';
import { ISOLATED, SELL, SHORT } from '../../../src/domain/codes.ts';
import type { FundingSpec } from '../../../src/sim/state/terms.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { BTC, instrumentsOf, order, Recorder, specOf, venueOf } from '../../support/sim/sim-kit.ts';

const MINUTE: FundingSpec = { model: 'constant', everyMs: 60_000, rate: '0.0001' };

describe('at every funding time', () => {
  test('longs pay shorts a share of the value at the mark; the clearing account holds the rest', () => {
    const { sim, log } = venueOf({ funding: MINUTE });
    sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
    sim.place(0, order({ size: 250 }), 1, 1_000);
    sim.place(0, order({ side: SHORT, size: 100 }), 2, 1_000);
    sim.advance(59_999);
    expect(log.moves.filter((move) => move.why === 'funding')).toEqual([]);
    sim.advance(60_000);
    // Mark 60,000: 0.250 is worth 15,000 and pays 1.5; 0.100 is worth 6,000 and gets 0.6.
    expect(log.moves.filter((move) => move.why === 'funding').map((move) => move.amount)).toEqual([-150_000_000, 60_000_000]);
    expect(sim.positions(0, 0).map((leg) => leg.funding)).toEqual([-150_000_000, 60_000_000]);
    expect(sim.totals(0).funding).toBe(-90_000_000);
    expect(sim.clearing().funding).toBe(90_000_000);
    sim.audit();
  });

  test('at a negative rate shorts pay; payments are rounded up, receipts down', () => {
    // A lot of 0.001 at 1.00000 is 100,000 units; three of them · 0.00012345 = 37.035.
    const fine = { ...BTC, tickSize: '0.00001', fundingRate: '-0.00012345' };
    const { sim, log } = venueOf({ funding: MINUTE }, instrumentsOf(fine));
    sim.quote(0, 100_000, 50, 100_000, 50, 1);
    sim.place(0, order({ size: 3 }), 1, 1);
    sim.place(0, order({ side: SHORT, size: 3 }), 2, 1);
    sim.advance(60_000);
    expect(log.moves.filter((move) => move.why === 'funding').map((move) => move.amount)).toEqual([37, -38]);
    expect(sim.clearing().funding).toBe(1);
  });

  test('a position pays for every funding time since it was opened, excluding the one at which it was', () => {
    const { sim } = venueOf({ funding: MINUTE });
    sim.quote(0, 600_000, 500, 600_001, 500, 60_000);
    sim.place(0, order({ size: 250 }), 1, 60_000);
    sim.advance(119_000);
    expect(sim.totals(0).funding).toBe(0);
    sim.advance(240_500);
    expect(sim.totals(0).funding).toBe(-3 * 150_000_000);
    sim.advance(299_000);
    expect(sim.totals(0).funding).toBe(-3 * 150_000_000);
  });

  test('nothing is paid without terms, without a rate, or for a flat position', () => {
    for (const funding of [null, { ...MINUTE, rate: '0' }]) {
      const { sim } = venueOf({ funding });
      sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
      sim.place(0, order({ size: 250 }), 1, 1_000);
      sim.place(0, order({ effect: 1, size: 250 }), 1, 1_000);
      sim.place(0, order({ side: SHORT, size: 1 }), 1, 1_000);
      sim.advance(600_000);
      expect(sim.totals(0).funding).toBe(0);
    }
  });

  test('break-even includes funding, and a position that opens again starts without', () => {
    const { sim } = venueOf({ funding: MINUTE });
    sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
    sim.place(0, order({ size: 50 }), 1, 1_000);
    sim.advance(60_000);
    // (3,000.005 + fee 1.800003 + funding 0.3) / (1 − 0.0006) / 0.050 = 60,078.14694816890…
    expect(sim.positions(0, 0)[0]).toMatchObject({ funding: -30_000_000, breakEvenPrice: 6_007_814_694_816 });
    sim.place(0, order({ effect: 1, size: 50 }), 2, 60_000);
    sim.place(0, order({ size: 1 }), 3, 60_000);
    expect(sim.positions(0, 0)[0]?.funding).toBe(0);
    expect(sim.totals(0).funding).toBe(-30_000_000);
  });
});

test('an isolated position pays from its margin, at most all of it, and the fund closes it', () => {
  const terms = { funding: { ...MINUTE, rate: '0.0075' }, accounts: [{ name: 'a', futures: '1000', spot: {} }] };
  const { sim, log } = venueOf(terms, instrumentsOf({ ...BTC, maintenanceRate: '0' }));
  sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
  sim.place(0, order({ size: 50, marginMode: ISOLATED }), 1, 1_000);
  // 300.0005 of margin; each funding time takes 3,000 · 0.0075 = 22.5.
  sim.advance(60_000);
  expect(sim.positions(0, 0)[0]).toMatchObject({ margin: 27_750_050_000, funding: -2_250_000_000 });
  const before = sim.account(0, 0).crossMaxAvailable;
  for (let k = 2; k <= 14; k++) sim.advance(k * 60_000);
  // 13 funding times take 292.5, the 14th the remaining 7.5005; then the fund pays the realised −0.005 and the fee of 1.8.
  expect(sim.positions(0, 0)).toEqual([]);
  expect(sim.totals(0)).toMatchObject({ funding: -30_000_050_000, insurance: 180_500_000 });
  expect(sim.account(0, 0).crossMaxAvailable).toBe(before);
  expect(log.moves.at(-1)).toMatchObject({ why: 'fee', amount: -180_000_000 });
  sim.audit();
});

describe('the premium model', () => {
  // The slow mid price was 1,001 ticks at the check before; the mark moves to M at the funding time.
  test.each([
    // P = 10 / 1,001 = 0.00999000; reduced by 0.0005 it is 0.00949, above the highest rate.
    [1_011, '0.0001', 750_000],
    // P = 2 / 1,001 = 0.00199800; reduced by 0.0005.
    [1_003, '0.0001', 149_800],
    // P = 0: the configured rate, which is within 0.0005 of it.
    [1_001, '0.0001', 10_000],
    // Downwards the slow mid price is below 1,001 by then and counts as 1,000: P = −1 / 1,000; raised by 0.0005.
    [999, '0.0001', -50_000],
    [990, '-0.0001', -750_000],
  ])('a mark of %i at a configured %s gives %i', (mark, rate, expected) => {
    const log = new Recorder();
    const funding: FundingSpec = { model: 'premium', everyMs: 60_000, rate };
    const sim = new VenueSim(specOf(instrumentsOf(BTC), { funding }), log);
    sim.quote(0, 1_000, 100, 1_002, 100, 58_500);
    sim.trade(0, 1_001, 1, SELL, 58_500, 1);
    sim.place(0, order({ side: SHORT, size: 10 }), 1, 58_500);
    sim.advance(59_000);
    sim.quote(0, mark - 1, 100, mark + 1, 100, 59_500);
    sim.trade(0, mark, 1, SELL, 59_500, 2);
    sim.advance(60_000);
    const value = mark * 10 * 10_000;
    const got = expected > 0 ? Math.floor((value * expected) / 1e8) : -Math.ceil((value * -expected) / 1e8);
    expect(sim.totals(0).funding).toBe(got);
  });
});

test('invalid terms are refused', () => {
  expect(() => venueOf({ funding: { ...MINUTE, everyMs: 1_500 } })).toThrow(/whole number of seconds/);
  expect(() => venueOf({ funding: { ...MINUTE, rate: '0.008' } })).toThrow(/at most 0.0075/);
  expect(() => instrumentsOf({ ...BTC, fundingRate: '0.008' })).toThrow(/fundingRate/);
});
