/** `tickwright crashtest` finds each of the broken strategies of this page, and passes the strategies of the gallery. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CRASH_RULES, type CrashRule } from '../../../src/run/testing/crashtest.ts';

const ROOT = join(import.meta.dirname, '../../..');
const FLAGS = ['--max-size', '0.1', '--per-minute', '200', '--stop-loss', '--ends', 'flat'];

/** Mistake → the rule that must find it, what stands before `defineStrategy`, and the body of `create`. */
interface Broken {
  readonly name: string;
  readonly rule: CrashRule;
  readonly before?: string;
  readonly body: string;
}

const flat = 'ctx.markets.every((one) => one.long.lots === 0 && one.short.lots === 0 && one.orders.length === 0)';

const BROKEN: readonly Broken[] = [
  {
    name: 'throws-on-a-jump',
    rule: 'errors',
    body: `let last = 0; return { onQuote(market) { const was = last; last = market.mid;
      if (was > 0 && Math.abs(last / was - 1) > 0.0005) throw new Error('impossible'); } };`,
  },
  {
    name: 'divides-by-the-spread',
    rule: 'nonsense',
    body: `return { onQuote(market, ctx) { ctx.open(market, 'LONG', { size: 0.0001 / (market.ask - market.bid - 0.1), limit: market.bid - 100, stopLoss: 1 }); } };`,
  },
  { name: 'asks-the-clock', rule: 'errors', body: `return { onQuote() { return Date.now(); } };` },
  {
    name: 'asks-for-chance',
    rule: 'errors',
    body: `return { onQuote(market, ctx) { if (Math.random() < 0.1) ctx.open(market, 'LONG', { size: '0.01' }); } };`,
  },
  { name: 'sets-a-timer-of-its-own', rule: 'errors', body: `return { onStart() { setTimeout(() => undefined, 10); } };` },
  { name: 'waits', rule: 'errors', body: `return { async onQuote() { await undefined; } };` },
  {
    name: 'reads-the-environment',
    rule: 'errors',
    body: `return { onStart(ctx) { ctx.log('key', { key: process.env.TICKWRIGHT_KEY }); } };`,
  },
  { name: 'invents-a-handler', rule: 'errors', body: `return { onTick() {} };` },
  { name: 'needs-two-markets', rule: 'errors', body: `return { onQuote(_market, ctx) { return ctx.markets[1].bid; } };` },
  {
    name: 'remembers-the-last-run',
    rule: 'repeat',
    before: 'let count = 0;',
    body: `return { onQuote(market, ctx) { if (++count % 100 === 0) ctx.open(market, 'LONG', { size: '0.001', stopLoss: market.bid * 0.9 }); } };`,
  },
  {
    name: 'knows-the-future',
    rule: 'ahead',
    before: 'const highs = []; let best = 0;',
    body: `let k = 0; return { onQuote(market, ctx) { highs[k++] = Math.max(highs[k] ?? 0, market.mid); best = Math.max(best, market.mid);
      if (market.mid === best && k > 50) ctx.open(market, 'SHORT', { size: '0.001', stopLoss: market.ask * 1.1 }); } };`,
  },
  {
    name: 'piles-orders-up',
    rule: 'limits',
    body: `return { onQuote(market, ctx) { ctx.limit(market, 'LONG', 'OPEN', market.bid - 500, 0.001); } };`,
  },
  {
    name: 'asks-again-at-once',
    rule: 'limits',
    body: `const go = (market, ctx) => ctx.open(market, 'LONG', { size: '50', stopLoss: market.bid * 0.9 });
      return { onQuote: (market, ctx) => void go(market, ctx) };`,
  },
  {
    name: 'forgets-the-stop-of-shorts',
    rule: 'stops',
    body: `let k = 0; return { onQuote(market, ctx) { if (!(${flat})) { for (const one of ['LONG', 'SHORT']) ctx.close(market, one); return; }
      const side = k++ % 2 === 0 ? 'LONG' : 'SHORT';
      ctx.open(market, side, { size: '0.001', ...(side === 'LONG' ? { stopLoss: market.bid * 0.9 } : {}) }); } };`,
  },
  {
    name: 'stops-on-the-wrong-side',
    rule: 'nonsense',
    body: `return { onQuote(market, ctx) { if (${flat}) ctx.open(market, 'SHORT', { size: '0.001', stopLoss: market.bid * 0.99 }); } };`,
  },
  {
    name: 'leaves-orders',
    rule: 'orders',
    body: `return { onQuote(market, ctx) { if (${flat}) ctx.open(market, 'LONG', { size: '0.001', limit: market.bid * 0.97, stopLoss: market.bid * 0.9 }); } };`,
  },
  {
    name: 'keeps-its-position',
    rule: 'flat',
    body: `return { onQuote(market, ctx) { if (${flat}) ctx.open(market, 'LONG', { size: '0.001', stopLoss: market.bid * 0.5 }); } };`,
  },
  {
    name: 'averages-without-end',
    rule: 'size',
    body: `return { onQuote(market, ctx) { if (market.orders.length === 0) ctx.open(market, 'LONG', { size: '0.01', stopLoss: market.bid * 0.9 }); } };`,
  },
  {
    name: 'moves-at-every-quote',
    rule: 'rate',
    body: `let up = 0; return { onQuote(market, ctx) { up = 1 - up; ctx.quote(market, 'BUY', market.bid - 100 - up, 0.001); }, onTrade(_trade, market, ctx) { up = 1 - up; ctx.quote(market, 'BUY', market.bid - 100 - up, 0.001); }, onStop: (ctx) => ctx.cancelAll() };`,
  },
  {
    name: 'forgets-a-map',
    rule: 'state',
    body: `const seen = new Map(); let loaded = 0; return { onQuote(market) { seen.set(market.symbol, market.mid); }, save: () => JSON.stringify({ seen, size: seen.size + loaded }), restore(text) { for (const [key, value] of Object.entries(JSON.parse(text).seen)) seen.set(key, value); } };`,
  },
  { name: 'cannot-restore', rule: 'state', body: `return { save: () => 'not json', restore: (text) => void JSON.parse(text) };` },
  { name: 'misspells', rule: 'nonsense', body: `return { onQuote(market, ctx) { ctx.open(market, 'LONG', { sise: '0.01' }); } };` },
  {
    name: 'trades-before-it-knows',
    rule: 'nonsense',
    body: `let sum = 0, n = 0; return { onQuote(market, ctx) { const mean = sum / n; sum += market.mid; n++; ctx.open(market, 'LONG', { size: '0.001', limit: mean, stopLoss: 1 }); } };`,
  },
];

