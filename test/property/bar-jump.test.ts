/**
 * Bars many rows at a time give the same as a row at a time: fills, equity, notes and the whole state of the venue. By polls too, where the
 * fast way leaves out those that cannot show anything.
 */
import fc from 'fast-check';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { defaultConfig } from '../../src/config/defaults.ts';
import type { BotConfig } from '../../src/config/model.ts';
import type { BacktestReport } from '../../src/report/backtest-report.ts';
import { loadMarket, openTrials } from '../../src/run/backtest/trials.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { configWith, strategyFile } from '../support/reference-backtest.ts';
import { withFolder } from '../support/tape-rows.ts';

const START = 1_735_689_600_000;
/** Questions that wait for their turn would arrive later where more of them are asked. */
const UNLIMITED = Object.fromEntries(Object.keys(defaultConfig().limits).map((bucket) => [bucket, Infinity]));
const RUNS = process.env['TICKWRIGHT_JUMP_RUNS'];
const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'XYZUSDT'];

const runs = fc.record({
  seed: fc.nat(1_000_000),
  symbols: fc.integer({ min: 1, max: 3 }),
  bars: fc.integer({ min: 2, max: 250 }),
  barMs: fc.constantFrom(60_000, 60_000, 1000, 5000, 300_000, 7_777),
  /** Largest move of a bar in ticks: from still markets to ones that liquidate. */
  move: fc.constantFrom(3, 200, 2000, 20_000),
  frame: fc.constantFrom('1m', '5m', '1s', 'ha:1m', 'tick:5', '7m'),
  chance: fc.constantFrom(2, 10, 40),
  size: fc.constantFrom('0.01', '1', '20', '40'),
  latencyMs: fc.constantFrom(0, 20, 7000),
  /** A funding period is shorter than most tapes. */
  fundingMs: fc.constantFrom(0, 600_000, 3_600_000),
  fromShare: fc.constantFrom(0, 0, 0.31),
  seesQuotes: fc.constantFrom(false, false, false, true),
  /** Mark prices that go their own way. */
  hasMarks: fc.constantFrom(false, false, true),
});
type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

/** Orders that fill bit by bit for minutes, each bit closed by their brackets: how far back the order history is read decides what is recognised. */
const BIT_BY_BIT: [Run][] = [
  { seed: 13, symbols: 1, bars: 60, move: 2000, frame: 'ha:1m', chance: 40, size: '40', fundingMs: 3_600_000, hasMarks: true } as const,
  { seed: 246_001, symbols: 2, bars: 60, move: 2000, frame: '7m', chance: 2, size: '40', fundingMs: 600_000, hasMarks: false } as const,
].map((run) => [{ ...run, barMs: 300_000, latencyMs: 20, fromShare: 0, seesQuotes: false }]);

/** Random walks in bars: gaps, bars without volume and bars of a few lots among them. */
function writeBars(path: string, { seed, symbols, bars, barMs, move, hasMarks }: Run): void {
  const random = new Random(seed);
  const writer = new TapeWriter(path, { overwrite: true });
  for (const symbol of SYMBOLS.slice(0, symbols)) {
    const stream = writer.stream(symbol, 'bars', { priceDecimals: 2, sizeDecimals: 3 }, barMs);
    let price = 600_000;
    const marks = hasMarks ? writer.stream(symbol, 'marks', { priceDecimals: 2, sizeDecimals: 0 }) : null;
    for (let k = 0; k < bars; k++) {
      if (random.below(40) === 0) continue;
      const step = 10;
      const open = price + step * (random.below(5) === 0 ? random.below(7) - 3 : 0);
      price = Math.max(100 * step, open + step * (random.below(2 * move + 1) - move));
      const high = Math.max(open, price) + step * random.below(move);
      const low = Math.max(step, Math.min(open, price) - step * random.below(move));
      const volume = [0, random.below(20), 1000 + random.below(100_000)][Math.min(2, random.below(20))]!;
      stream.bar(START + k * barMs, open, high, low, price, volume);
      marks?.single(START + k * barMs + random.below(barMs), Math.max(step, price + 10 * step * (random.below(2 * move + 1) - move)));
    }
  }
  writer.finish();
}

