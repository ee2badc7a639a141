/** The table of limits: every row has a default, a line of documentation, and a test of its effect on one symbol and not on the other. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG } from '../../../../src/domain/codes.ts';
import { FILLED } from '../../../../src/domain/orders/order.ts';
import { loadConfig } from '../../../../src/config/load.ts';
import { DEFAULT_LIMITS, LIMIT_KEYS, LIMITS, SYMBOL_LIMIT_KEYS, type Limit, type LimitKey } from '../../../../src/domain/limits.ts';
import { FIXED_RULES, INTENT_FAULTS } from '../../../../src/domain/orders/refusals.ts';
import { ValueLimit } from '../../../../src/engine/state/limits/limits.ts';
import type { OrderEvent } from '../../../../src/engine/intents/events.ts';
import { limitsPage } from '../../../../src/contract/docs/limits-docs.ts';
import { riskLimits } from '../../../../src/run/setup/bot-parts.ts';
import { btc, pushedRig, rejection, type Rig } from '../../../support/engine/engine-kit.ts';
import { WIDE_LIMITS } from '../../../support/specs.ts';

const folder = mkdtempSync(join(tmpdir(), 'limits-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The engine's limits from the section `risk` of a configuration file. */
function fromFile(risk: Record<string, unknown>) {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, JSON.stringify({ risk }));
  return riskLimits(loadConfig({ file, env: {}, set: [] }).config);
}

const equity = 1_000_000_000_000;

/** Two markets at 1000.0 / 1000.2, on a pushed venue. */
class World {
  readonly r: Rig;
  readonly refusals: string[] = [];

  constructor(risk: Record<string, unknown>) {
    // A position whose mark price is 5 % from its liquidation price.
    const near = [{ side: LONG, markPrice: 1000, liquidationPrice: 950, margin: 0 }];
    this.r = pushedRig(
      { onOrder: (e: OrderEvent) => (e.state === 'refused' ? this.refusals.push(e.reason === 'standing' ? e.message : e.reason) : 0) },
      {
        instruments: [btc(0), btc(1, 'ETHUSDT')],
        risk: fromFile({ ...WIDE_LIMITS, ...risk }),
        pushed: {
          equity: () => equity,
          account: () => ({ available: 0, locked: 0, unrealised: 0 }),
          leverage: () => [20, 20],
          positions: () => near,
        },
      },
    );
    this.quote();
  }

  quote(): void {
    for (const i of [0, 1]) this.r.kernel.inbox.onQuote(i, 10_000, 5_000, 10_002, 5_000);
  }

  open(i: number, size: string): void {
    this.r.ctx().open(this.r.ctx().markets[i]!, 'LONG', { size });
  }

  limit(i: number, price: number): number {
    return this.r.ctx().limit(this.r.ctx().markets[i]!, 'LONG', 'OPEN', price, '0.01');
  }

  /** Buys a position of 0.1 at 1000.0 and keeps it. */
  hold(i: number): void {
    const n = this.r.ctx().open(this.r.ctx().markets[i]!, 'LONG', { size: '0.1' });
    this.#fill(n, 10_000);
  }

  /** Buys a position at 1000.0 and sells it at 990.0: a loss of 1 USDT plus fees. */
  lose(i: number): void {
    this.hold(i);
    this.#fill(this.r.ctx().close(this.r.ctx().markets[i]!, 'LONG'), 9_900);
  }

  /** A market order with a best price of 1000.2 fills at 1020.0. */
  slip(i: number): void {
    this.#fill(this.r.ctx().open(this.r.ctx().markets[i]!, 'LONG', { size: '0.1' }), 10_200);
  }

  /** A stop-loss at 990.0 of a position fires. */
  stop(i: number): void {
    this.#fill(this.r.ctx().open(this.r.ctx().markets[i]!, 'LONG', { size: '0.1', stopLoss: 990 }), 10_000);
    this.r.venue.pushedOwnFill(i, LONG, CLOSE, 100, 9_900);
  }

  /** Advances a minute and a second. */
  later(): void {
    this.r.advance(61_000);
    this.quote();
  }

