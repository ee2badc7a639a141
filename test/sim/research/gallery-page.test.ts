/** docs/gallery.md: the table is the first sentence of each file, and what it does on the synthetic market that the page names. TICKWRIGHT_WRITE_PAGES=1 writes it again. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import { testStrategy, type TestSignal } from '../../../src/testing.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PAGE = join(ROOT, 'docs/gallery.md');
const TWO = ['BTCUSDT', 'ETHUSDT'];

interface Run {
  readonly params: Readonly<Record<string, unknown>>;
  readonly symbols?: readonly string[];
  readonly signals?: readonly TestSignal[];
}

/** What a sender says every twenty seconds. */
const SIGNALS: readonly TestSignal[] = Array.from({ length: 29 }, (_, k) => ({
  at: (k + 1) * 20_000,
  text: JSON.stringify({ action: ['buy', 'sell', 'close'][k % 3] }),
}));

/** Parameters with which each trades within ten minutes. */
const RUNS: Readonly<Record<string, Run>> = {
  bollinger: { params: { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' } },
  breakout: { params: { bar: '2s', channel: 5, period: 5, trail: 2, size: '0.01' } },
  dca: { params: { step: 0.02, profit: 0.02, pause: '5s', every: '1s' } },
  'ema-cross': { params: { fast: 5, slow: 20 } },
  grid: { params: { range: 0.1, every: '1s' } },
  microprice: { params: { half: 0.05 } },
  pairs: { params: { bar: '2s', period: 10, enter: 1 }, symbols: TWO },
  purchases: { params: { every: '20s', profit: 0.01, value: 200 } },
  quoter: { params: {} },
  rebalance: { params: { every: '5s' }, symbols: TWO },
  rotation: { params: { bar: '2s', period: 5, lead: 0.001, size: '0.01' }, symbols: TWO },
  'rsi-atr': { params: { bar: '2s', period: 5, low: 35, risk: 0.01, stop: 10, target: 10 } },
  'safety-grid': { params: { step: 0.01, profit: 0.01, stop: 0.2 } },
  signal: { params: {}, signals: SIGNALS },
  'trend-filter': { params: { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 } },
  trend: { params: { bar: '2s', period: 5, factor: 1, trail: 1 } },
  'vwap-execution': { params: { every: '1s' } },
};

async function rowOf(name: string): Promise<string> {
  const { default: strategy } = (await import(`../../../strategies/${name}.ts`)) as { readonly default: AnyStrategy };
  const { params, signals, symbols = ['BTCUSDT'] } = RUNS[name]!;
  const { orders, report } = await testStrategy(strategy, { seed: 3, duration: '10m', params, signals, symbols, polled: true });
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
