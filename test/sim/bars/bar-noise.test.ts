/**
 * Real backtests on bars of pure noise, without fees and spread. Who earns there knows what nobody can know: strategies that go by the inside of a
 * bar are refused or earn nothing, market orders at closes earn nothing but chance, and no strategy earns by the cautious reading.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BacktestOptions, ReadingTerms } from '../../../src/run/setup/options.ts';
import { backtest, configWith, strategyFile } from '../../support/backtest/reference-backtest.ts';
import { noiseBars, writeNoise } from '../../support/tape/noise-bars.ts';

const HOUR = 3_600_000;
const SEEDS = Array.from({ length: Number(process.env['TICKWRIGHT_NOISE_TAPES'] ?? 6) }, (_, k) => k + 1);
const BARS = 250;
const BOLD: ReadingTerms = { fillModel: 'through', moreMs: 0, spreadFactor: 1, isBold: true, words: '' };

let folder = '';
const tape = (seed: number): string => join(folder, `tape-${seed}`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bar-noise-'));
  for (const seed of SEEDS) writeNoise(tape(seed), noiseBars(seed, BARS, 900), HOUR);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function optionsOf(file: string, params: Readonly<Record<string, string>>): Partial<BacktestOptions> {
  const base = configWith({ risk: { maxOrderSize: '50', maxPosition: '500' }, contract: { makerFeeRate: '0', takerFeeRate: '0' } });
  const simulation = { ...base.simulation, funding: { ...base.simulation.funding, model: 'off' as const } };
  return { strategies: [{ file, params, symbols: [] }], config: { ...base, simulation }, spread: { kind: 'fixed', value: 0 } };
}

interface Figures {
  readonly fills: number;
  /** Of the tapes: mean of the net profit, and its standard error. */
  readonly mean: number;
  readonly error: number;
}

async function nets(file: string, given: Partial<BacktestOptions> = {}, params: Readonly<Record<string, string>> = {}): Promise<Figures> {
  const all: number[] = [];
  let fills = 0;
  for (const seed of SEEDS) {
    const report = await backtest(tape(seed), '', { ...optionsOf(file, params), seed, ...given });
    fills += report.fills.length;
    all.push(Number(report.pnl.net));
  }
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length;
  const error = Math.sqrt(all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (all.length - 1) / all.length);
  return { fills, mean, error };
}

const onClose = (body: string): string =>
  strategyFile(folder, `return { needs: { bars: { '1h': 1 } }, onBar(bar: any, market: any, ctx: any) { ${body} } };`);
/** Enters a LONG and a SHORT at once, whenever nothing is held. */
const hedging = (fields: string): string =>
  onClose(`if (ctx.trades(market).length > 0) return;
    const p = bar.close;
    for (const sign of [1, -1]) ctx.enter({ market, side: sign > 0 ? 'LONG' : 'SHORT', size: '1', ${fields} });`);
/** Enters one trade at a time on a side by chance. */
const entering = (fields: string): string =>
  onClose(`if (ctx.trades(market).length > 0 || market.orders.length > 0) return;
    const sign = ctx.random() < 0.5 ? 1 : -1;
    const p = bar.close;
    ctx.enter({ market, side: sign > 0 ? 'LONG' : 'SHORT', size: '1', ${fields} });`);

