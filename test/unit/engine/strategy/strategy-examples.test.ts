import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, LONG, MARKET, OPEN, SHORT } from '../../../../src/domain/codes.ts';
import type { Command } from '../../../../src/domain/orders/command.ts';
import { CANCELLED, FILLED } from '../../../../src/domain/orders/order.ts';
import type { AnyStrategy } from '../../../../src/engine/strategy/definition/define.ts';
import { rig, START, type Rig } from '../../../support/engine/engine-kit.ts';
import emaCross from '../../../../strategies/ema-cross.ts';
import quoter from '../../../../strategies/quoter.ts';

/** The strategy on a pushed venue that accepts everything, fills market orders at once and cancels on request. */
function running(strategy: AnyStrategy, params: Record<string, unknown> = {}): Rig {
  const r = rig({}, { strategies: [{ strategy, instruments: [0], params }] });
  r.venue.onExecute = (c) => {
    if (c.kind === CANCEL) {
      r.venue.pushedEnd(c.target, CANCELLED);
      r.venue.accepted(c.seq, '');
      return;
    }
    r.venue.accepted(c.seq, `v${c.seq}`);
    if (c.type === MARKET) fill(r, c);
  };
  r.kernel.inbox.start();
  return r;
}

function fill(r: Rig, c: Command): void {
  r.venue.pushedFill(c.seq, c.size, c.price === 0 ? 10_000 : c.price);
  r.venue.pushedEnd(c.seq, FILLED);
}

describe('ema-cross', () => {
  /** One trade per second at these prices. */
  function prices(r: Rig, ticks: readonly number[]): void {
    for (const price of ticks) {
      r.clock.time += 1000;
      r.kernel.inbox.onTrade(0, price, 1, 0);
    }
  }
  const rising = Array.from({ length: 30 }, (_, k) => 10_000 + 10 * k);
  const falling = rising.toReversed();

  test('opens with the trend, and on a cross closes the old position before it opens the new one', () => {
    const r = running(emaCross, { fast: 2, slow: 5 });
    prices(r, rising);
    prices(r, falling);
    expect(r.venue.commands.map((c) => [c.side, c.effect, c.size])).toEqual([
      [LONG, OPEN, 10],
      [LONG, CLOSE, 10],
      [SHORT, OPEN, 10],
    ]);
    const market = r.kernel.markets[0]!;
    expect([market.long.size, market.short.size]).toEqual([0, 0.01]);
  });

  test('does nothing until the slow average is ready', () => {
    const r = running(emaCross, { fast: 2, slow: 20 });
    prices(r, rising.slice(0, 20));
    expect(r.venue.commands).toEqual([]);
    prices(r, rising.slice(20, 22));
    expect(r.venue.commands).toHaveLength(1);
  });

  test('the stop-loss is sent with the opening order, on the losing side of the price', () => {
    const r = running(emaCross, { fast: 2, slow: 5, stop: 0.02 });
    prices(r, rising);
    const [open] = r.venue.commands;
    expect(open!.stopLoss).toBeGreaterThan(0);
    expect(open!.stopLoss).toBeLessThan(10_000);
  });

  test('fast must be below slow', () => {
    expect(() => running(emaCross, { fast: 20, slow: 20 })).toThrow(/fast must be below slow/);
  });
});

describe('quoter', () => {
  const book = (r: Rig, bid: number, ask: number): void => {
    r.clock.time += 100;
    r.kernel.inbox.onQuote(0, bid, 5_000, ask, 5_000);
  };
  const resting = (r: Rig): [string, string, number][] => r.kernel.markets[0]!.orders.map((o) => [o.side, o.effect, o.ticks]);

  test('quotes both sides of the book, post-only, at the wanted distance', () => {
    const r = running(quoter, { spread: 20 });
    book(r, 10_000, 10_002);
    expect(resting(r)).toEqual([
      ['LONG', 'OPEN', 9990],
      ['SHORT', 'OPEN', 10_012],
    ]);
    expect(r.venue.commands.every((c) => c.force === 1)).toBe(true);
  });

  test('keeps its quotes while the book is near, and moves them otherwise', () => {
    const r = running(quoter, { spread: 20 });
    book(r, 10_000, 10_002);
    book(r, 10_001, 10_003);
    expect(r.venue.commands).toHaveLength(2);
    book(r, 10_050, 10_052);
    expect(resting(r).map(([, , ticks]) => ticks)).toEqual([10_040, 10_062]);
  });

  test('a filled bid is closed by the next ask, and inventory shifts the quotes down', () => {
    const r = running(quoter, { spread: 20, maxInventory: 0.02 });
    book(r, 10_000, 10_002);
    fill(r, r.venue.commands[0]!);
    book(r, 10_000, 10_003);
    book(r, 10_000, 10_002);
    const orders = resting(r);
    expect(orders.some(([side, effect]) => side === 'LONG' && effect === 'OPEN')).toBe(true);
    const bid = orders.find(([side]) => side === 'LONG')!;
    expect(bid[2]).toBeLessThan(9990);
    const asks = r.venue.commands.filter((c) => c.kind !== CANCEL && c.side === LONG && c.effect === CLOSE);
    expect(asks.length).toBeGreaterThan(0);
  });

  test('with full inventory it stops quoting the adding side', () => {
    const r = running(quoter, { spread: 20, maxInventory: 0.01 });
    book(r, 10_000, 10_002);
    fill(r, r.venue.commands[0]!);
    book(r, 10_100, 10_102);
    const buys = resting(r).filter(([side, effect]) => (side === 'LONG') === (effect === 'OPEN'));
    expect(buys).toEqual([]);
  });

  test('no order rests after stop', () => {
    const r = running(quoter);
    book(r, 10_000, 10_002);
    r.kernel.inbox.stop();
    expect(resting(r)).toEqual([]);
    expect(r.kernel.isQuiet).toBe(true);
    expect(r.log.events()).not.toContain('intent-refused');
    expect(r.clock.time).toBeGreaterThan(START);
  });
});
