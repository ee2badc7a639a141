/** Random markets and a random strategy by seed, for comparing two ways of running a backtest. */
import { Random } from '../../../src/base/random.ts';
import { createInstrument, type Instrument } from '../../../src/domain/instrument.ts';
import { defineStrategy, type AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import { openTape } from '../../../src/tape/read.ts';
import type { Tape } from '../../../src/tape/tape.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { BTC, ETH, SPOT_BTC } from '../sim/sim-kit.ts';

/** BTC, ETH and SOL futures, and BTC spot on a grid that divides that of the futures. */
export const INSTRUMENTS: readonly Instrument[] = [
  BTC,
  { ...ETH, tickSize: '0.01', priceDecimals: 2 },
  { ...BTC, symbol: 'SOLUSDT', baseCoin: 'SOL', tickSize: '0.001', lotSize: '0.1', minSize: '0.1', maxSize: '10000' },
  SPOT_BTC,
].map((spec, index) => createInstrument(spec, index));

/** Start of the random walks in ticks. */
const MIDS = [600_000, 260_000, 150_000];
export const TAPE_START = 1_700_000_000_000;

export interface RandomTapeSpec {
  readonly seed: number;
  readonly rows: number;
  /** 1 to 3. */
  readonly symbols: number;
  /** Rows are 0 to this many ms apart, most of them 0. */
  readonly stepMs: number;
  readonly hasBook?: boolean;
  /** Events from this time on are left out. */
  readonly until?: number;
}

/** Writes random walks of several symbols in which many rows share a millisecond and some quotes have only one side. */
export function writeRandomTape(folder: string, spec: RandomTapeSpec): void {
  const random = new Random(spec.seed);
  const writer = new TapeWriter(folder, { overwrite: true });
  const chosen = INSTRUMENTS.slice(0, spec.symbols);
  const streams = chosen.map(({ symbol, priceDecimals, sizeDecimals }) => {
    const scale = { priceDecimals, sizeDecimals };
    return { trades: writer.stream(symbol, 'trades', scale), quotes: writer.stream(symbol, 'quotes', scale) };
  });
  const mids = [...MIDS];
  let time = TAPE_START;
  for (let k = 1; k <= spec.rows; k++) {
    if (random.below(2) === 0) time += random.below(spec.stepMs + 1);
    if (random.below(400) === 0) time += random.below(3000);
    const i = random.below(spec.symbols);
    const mid = mids[i]! + random.below(5) - 2;
    mids[i] = mid;
    const isQuote = random.below(2) === 0 && spec.hasBook !== false;
    const size = 1 + random.below(40);
    const other = random.below(40);
    const spread = 1 + random.below(3);
    if (time >= (spec.until ?? Infinity)) continue;
    const side = random.below(60);
    if (isQuote) streams[i]!.quotes.quote(time, side === 0 ? 0 : mid, size, side === 1 ? 0 : mid + spread, 1 + other);
    else streams[i]!.trades.trade(time, k, mid + (other % 4) - 1, size, other & 1);
  }
  writer.finish();
}

/** The tape with prices in ticks and sizes in lots of INSTRUMENTS. */
export function openRandomTape(folder: string): Tape {
  return openTape(folder, { gridOf: (symbol) => INSTRUMENTS.find((one) => one.symbol === symbol) });
}

/** Acts with a chance of `chance` in a hundred at each call. */
export function randomStrategy(chance: number): AnyStrategy {
  return defineStrategy({
    name: 'random',
    create() {
      const below = (ctx: StrategyContext, n: number): number => Math.floor(ctx.random() * n);
      const act = (market: Market, ctx: StrategyContext): void => {
        if (below(ctx, 100) >= chance) return;
        const side = below(ctx, 2) === 0 ? 'LONG' : 'SHORT';
        const own = market.orders;
        const some = own[below(ctx, Math.max(own.length, 1))];
        const near = (): number => (market.hasQuote ? market.mid : market.last) + (below(ctx, 9) - 4) * market.tick;
        const size = (1 + below(ctx, 25)) * market.lot;
        const what = below(ctx, 14);
        if (what < 4) ctx.limit(market, side, below(ctx, 2) === 0 ? 'OPEN' : 'CLOSE', near(), size, below(ctx, 4) === 0);
        else if (what === 4) ctx.open(market, side, { size });
        else if (what === 5) ctx.close(market, side);
        else if (what === 6)
          ctx.open(market, side, { size, limit: near(), stopLoss: near() - 6 * market.tick, takeProfit: near() + 6 * market.tick });
        else if (what === 7) ctx.placeTrigger({ market, side, size, trigger: near() + 3 * market.tick });
        else if (what === 8 && some !== undefined) ctx.modify(some.number, { limit: near() });
        else if (what < 11 && some !== undefined) ctx.cancel(some.number);
        else if (what > 11) ctx.quote(market, side === 'LONG' ? 'BUY' : 'SELL', near(), what === 12 ? size : 25 * market.lot);
        else ctx.setTimer(`t${below(ctx, 3)}`, 1 + below(ctx, 50));
      };
      return {
        barMs: 500,
        onStart: (ctx) => ctx.setTimer('first', 1),
        onQuote: act,
        onTrade: (_trade, market, ctx) => act(market, ctx),
        onBar: (_bar, market, ctx) => act(market, ctx),
        onOrder: ({ order }, ctx) => act(order.market, ctx),
        onPosition: ({ market }, ctx) => act(market, ctx),
        onTimer(_name, ctx) {
          for (const market of ctx.markets) if (market.product === 'futures') act(market, ctx);
          ctx.setTimer('again', 20 + below(ctx, 200));
        },
        onStop: (ctx) => ctx.cancelAll(),
      };
    },
  });
}
