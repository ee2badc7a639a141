/** Real backtests for the tests of the report's page: one that trades at every quote, and texts that would be markup. */
import { join } from 'node:path';
import type { RunReport } from '../../../src/report/run-report.ts';
import { backtest, configWith, strategyFile } from './reference-backtest.ts';
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
