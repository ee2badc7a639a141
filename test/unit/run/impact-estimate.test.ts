/** Turnover, volatility and the coefficient of the square-root law as measured on a tape, against sums written out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { BUY, SELL } from '../../../src/domain/codes.ts';
import { measureImpact, type MeasuredImpact } from '../../../src/run/market/measure-impact.ts';
import { openTape } from '../../../src/tape/read.ts';
import { simTerms } from '../../../src/run/setup/sim-terms.ts';
import { TapeWriter } from '../../../src/tape/write.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'impact-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const START = 1_700_000_040_000;
const SCALE = { priceDecimals: 1, sizeDecimals: 3 };

interface Minute {
  /** Middle of the book in ticks at the end of the minute, and the lots that takers bought, or sold if negative. */
  readonly mid: number;
  readonly lots: number;
}

/** One trade and one quote a minute: 20 lots on each side, 2 ticks apart. */
function tapeOf(minutes: readonly Minute[], hasBook = true): string {
  const path = join(mkdtempSync(join(folder, 'tape-')), 'x');
  const writer = new TapeWriter(path);
  const prints = writer.stream('BTCUSDT', 'trades', SCALE);
  for (const [k, { mid, lots }] of minutes.entries()) {
    prints.trade(START + k * MINUTE + 10, k + 1, mid, Math.abs(lots), lots > 0 ? BUY : SELL);
  }
  if (hasBook) {
    const book = writer.stream('BTCUSDT', 'quotes', SCALE);
    for (const [k, { mid }] of minutes.entries()) book.quote(START + k * MINUTE + 10, mid - 1, 20, mid + 1, 20);
  }
  writer.finish();
  return path;
}

const measured = (path: string): MeasuredImpact | undefined => measureImpact(openTape(path), () => 1).get('BTCUSDT');

/** A market whose minutes move by `factor` times the signed root of their flow. */
function lawfulMarket(factor: number): Minute[] {
  const random = new Random(5);
  const minutes: Minute[] = [{ mid: 6_000_000, lots: 1 }];
  for (let k = 1; k < 200; k++) {
    const lots = random.below(2_000) - 1_000 || 1;
    minutes.push({ mid: Math.round(minutes.at(-1)!.mid * Math.exp(factor * Math.sign(lots) * Math.sqrt(Math.abs(lots)))), lots });
  }
  return minutes;
}

test('the terms are those of the sums written out', () => {
  const minutes = lawfulMarket(2e-5);
  const { coefficient, volatility, turnover, fromVolume, fromDepth } = measured(tapeOf(minutes))!;
  const returns = minutes.slice(1).map(({ mid }, k) => Math.log(mid / minutes[k]!.mid));
  const mean = returns.reduce((sum, one) => sum + one, 0) / returns.length;
  const sigma = Math.sqrt((returns.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (returns.length - 1)) * 1_440);
  const span = (minutes.length - 1) * MINUTE;
  const day = (minutes.reduce((sum, { mid, lots }) => sum + mid * Math.abs(lots), 0) / span) * DAY;
  expect(volatility).toBeCloseTo(sigma, 12);
  expect(turnover / day).toBeCloseTo(1, 12);
  const roots = minutes.slice(1).map(({ mid, lots }) => Math.sign(lots) * Math.sqrt((mid * Math.abs(lots)) / day));
  const product = roots.reduce((sum, root, k) => sum + root * returns[k]!, 0);
  expect(fromVolume).toBeCloseTo(product / roots.reduce((sum, root) => sum + root * root, 0) / sigma, 9);
  // The law that the market follows: r = factor · √lots = Y · σ · √(mid · lots / V).
  expect(fromVolume).toBeCloseTo((2e-5 * Math.sqrt(day / 6_000_000)) / sigma, 2);
  const before = minutes.slice(0, -1);
  const spread = before.reduce((sum, { mid }) => sum + 2 / mid, 0) / before.length;
  const depth = before.reduce((sum, { mid }) => sum + 20 * mid, 0) / before.length;
  expect(fromDepth).toBeCloseTo(spread / 2 / (sigma * Math.sqrt(depth / day)), 9);
  expect(coefficient).toBe(Math.max(fromVolume, fromDepth));
});

test('where prices go against the takers, the depth decides', () => {
  const minutes = lawfulMarket(2e-5).map(({ mid, lots }) => ({ mid, lots: -lots }));
  const { coefficient, fromVolume, fromDepth } = measured(tapeOf(minutes))!;
  expect(fromVolume).toBeLessThan(0);
  expect(coefficient).toBe(fromDepth);
});

test('without a book the trades alone are taken, and too short a tape has no terms', () => {
  const { fromDepth, coefficient, fromVolume } = measured(tapeOf(lawfulMarket(2e-5), false))!;
  expect(fromDepth).toBeNaN();
  expect(coefficient).toBe(fromVolume);
  expect(measured(tapeOf(lawfulMarket(2e-5).slice(0, 8)))).toBeUndefined();
});

const TAKE = `    let row = 0;
    return { onQuote(market: any, ctx: any) { if (++row === 3) ctx.open(market, 'LONG', { size: '0.02' }); } };`;

test('a backtest takes them from its tape, and says so', async () => {
  const path = tapeOf(lawfulMarket(2e-5));
  const strategy = strategyFile(folder, TAKE);
  const impact = { model: 'square-root', coefficient: 'tape', volatility: 'tape', turnover: 'tape' } as const;
  const given = { everyTick: true, config: configWith({ simulation: { impact } }) };
  const [plain, moved] = [await backtest(path, strategy, { everyTick: true, config: configWith() }), await backtest(path, strategy, given)];
  const { coefficient, volatility, turnover } = (moved.config['impact'] as Record<string, MeasuredImpact>)['BTCUSDT']!;
  const [price, worse] = [plain, moved].map(({ fills }) => Math.round(Number(fills[0]!.price) * 10));
  // 20 lots of 0.1 · 0.001 USDT a tick, against a turnover in 10^-8 USDT.
  const value = price! * 20 * 10_000;
  expect(worse! - price!).toBe(Math.ceil(price! * coefficient * volatility * Math.sqrt(value / turnover)));
  expect(worse! - price!).toBeGreaterThan(10);
  expect(moved.notes.join()).toContain('as measured on the tape');
  expect(plain.notes.join()).toContain('our orders move no price');
});

test('a tape that cannot tell is an error that says what to state', async () => {
  const impact = { model: 'square-root', coefficient: '1', volatility: 'tape', turnover: 'tape' } as const;
  const run = backtest(tapeOf(lawfulMarket(2e-5).slice(0, 8)), strategyFile(folder, TAKE), {
    config: configWith({ simulation: { impact } }),
  });
  await expect(run).rejects.toThrow(/ten seconds to measure the impact of BTCUSDT/);
});

test('the paper exchange has no tape to measure: it wants numbers', () => {
  const impact = { model: 'square-root', coefficient: '1', volatility: '0.02', turnover: 'tape' } as const;
  const { simulation } = configWith({ simulation: { impact } });
  expect(() => simTerms(simulation)).toThrow(/expected numbers for coefficient, volatility and turnover, found tape/);
  expect(simTerms({ ...simulation, impact: { ...impact, turnover: '1000' } }).impact).toMatchObject({ turnover: 1000 * 1e8 });
});
