/** Real backtests for the tests of the report's page: one that trades at every quote, and texts that would be markup. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunReport } from '../../../src/report/run-report.ts';
import { backtest, configWith, strategyFile } from './reference-backtest.ts';
import { noiseBars, writeNoise, type NoiseBar } from '../tape/noise-bars.ts';
import { writeRandomTape } from './reference-strategy.ts';

export const HOSTILE = '</script><img src=x onerror="document.title=1">&<!--';

/** Opens and closes in turn, with brackets, each with a reason that would be markup. `rows` of the tape make about as many fills × 2. */
export async function busyRun(folder: string, rows: number, stepMs = 400): Promise<RunReport> {
  const tape = join(folder, `tape-${rows}`);
  writeRandomTape(tape, { seed: 5, rows, symbols: 1, stepMs });
  const strategy = strategyFile(
    folder,
    `    return {
      onQuote(market: any, ctx: any) {
        const leg = ctx.random() < 0.5 ? 'LONG' : 'SHORT';
        const stop = leg === 'LONG' ? 0.99 : 1.01;
        if (market.long.free > 0) ctx.close(market, 'LONG', { reason: ${JSON.stringify(HOSTILE)} });
        else if (market.short.free > 0) ctx.close(market, 'SHORT', { reason: 'out' });
        else ctx.open(market, leg, { size: params.size, stopLoss: market.mid * stop, takeProfit: market.mid * (2 - stop), reason: 'in' });
      },
    };`,
    `size: param.decimal('0.01')`,
  );
  const simulation = { upMs: 0, downMs: 0 };
  return backtest(tape, strategy, { everyTick: true, config: configWith({ simulation, limits: { order: 1000 } }) });
}

const MINUTE = 60_000;

/** Columns: end of a bar of 5 minutes, the average and the lower bound that the strategy read then. */
export type SeenLines = [end: number, average: number, lower: number][];

/** A run on bars of a minute with two declared indicators and a line of its own, and what the strategy saw of them. */
export async function indicatorRun(folder: string): Promise<{ report: RunReport; bars: readonly NoiseBar[]; seen: SeenLines }> {
  const bars = noiseBars(3, 12_000, 200);
  writeNoise(join(folder, 'tape'), bars, MINUTE, 1_000_000);
  const strategy = strategyFile(
    folder,
    `    const [quick, range] = [track('5m', () => ema(10)), track('15m', () => donchian(8))];
    let count = 0;
    return {
      needs: { indicators: [quick, range] },
      onBar(bar: any, market: any, ctx: any) {
        if (bar.timeframe !== '5m') return;
        (globalThis as any).seenLines.push([bar.end, quick.of(market).value, range.of(market).lower]);
        ctx.plot('own', quick.of(market).value * 2);
        if (++count % 40 === 0) ctx.open(market, 'LONG', { size: '0.01', reason: 'in' });
        else if (count % 40 === 20) ctx.close(market, 'LONG', { reason: 'out' });
      },
    };`,
  );
  writeFileSync(strategy, readFileSync(strategy, 'utf8').replace('defineStrategy, param', 'defineStrategy, donchian, ema, param, track'));
  const seen: SeenLines = [];
  (globalThis as unknown as { seenLines: SeenLines }).seenLines = seen;
  return { report: await backtest(join(folder, 'tape'), strategy), bars, seen };
}

/**
 * A run of one trade and of a position that is open at the end. Its line is drawn in the first and in the last quarter; another has no value in
 * each tenth bar. Two objects of its own are fed with bars.
 */
export async function heldRun(folder: string): Promise<RunReport> {
  writeNoise(join(folder, 'held'), noiseBars(3, 4_000, 200), MINUTE, 1_000_000);
  const strategy = strategyFile(
    folder,
    `    class Middle { lookback = 0; update(bar: any) { return (bar.high + bar.low) / 2; } }
    class Ends extends Middle { update(bar: any): any { return { top: bar.high, low: bar.low, text: 'x' }; } }
    const all = [() => new Middle(), () => new Ends(), () => new Middle()].map((make) => track('5m', make));
    let count = 0;
    return {
      needs: { indicators: all, bars: { '5m': 1 } },
      onBar(bar: any, market: any, ctx: any) {
        count++;
        if (count < 200 || count > 600) ctx.plot('own', bar.close * 0.999);
        ctx.plot('holes', count % 10 === 0 ? NaN : bar.close * 0.998);
        if (count === 100) ctx.open(market, 'SHORT', { size: '0.01', reason: 'first' });
        if (count === 200) ctx.close(market, 'SHORT', { reason: 'out' });
        if (count === 400) ctx.open(market, 'LONG', { size: '0.03', stopLoss: bar.close * 0.2, reason: 'in' });
        if (count === 500) ctx.close(market, 'LONG', { size: '0.01', reason: 'part' });
      },
    };`,
  );
  writeFileSync(strategy, readFileSync(strategy, 'utf8').replace('defineStrategy, param', 'defineStrategy, param, track'));
  return backtest(join(folder, 'held'), strategy);
}