describe('what only the inside of a bar could show', () => {
  test('the first step of a bar: nothing is traded on it', async () => {
    const file = strategyFile(
      folder,
      `let bar = -1, open = 0, isDone = false;
      return { onQuote(market: any, ctx: any) {
        const now = Math.floor(ctx.now / ${HOUR});
        if (now !== bar) { bar = now; open = market.mid; isDone = false; }
        const isLate = ctx.now % ${HOUR} > 0.95 * ${HOUR};
        for (const side of ['LONG', 'SHORT']) if (isLate && (side === 'LONG' ? market.long : market.short).free > 0) ctx.close(market, side);
        if (isDone || isLate || market.mid === open || market.long.lots + market.short.lots > 0) return;
        isDone = true;
        ctx.open(market, market.mid < open ? 'LONG' : 'SHORT', { size: '1' });
      } };`,
    );
    expect((await nets(file)).fills).toBe(0);
  });

  test('the clock, with the low of a LONG at a third of the bar: by timers it earns nothing', async () => {
    const file = strategyFile(
      folder,
      `return {
        onStart(ctx: any) { ctx.open(ctx.markets[0], 'LONG', { size: '0.001' }); ctx.setTimer('low', ${HOUR} / 3); },
        onTimer(name: string, ctx: any) {
          const market = ctx.markets[0];
          if (name === 'low' && market.long.size < 0.5) ctx.open(market, 'LONG', { size: '1' });
          if (name === 'high' && market.long.size > 0.5) ctx.close(market, 'LONG', { size: '1' });
          ctx.setTimer(name === 'low' ? 'high' : 'low', name === 'low' ? ${HOUR} / 3 : (2 * ${HOUR}) / 3);
        } };`,
    );
    const { fills, mean, error } = await nets(file);
    console.info(`timers inside bars: ${fills} fills, ${mean.toFixed(2)} ± ${error.toFixed(2)}`);
    expect(fills).toBeGreaterThan(100);
    expect(mean).toBeLessThan(4 * error);
  });

  test.each([
    ['ema-cross', { bar: '5m' }],
    ['rsi-atr', { bar: '15m' }],
  ])('%s with bars shorter than those of the tape is refused, with the choices', async (name, params) => {
    const file = resolve('strategies', `${name}.ts`);
    await expect(backtest(tape(1), '', optionsOf(file, params))).rejects.toMatchObject({
      problems: [{ what: expect.stringMatching(/bars of 1h alone/), hint: expect.stringMatching(/--detail.*--inside-bars/) }],
    });
  });
});

test.each(['rsi-atr', 'ema-cross', 'bollinger', 'breakout', 'trend-filter'])('%s, as it is shipped, earns nothing', async (name) => {
  const { fills, mean, error } = await nets(resolve('strategies', `${name}.ts`));
  console.info(`${name}: ${fills} fills, ${mean.toFixed(2)} ± ${error.toFixed(2)}`);
  expect(mean).toBeLessThan(4 * error + 1e-9);
});

describe('on either side of nothing', () => {
  const sides = {
    'market orders at closes': (): string =>
      onClose(`if (market.long.lots > 0) ctx.close(market, 'LONG'); else if (market.short.lots > 0) ctx.close(market, 'SHORT');
      else ctx.open(market, ctx.random() < 0.5 ? 'LONG' : 'SHORT', { size: '1' });`),
    'markets with a trail': (): string => entering('trailing: { distance: 2 }'),
    'markets with a bracket': (): string => entering('stopLoss: p - sign * 2, takeProfit: p + sign * 4'),
    'both sides with brackets': (): string => hedging('stopLoss: p - sign * 0.3, takeProfit: p + sign * 0.8'),
    'both sides with trails': (): string => hedging('trailing: { distance: 0.5 }'),
    'limits with a bracket': (): string =>
      entering('limit: p - sign, stopLoss: p - sign * 2, takeProfit: p + sign, expiresInMs: 3_000_000'),
    'limits with a trail': (): string => entering('limit: p - sign, trailing: { distance: 2 }, expiresInMs: 3_000_000'),
    'targets and break-even': (): string =>
      entering(
        'stopLoss: p - sign * 3, breakEven: { after: 0.002 }, takeProfit: [{ at: p + sign * 2, share: 0.5 }, { at: p + sign * 4, share: 0.5 }]',
      ),
  };
  test.each(Object.entries(sides))('%s', async (name, make) => {
    const file = make();
    const [cautious, bold] = [await nets(file), await nets(file, { reading: BOLD })];
    const figure = ({ mean, error }: Figures): string => `${mean.toFixed(2)} ± ${error.toFixed(2)}`;
    console.info(`${name}: ${cautious.fills} fills, cautious ${figure(cautious)}, optimistic ${figure(bold)}`);
    expect(cautious.fills).toBeGreaterThan(40 * SEEDS.length);
    expect(cautious.mean).toBeLessThan(4 * cautious.error);
    // A limit gives a tick of 0.1 away, because it fills only when it is traded through.
    expect(bold.mean + (0.1 * bold.fills) / SEEDS.length).toBeGreaterThan(-4 * bold.error);
    if (name === 'market orders at closes') expect(Math.abs(cautious.mean)).toBeLessThan(4 * cautious.error);
  });
});