  #fill(n: number, price: number): void {
    this.r.venue.pushedFill(n, 100, price);
    this.r.venue.pushedEnd(n, FILLED);
  }

  /** The refusals since the last call: rules, or the codes of halts. */
  refused(): string {
    this.quote();
    const found = this.refusals.map((text) => /: ([a-z-]+),/.exec(text)?.[1] ?? text);
    this.refusals.length = 0;
    return found.join();
  }

  /** Returns `rule` if orders of the instrument were cancelled within a step. */
  cancelled(i: number, rule: string): string {
    this.r.advance(1);
    return this.r.venue.commands.some((c) => c.kind === CANCEL && c.instrument === i) ? rule : '';
  }
}

/**
 * How a limit of one symbol is shown to act: its value, and what is done on a market. Returns the limit's rule if it acted there, else "".
 */
interface Show {
  readonly value: string | number;
  /** Limits on both symbols, if this limit acts only together with another. */
  readonly also?: Record<string, unknown>;
  readonly act: (w: World, index: number) => string;
}

/** An order rests and is accepted; the limit cancels it. */
const rests = (w: World, i: number): void => w.r.venue.accepted(w.limit(i, 999), `v${i}`);

const SHOWS: { readonly [K in (typeof SYMBOL_LIMIT_KEYS)[number]]: Show } = {
  maxOrderSize: { value: '0.01', act: (w, i) => (w.open(i, '0.011'), w.refused()) },
  maxPosition: { value: '0.01', act: (w, i) => (w.open(i, '0.011'), w.refused()) },
  maxNotionalOrder: { value: '10 USDT', act: (w, i) => (w.open(i, '0.01'), w.refused()) },
  maxNotionalPosition: { value: '10', act: (w, i) => (w.open(i, '0.01'), w.refused()) },
  leverage: { value: 10, act: (w, i) => (w.limit(i, 999), w.refused()) },
  maxOpenOrders: { value: 1, act: (w, i) => (w.limit(i, 999), w.limit(i, 998), w.refused()) },
  priceCollar: { value: '1%', act: (w, i) => (w.limit(i, 1011), w.refused()) },
  maxPriceJump: {
    value: '1%',
    act: (w, i) => {
      w.r.kernel.inbox.onQuote(i, 10_200, 5_000, 10_202, 5_000);
      w.limit(i, 999);
      return w.refused();
    },
  },
  maxDistance: { value: '0.01', act: (w, i) => (w.limit(i, 989), w.refused()) },
  maxStopDistance: { value: '1%', act: (w, i) => (w.open(i, '0.01'), w.refused()) },
  maxSpread: { value: '0.01%', act: (w, i) => (w.limit(i, 999), w.refused()) },
  maxSpreadAction: {
    value: 'cancel',
    also: { maxSpread: '1%' },
    act: (w, i) => {
      rests(w, i);
      w.r.kernel.inbox.onQuote(i, 9_900, 5_000, 10_100, 5_000);
      w.r.advance(1_000);
      return w.cancelled(i, 'max-spread');
    },
  },
  maxSlippage: { value: '1%', also: { maxSlippageFills: 1 }, act: (w, i) => (w.slip(i), w.limit(i, 999), w.refused()) },
  maxSlippageFills: { value: 1, also: { maxSlippage: '1%' }, act: (w, i) => (w.slip(i), w.limit(i, 999), w.refused()) },
  maxSlippageWindow: {
    value: '1m',
    also: { maxSlippage: '1%', maxSlippageFills: 2 },
    act: (w, i) => (w.slip(i), w.later(), w.slip(i), w.limit(i, 999) > 0 ? 'slippage' : ''),
  },
  maxSlippageAction: {
    value: 'cancel',
    also: { maxSlippage: '1%', maxSlippageFills: 1 },
    act: (w, i) => (rests(w, i), w.slip(i), w.cancelled(i, 'slippage')),
  },
  stoplossGuard: { value: 1, act: (w, i) => (w.stop(i), w.limit(i, 999), w.refused()) },
  stoplossGuardWindow: {
    value: '1m',
    also: { stoplossGuard: 2 },
    act: (w, i) => (w.stop(i), w.later(), w.stop(i), w.limit(i, 999) > 0 ? 'stoploss-guard' : ''),
  },
  stoplossGuardAction: {
    value: 'cancel',
    also: { stoplossGuard: 1 },
    act: (w, i) => (rests(w, i), w.stop(i), w.cancelled(i, 'stoploss-guard')),
  },
  // The worlds start at 22:13:20.
  tradingHours: { value: '0-12 * * * *', act: (w, i) => (w.limit(i, 999), w.refused()) },
  tradingHoursAction: {
    value: 'cancel',
    also: { tradingHours: '1-59/2 * * * *' },
    act: (w, i) => {
      rests(w, i);
      w.r.advance(40_000);
      const rule = w.cancelled(i, 'trading-hours');
      w.r.advance(80_000);
      w.quote();
      return rule;
    },
  },
  staleAfterMs: {
    value: '1s',
    act: (w, i) => {
      w.r.clock.time += 1001;
      w.r.kernel.inbox.onQuote(1 - i, 10_000, 5_000, 10_002, 5_000);
      w.limit(i, 999);
      return w.refused();
    },
  },
  maxOrdersPerMinute: { value: 1, act: (w, i) => (w.limit(i, 999), w.limit(i, 998), w.refused()) },
  maxSameRefusals: {
    value: 1,
    act: (w, i) => {
      w.r.venue.rejected(w.limit(i, 999), rejection('insufficient-balance'));
      w.limit(i, 998);
      return w.refused();
    },
  },
  maxDailyLoss: { value: '1 USDT', act: (w, i) => (w.lose(i), w.limit(i, 999), w.refused()) },
  maxDailyLossAction: {
    value: 'cancel',
    also: { maxDailyLoss: '1 USDT' },
    act: (w, i) => (rests(w, i), w.lose(i), w.cancelled(i, 'daily-loss')),
  },
  maxConsecutiveLosses: { value: 1, act: (w, i) => (w.lose(i), w.limit(i, 999), w.refused()) },
  maxConsecutiveLossesAction: {
    value: 'cancel',
    also: { maxConsecutiveLosses: 1 },
    act: (w, i) => (rests(w, i), w.lose(i), w.cancelled(i, 'consecutive-losses')),
  },
  haltFor: {
    value: '1m',
    also: { maxConsecutiveLosses: 1 },
    act: (w, i) => {
      w.lose(i);
      w.r.advance(60_001);
      w.quote();
      return w.limit(i, 999) > 0 ? 'consecutive-losses' : '';
    },
  },
  cooldownAfterLoss: { value: '1m', act: (w, i) => (w.lose(i), w.limit(i, 999), w.refused()) },
  liquidationBuffer: { value: '10%', act: (w, i) => (w.hold(i), w.r.advance(1000), w.quote(), w.limit(i, 999), w.refused()) },
  liquidationBufferAction: {
    value: 'cancel',
    also: { liquidationBuffer: '10%' },
    act: (w, i) => (rests(w, i), w.hold(i), w.r.advance(1000), w.cancelled(i, 'liquidation-buffer')),
  },
};

