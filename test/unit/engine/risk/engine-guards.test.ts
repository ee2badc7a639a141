/** Limits that count events or apply during a condition: at the exact boundary, across a restart, on a pushed and on a polled venue. */
import { describe, expect, test } from 'vitest';
import { CLOSE, LONG, PLACE } from '../../../../src/domain/codes.ts';
import { FILLED } from '../../../../src/domain/orders/order.ts';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';
import { defineStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import {
  btc,
  orderReport,
  polledRig,
  positionReport,
  pushedRig,
  rig,
  settleReads,
  START,
  type Rig,
} from '../../../support/engine/engine-kit.ts';
import { resumeAll } from '../../../support/engine/operator-commands.ts';

/** One market at 1000.0 / 1000.2. */
class World {
  readonly r: Rig;

  constructor(risk: RiskLimits, options: Partial<KernelOptions> = {}, r?: Rig) {
    this.r = r ?? pushedRig({}, { risk, ...options });
    this.quote();
  }

  /** The process is killed and starts again from its journal. */
  again(risk: RiskLimits): World {
    const r = rig({}, { risk });
    r.clock.time = this.r.clock.time;
    r.kernel.restore(foldRecords(null, this.r.records));
    r.kernel.inbox.start();
    return new World(risk, {}, r);
  }

  quote(bid = 10_000, ask = 10_002): this {
    this.r.kernel.inbox.onQuote(0, bid, 5_000, ask, 5_000);
    return this;
  }

  get halts(): string[] {
    return this.r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`);
  }

  place(): boolean {
    return this.r.ctx().limit(this.r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01') > 0;
  }

  fill(n: number, ...prices: number[]): this {
    this.r.venue.accepted(n, `v${n}`);
    for (const price of prices) this.r.venue.pushedFill(n, 100 / prices.length, price);
    this.r.venue.pushedEnd(n, FILLED);
    return this.quote();
  }

  open(...prices: number[]): this {
    return this.fill(this.r.ctx().open(this.r.ctx().markets[0]!, 'LONG', { size: '0.1' }), ...prices);
  }

  close(...prices: number[]): this {
    return this.fill(this.r.ctx().close(this.r.ctx().markets[0]!, 'LONG'), ...prices);
  }

  /** A stop-loss at 990.0 fires and fills in so many parts. */
  stop(parts = 1, price = 9_900): this {
    this.fill(this.r.ctx().open(this.r.ctx().markets[0]!, 'LONG', { size: '0.1', stopLoss: 990 }), 10_000);
    for (let k = 0; k < parts; k++) this.r.venue.pushedOwnFill(0, LONG, CLOSE, 100 / parts, price);
    return this.quote();
  }

  wait(ms: number): this {
    this.r.advance(ms);
    return this.quote();
  }
}

describe('the spread limit', () => {
  test('allows a spread equal to the limit and none wider', () => {
    const w = new World({ maxSpread: '0.2%' });
    expect([w.quote(9_990, 10_010).place(), w.quote(9_990, 10_011).place()]).toEqual([true, false]);
    expect(w.r.log.lines.find(({ event }) => event === 'intent-refused')?.fields).toMatchObject({ why: 'max-spread' });
    expect(w.halts).toEqual([]);
  });

  test('does not apply to closing orders', () => {
    const w = new World({ maxSpread: '0.1%' }).open(10_000).quote(9_900, 10_100);
    expect([w.place(), w.r.ctx().close(w.r.ctx().markets[0]!, 'LONG') > 0]).toEqual([false, true]);
  });

  test('with an action it halts the symbol, and ends the halt by itself', () => {
    const w = new World({ maxSpread: '1%', maxSpreadAction: 'flatten' }).open(10_000);
    w.quote(9_900, 10_100).r.advance(1_001);
    expect(w.halts).toContain('symbol:BTCUSDT max-spread');
    expect(w.r.venue.last()).toMatchObject({ kind: PLACE, effect: CLOSE, size: 100 });
    w.fill(w.r.venue.last().seq, 9_900).wait(2_000);
    expect(w.halts).toEqual([]);
  });
});

test.each(['BTCUSDT', 'ETHUSDT'])('a halt for a wide spread ends at the start but where the limit is stated: %s', (stated) => {
  const instruments = [btc(), btc(1, 'ETHUSDT')];
  const r = rig({}, { instruments, risk: { maxSpread: { [stated]: '1%' }, maxSpreadAction: { [stated]: 'flatten' } } });
  const halts = instruments.map(({ symbol }) => ({ scope: `symbol:${symbol}`, code: 'max-spread', detail: 'wide', by: 'bot' }));
  r.kernel.restore(foldRecords(null, halts.map((data) => ({ kind: 'halt', seq: 0, time: START, data })) as never));
  r.kernel.inbox.start();
  expect(r.kernel.status().halts.map(({ scope, code }) => `${scope} ${code}`)).toEqual([`symbol:${stated} max-spread`]);
});

describe('the slippage limit', () => {
  const risk: RiskLimits = { maxSlippage: '1%', maxSlippageFills: 2 };

  test('compares with the price that a market order would have met', () => {
    // The best ask was 1000.2; 1 % above it is 1010.202.
    const w = new World(risk).open(10_102).open(10_102).open(10_102);
    expect(w.halts).toEqual([]);
    w.open(10_103);
    expect(w.r.log.lines.find(({ event }) => event === 'slippage')?.fields).toMatchObject({ decided: '1000.2', price: '1010.3' });
    expect(w.halts).toEqual([]);
    expect(w.open(10_103).halts).toEqual(['symbol:BTCUSDT slippage']);
    expect(w.place()).toBe(false);
  });

  test('a fill exactly at the limit is none', () => {
    const w = new World(risk);
    for (let k = 0; k < 3; k++) w.open(10_000).close(9_900);
    expect([w.halts, w.r.log.events().includes('slippage')]).toEqual([[], false]);
  });

  test('compares a close with the bid; a better price is no slippage', () => {
    const w = new World(risk).open(9_000).open(9_000).close(9_899).open(10_000).close(9_899);
    expect(w.halts).toEqual(['symbol:BTCUSDT slippage']);
  });

  test('counts an order once, however many fills it has', () => {
    expect(new World(risk).open(10_200, 10_300, 10_400, 10_500).halts).toEqual([]);
  });

  test('does not apply to resting orders', () => {
    const w = new World(risk);
    for (let k = 0; k < 3; k++) w.fill(w.r.ctx().limit(w.r.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.1'), 10_300);
    expect(w.halts).toEqual([]);
    for (let k = 0; k < 2; k++) w.fill(w.r.ctx().limit(w.r.ctx().markets[0]!, 'LONG', 'OPEN', 1050, '0.1'), 10_300);
    expect(w.halts).toEqual(['symbol:BTCUSDT slippage']);
  });

  test('compares a fired bracket with its trigger price', () => {
    expect(new World(risk).stop(1, 9_801).stop(1, 9_801).halts).toEqual([]);
    expect(new World(risk).stop(2, 9_800).stop(2, 9_800).halts).toEqual(['symbol:BTCUSDT slippage']);
  });

  test('does not judge a bracket whose price the venue does not show', () => {
    const w = new World(risk).stop(1, 0).stop(1, 0);
    expect([w.r.kernel.markets[0]!.long.size, w.halts, w.r.log.events().includes('slippage')]).toEqual([0, [], false]);
  });

  test('logs slippage even if it never halts', () => {
    const w = new World({ maxSlippage: '1%', maxSlippageFills: 'off' }).open(10_200).open(10_200);
    expect([w.halts, w.r.log.events().filter((event) => event === 'slippage').length]).toEqual([[], 2]);
  });

  test('keeps its count over a restart, and halts for the configured time', () => {
    const timed = { ...risk, haltFor: 60_000 };
    const w = new World(timed).open(10_200).again(timed);
    expect(w.halts).toEqual([]);
    expect(w.open(10_200).halts).toEqual(['symbol:BTCUSDT slippage']);
    expect(w.again(timed).halts).toEqual(['symbol:BTCUSDT slippage']);
    expect(w.wait(60_000).halts).toEqual([]);
    // The count has restarted.
    expect(w.open(10_200).halts).toEqual([]);
  });

  test('works on a polled venue, by the record of the order', () => {
    const r = polledRig({}, { risk: { ...risk, maxSlippageFills: 1 } });
    const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.1' });
    r.venue.accepted(n, `v${n}`);
    const record = orderReport(r.venue.last(), 'filled', { averagePrice: 1030, fee: 1 });
    for (let k = 0; k < 10; k++) {
      r.advance(500);
      settleReads(r, [record], [positionReport(LONG, 100, { entryPrice: 1030, createdAt: START, updatedAt: r.clock.time })]);
    }
    expect(r.kernel.status().halts.map(({ code }) => code)).toEqual(['slippage']);
  });
});

describe('the stop-loss guard', () => {
  const risk: RiskLimits = { stoplossGuard: 2, stoplossGuardWindow: 600_000 };

  test('halts for stop-losses within the window, exact to the millisecond', () => {
    expect(new World(risk).stop().wait(599_999).stop().halts).toEqual(['bot stoploss-guard']);
    expect(new World(risk).stop().wait(600_000).stop().halts).toEqual([]);
  });

  test('counts a stop that fills in parts once, and no close by the strategy', () => {
    expect(new World(risk).stop(4).open(10_000).close(9_000).halts).toEqual([]);
  });

  test('halts only the strategy whose limit it is', () => {
    let ctx: StrategyContext | null = null;
    const strategy = defineStrategy({ name: 'own', create: () => ({ onStart: (given) => void (ctx = given) }) });
    const strategies = [{ strategy, instruments: [0], risk: { stoplossGuard: 1 } }];
    const r = pushedRig({}, { risk: { haltFor: 30_000 }, strategies });
    const w = new World({}, {}, { ...r, ctx: () => ctx! });
    expect(w.stop().halts).toEqual(['strategy:own stoploss-guard']);
    expect(w.wait(30_000).halts).toEqual([]);
  });

  test('keeps its count over a restart; a resume restarts the count', () => {
    const w = new World(risk).stop().again(risk).stop();
    expect(w.halts).toEqual(['bot stoploss-guard']);
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: false, by: 'me', why: 'looked' });
    expect(w.stop().halts).toEqual([]);
    expect(w.stop().halts).toEqual(['bot stoploss-guard']);
  });
});

describe('trading hours', () => {
  // The worlds start at 22:13:20.
  const END = 40_000;

  test('end and start exactly to the millisecond', () => {
    const w = new World({ tradingHours: '13,15 * * * *' });
    w.r.clock.time += END - 1;
    expect(w.quote().place()).toBe(true);
    w.r.clock.time += 1;
    // Independent of which timers have fired.
    expect(w.quote().place()).toBe(false);
    w.r.advance(0);
    expect(w.halts).toEqual(['bot trading-hours']);
    expect(w.wait(59_999).place()).toBe(false);
    expect(w.wait(1).place()).toBe(true);
    expect(w.halts).toEqual([]);
  });

  test('allow closing orders, and flatten if that is configured', () => {
    const w = new World({ tradingHours: '13 * * * *', tradingHoursAction: 'flatten' }).open(10_000).wait(END + 1);
    expect(w.r.venue.last()).toMatchObject({ kind: PLACE, effect: CLOSE, size: 100 });
    expect(w.halts).toContain('bot trading-hours');
  });

  test('keep or end their halt after a restart, as configured', () => {
    const risk = { tradingHours: '13 * * * *' };
    const w = new World(risk).wait(END);
    expect(w.again(risk).halts).toEqual(['bot trading-hours']);
    expect(w.again({}).halts).toEqual([]);
  });

  test('cannot be ended by a resume', () => {
    const w = new World({ tradingHours: '0-12 * * * *' });
    w.r.kernel.inbox.operate({ name: 'resume', scope: 'all', confirmed: true, by: 'me', why: 'I want' });
    resumeAll(w.r.kernel);
    expect(w.place()).toBe(false);
  });

  test('of a symbol apply to its spot market too', () => {
    const spot = { ...btc(1), product: 'spot' } as ReturnType<typeof btc>;
    const r = pushedRig({}, { instruments: [btc(0), spot], risk: { tradingHours: { BTCUSDT: '0-12 * * * *' } } });
    expect(r.kernel.status().halts.map(({ scope }) => scope)).toEqual(['symbol:BTCUSDT', 'symbol:spot:BTCUSDT']);
  });
});
