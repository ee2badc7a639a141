/** On bars of several symbols, with targets that the bot holds: events come in the order of time. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const START = 1_735_689_600_000;
const BAR_MS = 300_000;
const BARS = 400;

/** Throws where time goes back, so that the run fails. */
const BODY = `
    let last = 0;
    const see = (ctx: any) => {
      if (ctx.now < last) throw new Error('back by ' + (last - ctx.now) + ' ms');
      last = ctx.now;
    };
    return {
      needs: { bars: { '5m': 1 } },
      onBar(bar: any, market: any, ctx: any) {
        see(ctx);
        if (ctx.trades(market).length > 0 || bar.close < bar.open) return;
        const takeProfit = [1.001, 1.002].map((times) => ({ at: bar.close * times, share: 0.5 }));
        ctx.enter({ market, side: 'LONG', size: '0.1', stopLoss: bar.close * 0.98, takeProfit });
      },
      onQuote(market: any, ctx: any) { see(ctx); },
      onFill(fill: any, market: any, ctx: any) { see(ctx); },
    };`;

test.each([false, true])('time never goes back, every tick: %s', async (everyTick) => {
  await withFolder(async (folder) => {
    const path = join(folder, 't');
    const writer = new TapeWriter(path, { overwrite: true });
    const random = new Random(3);
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      const stream = writer.stream(symbol, 'bars', { priceDecimals: 2, sizeDecimals: 3 }, BAR_MS);
      let price = 6_000_000;
      for (let k = 0; k < BARS; k++) {
        const open = price;
        price = open + 10 * (random.below(2001) - 1000);
        const [high, low] = [Math.max(open, price) + 10 * random.below(500), Math.min(open, price) - 10 * random.below(500)];
        stream.bar(START + k * BAR_MS, open, high, low, price, 1_000_000);
      }
    }
    writer.finish();
    const report = await backtest(path, strategyFile(folder, BODY), { config: configWith({}), everyTick });
    expect([report.failed, report.threw]).toEqual([[], []]);
    expect(report.trades.length).toBeGreaterThan(10);
  });
});