describe('a limit of one symbol acts there and nowhere else', () => {
  test.each(SYMBOL_LIMIT_KEYS.map((key) => [key, SHOWS[key]] as const))('%s', (key, { value, also, act }) => {
    const w = new World({ symbols: { BTCUSDT: { ...also }, ETHUSDT: { ...also, [key]: value } } });
    expect([act(w, 0), act(w, 1)]).toEqual(['', LIMITS[key].rule]);
  });

  test.each(SYMBOL_LIMIT_KEYS.filter((key) => LIMITS[key].reach === 'symbol').map((key) => [key, SHOWS[key]] as const))(
    '%s for all acts on every symbol except one with its own',
    (key, { value, also, act }) => {
      const wide = { ...DEFAULT_LIMITS, ...WIDE_LIMITS }[key];
      const w = new World({ ...also, [key]: value, symbols: { BTCUSDT: { [key]: wide } } });
      expect([act(w, 1), act(w, 0)]).toEqual([LIMITS[key].rule, '']);
    },
  );
});

describe('the table', () => {
  test('has documentation, a rule and a valid default for each limit', () => {
    for (const key of LIMIT_KEYS) {
      const row: Limit = LIMITS[key];
      expect(row.doc, key).toMatch(/^[A-Z].{10,}$/);
      expect(row.rule, key).toMatch(/^[a-z]+(-[a-z]+)*$/);
      if (row.fallback === 'off') expect(row.canBeOff, key).toBe(true);
    }
  });

  test('an engine without configured limits has the defaults of the table', () => {
    const told = new World({});
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
    ['tradingHours', '* 8-25 * * *'],
    ['tradingHours', '* 8-16 * *'],
    ['tradingHours', '* * 31 2 *'],
    ['maxSlippageWindow', 'off'],
  ])('a file cannot set %s: %j', (key, value) => {
    expect(() => fromFile({ [key]: value })).toThrow(/expected/);
    expect(() => fromFile({ symbols: { ETHUSDT: { [key]: value } } })).toThrow(/expected/);
  });

  test('a price exactly at the collar is accepted, and the next one is not', () => {
    const w = new World({ priceCollar: '10%' });
    w.r.kernel.inbox.onQuote(0, 9_990, 5_000, 10_000, 5_000);
    expect([w.limit(0, 1100) > 0, w.limit(0, 1100.1) > 0]).toEqual([true, false]);
  });

  test.each([
    ['LONG', undefined, false],
    ['LONG', 990.1, false],
    ['LONG', 990.2, true],
    ['LONG', 1000.1, true],
    ['SHORT', 1010.1, false],
    ['SHORT', 1010, true],
  ] as const)('a %s that opens needs a stop-loss near its price: %s', (side, stopLoss, isAllowed) => {
    const w = new World({ maxStopDistance: '1%' });
    const [market] = w.r.ctx().markets;
    expect(w.r.ctx().open(market!, side, { size: '0.01', stopLoss }) > 0).toBe(isAllowed);
    expect(w.refused()).toBe(isAllowed ? '' : 'stop-distance');
  });

  test('a modify states its stop-loss again, and a close needs none', () => {
    const w = new World({ maxStopDistance: '1%' });
    const [market] = w.r.ctx().markets;
    const n = w.r.ctx().open(market!, 'LONG', { size: '0.01', limit: 999, stopLoss: 995 });
    w.r.venue.accepted(n, 'v');
    expect(w.r.ctx().modify(n, { limit: 998 })).toBe(0);
    expect(w.refused()).toBe('stop-distance');
    expect(w.r.ctx().modify(n, { limit: 998, stopLoss: 995 })).toBeGreaterThan(0);
  });

  test('a limit of a spot instrument is its own, else that of its symbol', () => {
    const limits = fromFile({ symbols: { BTCUSDT: { maxOrderSize: '0.5', maxPosition: '1' }, 'spot:BTCUSDT': { maxOrderSize: '0.1' } } });
    expect(limits.maxOrderSize).toEqual({ '*': 'off', BTCUSDT: '0.5', 'spot:BTCUSDT': '0.1' });
  });
});

test('a value in another coin than that of its market is refused by the engine too', () => {
  expect(() => new ValueLimit(['off', '100 EUR'], 'USDT')).toThrow(/^a limit of the section risk: .*USDT.*"100 EUR"/);
  expect(new ValueLimit(['off', '100 USDT', '70 USDT'], 'USDT').money).toBe(new ValueLimit(['70 USDT'], 'USDT').money);
});

test('each rule is on the page', () => {
  const page = limitsPage();
  const rules = [...LIMIT_KEYS.map((key) => LIMITS[key].rule), ...Object.keys(FIXED_RULES), ...Object.keys(INTENT_FAULTS)];
  expect(rules.filter((rule) => !page.includes(`| \`${rule}\` |`))).toEqual([]);
});
