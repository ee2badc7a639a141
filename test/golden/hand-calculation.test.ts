/**
 * Orders at known rows of a recording, with the arithmetic written out: price · size, fees of 0.0002 as maker and 0.0006 as taker. Profit
 * of LONG and of SHORT = sold − bought. "Row" is a row of the book file, counted from 1 below its header; trades are rows of the trades
 * file. The strategy sees every row (--every-tick).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestReport } from '../../src/report/backtest-report.ts';
import {
  backtest,
  configWith,
  HAS_RECORDINGS,
  recordingTape,
  scriptedStrategy,
  type Changes,
  type Step,
} from '../support/backtest/reference-backtest.ts';

let folder = '';
let tape = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'golden-'));
  if (HAS_RECORDINGS) tape = await recordingTape(join(folder, 'btc'), ['BTCUSDT']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(steps: readonly Step[], latencyMs: number, changes: Changes = {}): Promise<BacktestReport> {
  const simulation = { upMs: latencyMs, downMs: latencyMs, ...changes.simulation };
  return backtest(tape, scriptedStrategy(folder, steps), { config: configWith({ ...changes, simulation }), everyTick: true });
}

/** time, direction, leg, price, size, fee, maker or taker. */
function fillsOf(report: BacktestReport): readonly (readonly (string | number)[])[] {
  return report.fills.map((f) => [f.time, f.side, f.positionSide, f.price, f.size, f.fee, f.liquidity]);
}

