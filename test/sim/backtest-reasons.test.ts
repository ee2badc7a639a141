/** Strategy and reason of fills and trades: the bot's own reasons, and those of orders placed by the venue. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestReport } from '../../src/run/backtest/backtest.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { backtest, configWith, strategyFile, type Changes } from '../support/reference-backtest.ts';
import { TAPE_START as T } from '../support/reference-strategy.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reasons-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let tapes = 0;
/** Twenty seconds with ten trades and quotes each; from the tenth second on prices are `move` ticks higher. */
function tapeOf(move: number): string {
  const path = join(folder, `tape-${++tapes}`);
  const writer = new TapeWriter(path);
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  for (let k = 0; k < 200; k++) {
    const price = 600_000 + (k < 100 ? 0 : move);
    prints.trade(T + k * 100, k + 1, price, 50, k & 1);
    book.quote(T + k * 100 + 50, price, 2000, price + 2, 2000);
  }
  writer.finish();
  return path;
}

/** Opens half a coin after two seconds, and runs `then` after eighteen. */
function holding(terms: string, then = ''): string {
  return `    return {
      onStart(ctx: any) { ctx.setTimer('open', 2000); ctx.setTimer('then', 18000); },
      onTimer(name: any, ctx: any) {
        const [market] = ctx.markets;
        if (name === 'open') ctx.open(market, 'LONG', { size: '0.5', ${terms} });
        else { ${then} }
      },
    };`;
}

function run(tape: string, body: string, everyTick: boolean, changes: Changes = {}): Promise<BacktestReport> {
  return backtest(tape, strategyFile(folder, body), { everyTick, config: configWith(changes) });
}

describe.each([true, false])('with every tick %s', (everyTick) => {
  test('a fill has the reason of its order, a trade that of its last fill', async () => {
    const report = await run(tapeOf(10), holding("reason: 'in'", "ctx.close(market, 'LONG', { reason: 'out' });"), everyTick);
    expect(report.fills.map((fill) => [fill.strategy, fill.reason])).toEqual([
      ['scripted', 'in'],
      ['scripted', 'out'],
    ]);
    expect(report.trades.map((trade) => [trade.strategy, trade.reason])).toEqual([['scripted', 'out']]);
    expect(report.reasons.map(({ reason, orders, fills }) => [reason, orders, fills])).toEqual([
      ['in', 1, 1],
      ['out', 1, 1],
    ]);
    const sum = report.reasons.reduce((all, { net }) => all + Number(net), 0);
    expect(sum).toBeCloseTo(Number(report.pnl.net), 8);
  });

  test.each([
    ['stop-loss', -1000, "stopLoss: '59950', takeProfit: '60050'"],
    ['take-profit', 1000, "stopLoss: '59950', takeProfit: '60050'"],
  ])('a %s at the venue is reported as such, with the strategy of its order', async (reason, move, exits) => {
    const report = await run(tapeOf(move), holding(`reason: 'in', ${exits}`), everyTick);
    expect(report.fills.map((fill) => [fill.strategy, fill.reason])).toEqual([
      ['scripted', 'in'],
      ['scripted', reason],
    ]);
    expect(report.trades).toMatchObject([{ strategy: 'scripted', reason }]);
    expect(report.reasons.find((one) => one.reason === reason)).toMatchObject({ strategy: 'scripted', orders: 1, fills: 1 });
  });

  test('a liquidation belongs to no strategy', async () => {
    const poor: Changes = { simulation: { deposits: { USDT: '2000' } } };
    const report = await run(tapeOf(-100_000), holding("reason: 'in'"), everyTick, poor);
    expect(report.fills.at(-1)).toMatchObject({ strategy: '', reason: 'liquidation' });
    expect(report.trades).toMatchObject([{ strategy: 'scripted', reason: 'liquidation' }]);
  });

  test('reasons do not change the result', async () => {
    const tape = tapeOf(10);
    const [one, other] = [await run(tape, holding("reason: 'in'"), everyTick), await run(tape, holding("reason: 'another'"), everyTick)];
    expect(one.hash).toBe(other.hash);
    expect(one.fills).not.toEqual(other.fills);
  });
});