/** Opens and closes at random, at market, with limits and with brackets. */
const body = (needs: string): string => `
    const act = (market: any, ctx: any) => {
      if (ctx.random() * 100 >= params.chance) return;
      const side = ctx.random() < 0.5 ? 'LONG' : 'SHORT';
      const leg = side === 'LONG' ? market.long : market.short;
      const away = 1 + (side === 'LONG' ? -1 : 1) * ctx.random() * 0.01;
      const pick = Math.floor(ctx.random() * 6);
      if (pick === 0 && leg.lots > 0) ctx.close(market, side, { reason: 'out' });
      else if (pick === 1) ctx.limit(market, side, 'OPEN', market.last * away, params.size);
      else if (pick === 2) ctx.open(market, side, { size: params.size, stopLoss: market.last * away, takeProfit: market.last * (2 - away) });
      else if (pick === 3) for (const order of market.orders) ctx.cancel(order.number);
      else if (pick === 4) ctx.setTimer('again', 1 + Math.floor(ctx.random() * 90000));
      else ctx.open(market, side, { size: params.size });
    };
    return { ${needs}
      onBar(bar: any, market: any, ctx: any) {
        // What it does depends on every figure of the bar.
        const sum = 100 * (bar.open + 3 * bar.high + 5 * bar.low + 7 * bar.close) + 11_000 * bar.volume + 13 * bar.count;
        if (Math.round(sum) % 5 > 0) act(market, ctx);
      },
      onTimer(name: string, ctx: any) { act(markets[0], ctx); },
      onStop: (ctx: any) => ctx.cancelAll(),
      onPosition(event: any, ctx: any) { if (ctx.random() < 0.1) act(event.market, ctx); },
    };`;

/**
 * True if a poll is under way when something happens. One that was left out does not see it. And where the venue is far away, the plain way
 * raises halts, because reads are old.
 */
function isBetween({ barMs, latencyMs }: Run): boolean {
  return latencyMs === 7000 || (latencyMs > 0 && barMs === 7_777);
}

test.each(['every tick', 'polls'])(
  'the reports and the venues of both ways are equal: %s',
  async (sight) => {
    const everyTick = sight === 'every tick';
    const seen = { runs: 0, fills: 0, liquidations: 0, funded: 0 };
    await withFolder(async (folder) => {
      const path = join(folder, 't');
      const strategies = new Map<string, string>();
      await fc.assert(
        fc.asyncProperty(runs, async (given) => {
          // The plain way takes every poll.
          const run = everyTick ? given : { ...given, bars: Math.min(given.bars, 60) };
          fc.pre(everyTick || !isBetween(run));
          writeBars(path, run);
          const needs = `needs: { bars: { '${run.frame}': 1 } }, ${run.seesQuotes ? 'onQuote(market: any, ctx: any) { void market.bid; },' : ''}`;
          const params = `chance: param.integer(10, { min: 1, max: 100, doc: 'x' }), size: param.size('1', { doc: 'x' })`;
          const file = strategies.get(needs) ?? strategyFile(folder, body(needs), params);
          strategies.set(needs, file);
          const base = configWith({
            limits: everyTick ? {} : UNLIMITED,
            risk: { maxOrderSize: '50', maxPosition: '500', maxOpenOrders: 50, priceCollar: '0.5' },
          });
          const { funding } = base.simulation;
          const config: BotConfig = {
            ...base,
            simulation: {
              ...base.simulation,
              leverage: 50,
              upMs: run.latencyMs,
              downMs: run.latencyMs,
              deposits: { USDT: '9000' },
              funding: {
                ...funding,
                model: run.fundingMs === 0 ? 'off' : 'constant',
                everyMs: run.fundingMs || funding.everyMs,
                rate: '0.001',
              },
            },
          };
          const market = loadMarket(path, config);
          const from = run.fromShare === 0 ? undefined : START + Math.floor(run.bars * run.barMs * run.fromShare);
          const choice = { file, params: { chance: String(run.chance), size: run.size }, symbols: [] };
          const common = { strategies: [choice], config, everyTick, speed: 1, seed: run.seed, from };
          const results = [];
          for (const isPlain of [false, true]) {
            const trials = await openTrials(market, { ...common, isPlain });
            let backtest;
            try {
              // Samples within bars would have them taken point by point.
              const sampleMs = run.seed % 4 === 0 ? undefined : 3 * run.barMs;
              backtest = trials.open([{}], { hooks: { sampleMs } });
              const report = JSON.parse(JSON.stringify({ ...backtest.run(), performance: null })) as BacktestReport;
              results.push({ report, venue: backtest.sim.snapshot() });
              if (isPlain) {
                seen.fills += report.fills.length;
                seen.liquidations += report.fills.filter(({ reason }) => reason === 'liquidation').length;
                if (Number(report.pnl.funding) !== 0) seen.funded++;
              }
            } catch (error) {
              results.push({ error: String(error) });
            }
          }
          seen.runs++;
          expect(results[0]).toEqual(results[1]);
        }),
        // By polls the worlds are always the same, unless more are asked for: a poll that is under way at a change may make a note differ.
        {
          numRuns: Number(RUNS ?? (everyTick ? 60 : 20)),
          ...(everyTick ? {} : { examples: BIT_BY_BIT }),
          ...(everyTick || RUNS !== undefined ? {} : { seed: 5 }),
        },
      );
    });
    console.info(`${sight}, ${seen.runs} runs: ${seen.fills} fills, ${seen.liquidations} liquidations, ${seen.funded} with funding`);
    expect(seen.fills).toBeGreaterThan(everyTick ? 300 : 20);
    if (!everyTick) return;
    expect(seen.liquidations).toBeGreaterThan(0);
    expect(seen.funded).toBeGreaterThan(0);
  },
  300_000,
);