describe.skipIf(!HAS_RECORDINGS)('a calculation by hand from the CSV gives the same', () => {
  test('bought at one row and sold at another, without latency', async () => {
    // Row 2000  1723161266991  bid 61808.50 × 0.319  ask 61808.60 × 5.761: 0.5 bought at the ask.
    // Row 19999 1723161365755  bid 61744.00 × 0.810  ask 61744.10 × 5.929: 0.5 sold at the bid.
    //   bought 0.5 · 61808.60 = 30904.30   fee 30904.30 · 0.0006 = 18.54258
    //   sold   0.5 · 61744.00 = 30872.00   fee 30872.00 · 0.0006 = 18.52320
    //   realised 30872.00 − 30904.30 = −32.30   fees 37.06578   net −69.36578
    const report = await run(
      [
        [2000, "{ side: 'LONG', effect: 'OPEN', size: '0.5' }"],
        [19999, "{ side: 'LONG', effect: 'CLOSE', size: '0.5' }"],
      ],
      0,
    );
    expect(fillsOf(report)).toEqual([
      [1723161266991, 'BUY', 'LONG', '61808.60', '0.500', '18.54258000', 'taker'],
      [1723161365755, 'SELL', 'LONG', '61744.00', '0.500', '18.52320000', 'taker'],
    ]);
    expect(report.pnl).toEqual({
      realised: '-32.30000000',
      unrealised: '0.00000000',
      fees: '37.06578000',
      funding: '0.00000000',
      net: '-69.36578000',
    });
    expect([report.equity.start, report.equity.end]).toEqual(['100000.00000000', '99930.63422000']);
    expect(report.trades).toMatchObject([
      { size: '0.500', entryPrice: 61808.6, exitPrice: 61744, pnl: '-32.30000000', fees: '37.06578000', net: '-69.36578000' },
    ]);
    expect(report.exposure.turnover).toBe('61776.30');
  });

  test('20 ms of latency move the fill to a later row', async () => {
    // Row 3263  1723161274568  ask 61809.60: the order leaves, and arrives at 1723161274588.
    // Row 3268  1723161274579  ask 61808.10 × 4.170 is the last row before that (row 3269 is of 1723161274589): 0.5 bought there, 1.50 lower.
    // Row 19997 1723161365691  bid 61744.00 × 0.810: the order leaves, and arrives at 1723161365711.
    // Row 19998 is of 1723161365742, so row 19997 still stands: 0.5 sold at 61744.00, but 20 ms later.
    //   bought 0.5 · 61808.10 = 30904.05   fee 30904.05 · 0.0006 = 18.54243
    //   sold   0.5 · 61744.00 = 30872.00   fee 18.52320
    //   realised −32.05   fees 37.06563   net −69.11563
    const report = await run(
      [
        [3263, "{ side: 'LONG', effect: 'OPEN', size: '0.5' }"],
        [19997, "{ side: 'LONG', effect: 'CLOSE', size: '0.5' }"],
      ],
      20,
    );
    expect(fillsOf(report)).toEqual([
      [1723161274588, 'BUY', 'LONG', '61808.10', '0.500', '18.54243000', 'taker'],
      [1723161365711, 'SELL', 'LONG', '61744.00', '0.500', '18.52320000', 'taker'],
    ]);
    expect(report.pnl).toMatchObject({ realised: '-32.05000000', fees: '37.06563000', net: '-69.11563000' });
  });

  test('a fee that does not end at the eighth decimal is rounded up', async () => {
    // Taker fee 0.00055. Bought 0.007 at the ask of row 2000, sold 0.007 at the bid of row 2001 (61808.50 × 0.319).
    //   bought 0.007 · 61808.60 = 432.6602   fee 432.6602 · 0.00055 = 0.23796311
    //   sold   0.007 · 61808.50 = 432.6595   fee 432.6595 · 0.00055 = 0.237962725 → 0.23796273
    //   realised −0.0007   fees 0.47592584   net −0.47662584
    const report = await run(
      [
        [2000, "{ side: 'LONG', effect: 'OPEN', size: '0.007' }"],
        [2001, "{ side: 'LONG', effect: 'CLOSE', size: '0.007' }"],
      ],
      0,
      { contract: { takerFeeRate: '0.00055' } },
    );
    expect(report.fills.map((f) => f.fee)).toEqual(['0.23796311', '0.23796273']);
    expect(report.pnl).toMatchObject({ realised: '-0.00070000', fees: '0.47592584', net: '-0.47662584' });
  });

  test('an order larger than the row takes the next row too', async () => {
    // Row 4372  1723161279984  ask 61824.60 × 0.010: 0.010 of 0.012 bought.
    // Row 4373  1723161280003  ask 61825.00 × 0.002: the other 0.002.
    // Row 20000 1723161365783  bid 61744.00 × 0.066: all 0.012 sold.
    //   bought 0.010 · 61824.60 = 618.2460   fee 0.3709476
    //   bought 0.002 · 61825.00 = 123.6500   fee 0.0741900
    //   sold   0.012 · 61744.00 = 740.9280   fee 0.4445568
    //   realised 740.9280 − 741.8960 = −0.9680   fees 0.8896944   net −1.8576944
    const report = await run(
      [
        [4372, "{ side: 'LONG', effect: 'OPEN', size: '0.012' }"],
        [20000, "{ side: 'LONG', effect: 'CLOSE', size: '0.012' }"],
      ],
      0,
    );
    expect(fillsOf(report)).toEqual([
      [1723161279984, 'BUY', 'LONG', '61824.60', '0.010', '0.37094760', 'taker'],
      [1723161280003, 'BUY', 'LONG', '61825.00', '0.002', '0.07419000', 'taker'],
      [1723161365783, 'SELL', 'LONG', '61744.00', '0.012', '0.44455680', 'taker'],
    ]);
    expect(report.pnl).toMatchObject({ realised: '-0.96800000', fees: '0.88969440', net: '-1.85769440' });
    expect(report.trades).toHaveLength(1);
  });

  test('sold short and bought back', async () => {
    // Row 2000: 0.3 sold at the bid 61808.50 × 0.319.   Row 19999: 0.3 bought back at the ask 61744.10 × 5.929.
    //   sold   0.3 · 61808.50 = 18542.55   fee 11.12553
    //   bought 0.3 · 61744.10 = 18523.23   fee 11.113938
    //   realised 19.32   fees 22.239468   net −2.919468
    const report = await run(
      [
        [2000, "{ side: 'SHORT', effect: 'OPEN', size: '0.3' }"],
        [19999, "{ side: 'SHORT', effect: 'CLOSE', size: '0.3' }"],
      ],
      0,
    );
    expect(fillsOf(report)).toEqual([
      [1723161266991, 'SELL', 'SHORT', '61808.50', '0.300', '11.12553000', 'taker'],
      [1723161365755, 'BUY', 'SHORT', '61744.10', '0.300', '11.11393800', 'taker'],
    ]);
    expect(report.pnl).toMatchObject({ realised: '19.32000000', fees: '22.23946800', net: '-2.91946800' });
  });

  // A buy of 0.2 rests at 61808.50, the bid of row 2000, where 0.319 of others are displayed. What then happens there:
  //   trade 426, 427  …094  0.079 + 0.032 sold at 61808.50     row 2012 shows 0.208 left
  //   trade 428       …126  0.043 sold at 61808.50             row 2019 shows 0.168 left
  //   trade 429, 430  …140  0.165 + 0.003 sold at 61808.50     row 2021: the bid is 61808.00
  //   trade 431–433   …141  0.144 + 0.007 + 0.002 sold at 61808.00
  //   row 2022        …141  ask 61808.10 × 1.821: below our price
  const RESTING: readonly Step[] = [
    [2000, "{ side: 'LONG', effect: 'OPEN', size: '0.2', limit: '61808.50' }"],
    [2107, "{ side: 'LONG', effect: 'CLOSE', size: '0.2' }"],
  ];

  test('a resting order that waits in the queue', async () => {
    // 0.319 ahead: 0.079, 0.032, 0.043 and 0.165 use up 0.319 exactly, so trade 430 is the first of ours: 0.003.
    // Trades 431–433 are below our price, so they are all ours: 0.144, 0.007, 0.002. The ask of row 2022 gives the last 0.044.
    //   maker fees on 185.4255, 8900.4240, 432.6595, 123.6170, 2719.5740 · 0.0002 = 0.0370851, 1.7800848, 0.0865319, 0.0247234, 0.5439148
    // Row 2107  1723161267461  bid 61802.20 × 0.702: sold.
    //   bought 0.2 · 61808.50 = 12361.70 fees 2.47234;  sold 0.2 · 61802.20 = 12360.44 fee 7.416264
    //   realised −1.26   fees 9.888604   net −11.148604
    const report = await run(RESTING, 0, { simulation: { fillModel: 'queue' } });
    expect(fillsOf(report)).toEqual([
      [1723161267140, 'BUY', 'LONG', '61808.50', '0.003', '0.03708510', 'maker'],
      [1723161267141, 'BUY', 'LONG', '61808.50', '0.144', '1.78008480', 'maker'],
      [1723161267141, 'BUY', 'LONG', '61808.50', '0.007', '0.08653190', 'maker'],
      [1723161267141, 'BUY', 'LONG', '61808.50', '0.002', '0.02472340', 'maker'],
      [1723161267141, 'BUY', 'LONG', '61808.50', '0.044', '0.54391480', 'maker'],
      [1723161267461, 'SELL', 'LONG', '61802.20', '0.200', '7.41626400', 'taker'],
    ]);
    expect(report.pnl).toMatchObject({ realised: '-1.26000000', fees: '9.88860400', net: '-11.14860400' });
    expect(report.stats).toMatchObject({ makerFills: 5, takerFills: 1, trades: 1 });
  });

  test('a resting order that is filled when its price is touched', async () => {
    // Nobody is ahead: 0.079 + 0.032 + 0.043 of trades 426–428 are ours, and the last 0.046 comes out of trade 429.
    //   0.079 · 61808.50 = 4882.8715, 0.032 · = 1977.8720, 0.043 · = 2657.7655, 0.046 · = 2843.1910, each · 0.0002
    const report = await run(RESTING, 0, { simulation: { fillModel: 'touch' } });
    expect(fillsOf(report).slice(0, 4)).toEqual([
      [1723161267094, 'BUY', 'LONG', '61808.50', '0.079', '0.97657430', 'maker'],
      [1723161267094, 'BUY', 'LONG', '61808.50', '0.032', '0.39557440', 'maker'],
      [1723161267126, 'BUY', 'LONG', '61808.50', '0.043', '0.53155310', 'maker'],
      [1723161267140, 'BUY', 'LONG', '61808.50', '0.046', '0.56863820', 'maker'],
    ]);
    expect(report.pnl).toMatchObject({ realised: '-1.26000000', fees: '9.88860400', net: '-11.14860400' });
  });

  test('a resting order that is filled only when its price is traded through', async () => {
    // Nothing at 61808.50 counts. Trades 431–433 at 61808.00 give 0.153, and the ask of row 2022 the last 0.047.
    const report = await run(RESTING, 0, { simulation: { fillModel: 'through' } });
    expect(report.fills.map((f) => [f.time, f.size])).toEqual([
      [1723161267141, '0.144'],
      [1723161267141, '0.007'],
      [1723161267141, '0.002'],
      [1723161267141, '0.047'],
      [1723161267461, '0.200'],
    ]);
  });

  test('20 ms of latency lose the place in the queue', async () => {
    // The order of row 2000 (…991) arrives at …011, when 0.319 is displayed as before: the same fills.
    // That of row 2013 (…096) arrives at …116: rows 2015 to 2018 show 0.211 ahead. Trades 428 and 429 use up 0.043 + 0.165 = 0.208,
    // trade 430 the last 0.003 of it: nothing of ours trades at …140, then 0.144, 0.007, 0.002 of the trades below and 0.047 at row 2022.
    const report = await run(
      [
        [2013, "{ side: 'LONG', effect: 'OPEN', size: '0.2', limit: '61808.50' }"],
        [2107, "{ side: 'LONG', effect: 'CLOSE', size: '0.2' }"],
      ],
      20,
    );
    expect(report.fills.map((f) => [f.time, f.size, f.liquidity]).slice(0, 4)).toEqual([
      [1723161267141, '0.144', 'maker'],
      [1723161267141, '0.007', 'maker'],
      [1723161267141, '0.002', 'maker'],
      [1723161267141, '0.047', 'maker'],
    ]);
  });
});
