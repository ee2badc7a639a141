/** Limits of spread, slippage, stop-losses and trading hours in a backtest, with pushed rows and with the polls of a live bot. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RiskConfig } from '../../../src/config/model.ts';
import type { BacktestReport } from '../../../src/run/backtest/backtest.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';

/** 22:13:20 UTC. */
const START = 1_700_000_000_000;
const STEP_MS = 100;
const ROWS = 900;

let folder = '';
let tape = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backtest-limits-'));
  tape = join(folder, 'tape');
  const writer = new TapeWriter(tape);
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  // A minute and a half. From the 20th to the 30th second the spread is 0.1 %; from the 50th on all prices are 1 % lower.
  for (let k = 0; k < ROWS; k++) {
    const price = k < 500 ? 600_000 : 594_000;
    const spread = k >= 200 && k < 300 ? 600 : 2;
    prints.trade(START + k * STEP_MS, k + 1, price, 50, k & 1);
    book.quote(START + k * STEP_MS + 50, price, 2000, price + spread, 2000);
  }
  writer.finish();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Opens 0.01 every four seconds, with a stop-loss half a percent below if configured. */
function opening(terms: string): string {
  return `    return {
      onStart(ctx: any) { ctx.setTimer('open', 4000); },
      onTimer(name: any, ctx: any) {
        const [market] = ctx.markets;
        ctx.setTimer('open', 4000);
        if (market.hasQuote) ctx.open(market, 'LONG', { size: '0.01', ${terms} });
      },
    };`;
}

function run(risk: Partial<RiskConfig>, everyTick: boolean, terms = ''): Promise<BacktestReport> {
  return backtest(tape, strategyFile(folder, opening(terms)), { everyTick, config: configWith({ risk }) });
}

/** Seconds of the tape at which a position was opened. */
const opened = ({ fills }: BacktestReport): number[] =>
  fills.filter((fill) => (fill as { effect?: string }).effect !== 'CLOSE').map(({ time }) => Math.floor((time - START) / 1000));

describe.each([true, false])('with every tick %s', (everyTick) => {
  test('a wide spread prevents opens', async () => {
    const report = await run({ maxSpread: '0.05%' }, everyTick);
    expect(report.orders.refused['max-spread']).toBeGreaterThanOrEqual(2);
    expect(opened(report).filter((second) => second > 20 && second < 30)).toEqual([]);
    expect(opened(report).some((second) => second > 30)).toBe(true);
  });

  test('nothing opens outside trading hours', async () => {
    // 22:13 and 22:15: the tape ends at 22:14:50.
    const report = await run({ tradingHours: '13 22 * * *' }, everyTick);
    expect(opened(report).every((second) => second <= 40)).toBe(true);
    expect(opened(report).length).toBeGreaterThan(5);
    expect(report.notes.join('\n')).toMatch(/halted everywhere: trading-hours, opens are allowed at 13 22 \* \* \*/);
  });

  test('stop-losses halt', async () => {
    const report = await run({ stoplossGuard: 2 }, everyTick, 'stopLoss: Math.round(market.bid * 9.95) / 10');
    expect(report.notes.join('\n')).toMatch(/halted everywhere: stoploss-guard, 2 stop-losses fired/);
    expect(opened(report).every((second) => second <= 52)).toBe(true);
  });

  test('slippage halts', async () => {
    // Stop-losses at 0.5 % fill a percent lower, which is 0.5 % worse than their trigger.
    const report = await run({ maxSlippage: '0.4%', maxSlippageFills: 1 }, everyTick, 'stopLoss: Math.round(market.bid * 9.95) / 10');
    expect(report.notes.join('\n')).toMatch(/BTCUSDT: opening orders were halted at the end: 1 orders filled worse than 0.4 %/);
    const wide = await run({ maxSlippage: '0.6%', maxSlippageFills: 1 }, everyTick, 'stopLoss: Math.round(market.bid * 9.95) / 10');
    expect(wide.notes.join('\n')).not.toMatch(/slippage/);
  });
});
