/** Figures per managed trade: several on one leg are several trades, and their profit is that of the fills. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentText } from '../../../src/report/document/document-text.ts';
import { runDocument } from '../../../src/report/document/run/run-document.ts';
import { pageOf } from '../../../src/run/report/report-files.ts';
import { managedFigures } from '../../../src/report/trades/managed-trades.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { TAPE_START as T } from '../../support/backtest/reference-strategy.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'managed-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A minute of a price that goes up and down by 40 ticks every four seconds. */
function tape(): string {
  const path = join(folder, 'tape');
  const writer = new TapeWriter(path, { overwrite: true });
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  for (let k = 0; k < 600; k++) {
    const price = 600_000 + Math.round(40 * Math.sin((k * 2 * Math.PI) / 40));
    prints.trade(T + k * 100, k + 1, price, 50, k & 1);
    book.quote(T + k * 100 + 50, price, 2000, price + 2, 2000);
  }
  writer.finish();
  return path;
}

/** Enters a managed trade each 2.5 s while others are open on the leg, and closes what is left after 50 s. */
const ENTERS = `    let n = 0;
    return {
      onStart(ctx: any) { ctx.setTimer('enter', 2500); ctx.setTimer('end', 50000); },
      onTimer(name: any, ctx: any) {
        const [market] = ctx.markets;
        if (name === 'end') { n = 99; for (const trade of ctx.trades(market)) trade.close('the end'); return; }
        if (n >= 15) return;
        const price = (share: number): number => market.ask * (1 + share);
        ctx.enter({
          market, side: 'LONG', size: '0.1', reason: n % 2 === 0 ? 'even' : 'odd',
takeProfit: [{ at: price(0.00005), share: 0.5 }, { at: price(0.0001), share: 0.5 }], trailing: { percent: 0.2 },
        });
        n++;
        ctx.setTimer('enter', 2500);
      },
    };`;

test('each is a trade of its own; together they have the profit and the fees of all fills', async () => {
  const report = await backtest(tape(), strategyFile(folder, ENTERS), { everyTick: true, config: configWith() });
  const { managed = [], trades, pnl } = report;
  expect(managed.length).toBe(15);
  expect(trades.length).toBeLessThan(managed.length);
  const { trades: count, wins, net, profitFactor, meanHeldMs } = managedFigures(managed);
  expect([count, wins]).toEqual([15, managed.filter((one) => Number(one.net) > 0).length]);
  // All is closed at the end, so it adds up to the whole run.
  expect(Number(pnl.unrealised)).toBe(0);
  expect(Number(net)).toBeCloseTo(Number(pnl.net), 6);
  const sum = (key: 'pnl' | 'fees'): number => managed.reduce((total, one) => total + Number(one[key]), 0);
  expect(sum('fees')).toBeCloseTo(Number(pnl.fees), 8);
  expect(sum('pnl')).toBeCloseTo(Number(pnl.realised), 6);
  expect(profitFactor).toBeGreaterThanOrEqual(0);
  expect(meanHeldMs).toBeGreaterThan(100);
  const [first] = managed;
  expect(first).toMatchObject({ strategy: 'scripted', symbol: 'BTCUSDT', positionSide: 'LONG', size: '0.100', entryReason: 'even' });
  expect(documentText(runDocument(report), 120)).toMatch(/managed trades +15, \d+ of them with a profit: net /);
  expect(pageOf(report)).toMatch(/id="managed"[\s\S]+All 15 trades/);
});

test('the fees of its reductions are among its fees', async () => {
  const reduces = `return {
      onStart(ctx: any) { for (const [name, at] of [['enter', 2500], ['half', 20000], ['end', 50000]]) ctx.setTimer(name, at); },
      onTimer(name: any, ctx: any) {
        const [market] = ctx.markets;
        if (name === 'enter') ctx.enter({ market, side: 'LONG', size: '0.1', reason: 'once' });
        for (const trade of ctx.trades(market)) { if (name === 'half') trade.reduce(0.5); else if (name === 'end') trade.close('the end'); }
      },
    };`;
  const { managed, fills, pnl } = await backtest(tape(), strategyFile(folder, reduces), { everyTick: true, config: configWith() });
  expect(fills.map(({ size }) => size)).toEqual(['0.100', '0.050', '0.050']);
  expect(managed).toHaveLength(1);
  expect(Number(managed?.[0]?.fees)).toBeCloseTo(Number(pnl.fees), 8);
});

test('a run without one says nothing of them', async () => {
  const body = '    return { onStart(ctx: any) { void ctx; } };';
  const report = await backtest(tape(), strategyFile(folder, body), { everyTick: true, config: configWith() });
  expect(report.managed).toBeUndefined();
  expect(documentText(runDocument(report), 120)).not.toContain('managed');
});
