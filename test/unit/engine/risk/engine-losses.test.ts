/** Loss limits: at the exact boundary, across a restart, and their effects besides halting opens. */
import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG, MARKET, PLACE } from '../../../../src/domain/codes.ts';
import { FILLED } from '../../../../src/domain/orders/order.ts';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import type { KernelSnapshot } from '../../../../src/engine/recovery/registry.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { btc, pushedRig, rejection, rig, START, type Rig } from '../../../support/engine/engine-kit.ts';

const USDT = 100_000_000;
const DAY = 86_400_000;
/** Milliseconds from the start of the rigs to the next 0:00 UTC. */
const TO_MIDNIGHT = DAY - (START % DAY);

/** One market at 1000.0 / 1000.2, on a pushed venue; the test sets the equity in USDT. */
class World {
  readonly r: { -readonly [K in keyof Rig]: Rig[K] };
  equity: number;
  /** The snapshot that it started with. */
  readonly snapshot: KernelSnapshot | null = null;

  constructor(risk: RiskLimits, options: Partial<KernelOptions> = {}, equity = 10_000) {
    this.equity = equity;
    const pushed = {
      equity: () => Math.round(this.equity * USDT),
      account: () => ({ available: 0, locked: 0, unrealised: 0 }),
      positions: () => [],
    };
    this.r = pushedRig({}, { risk, pushed, ...options });
    this.look();
  }

  /** Reads the account. */
  look(equity = this.equity): this {
    this.equity = equity;
    this.r.advance(1000);
    this.quote();
    return this;
  }

  quote(): void {
    this.r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  }

  get halts(): string[] {
    return this.r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);
  }

  place(): number {
    return this.r.ctx().limit(this.r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01');
  }

  /** Opens a position of 0.1 at 1000.0 and closes it at `price` tenths. Fees are 0.06 USDT each way. */
  trade(price: number): void {
    const [m] = this.r.ctx().markets;
    this.fill(this.r.ctx().open(m!, 'LONG', { size: '0.1' }), 10_000);
    this.fill(this.r.ctx().close(m!, 'LONG'), price);
    this.quote();
  }

  fill(n: number, price: number): void {
    this.r.venue.accepted(n, `v${n}`);
    this.r.venue.pushedFill(n, 100, price);
    this.r.venue.pushedEnd(n, FILLED);
  }
}

describe('the daily loss limit', () => {
  test('compares with the equity at 0:00 UTC and halts exactly until the next day', () => {
    const w = new World({ maxDailyLoss: '100 USDT' });
    expect(w.look(10_500).halts).toEqual([]);
    // Profit during the day does not count: the day started with 10,000.
    expect(w.look(9_900.01).halts).toEqual([]);
    expect(w.look(9_900).halts).toEqual(['bot daily-loss']);
    expect(w.place()).toBe(0);
    expect(w.r.log.lines.find(({ event }) => event === 'opens-halted')?.fields).toMatchObject({
      code: 'daily-loss',
      cause: '100 lost since 0:00 UTC, the limit is 100',
    });
    // Further losses give no second halt and no second line.
    w.look(9_800);
    expect(w.r.log.events().filter((event) => event === 'opens-halted')).toHaveLength(1);
    w.r.advance(TO_MIDNIGHT);
    expect(w.look().halts).toEqual([]);
    expect(w.place()).toBeGreaterThan(0);
    // The new day started with 9,800.
    expect(w.look(9_700.01).halts).toEqual([]);
    expect(w.look(9_700).halts).toEqual(['bot daily-loss']);
  });

  test('may be a share of the equity at 0:00 UTC', () => {
    const w = new World({ maxDailyLoss: '2%' });
    expect(w.look(9_800.01).halts).toEqual([]);
    expect(w.look(9_800).halts).toEqual(['bot daily-loss']);
  });

  test('may be resumed before the day is over, and then counts from there', () => {
    const w = new World({ maxDailyLoss: '100' });
    w.look(9_900);
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: false, by: 'me', why: 'looked' });
    expect(w.look(9_800.01).halts).toEqual([]);
    expect(w.look(9_800).halts).toEqual(['bot daily-loss']);
  });

  test('names the command that ends the halt in its refusal', () => {
    const details: string[] = [];
    const handlers = { onOrder: (e: { message: string }) => details.push(e.message) };
    let equity = 10_000 * USDT;
    const r = pushedRig(handlers, {
      risk: { maxDailyLoss: '1%' },
      pushed: { equity: () => equity, account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => [] },
    });
    r.advance(1000);
    equity = 9_900 * USDT;
    r.advance(1000);
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' });
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(details.at(-1)).toMatch(
      /^opens are halted \(bot\): daily-loss, 100 lost since 0:00 UTC, the limit is 100; `tickwright resume` ends it/,
    );
  });

  test('of a strategy counts what its own fills realised, less fees', () => {
    const halted = (maxDailyLoss: string): string[] => {
      let ctx: StrategyContext | null = null;
      const strategy = defineStrategy({ name: 'own', create: () => ({ onStart: (given) => void (ctx = given) }) });
      const w = new World({}, { strategies: [{ strategy, instruments: [0], risk: { maxDailyLoss } }] });
      w.r.ctx = () => ctx!;
      w.trade(9_900);
      return w.halts;
    };
    // 1 USDT is lost by the price, plus fees of 0.06 and 0.0594.
    expect([halted('1.11940001'), halted('1.1194')]).toEqual([[], ['strategy:own daily-loss']]);
  });
});

