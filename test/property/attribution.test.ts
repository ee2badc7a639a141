/** Several random strategies on one wallet: their parts add up to the wallet at every moment, to the last digit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { parseScaled } from '../../src/domain/amounts/scale.ts';
import { MONEY_DECIMALS, ONE } from '../../src/domain/amounts/units.ts';
import { defineStrategy } from '../../src/engine/strategy/definition/define.ts';
import type { PortfolioPart } from '../../src/report/equity/portfolio.ts';
import type { Backtest } from '../../src/run/backtest/assemble-backtest.ts';
import { prepareBacktest } from '../../src/run/backtest/backtest.ts';
import type { BacktestPort } from '../../src/run/backtest/venue/backtest-port.ts';
import { TapeWriter } from '../../src/tape/write.ts';
import { configWith } from '../support/backtest/reference-backtest.ts';
import { randomStrategy, TAPE_START, writeRandomTape } from '../support/backtest/reference-strategy.ts';

const RUNS = Number(process.env['TICKWRIGHT_ATTRIBUTION_RUNS'] ?? 4);

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'attribution-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Course {
  readonly backtest: Backtest;
  moments: number;
}

interface World {
  readonly title: string;
  readonly symbols: number;
  readonly deposit: string;
  readonly everyTick: boolean;
  /** Prices fall by 7 % at the end, and two strategies only buy. */
  readonly isLiquidated: boolean;
}

const RICH = { deposit: '100000', isLiquidated: false };
const WORLDS: readonly World[] = [
  { title: 'one symbol', symbols: 1, everyTick: true, ...RICH },
  { title: 'three symbols, polled', symbols: 3, everyTick: false, ...RICH },
  { title: 'a wallet that is liquidated', symbols: 1, everyTick: true, deposit: '1000', isLiquidated: true },
];

/** A run of three random strategies, two of them on the first symbol alone, which compares the sums at each visit of the venue. */
async function courseOf(seed: number, { symbols, deposit, everyTick, isLiquidated }: World): Promise<Course> {
  const tape = join(folder, `tape-${seed}-${symbols}`);
  if (isLiquidated) writeFall(tape, seed);
  else writeRandomTape(tape, { seed, rows: 6_000, symbols, stepMs: 40 });
  const simulation = {
    deposits: { USDT: deposit },
    leverage: 100,
    funding: { model: 'constant' as const, everyMs: 7_000, rate: seed % 2 === 0 ? '0.0003' : '-0.0003', file: '' },
  };
  const options = {
    strategies: [],
    tape,
    config: configWith({
      simulation,

      limits: { order: 1_000 },
      risk: { maxOpenOrders: 60 },
    }),
    everyTick,
    speed: 1,
    seed,
  };
  let look = (): void => undefined;
  const watched = (port: BacktestPort): BacktestPort =>
    new Proxy(port, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        const method = (value as (...all: unknown[]) => unknown).bind(target);
        return key === 'run' ? () => (method(), look()) : method;
      },
    });
  const backtest = await prepareBacktest(options, {
    setups: (instruments) => {
      const all = instruments.filter(({ product }) => product === 'futures').slice(0, symbols);
      const first = all.slice(0, 1);
      return [first, first, all].map((traded, k) => ({
        name: `random-${k}`,
        strategy: isLiquidated && k > 0 ? BUYER : randomStrategy(isLiquidated ? 1 : 4 + k),
        instruments: traded.map(({ index }) => index),
      }));
    },
    port: watched,
  });
  const course: Course = { backtest, moments: 0 };
  const { sim, attribution } = backtest;
  const start = sim.equity(0);
  look = () => {
    course.moments++;
    const { realised, unrealised, fees, funding, insurance } = sim.totals(0);
    const parts = attribution!.parts.map((part, k) => ({ ...part, unrealised: attribution!.unrealised(k) }));
    const sum = (key: 'realised' | 'unrealised' | 'fees' | 'funding'): number => parts.reduce((all, one) => all + one[key], 0);
    expect([sum('realised') + sum('unrealised'), sum('fees'), sum('funding')]).toEqual([realised + unrealised, fees, funding]);
    expect(parts.reduce((all, _, k) => all + attribution!.net(k), Number(insurance))).toBe(sim.equity(0) - start);
  };
  return course;
}