interface Report {
  readonly strategy: string;
  readonly orders: number;
  readonly fills: number;
  readonly broken: readonly { readonly rule: CrashRule; readonly seed: number; readonly what: string }[];
}

function crash(args: readonly string[]): { readonly status: number | null; readonly reports: readonly Report[]; readonly stdout: string } {
  const ran = spawnSync(process.execPath, [join(ROOT, 'src/tickwright.js'), 'crashtest', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  // Beside much other work it takes longer than ten seconds, and says how far it is.
  expect(ran.stderr.replaceAll(/^.* seeds? · .*\n/gm, '')).toBe('');
  const reports = args.includes('--json') ? (JSON.parse(ran.stdout) as { reports: readonly Report[] }).reports : [];
  return { status: ran.status, reports, stdout: ran.stdout };
}

let folder = '';
const fileOf = (name: string): string => join(folder, `${name}.js`);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'crashtest-'));
  for (const { name, before = '', body } of BROKEN) {
    writeFileSync(
      fileOf(name),
      `import { defineStrategy } from 'tickwright';\n${before}\nexport default defineStrategy({ name: '${name}', create() { ${body} } });\n`,
    );
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the broken strategies', () => {
  test('all are found, each by its rule', () => {
    expect(BROKEN.length).toBeGreaterThanOrEqual(20);
    const files = BROKEN.flatMap(({ name }) => ['--strategy', fileOf(name)]);
    const { status, reports } = crash([...files, ...FLAGS, '--seeds', '6', '--json']);
    expect(status).toBe(1);
    const found = reports.map(({ broken, strategy }) => [strategy, broken.map(({ rule }) => rule)] as const);
    for (const [k, { name, rule }] of BROKEN.entries()) expect(found[k]![1], name).toContain(rule);
  });

  test('every rule finds one of them', () => {
    expect(new Set(BROKEN.map(({ rule }) => rule)).size).toBeGreaterThanOrEqual(Object.keys(CRASH_RULES).length - 1);
  });

  test('the report names the smallest seed, what was seen, and the command for it again', () => {
    const { status, stdout } = crash(['--strategy', fileOf('throws-on-a-jump'), '--seeds', '5']);
    expect(status).toBe(1);
    const [, seed = ''] = /seed (\d+): onQuote at \d+ ms: Error: impossible/.exec(stdout) ?? [];
    expect(stdout).toContain(`again: tickwright crashtest --strategy ${fileOf('throws-on-a-jump')} --seed ${seed}`);
    expect(crash(['--strategy', fileOf('throws-on-a-jump'), '--seed', seed]).stdout).toContain('Error: impossible');
  });
});

/** The gallery with parameters with which it trades within a minute. */
const GOOD: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  'ema-cross': { fast: 2, slow: 5 },
  quoter: {},
  'rsi-atr': { bar: '2s', period: 5, low: 35, risk: 0.01, stop: 10, target: 10 },
  bollinger: { bar: '2s', period: 10, width: 1, size: '0.01', stop: 0.1, trail: 0.05, hold: '20s' },
  'safety-grid': { step: 0.01, profit: 0.01, stop: 0.2 },
  'trend-filter': { entry: '1s', filter: '10s', channel: 5, trend: 3, size: '0.01', trail: 0.01 },
  pairs: { bar: '2s', period: 10, enter: 1 },
  breakout: { bar: '2s', channel: 5, period: 5, trail: 2, size: '0.01' },
  purchases: { every: '10s', profit: 0.01, value: 200 },
  'vwap-execution': { total: 0.1, every: '1s' },
  rotation: { bar: '2s', period: 5, lead: 0.001, size: '0.01' },
  microprice: { half: 0.05 },
};

describe('the gallery', () => {
  test.each(Object.entries(GOOD))('%s breaks no rule', (name, params) => {
    const given = Object.entries(params).flatMap(([key, value]) => ['--param', `${key}=${value}`]);
    const symbols = ['pairs', 'rotation'].includes(name) ? ['--symbol', 'BTCUSDT', '--symbol', 'ETHUSDT'] : [];
    const { status, reports } = crash(['--strategy', join(ROOT, `strategies/${name}.ts`), ...given, ...symbols, '--seeds', '8', '--json']);
    expect(reports[0]!.broken).toEqual([]);
    expect(status).toBe(0);
    expect(reports[0]!.fills).toBeGreaterThan(3);
  });
});