describe('a bracket fired at the venue', () => {
  test('counts as a loss of its strategy, at the price of the fill', () => {
    const halted = (maxDailyLoss: string): string[] => {
      let ctx: StrategyContext | null = null;
      const strategy = defineStrategy({ name: 'own', create: () => ({ onStart: (given) => void (ctx = given) }) });
      const w = new World({}, { strategies: [{ strategy, instruments: [0], risk: { maxDailyLoss } }] });
      w.fill(ctx!.open(ctx!.markets[0]!, 'LONG', { size: '0.1', stopLoss: 990 }), 10_000);
      w.r.venue.pushedOwnFill(0, LONG, CLOSE, 100, 9_900);
      return w.halts;
    };
    expect([halted('1.11940001'), halted('1.1194')]).toEqual([[], ['strategy:own daily-loss']]);
  });
});

describe('the equity', () => {
  test('must not fall from its high by more than the limit; a resume restarts the high', () => {
    const w = new World({ maxDrawdown: '10%' });
    w.look(12_000);
    expect(w.look(10_800.01).halts).toEqual([]);
    expect(w.look(10_800).halts).toEqual(['bot drawdown']);
    w.r.advance(TO_MIDNIGHT);
    expect(w.look(10_800).halts).toEqual(['bot drawdown']);
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: false, by: 'me', why: 'looked' });
    expect(w.look(9_720.01).halts).toEqual([]);
    expect(w.look(9_720).halts).toEqual(['bot drawdown']);
  });

  test('has a minimum, and a resume below it does not last', () => {
    const w = new World({ minEquity: '9000 USDT' });
    expect(w.look(9_000).halts).toEqual([]);
    expect(w.look(8_999.99).halts).toEqual(['bot min-equity']);
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: false, by: 'me', why: 'looked' });
    expect(w.look().halts).toEqual(['bot min-equity']);
  });

  test('limits all legs together by leverage', () => {
    const w = new World({ maxLeverage: 2 }, {}, 100);
    const sizes = ['0.201', '0.2'].map((size) => w.r.ctx().limit(w.r.ctx().markets[0]!, 'LONG', 'OPEN', 1000, size) > 0);
    expect(sizes).toEqual([false, true]);
    expect(w.r.ctx().limit(w.r.ctx().markets[0]!, 'SHORT', 'OPEN', 1100, '0.001')).toBe(0);
  });
});

