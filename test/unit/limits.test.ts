/** The table of limits: every row has a default, a line in the documentation, and a test that shows it acting on one symbol and not the other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { DEFAULT_LIMITS, LIMIT_KEYS, LIMITS, SYMBOL_LIMIT_KEYS, type Limit, type LimitKey } from '../../src/domain/limits.ts';
import type { OrderEvent } from '../../src/engine/types.ts';
import { riskLimits } from '../../src/run/bot-parts.ts';
import { btc, pushedRig, type Rig } from '../support/engine-kit.ts';
import { WIDE_LIMITS } from '../support/specs.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The engine's limits as a configuration file states them under `risk`. */
function fromFile(risk: Record<string, unknown>) {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, JSON.stringify({ risk }));
  return riskLimits(loadConfig({ file, env: {}, set: [] }).config);
}

/** Two markets at 1000.0 / 1000.2; `refusals` are the rules that refused. */
function twoMarkets(risk: Record<string, unknown>) {
  const refusals: string[] = [];
  const r = pushedRig(
    { onOrder: (e: OrderEvent) => (e.state === 'refused' ? refusals.push(e.why) : 0) },
    { instruments: [btc(0), btc(1, 'ETHUSDT')], risk: fromFile({ ...WIDE_LIMITS, ...risk }) },
  );
  r.kernel.onQuote(1, 10_000, 5_000, 10_002, 5_000);
  return { r, refusals };
}

/** How a limit of one symbol is shown to act: its value, and what is done on a market that the limit then refuses. */
interface Show {
  readonly value: string | number;
  /** Given a common value as well, where the limit acts only beside another. */
  readonly also?: Record<string, unknown>;
  readonly act: (r: Rig, index: number) => unknown;
}

const open = (r: Rig, index: number, size: string): unknown => r.ctx().open(r.ctx().markets[index]!, 'LONG', { size });
const limit = (r: Rig, index: number, price: number): unknown => r.ctx().limit(r.ctx().markets[index]!, 'LONG', 'OPEN', price, '0.01');

const SHOWS: { readonly [K in (typeof SYMBOL_LIMIT_KEYS)[number]]: Show } = {
  maxOrderSize: { value: '0.01', act: (r, i) => open(r, i, '0.011') },
  maxPosition: { value: '0.01', act: (r, i) => open(r, i, '0.011') },
  maxNotionalOrder: { value: '10 USDT', act: (r, i) => open(r, i, '0.01') },
  maxNotionalPosition: { value: '10', act: (r, i) => open(r, i, '0.01') },
  maxOpenOrders: { value: 1, act: (r, i) => [limit(r, i, 999), limit(r, i, 998)] },
  priceCollar: { value: '1%', act: (r, i) => limit(r, i, 1011) },
  maxPriceJump: {
    value: '1%',
    act: (r, i) => {
      r.kernel.onQuote(i, 10_200, 5_000, 10_202, 5_000);
      return limit(r, i, 999);
    },
  },
  maxDistance: { value: '0.01', act: (r, i) => limit(r, i, 989) },
  staleAfterMs: {
    value: '1s',
    act: (r, i) => {
      r.clock.time += 1001;
      r.kernel.onQuote(1 - i, 10_000, 5_000, 10_002, 5_000);
      return limit(r, i, 999);
    },
  },
};

describe('a limit of one symbol acts there and nowhere else', () => {
  test.each(SYMBOL_LIMIT_KEYS.map((key) => [key, SHOWS[key]] as const))('%s', (key, { value, also, act }) => {
    const { r, refusals } = twoMarkets({ ...also, symbols: { ETHUSDT: { [key]: value } } });
    act(r, 0);
    r.kernel.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(refusals).toEqual([]);
    act(r, 1);
    r.kernel.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(refusals).toEqual([LIMITS[key].rule]);
  });

  test.each(SYMBOL_LIMIT_KEYS.filter((key) => LIMITS[key].reach === 'symbol').map((key) => [key, SHOWS[key]] as const))(
    '%s for all acts on every symbol, but where one has its own',
    (key, { value, also, act }) => {
      const wide = { ...DEFAULT_LIMITS, ...WIDE_LIMITS }[key];
      const { r, refusals } = twoMarkets({ ...also, [key]: value, symbols: { BTCUSDT: { [key]: wide } } });
      act(r, 1);
      r.kernel.onQuote(1, 10_000, 5_000, 10_002, 5_000);
      expect(refusals).toEqual([LIMITS[key].rule]);
      act(r, 0);
      r.kernel.onQuote(0, 10_000, 5_000, 10_002, 5_000);
      expect(refusals).toHaveLength(1);
    },
  );
});

describe('the table', () => {
  test('has a row of documentation, a rule and a sound default for each limit', () => {
    for (const key of LIMIT_KEYS) {
      const row: Limit = LIMITS[key];
      expect(row.doc, key).toMatch(/^[A-Z].{10,}$/);
      expect(row.rule, key).toMatch(/^[a-z]+(-[a-z]+)*$/);
      if (row.fallback === 'off') expect(row.canBeOff, key).toBe(true);
    }
  });

  test('an engine that is told nothing has the defaults of the table', () => {
    const told = twoMarkets({ symbols: {} });
    const r = pushedRig({}, { instruments: [btc(0)], risk: { maxNotionalOrder: undefined, maxNotionalPosition: undefined } });
    expect([told.r, r].map((one) => one.ctx().open(one.ctx().markets[0]!, 'LONG', { size: '2' }) > 0)).toEqual([true, false]);
  });

  test.each<[LimitKey, unknown]>([
    ['maxOrderSize', '1 of them'],
    ['maxOrderSize', 1],
    ['maxNotionalOrder', '0'],
    ['maxNotionalOrder', '5 %%'],
    ['priceCollar', '2 USDT'],
    ['priceCollar', 0.02],
    ['maxOpenOrders', -1],
    ['maxOpenOrders', 2.5],
    ['staleAfterMs', '5 weeks'],
    ['staleAfterMs', 'off'],
  ])('a file cannot say %s: %j', (key, value) => {
    expect(() => fromFile({ [key]: value })).toThrow(/expected/);
    expect(() => fromFile({ symbols: { ETHUSDT: { [key]: value } } })).toThrow(/expected/);
  });

  test('a limit of a spot instrument is its own, else that of its symbol', () => {
    const limits = fromFile({ symbols: { BTCUSDT: { maxOrderSize: '0.5', maxPosition: '1' }, 'spot:BTCUSDT': { maxOrderSize: '0.1' } } });
    expect(limits.maxOrderSize).toEqual({ '*': 'off', BTCUSDT: '0.5', 'spot:BTCUSDT': '0.1' });
  });
});
