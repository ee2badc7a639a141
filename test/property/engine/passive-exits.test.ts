/** On bars no exit at a stated price is better than that price, except at the open of a bar, where prices may have jumped over it. */
import fc from 'fast-check';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { withFolder } from '../../support/tape/tape-rows.ts';

const START = 1_735_689_600_000;
const BAR_MS = 60_000;
const BARS = 150;

const runs = fc.record({
  seed: fc.nat(1_000_000),
  move: fc.constantFrom(20, 200, 2000),
  everyTick: fc.boolean(),
  /** By the last trade or the mark; a whole bracket, targets that the bot watches, or a trigger order that buys a fall. */
  bracketsBy: fc.constantFrom<'last' | 'mark'>('last', 'mark'),
  kind: fc.constantFrom<'bracket' | 'limited' | 'targets' | 'trigger'>('bracket', 'limited', 'targets', 'trigger'),
  /** Thin bars trade at their turning points alone; of a large size only a part is shown. */
  volume: fc.constantFrom(0, 20, 100_000),
  size: fc.constantFrom('0.010', '3'),
});
type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

/** Gives the prices at which the bars open. */
function writeBars(path: string, { seed, move, volume }: Run): number[] {
  const random = new Random(seed);
  const opens: number[] = [];
  const writer = new TapeWriter(path, { overwrite: true });
  const stream = writer.stream('BTCUSDT', 'bars', { priceDecimals: 1, sizeDecimals: 3 }, BAR_MS);
  let price = 600_000;
  for (let k = 0; k < BARS; k++) {
    const open = price + (random.below(5) === 0 ? random.below(move) - Math.floor(move / 2) : 0);
    opens.push(open / 10);
    price = open + random.below(2 * move + 1) - move;
    const high = Math.max(open, price) + random.below(move);
    const low = Math.min(open, price) - random.below(move);
    stream.bar(START + k * BAR_MS, open, high, low, price, volume === 0 ? random.below(20) : volume + random.below(volume));
  }
  writer.finish();
  return opens;
}

/** One trade at a time. The reason of an order says what it asks for, and its price. */
const BODY = `
    let last = 0;
    return {
      needs: { bars: { '1m': 2 } },
      onBar(bar: any, market: any, ctx: any) {
        if (market.long.size > 0 || market.short.size > 0 || ctx.trades(market).length > 0) return;
        for (const order of market.orders) ctx.cancel(order.number);
        const side = ctx.random() < 0.5 ? 'LONG' : 'SHORT';
        const sign = side === 'LONG' ? 1 : -1;
        const far = params.far * (0.2 + ctx.random());
        const at = Math.round((market.mid + sign * far) * 10) / 10;
        const stopLoss = Math.round((market.mid - sign * 3 * params.far) * 10) / 10;
        const size = params.size;
        if (params.kind === 'targets') ctx.enter({ market, side, size, takeProfit: [{ at, share: 1 }], stopLoss, reason: String(at) });
        else if (params.kind === 'limited') ctx.open(market, side, { size, stopLoss, takeProfit: { trigger: at, limit: at - sign * 20 }, reason: String(at) });
        else if (params.kind === 'bracket') ctx.open(market, side, { size, stopLoss, takeProfit: at, reason: String(at) });
        else {
          const trigger = Math.round((market.mid - sign * far) * 10) / 10;
          ctx.placeTrigger({ market, side, trigger, size, stopLoss: trigger - sign * 300, takeProfit: trigger + sign * 300, reason: String(trigger) });
        }
      },
    };`;

test('exits at a profit, and triggers in our favour', async () => {
  const seen = { bracket: 0, limited: 0, targets: 0, trigger: 0 };
  await withFolder(async (folder) => {
    const path = join(folder, 't');
    const params = `far: param.number(1, { doc: 'x' }), size: param.size('1', { doc: 'x' }), kind: param.text('bracket', { doc: 'x' })`;
    const file = strategyFile(folder, BODY, params);
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const opens = writeBars(path, run);
        const base = configWith({
          risk: { maxOrderSize: '50', maxPosition: '500', priceCollar: '0.5' },
          simulation: { deposits: { USDT: '10000000' } },
        });
        const config = { ...base, exchange: { ...base.exchange, bracketsBy: run.bracketsBy } };
        // A trade that grows while its target is reached closes what came to it later at the price of then.
        const size = run.kind === 'targets' && run.volume < 1000 ? '0.001' : run.size;
        const chosen = { far: String(run.move / 10), size, kind: run.kind };
        const { fills } = await backtest(path, '', {
          strategies: [{ file, params: chosen, symbols: [] }],
          config,
          everyTick: run.everyTick,
        });
        let wanted = 0;
        for (const { time, side, positionSide, price, reason } of fills) {
          const isOpening = (positionSide === 'LONG') === (side === 'BUY');
          if (isOpening) wanted = Number(reason);
          if (isOpening ? run.kind !== 'trigger' : run.kind === 'trigger' || (reason !== 'take-profit' && reason !== 'target')) continue;
          seen[run.kind]++;
          expect(wanted).toBeGreaterThan(0);
          const gainAt = (at: number): number => (side === 'BUY' ? wanted - at : at - wanted);
          // The bar opened beyond the price.
          if (gainAt(opens[Math.round((time - START) / BAR_MS) - 1]!) > 0) continue;
          expect(gainAt(Number(price)), `${reason} at ${new Date(time).toISOString()}: ${price} for ${wanted}`).toBeLessThan(0.05);
        }
      }),
      { numRuns: Number(process.env['TICKWRIGHT_JUMP_RUNS'] ?? 40) },
    );
  });
  console.info(`passive fills: ${JSON.stringify(seen)}`);
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
}, 300_000);