describe('losses in a row', () => {
  test('halt at the limit; a profit restarts the count', () => {
    const w = new World({ maxConsecutiveLosses: 2 });
    for (const price of [9_900, 10_100, 9_900]) w.trade(price);
    expect(w.halts).toEqual([]);
    w.trade(9_900);
    expect(w.halts).toEqual(['bot consecutive-losses']);
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: false, by: 'me', why: 'looked' });
    w.trade(9_900);
    expect(w.halts).toEqual([]);
    w.trade(9_900);
    expect(w.halts).toEqual(['bot consecutive-losses']);
  });

  test('a position whose profit is below its fees is a loss', () => {
    const w = new World({ maxConsecutiveLosses: 1 });
    // A profit of 0.12 USDT at 1001.2, and fees of 0.12.
    w.trade(10_012);
    expect(w.halts).toEqual(['bot consecutive-losses']);
  });

  test('halt for the configured time, and then restart the count', () => {
    const w = new World({ maxConsecutiveLosses: 1, haltFor: 3_600_000 });
    w.trade(9_900);
    w.r.advance(3_599_000);
    expect(w.halts).toEqual(['bot consecutive-losses']);
    w.look();
    expect(w.halts).toEqual([]);
    w.trade(9_900);
    expect(w.halts).toEqual(['bot consecutive-losses']);
  });

  test('a loss blocks opens of its symbol for the configured time, to the millisecond', () => {
    const w = new World({ cooldownAfterLoss: 60_000 });
    w.trade(10_100);
    expect(w.place()).toBeGreaterThan(0);
    w.trade(9_900);
    expect(w.place()).toBe(0);
    w.r.clock.time += 59_999;
    w.quote();
    expect(w.place()).toBe(0);
    w.r.clock.time += 1;
    w.quote();
    expect(w.place()).toBeGreaterThan(0);
  });
});

describe('limit actions beyond a halt', () => {
  test('a strategy receives the start and the end of a halt that concerns it', () => {
    const told: string[] = [];
    const instruments = [btc(0), btc(1, 'ETHUSDT')];
    const strategyOf = (name: string) =>
      defineStrategy({
        name,
        create: () => ({ onHalt: ({ scope, code, isEnd }) => void told.push(`${name}: ${scope} ${code}${isEnd ? ' ended' : ''}`) }),
      });
    const strategies = ['one', 'two'].map((name, i) => ({ strategy: strategyOf(name), instruments: [i] }));
    const r = pushedRig({}, { instruments, strategies, risk: {} });
    for (const scope of ['ETHUSDT', 'strategy:one', 'all']) r.kernel.inbox.operate({ name: 'halt', scope, by: 'me', why: 'looked' });
    r.kernel.inbox.operate({ name: 'resume', scope: 'ETHUSDT', confirmed: false, by: 'me', why: 'looked' });
    expect(told).toEqual([
      'two: symbol:ETHUSDT operator',
      'one: strategy:one operator',
      'one: bot operator',
      'two: bot operator',
      'two: symbol:ETHUSDT operator ended',
    ]);
  });

  test('cancel removes opening orders and keeps closing ones', () => {
    const w = new World({ maxDrawdown: '1%', maxDrawdownAction: 'cancel' });
    const [m] = w.r.ctx().markets;
    w.fill(w.r.ctx().open(m!, 'LONG', { size: '0.1' }), 10_000);
    const opens = w.place();
    const closes = w.r.ctx().limit(m!, 'LONG', 'CLOSE', 1100, '0.1');
    for (const n of [opens, closes]) w.r.venue.accepted(n, `v${n}`);
    w.look(9_900).look();
    expect(w.r.venue.commands.filter(({ kind }) => kind === CANCEL).map(({ target }) => target)).toEqual([opens]);
  });

  test('flatten closes the positions', () => {
    const w = new World({ maxDrawdown: '1%', maxDrawdownAction: 'flatten' });
    const [m] = w.r.ctx().markets;
    w.fill(w.r.ctx().open(m!, 'LONG', { size: '0.1' }), 10_000);
    w.look(9_900).look();
    expect(w.r.venue.last()).toMatchObject({ kind: PLACE, effect: CLOSE, type: MARKET, size: 100 });
    w.fill(w.r.venue.last().seq, 9_900);
    w.look();
    expect(w.halts).toEqual(['bot drawdown']);
  });
});

