/** Accounting by hand: every figure below is computed from prices, sizes and fee rates. */
import { describe, expect, test } from 'vitest';
import { BUY, CLOSE, LONG, MAKER, SELL, SHORT, TAKER } from '../../../src/domain/codes.ts';
import { formatMoney } from '../../../src/domain/instrument.ts';
import { BTC, ETH, instrumentsOf, order, venueOf } from '../../support/sim/sim-kit.ts';

/** 100,000 USDT in money. */
const START = 10_000_000_000_000;

describe('accounting', () => {
  test('a long bought and sold as taker', () => {
    const { sim, log } = venueOf();
    // Bid 60,000.0, ask 60,000.1 (ticks of 0.1), a lot is 0.001 BTC.
    sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
    const buy = sim.place(0, order({ size: 250 }), 7, 1_000);
    // 0.250 BTC at 60,000.1 = 15,000.025; fee 0.0006 of it = 9.000015.
    expect(log.fills[0]).toMatchObject({ orderNo: buy, tag: 7, price: 600_001, size: 250, liquidity: TAKER, realised: 0 });
    expect(formatMoney(log.fills[0]!.fee)).toBe('9.00001500');
    // Marked at the middle, 60,000.05 rounded down to 60,000.0: 15,000 − 15,000.025 = −0.025.
    expect(sim.positions(0, 0)[0]).toMatchObject({ side: LONG, total: 250, available: 250, locked: 0, unrealised: -2_500_000 });
    expect(sim.equity(0)).toBe(START - 900_001_500 - 2_500_000);

    sim.quote(0, 605_000, 500, 605_001, 500, 2_000);
    sim.place(0, order({ side: LONG, effect: CLOSE, size: 250 }), 8, 2_000);
    // Sold 0.250 at 60,500.0 = 15,125; realised 15,125 − 15,000.025 = 124.975; fee 15,125 · 0.0006 = 9.075.
    expect(formatMoney(log.fills[1]!.realised)).toBe('124.97500000');
    expect(formatMoney(log.fills[1]!.fee)).toBe('9.07500000');
    expect(sim.positions(0, 0)).toEqual([]);
    // 100,000 + 124.975 − 9.000015 − 9.075 = 100,106.899985
    expect(formatMoney(sim.equity(0))).toBe('100106.89998500');
    sim.audit();
  });

  test('a short sold and bought back as maker', () => {
    const { sim, log } = venueOf();
    sim.quote(0, 600_000, 500, 600_010, 500, 1_000);
    sim.place(0, order({ side: SHORT, price: 600_010, size: 100 }), 1, 1_000);
    sim.trade(0, 600_010, 100, BUY, 1_001, 1);
    // 0.100 at 60,001.0 = 6,000.1; maker fee 0.0002 = 1.20002.
    expect(log.fills[0]).toMatchObject({ price: 600_010, size: 100, liquidity: MAKER, fee: 120_002_000 });
    sim.place(0, order({ side: SHORT, effect: CLOSE, price: 599_000, size: 100 }), 2, 1_002);
    sim.trade(0, 599_000, 100, SELL, 1_003, 2);
    // Bought back 0.100 at 59,900.0 = 5,990: realised 10.1; fee 1.198.
    expect(log.fills[1]).toMatchObject({ realised: 1_010_000_000, fee: 119_800_000, liquidity: MAKER });
    expect(sim.equity(0)).toBe(START + 1_010_000_000 - 120_002_000 - 119_800_000);
  });

  test('both position sides of a symbol at once, each with its own entry price', () => {
    const { sim } = venueOf();
    sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
    sim.place(0, order({ side: LONG, size: 10 }), 1, 1_000);
    sim.place(0, order({ side: SHORT, size: 4 }), 2, 1_000);
    const [long, short] = sim.positions(0, 0);
    expect(long).toMatchObject({ side: LONG, total: 10, entryPrice: 6_000_010_000_000 });
    expect(short).toMatchObject({ side: SHORT, total: 4, entryPrice: 6_000_000_000_000 });
    expect(sim.exposure(0)).toBe(600_000 * 14 * 10_000);
    sim.audit();
  });

  test('a position bought at three prices and sold in parts loses nothing to rounding', () => {
    const { sim } = venueOf();
    const prices = [600_001, 600_005, 600_012];
    for (const [k, price] of prices.entries()) {
      sim.quote(0, price - 1, 50, price, 50, 1_000 + k);
      sim.place(0, order({ size: k + 1 }), k + 1, 1_000 + k);
    }
    // 1 · 600,001 + 2 · 600,005 + 3 · 600,012 = 3,600,047 ticks · lots, each worth 10^4 money.
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 6, entryValue: 36_000_470_000 });
    sim.quote(0, 600_020, 50, 600_021, 50, 2_000);
    sim.place(0, order({ effect: CLOSE, size: 1 }), 4, 2_000);
    // floor(36,000,470,000 / 6) = 6,000,078,333 is released; 6,000,200,000 is received: realised 121,667.
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 5, entryValue: 30_000_391_667, realised: 121_667 });
    sim.place(0, order({ effect: CLOSE, size: 3 }), 5, 2_000);
    // floor(30,000,391,667 · 3 / 5) = 18,000,235,000; 18,000,600,000 − 18,000,235,000 = 365,000.
    expect(sim.positions(0, 0)[0]).toMatchObject({ total: 2, entryValue: 12_000_156_667, realised: 486_667 });
    sim.place(0, order({ effect: CLOSE, size: 2 }), 6, 2_000);
    // Sold 6 at 60,002.0 = 36,001,200,000; bought for 36,000,470,000: together 730,000.
    expect(sim.totals(0).realised).toBe(730_000);
    sim.audit();
  });

  test('fees are rounded up at every fill', () => {
    const { sim, log } = venueOf({}, instrumentsOf({ ...BTC, takerFeeRate: '0.00000001', tickSize: '0.00001', lotSize: '0.001' }));
    sim.quote(0, 99_999, 5, 100_001, 5, 1);
    sim.place(0, order({ size: 3 }), 1, 1);
    // 0.003 at 1.00001 = 0.00300003 = 300,003 units; · 10^-8 = 0.003 units, rounded up to 1.
    expect(log.fills[0]!.fee).toBe(1);
  });

  test('instruments with other grids on one account', () => {
    const { sim } = venueOf({}, instrumentsOf(BTC, ETH));
    sim.quote(0, 600_000, 50, 600_001, 50, 1);
    sim.quote(1, 260_000, 900, 260_001, 900, 1);
    sim.place(0, order({ size: 10 }), 1, 1);
    sim.place(0, order({ instrument: 1, side: SHORT, size: 100 }), 2, 1);
    sim.quote(0, 600_100, 50, 600_101, 50, 2);
    sim.quote(1, 259_900, 900, 259_901, 900, 2);
    // Marks: floor(600,100.5) and floor(259,900.5). Long: 0.010 · (60,010.0 − 60,000.1) = 0.099. Short: 0.100 · (2,600.00 − 2,599.00) = 0.1.
    expect(sim.totals(0).unrealised).toBe(9_900_000 + 10_000_000);
    sim.audit();
  });

  test('the ledger gets every cash movement', () => {
    const { sim, log } = venueOf();
    sim.quote(0, 600_000, 500, 600_001, 500, 1_000);
    const opened = sim.place(0, order({ size: 100 }), 1, 1_000);
    const closed = sim.place(0, order({ effect: CLOSE, size: 100 }), 2, 1_000);
    const futures = log.moves.filter((x) => x.orderNo > 0 || x.amount === START);
    expect(futures).toEqual([
      { account: 0, coin: 'USDT', amount: START, why: 'deposit', orderNo: 0 },
      { account: 0, coin: 'USDT', amount: -360_000_600, why: 'fee', orderNo: opened },
      { account: 0, coin: 'USDT', amount: -1_000_000, why: 'realised', orderNo: closed },
      { account: 0, coin: 'USDT', amount: -360_000_000, why: 'fee', orderNo: closed },
    ]);
  });
});