test.each([
  { what: 'a dip within a bar liquidates, though its close is back', low: 550_000, size: '30', reason: 'liquidation' },
  { what: 'a dip that the margin covers does not', low: 580_000, size: '30', reason: '' },
])('$what', async ({ low, size, reason }) => {
  await withFolder(async (folder) => {
    const path = join(folder, 't');
    const writer = new TapeWriter(path);
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 2, sizeDecimals: 3 }, 60_000);
    for (let k = 0; k < 100; k++) bars.bar(START + k * 60_000, 600_000, 600_010, k === 20 ? low : 599_990, 600_000, 5_000_000);
    writer.finish();
    const open = `let isOpen = false;
    return { onBar(bar: any, market: any, ctx: any) { if (!isOpen) ctx.open(market, 'LONG', { size: '${size}' }); isOpen = true; } };`;
    const base = configWith({ risk: { maxOrderSize: '50', maxPosition: '500', priceCollar: '0.5' } });
    const simulation = { ...base.simulation, leverage: 50, upMs: 0, downMs: 0, deposits: { USDT: '9000' } };
    const config: BotConfig = { ...base, simulation };
    const market = loadMarket(path, config);
    const choice = {
      file: strategyFile(folder, `const needs = { bars: { '1m': 1 } };\n${open.replace('return {', 'return { needs,')}`),
      params: {},
      symbols: [],
    };
    for (const isPlain of [false, true]) {
      const trials = await openTrials(market, {
        strategies: [choice],
        config,
        everyTick: true,
        speed: 1,
        seed: 1,
        isPlain,
      });
      const { fills } = trials.open([{}], { hooks: { sampleMs: 180_000 } }).run();
      expect([...new Set(fills.map((fill) => fill.reason))], `plain: ${isPlain}`).toEqual(reason === '' ? [''] : ['', reason]);
    }
  });
});

test('prices before an entry within a bar are no excursion of its trade', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 't');
    const writer = new TapeWriter(path);
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 2, sizeDecimals: 3 }, 60_000);
    // Bars open at their low or high and go one way, 20 up and 20 down.
    const random = new Random(1);
    for (let k = 0, open = 600_000; k < 400; k++) {
      const close = open + (k % 40 < 20 ? 10 : -10) * (20 + random.below(20));
      bars.bar(START + k * 60_000, open, Math.max(open, close), Math.min(open, close), close, 5_000_000);
      open = close;
    }
    writer.finish();
    const config = configWith({});
    const market = loadMarket(path, config);
    const choice = { file: resolve('strategies/ema-cross.ts'), params: { fast: '2', slow: '4', bar: '1m' }, symbols: [] };
    const seen = [];
    for (const isPlain of [false, true]) {
      const trials = await openTrials(market, { strategies: [choice], config, everyTick: false, speed: 1, seed: 1, isPlain });
      const { trades } = trials.open([{}], { hooks: { sampleMs: 180_000 } }).run();
      expect(trades.length).toBeGreaterThan(10);
      seen.push(trades.map(({ openedAt, mae, mfe }) => [openedAt, mae, mfe]));
    }
    expect(seen[0]).toEqual(seen[1]);
  });
});

test('funding that is paid while polls are left out is seen, and is no transfer', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 't');
    const writer = new TapeWriter(path);
    const bars = writer.stream('BTCUSDT', 'bars', { priceDecimals: 2, sizeDecimals: 3 }, 60_000);
    for (let k = 0; k < 100; k++) bars.bar(START + k * 60_000, 600_000, 600_010, 599_990, 600_000, 5_000_000);
    writer.finish();
    const script = `let n = 0;
    return { needs: { bars: { '1m': 1 } }, onBar(bar: any, market: any, ctx: any) {
      n++;
      if (n === 5 || n === 90) ctx.setTimer('open', 370);
      if (n === 70) ctx.setTimer('close', 370);
    }, onTimer(name: string, ctx: any) {
      if (name === 'open') ctx.open(markets[0], 'LONG', { size: '3' });
      else ctx.close(markets[0], 'LONG');
    } };`;
    const base = configWith({ limits: UNLIMITED, risk: { maxOrderSize: '50', maxPosition: '500', priceCollar: '0.5' } });
    const funding = { ...base.simulation.funding, model: 'constant' as const, everyMs: 1_200_000, rate: '0.003' };
    const config: BotConfig = { ...base, simulation: { ...base.simulation, leverage: 10, deposits: { USDT: '20000' }, funding } };
    const market = loadMarket(path, config);
    const choice = { file: strategyFile(folder, script), params: {}, symbols: [] };
    const reports = [];
    for (const isPlain of [false, true]) {
      const trials = await openTrials(market, { strategies: [choice], config, everyTick: false, speed: 1, seed: 1, isPlain });
      const report = trials.open([{}], {}).run();
      expect([Number(report.pnl.funding) < -100, report.orders.refused, report.fills.length]).toEqual([true, {}, 3]);
      reports.push(JSON.parse(JSON.stringify({ ...report, performance: null })));
    }
    expect(reports[0]).toEqual(reports[1]);
  });
});
