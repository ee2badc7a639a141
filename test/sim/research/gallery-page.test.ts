/** docs/gallery.md: the table is the first sentence of each file, and what it does on the synthetic market that the page names. TICKWRIGHT_WRITE_PAGES=1 writes it again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import { testStrategy } from '../../../src/testing.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'docs/gallery.md');
const TWO = ['BTCUSDT', 'ETHUSDT'];

/** Parameters with which each trades within ten minutes. */
const RUNS: Readonly<Record<string, { readonly params: Readonly<Record<string, unknown>>; readonly symbols?: readonly string[] }>> = {
  bollinger: { params: { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' } },
  breakout: { params: { bar: '2s', channel: 5, period: 5, trail: 2, size: '0.01' } },
  dca: { params: { every: '20s', profit: 0.01, value: 200 } },
  'ema-cross': { params: { fast: 5, slow: 20 } },
  grid: { params: { step: 0.01, steps: 4 } },
  microprice: { params: { half: 0.05 } },
  pairs: { params: { bar: '2s', period: 10, enter: 1 }, symbols: TWO },
  quoter: { params: {} },
  rotation: { params: { bar: '2s', period: 5, lead: 0.001, size: '0.01' }, symbols: TWO },
  'rsi-atr': { params: { bar: '2s', period: 5, low: 35, risk: 0.01, stop: 10, target: 10 } },
  'safety-grid': { params: { step: 0.01, profit: 0.01, stop: 0.2 } },
  'trend-filter': { params: { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 } },
  'vwap-execution': { params: { every: '1s' } },
};

async function rowOf(name: string): Promise<string> {
  const { default: strategy } = (await import(`../../../strategies/${name}.ts`)) as { readonly default: AnyStrategy };
  const { params, symbols = ['BTCUSDT'] } = RUNS[name]!;
  const { orders, report } = await testStrategy(strategy, { seed: 3, duration: '10m', params, symbols, polled: true });
  const { makerFills, takerFills, trades } = report.stats;
  const code = readFileSync(join(ROOT, `strategies/${name}.ts`), 'utf8');
  const lines = code.split('\n').length - 1;
  const money = (text: string): string => Number(text).toFixed(2).replace('-', '−');
  const figures = [lines, orders.length, makerFills, takerFills, trades, money(report.pnl.fees), money(report.pnl.net)];
  return `| [\`${name}\`](../strategies/${name}.ts) | ${firstSentence(code)} | ${figures.join(' | ')} |`;
}

/** What the comment at the head of a file says first, without the full stop. */
function firstSentence(code: string): string {
  const [head = ''] = code.split('*/');
  const words = head
    .replaceAll(/^\s*\/?\*+/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return (/^.*?(?=\.( |$))/.exec(words)?.[0] ?? words).replaceAll('|', '\\|');
}

test('every strategy of the folder has a run', () => {
  const files = readdirSync(join(ROOT, 'strategies')).filter((name) => !name.endsWith('.test.ts'));
  expect(Object.keys(RUNS).map((name) => `${name}.ts`)).toEqual(files.sort());
});

test('the table of the page is current', async () => {
  const rows: string[] = [];
  for (const name of Object.keys(RUNS)) rows.push(await rowOf(name));
  const page = readFileSync(PAGE, 'utf8');
  const written = page.replace(/(\|---[^\n]*\n)(\|[^\n]*\n)*/, (_all, head: string) => `${head}${rows.join('\n')}\n`);
  if (process.env['TICKWRIGHT_WRITE_PAGES'] === '1') writeFileSync(PAGE, written);
  expect(readFileSync(PAGE, 'utf8')).toBe(written);
});