describe('a restart', () => {
  /** Kills the process and starts it again from its journal. */
  const again = (w: World, risk: RiskLimits, equity: number): World => {
    const snapshot = foldRecords(w.snapshot, w.r.records);
    const pushed = { equity: () => equity * USDT, account: () => ({ available: 0, locked: 0, unrealised: 0 }), positions: () => [] };
    const r = rig({}, { risk, pushed });
    r.clock.time = w.r.clock.time;
    r.kernel.restore(snapshot);
    r.kernel.inbox.start();
    const next = Object.assign(Object.create(World.prototype) as World, { r, equity, snapshot });
    next.r.advance(1000);
    next.quote();
    return next;
  };

  test("does not reset the day's loss", () => {
    const risk = { maxDailyLoss: '100' };
    const w = new World(risk).look(9_950);
    const next = again(w, risk, 9_901);
    expect(next.halts).toEqual([]);
    expect(again(next, risk, 9_900).halts).toEqual(['bot daily-loss']);
  });

  test('does not reset the high of the equity', () => {
    const risk = { maxDrawdown: '10%' };
    const w = new World(risk).look(12_000).look(11_000);
    expect(again(w, risk, 10_801).halts).toEqual([]);
    expect(again(w, risk, 10_800).halts).toEqual(['bot drawdown']);
  });

  test('does not reset losses in a row, a cooldown, or a halt', () => {
    const risk = { maxConsecutiveLosses: 2, cooldownAfterLoss: 60_000 };
    const w = new World(risk);
    w.trade(9_900);
    const next = again(w, risk, 10_000);
    expect(next.halts).toEqual([]);
    expect(next.place()).toBe(0);
    next.r.clock.time += 60_000;
    next.quote();
    next.trade(9_900);
    expect(next.halts).toEqual(['bot consecutive-losses']);
    expect(again(next, risk, 10_000).halts).toEqual(['bot consecutive-losses']);
  });

  test('a day that ended while the bot was down starts with the last known equity', () => {
    const risk = { maxDailyLoss: '100' };
    const w = new World(risk).look(9_950);
    w.r.clock.time += TO_MIDNIGHT;
    expect(again(w, risk, 9_851).halts).toEqual([]);
    expect(again(w, risk, 9_850).halts).toEqual(['bot daily-loss']);
  });
});

describe('repeated identical refusals', () => {
  const refused = (w: World): boolean => {
    const n = w.place();
    if (n > 0) w.r.venue.rejected(n, rejection('insufficient-balance'));
    return n > 0;
  };

  test('are probed at growing intervals, with one alert, until the venue accepts', () => {
    const w = new World({ maxSameRefusals: 3 });
    expect([refused(w), refused(w), refused(w), refused(w)]).toEqual([true, true, true, false]);
    const sent: number[] = [];
    const from = w.r.clock.time;
    for (let second = 1; second <= 40; second++) {
      w.look();
      if (refused(w)) sent.push((w.r.clock.time - from) / 1000);
    }
    expect(sent).toEqual([1, 3, 7, 15, 31]);
    expect(w.r.log.events().filter((event) => event === 'refusal-circuit')).toHaveLength(1);
    w.r.advance(60_000);
    w.quote();
    w.r.venue.accepted(w.place(), 'v1');
    expect([w.place() > 0, w.place() > 0]).toEqual([true, true]);
    expect(w.r.log.events()).toContain('refusals-ended');
  });

  test('another reason restarts the count; a refused post-only order does not count', () => {
    const w = new World({ maxSameRefusals: 2 });
    const why = (reason: 'insufficient-balance' | 'size-too-small' | 'would-take') => {
      const n = w.place();
      if (n > 0) w.r.venue.rejected(n, rejection(reason));
      return n > 0;
    };
    expect([why('insufficient-balance'), why('size-too-small'), why('would-take'), why('would-take'), why('size-too-small')]).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(why('size-too-small')).toBe(false);
  });
});