/** A quote every 20 ms around 60,000, which falls by 7 % in the last third. */
function writeFall(path: string, seed: number): void {
  const random = new Random(seed);
  const writer = new TapeWriter(path, { overwrite: true });
  const book = writer.stream('BTCUSDT', 'quotes', { priceDecimals: 1, sizeDecimals: 3 });
  let mid = 600_000;
  for (let k = 0; k < 3_000; k++) {
    mid += random.below(5) - (k < 2_000 ? 2 : 42);
    book.quote(TAPE_START + 20 * k, mid, 1 + random.below(90), mid + 1, 1 + random.below(90));
  }
  writer.finish();
}

/** Buys some lots every half a second, and never sells. */
const BUYER = defineStrategy({
  name: 'buyer',
  create: () => ({
    onStart: (ctx) => ctx.setTimer('buy', 1),
    onTimer(_name, ctx) {
      const market = ctx.markets[0]!;
      ctx.open(market, 'LONG', { size: (1 + Math.floor(ctx.random() * 20)) * market.lot });
      ctx.setTimer('buy', 500);
    },
  }),
});

/** The world of each run in which the venue closed a part of a leg. */
const liquidated: string[] = [];

/** Worlds at whose end strategies shared a leg at different costs. */
const netted = new Set<string>();

const cents = (amount: string): number => parseScaled(amount, MONEY_DECIMALS);

describe.each(WORLDS)('$title', (world) => {
  test.each(Array.from({ length: RUNS }, (_, k) => k + 1))('seed %i', async (seed) => {
    const course = await courseOf(seed, world);
    const report = course.backtest.run();
    const { portfolio } = report;
    if (portfolio === null) throw new Error('expected a portfolio');
    expect(course.moments).toBeGreaterThan(100);
    expect(report.fills.length).toBeGreaterThan(50);
    if (report.fills.some(({ reason }) => reason === 'liquidation')) liquidated.push(world.title);

    const parts = [...portfolio.strategies, ...portfolio.rest];
    const sum = (of: (part: PortfolioPart) => number): number => parts.reduce((all, part) => all + of(part), 0);
    for (const key of ['realised', 'unrealised', 'fees', 'funding', 'net'] as const) {
      expect([key, sum((part) => cents(part[key]))]).toEqual([key, cents(portfolio.total[key])]);
      if (key !== 'net') expect(portfolio.total[key]).toBe(report.pnl[key]);
    }
    expect(cents(portfolio.total.net)).toBe(cents(report.equity.end) - cents(report.equity.start));
    const netting = portfolio.rest.find(({ name }) => name === 'netting');
    expect(netting?.net ?? '0.00000000').toBe('0.00000000');
    if (netting !== undefined) netted.add(world.title);
    expect(portfolio.rest.some(({ name }) => name === 'external')).toBe(false);
    expect(portfolio.strategies.every(({ fills }) => fills > 0)).toBe(true);
    expect(portfolio.strategies.reduce((all, { riskShare }) => all + riskShare!, 0)).toBeCloseTo(1, 9);
    const last = portfolio.series.profit.map((profit) => Math.round(profit.at(-1)! * ONE));
    expect(last).toEqual(portfolio.strategies.map(({ net }) => cents(net)));
  });
});

test('shared legs were among them', () => {
  expect([...netted]).toEqual(WORLDS.filter(({ isLiquidated }) => !isLiquidated).map(({ title }) => title));
});

test('liquidations were among them', () => {
  const expected = WORLDS.find(({ isLiquidated }) => isLiquidated)!.title;
  expect(liquidated.length).toBeGreaterThan(RUNS / 2);
  expect(new Set(liquidated)).toEqual(new Set([expected]));
});
