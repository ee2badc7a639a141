/** A leg that the bot closed by itself has no bracket any more: the one that fires later is that of the later order. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generateQuotes } from '../../../bench/generate.ts';
import { runBacktest } from '../../../src/run/backtest/backtest.ts';
import { configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

/** Closes four of five positions itself and leaves the fifth to its stop-loss. */
const BODY = `
    let opened = 0, rounds = 0;
    return {
      onQuote(market: any, ctx: any) {
        if (market.orders.length > 0) return;
        if (market.long.lots === 0) {
          rounds++;
          opened = ctx.open(market, 'LONG', { size: 0.001, stopLoss: market.bid - 20 * market.tick, reason: 'round ' + rounds });
        } else if (rounds % 5 > 0) ctx.close(market, 'LONG', { reason: 'out' });
      },
      onFill(fill: any) {
        if (fill.cause === 'stop-loss' && fill.order !== opened) throw new Error('the stop-loss of ' + fill.order + ' fired, expected ' + opened);
      },
    };`;

test.each([0, 20])('stops of orders of %i ms latency are those of the open position', async (latencyMs) => {
  await withFolder(async (folder) => {
    const tape = join(folder, 'tape');
    generateQuotes(tape, { rows: 20_000, seed: 1 });
    const base = configWith({ risk: { maxIntentsPerSecond: 1_000_000 } });
    const config = { ...base, simulation: { ...base.simulation, upMs: latencyMs, downMs: latencyMs } };
    const strategies = [{ file: strategyFile(folder, BODY), params: {}, symbols: [] }];
    const report = await runBacktest({ strategies, tape, config, everyTick: true, speed: 1, seed: 1 });
    expect(report.threw).toEqual([]);
    expect(report.failed).toEqual([]);
    expect(report.fills.filter(({ reason }) => reason === 'stop-loss').length).toBeGreaterThan(10);
    expect(report.fills.filter(({ reason }) => reason === 'out').length).toBeGreaterThan(40);
  });
});
