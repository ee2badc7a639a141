/** Strategy and reason of fills and trades: the bot's own reasons, and those of orders placed by the venue. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documentText } from '../../../src/report/document/document-text.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import type { BacktestReport } from '../../../src/run/backtest/backtest.ts';
import { writeTrades } from '../../../src/run/report/report-files.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile, type Changes } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START as T } from '../../support/backtest/reference-strategy.ts';

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

test('an entry has the profit of the trades that it opened, by exit too; the sums are that of all trades', async () => {
  const body = `    let k = 0;
    return {
      onStart(ctx: any) { ctx.setTimer('t', 1000); },
      onTimer(_n: any, ctx: any) {
        const [market] = ctx.markets;
        if (market.long.lots > 0) ctx.close(market, 'LONG', { reason: k % 3 === 0 ? 'target' : 'time' });
        else ctx.open(market, 'LONG', { size: '0.1', reason: k % 4 === 0 ? 'dip' : 'break' });
        k++;
        ctx.setTimer('t', 1000);
      },
    };`;
  const report = await run(tapeOf(1000), body, true);
  const { reasons, trades, breakdowns } = report;
  const sumOf = (nets: readonly string[]): number => nets.reduce((sum, net) => sum + Number(net), 0);
  for (const reason of ['dip', 'break']) {
    const own = trades.filter(({ entryReason }) => entryReason === reason);
    expect(own.length).toBeGreaterThan(1);
    const { opened } = reasons.find((one) => one.reason === reason)!;
    expect(opened).toMatchObject({ trades: own.length, wins: own.filter(({ net }) => Number(net) > 0).length });
    expect(Number(opened!.net)).toBeCloseTo(sumOf(own.map(({ net }) => net)), 8);
    expect(breakdowns.entry!.find(({ key }) => key === reason)).toMatchObject({ trades: own.length, net: opened!.net });
  }
  expect(reasons.find(({ reason }) => reason === 'time')!.opened).toMatchObject({ trades: 0 });
  const all = sumOf(trades.map(({ net }) => net));
  for (const rows of [breakdowns.entry!, breakdowns.path!]) expect(sumOf(rows.map(({ net }) => net))).toBeCloseTo(all, 8);
  expect(breakdowns.path!.map(({ key }) => key)).toContain('dip → time');
  expect(documentText(runDocument(report), 80)).toMatch(
    /Trades by the reason of their entry\n─+\n +reason +trades +with a profit +net\n +(dip|break) /,
  );
});

test('all trades as CSV: a row each, and no text that a spreadsheet would compute', async () => {
  const report = await run(tapeOf(1000), holding(`reason: '=cmd("x"), y'`, "ctx.close(market, 'LONG', { reason: 'out' });"), true);
  const file = join(folder, 'trades.csv');
  writeTrades(file, report);
  const [header, row, ...more] = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(more).toEqual([]);
  expect(header!.split(',').length).toBe(17);
  const [trade] = report.trades;
  expect(row).toContain(`"'=cmd(""x""), y",out,`);
  expect(row).toContain(`,${trade!.pnl},${trade!.fees},${trade!.net},scripted,`);
  expect(() => writeTrades(join(folder, 'none', 'trades.csv'), report)).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ where: '--trades' })] }),
  );
});
