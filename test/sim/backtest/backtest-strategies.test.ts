/** Strategies that throw, compute nonsense, flood or never stop: the run completes, and the report describes it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AssertionError } from '../../../src/base/failure/assert.ts';
import { defineStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { BacktestReport } from '../../../src/report/backtest-report.ts';
import { backtest, configWith, strategyFile, type Changes } from '../../support/backtest/reference-backtest.ts';
import { rigOf, runFast } from '../../support/backtest/reference-kit.ts';
import { INSTRUMENTS, openRandomTape, writeRandomTape } from '../../support/backtest/reference-strategy.ts';

const ROWS = 20_000;
let folder = '';
let tape = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strategies-'));
  tape = join(folder, 'tape');
  writeRandomTape(tape, { seed: 21, rows: ROWS, symbols: 1, stepMs: 20 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(body: string, everyTick: boolean, changes: Changes = {}): Promise<BacktestReport> {
  return backtest(tape, strategyFile(folder, body), { everyTick, config: configWith(changes) });
}

const NO_LATENCY: Changes = { simulation: { upMs: 0, downMs: 0 }, limits: { order: 1_000_000 } };

describe.each([true, false])('with every tick %s', (everyTick) => {
  test('a handler that always throws', async () => {
    const report = await run("    return { onQuote() { throw new Error('no idea'); } };", everyTick);
    expect(report.tape.rows).toBe(ROWS);
    expect(report.notes[0]).toMatch(/^scripted threw 10 times, first in onQuote: Error: no idea at strategy-\d+\.ts:\d+\.$/);
    expect(report.notes[1]).toBe('scripted was disabled during the run: from then on it did nothing.');
    expect(report.failed).toEqual([
      { strategy: 'scripted', why: expect.stringMatching(/^after 10 errors: Error: no idea at strategy-\d+\.ts:\d+$/) },
    ]);
  });

  test('a handler that throws once and then continues', async () => {
    const report = await run(
      "    let n = 0;\n    return { onQuote(market: any, ctx: any) { if (++n === 50) throw new TypeError('once'); if (n === 60) ctx.open(market, 'LONG', { size: '0.001' }); } };",
      everyTick,
    );
    expect(report.notes[0]).toMatch(/^scripted threw once, first in onQuote: TypeError: once/);
    expect(report.failed).toEqual([]);
    expect(report.notes.join()).not.toContain('disabled');
    expect(report.fills.length).toBeGreaterThan(0);
  });

  test.each(['onStart', 'onTrade', 'onBar', 'onOrder', 'onPosition', 'onTimer', 'onStop'])('%s that throws', async (handler) => {
    const opens =
      "onQuote(market: any, ctx: any) { ctx.setTimer('t', 5); if (market.long.lots === 0) ctx.open(market, 'LONG', { size: '0.001' }); },";
    const report = await run(`    return { barMs: 1000, ${opens} ${handler}() { throw new Error('in ${handler}'); } };`, everyTick);
    expect(report.tape.rows).toBe(ROWS);
    expect(report.notes[0]).toContain(`first in ${handler}: Error: in ${handler}`);
  });

  test.each([
    ['NaN as a price', "ctx.limit(market, 'LONG', 'OPEN', Number.NaN, 0.01)", 'bad-amount'],
    ['NaN as a size', "ctx.open(market, 'LONG', { size: Number.NaN })", 'bad-amount'],
    ['infinity', "ctx.open(market, 'LONG', { size: Infinity })", 'bad-amount'],
    ['text that is no number', "ctx.open(market, 'LONG', { size: 'much' })", 'bad-amount'],
    ['a size below one lot', "ctx.open(market, 'LONG', { size: 0.0001 })", 'bad-amount'],
    ['a price far across the market', "ctx.limit(market, 'LONG', 'OPEN', market.ask * 2, 0.01)", 'price-collar'],
    ['a size beyond the limit', "ctx.open(market, 'LONG', { size: 50 })", 'order-size'],
    ['a close of nothing', "ctx.close(market, 'LONG', { size: '0.01' })", 'close-size'],
  ])('%s is refused and counted, without other effects', async (_what, call, rule) => {
    const report = await run(`    return { onQuote(market: any, ctx: any) { if (market.hasQuote) ${call}; } };`, everyTick);
    expect(report.tape.rows).toBe(ROWS);
    expect(report.orders).toMatchObject({ placed: 0, rejected: 0 });
    expect(Object.keys(report.orders.refused)).toEqual([rule]);
    expect(report.orders.refused[rule]).toBeGreaterThan(50);
    expect(report.fills).toEqual([]);
  });

  test('a flood of orders is limited, and the report says so', async () => {
    const report = await run(
      "    return { onQuote(market: any, ctx: any) { for (let k = 0; k < 40; k++) ctx.limit(market, 'LONG', 'OPEN', market.bid, 0.001); } };",
      everyTick,
      { risk: { maxOpenOrders: 100_000 } },
    );
    expect(report.orders.refused['flood'] ?? 0).toBeGreaterThan(1000);
    expect(report.notes.some((note) => /intents refused for coming too fast/.test(note))).toBe(true);
  });

  test('orders that wait too long for their turn are never sent, and the report says so', async () => {
    const report = await run(
      "    return { onQuote(market: any, ctx: any) { ctx.limit(market, 'LONG', 'OPEN', market.bid, 0.001); } };",
      everyTick,
      { limits: { order: 1 }, risk: { maxOpenOrders: 1000 } },
    );
    expect(report.orders.unsent).toBeGreaterThan(10);
    expect(report.notes.some((note) => note.includes('never left: at most 1 commands a second'))).toBe(true);
  });

  test.each([
    [
      'places again whenever an order ends or is refused',
      "onOrder({ order }: any, ctx: any) { if (!order.isLive) ctx.limit(order.market, 'LONG', 'OPEN', order.market.last, 0.001); },",
    ],
    [
      'cancels and places whenever an order is accepted',
      "onOrder({ order }: any, ctx: any) { ctx.cancel(order.number); ctx.limit(order.market, 'LONG', 'OPEN', order.market.last, 0.001); },",
    ],
    [
      'opens whenever a position changes',
      "onPosition({ market }: any, ctx: any) { ctx.open(market, 'LONG', { size: '0.001' }); ctx.close(market, 'LONG'); },",
    ],
  ])('without latency, a strategy that %s does not run for ever', async (_what, handler) => {
    const report = await run(
      `    return { ${handler} onQuote(market: any, ctx: any) { if (market.orders.length === 0) ctx.open(market, 'LONG', { size: '0.001' }); } };`,
      everyTick,
      NO_LATENCY,
    );
    expect(report.tape.rows).toBe(ROWS);
    expect(report.orders.placed).toBeGreaterThan(0);
    // Polled positions change once per poll: that is not a flood.
    if (everyTick || !handler.startsWith('onPosition')) expect(report.notes.some((note) => /too fast|disabled/.test(note))).toBe(true);
  });

  test('a strategy that does nothing gives an empty report', async () => {
    const report = await run('    return {};', everyTick);
    expect(report).toMatchObject({
      fills: [],
      trades: [],
      pnl: { net: '0.00000000' },
      equity: { start: '100000.00000000', end: '100000.00000000' },
    });
    expect(report.orders).toEqual({ placed: 0, modified: 0, cancelled: 0, filled: 0, rejected: 0, unsent: 0, refused: {}, blocked: null });
  });
});

test('without a flood rule, a strategy that answers itself for ever at one instant is detected', async () => {
  const strategy = defineStrategy({
    name: 'echo',
    create: () => ({
      onTrade(_trade, market, ctx) {
        if (market.orders.length === 0) ctx.limit(market, 'LONG', 'OPEN', market.last * 0.9, 0.001);
      },
      onOrder({ order }, ctx) {
        if (order.state === 'working') ctx.cancel(order.number);
        if (order.state === 'cancelled') ctx.limit(order.market, 'LONG', 'OPEN', order.market.last * 0.9, 0.001);
      },
    }),
  });
  const rig = rigOf(openRandomTape(tape), {
    instruments: INSTRUMENTS,
    strategies: [{ strategy, instruments: [0] }],
    polls: null,
    fillModel: 'touch',
    upMs: 0,
    downMs: 0,
    maxIntentsPerSecond: Infinity,
  });
  rig.course.command = () => {};
  rig.course.outcome = () => {};
  rig.course.ended = () => {};
  rig.course.order = () => {};
  expect(() => runFast(rig)).toThrow(
    new AssertionError('messages without latency come to an end: a strategy reacts to its own orders without end at one instant'),
  );
});
