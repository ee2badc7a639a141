/**
 * The size that an order took from a side is available again once that side has changed in between, also if quiet rows are processed in
 * bulk.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';

const START = 1_700_000_000_000;
let folder = '';
let tapes = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'backtest-taken-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Eight seconds of quotes at one price with 0.010 on either side; `change` is the ask size for one row in the fourth second. */
function tapeOf(change: number): string {
  const path = join(folder, `tape-${++tapes}`);
  const writer = new TapeWriter(path);
  const scale = { priceDecimals: 1, sizeDecimals: 3 };
  const prints = writer.stream('BTCUSDT', 'trades', scale);
  const book = writer.stream('BTCUSDT', 'quotes', scale);
  prints.trade(START, 1, 600_000, 1, 0);
  for (let k = 1; k < 80; k++) book.quote(START + k * 100, 600_000, 10, 600_002, k === 36 ? change : 10);
  writer.finish();
  return path;
}

/** Buys 0.006 after two seconds and 0.010 after five. */
const buyer = (handler: string): string => `    return {
      onStart(ctx: any) { ctx.setTimer('first', 2000); ctx.setTimer('second', 5000); },
      onTimer(name: any, ctx: any) { ctx.open(ctx.markets[0], 'LONG', { size: name === 'first' ? '0.006' : '0.01' }); },
      ${handler}
    };`;

test.each([
  ['a strategy that sees every quote', 'onQuote() {},', true, 20],
  ['one that sees every quote at once', 'onQuote() {},', true, 0],
  ['one that sees none', '', true, 0],
  ['one that sees what polls show', 'onQuote() {},', false, 20],
])('%s', async (_name, handler, everyTick, latencyMs) => {
  const config = configWith({ simulation: { upMs: latencyMs, downMs: latencyMs } });
  const sizes = async (change: number): Promise<string[]> => {
    const { fills } = await backtest(tapeOf(change), strategyFile(folder, buyer(handler)), { everyTick, config });
    return fills.map(({ size }) => size);
  };
  expect(await sizes(20)).toEqual(['0.006', '0.010']);
  // The side never changed: 0.004 remain.
  expect(await sizes(10)).toEqual(['0.006', '0.004']);
});
