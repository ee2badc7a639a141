/** docs/recipes.md: each strategy of the page does on a few bars what the page says, and the configuration is valid. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load.ts';
import type { AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import { loadStrategy } from '../../../src/run/setup/strategy/load-strategy.ts';
import { testStrategy, type StrategyTest } from '../../../src/testing.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/recipes.md'), 'utf8');
const codes = new Map([...page.matchAll(/```ts\n([^]*?)```/g)].map(([, code = '']) => [/name: '([a-z-]+)'/.exec(code)![1]!, code]));
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recipes-page-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tested = new Set<string>();
const BAR_MS = 300_000;
const WIDE = { 'risk.maxNotionalOrder': 'off', 'risk.maxNotionalPosition': 'off', 'risk.maxNotionalTotal': 'off' };
const same = (code: string): string => code;

/** The strategy on 5-minute bars that close so; each opens where the one before closed. No order of it is refused. */
async function on(name: string, closes: readonly number[], start?: number, changed = same): Promise<StrategyTest> {
  tested.add(name);
  const file = join(folder, `${name}${changed === same ? '' : '-changed'}.ts`);
  writeFileSync(file, changed(codes.get(name)!));
  const strategy: AnyStrategy = await loadStrategy(file);
  const rows = closes.map((close, k) => {
    const open = closes[k - 1] ?? 100;
    return { at: k * BAR_MS, open, high: Math.max(open, close), low: Math.min(open, close), close, volume: 1e6 };
  });
  const result = await testStrategy(strategy, { symbols: ['TESTUSDT'], rows, bars: '5m', set: WIDE, start });
  expect(result.refused).toEqual({});
  return result;
}

const flat = (price: number, bars: number): number[] => Array.from({ length: bars }, (_, k) => price - (k % 2) * 0.01);
/** What was ordered after which bar, and the prices of the fills. */
const did = ({ orders, fills }: StrategyTest): readonly string[] => [
  ...orders.map(({ at, effect, size, price, reason }) =>
    [Math.round(at / BAR_MS), effect, Number(size), price ?? 'market', reason].join(' ').trim(),
  ),
  ['filled at', fills.map(({ price }) => Number(price)).join(', ')].join(' ').trim(),
];
const BOUGHT = '2 OPEN 0.01 market';

test('a return that is enough for the age of the trade closes it: 3 % at once, 1 % after 30 minutes, 0.2 % after 60', async () => {
  const at = async (closes: readonly number[]): Promise<unknown> => did(await on('minimal-return', [100.01, 101, ...closes]));
  expect(await at([102, 105, 104])).toEqual([BOUGHT, '4 CLOSE 0.01 market minimal return', 'filled at 101.01, 105']);
  expect(await at([...flat(101, 3), 102.1, 102])).toEqual([BOUGHT, 'filled at 101.01']);
  expect(await at([...flat(101, 5), 102.1, 102.2, 102])).toEqual([BOUGHT, '9 CLOSE 0.01 market minimal return', 'filled at 101.01, 102.2']);
  expect(await at([...flat(101, 10), 101.3, 101, 101])).toEqual([BOUGHT, 'filled at 101.01']);
  expect(await at([...flat(101, 12), 101.3, 101, 101])).toEqual([BOUGHT, '15 CLOSE 0.01 market minimal return', 'filled at 101.01, 101.3']);
});

test('an exit waits at the middle of the bar, and goes to the market after two bars', async () => {
  const middle = '4 CLOSE 0.01 101.50 exit at the middle';
  expect(did(await on('exit-price', [100.01, 101, 102, 101, 102]))).toEqual([
    BOUGHT,
    middle,
    '5 OPEN 0.01 market',
    'filled at 101.01, 101.5',
  ]);
  expect(did(await on('exit-price', [100.01, 101, 102, 101, 100, 99, 98]))).toEqual([
    BOUGHT,
    middle,
    '7 CLOSE 0.01 market waited two bars',
    'filled at 101.01, 99',
  ]);
});

test('an entry is confirmed by hour and price: it is late, it waits at its price, or it is given up', async () => {
  const confirmed = '2 OPEN 0.01 100.89';
  expect(did(await on('confirmed-entry', [100.01, 101, 100.5, 100.4]))).toEqual([confirmed, 'filled at 100.89']);
  expect(did(await on('confirmed-entry', [100.01, 101, 103, 104, 105, 106]))).toEqual([confirmed, '5 OPEN 0.01 104.89', 'filled at']);
  const late = Date.parse('2024-01-01T22:00:00Z');
  expect(did(await on('confirmed-entry', [100.01, 101, 100.5, 100.4], late))).toEqual(['filled at']);
});

test('the stop rises in steps of the best price and never falls', async () => {
  const sold = (price: string): string[] => [BOUGHT, '6 CLOSE 0.01 market stop', `filled at 101.01, ${price}`];
  // 3.2 % at best: the stop is 2 % over the entry. 1.7 %: it is 0.5 % over it.
  expect(did(await on('stepped-stop', [100.01, 101, 102.7, 104.2, 104, 102.9, 102]))).toEqual(sold('103.03'));
  expect(did(await on('stepped-stop', [100.01, 101, 102.7, 102.5, 102, 101.2, 100.5]))).toEqual(sold('101.51'));
});

test('a trade grows twice when it is cheaper, and is halved once when it is dear', async () => {
  expect(did(await on('changed-size', [100.01, 101, 99.9, 98, 97, 96, 101, 102, 103]))).toEqual([
    BOUGHT,
    '3 OPEN 0.01 market cheaper',
    '4 OPEN 0.01 market cheaper',
    '7 CLOSE 0.015 market half',
    'filled at 101.01, 99.91, 98.01, 101',
  ]);
});

test('a size by risk is bounded by its value', async () => {
  const [order] = (await on('sized-by-risk', [100.01, 101, 102, 101, 103, ...flat(103, 14)])).orders;
  expect(Number(order!.size) * 103.01).toBeCloseTo(20_000, 0);
  // Without the bound, 1 % of 100,000 is lost on the way to the stop.
  const free = (code: string): string => code.replace(', maxValue: 20_000', '');
  const [whole] = (await on('sized-by-risk', [100.01, 101, 102, 101, 103, ...flat(103, 14)], undefined, free)).orders;
  expect(Number(whole!.size) * (103.01 - Number(whole!.stopLoss))).toBeCloseTo(1000, -1);
});

test('every strategy of the page has a test here, and its configuration is valid', () => {
  expect([...tested].sort()).toEqual([...codes.keys()].sort());
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, /```yaml\n([^]*?)```/.exec(page)![1]!);
  const { risk } = loadConfig({ file, env: {}, set: [] }).config;
  expect([risk.leverage, risk.symbols['ETHUSDT']?.leverage, risk.stoplossGuard, risk.haltFor]).toEqual([10, 5, 3, 43_200_000]);
});
