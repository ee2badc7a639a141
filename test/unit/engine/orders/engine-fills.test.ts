/** `onFill`, kinds of order events, and the forms of `ctx.limit` and `ctx.quote` with names. */
import { defineStrategy, type Fill, type OrderEvent } from 'tickwright';
import { describe, expect, test } from 'vitest';
import { CANCELLED } from '../../../../src/domain/orders/order.ts';
import type { StrategyHandlers } from '../../../../src/engine/strategy/definition/types.ts';
import { pushedRig, rejection, type Rig } from '../../../support/engine/engine-kit.ts';

interface Watched extends Rig {
  readonly fills: (Fill & { symbol: string; tradeId: number | null })[];
  readonly events: string[];
}

function watched(handlers: StrategyHandlers = {}): Watched {
  const fills: (Fill & { symbol: string; tradeId: number | null })[] = [];
  const events: string[] = [];
  const r = pushedRig({
    onFill(fill, market, ctx) {
      events.push(`onFill ${fill.cause}`);
      fills.push({ ...fill, value: fill.value, symbol: market.symbol, tradeId: fill.trade?.id ?? null });
      expect(ctx.now).toBeGreaterThan(0);
    },
    onOrder: ({ kind, state, reason }) => void events.push([kind, state, reason].filter(Boolean).join(' ')),
    ...handlers,
  });
  return { ...r, fills, events };
}

describe('onFill', () => {
  test('tells each fill of an own order, after onOrder, with price, value and trade', () => {
    const r = watched();
    const market = r.ctx().markets[0]!;
    const order = r.ctx().open(market, 'LONG', { size: '0.01', limit: 1000 });
    r.venue.accepted(order, 'v1');
    r.venue.pushedFill(order, 4, 10_000);
    r.venue.pushedFill(order, 6, 9_990);
    const same = { order, side: 'LONG', effect: 'OPEN', direction: 'BUY', cause: 'order', symbol: 'BTCUSDT', trade: null };
    expect(r.fills).toMatchObject([
      { ...same, size: 0.004, price: 1000, value: 4 },
      { ...same, size: 0.006, price: 999 },
    ]);
    expect(r.events).toEqual(['accepted working', 'fill working', 'onFill order', 'fill working', 'onFill order', 'filled filled']);
  });

  test('tells the fill of a bracket at the venue, of the strategy that placed its order only, with the trade that it ends', () => {
    const r = watched();
    const market = r.ctx().markets[0]!;
    const trade = r.ctx().enter({ market, side: 'SHORT', size: '0.01', stopLoss: 1010 })!;
    r.venue.accepted(trade.id, 'v1');
    r.venue.pushedFill(trade.id, 10, 10_000);
    r.venue.pushedOwnFill(0, 1, 1, 10, 10_105);
    expect(r.fills).toMatchObject([
      { order: trade.id, side: 'SHORT', effect: 'OPEN', direction: 'SELL', tradeId: trade.id },
      {
        order: trade.id,
        side: 'SHORT',
        effect: 'CLOSE',
        direction: 'BUY',
        size: 0.01,
        price: 1010.5,
        cause: 'stop-loss',
        tradeId: trade.id,
      },
    ]);
    expect(trade.state).toBe('closed');
  });

  test.each([
    [10_000, 'stop-loss'],
    [10_001, 'liquidation'],
  ])('takes a pushed close at %d ticks for the stop-loss of an entry at 10000 up to the entry: %s', (price, cause) => {
    const r = watched();
    const order = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss: 990 });
    r.venue.accepted(order, 'v1');
    r.venue.pushedFill(order, 10, 10_000);
    r.venue.pushedOwnFill(0, 0, 1, 10, price);
    const kinds = r.log.lines
      .filter(({ event }) => event === 'exit' || event === 'external')
      .map(({ fields }) => fields['what'] ?? fields['kind']);
    expect(kinds).toEqual([cause]);
  });

  test('of somebody else’s trade is not called', () => {
    const r = watched();
    r.venue.pushedOwnFill(0, 0, 0, 10, 10_000);
    expect(r.fills).toEqual([]);
  });

  test('gets order events although there is no onOrder, and what it throws is counted', () => {
    const r = watched({
      onOrder: undefined as never,
      onFill: () => {
        throw new Error('broken');
      },
    });
    const order = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01' });
    r.venue.pushedFill(order, 10, 10_000);
    expect(r.log.lines.filter(({ event }) => event === 'strategy-error')).toMatchObject([{ fields: { handler: 'onFill' } }]);
  });
});

describe('kinds of order events', () => {
  test('say what happened, and narrow the reason', () => {
    const r = watched();
    const market = r.ctx().markets[0]!;
    const place = (): number => r.ctx().open(market, 'LONG', { size: '0.01', limit: 1000 });
    const rejected = place();
    r.venue.rejected(rejected, rejection('insufficient-balance'));
    const kept = place();
    r.venue.accepted(kept, 'v1');
    r.ctx().cancel(kept);
    r.venue.rejected(r.venue.last().seq, rejection('system-error'));
    r.venue.pushedEnd(kept, CANCELLED);
    r.venue.unsent(place(), 'too-late');
    r.ctx().open(market, 'LONG', { size: '0' });
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.events).toEqual([
      'rejected rejected insufficient-balance',
      'accepted working',
      'kept working system-error',
      'cancelled cancelled',
      'refused refused unsent',
      'refused refused bad-amount',
    ]);
    const told = (event: OrderEvent): string => {
      switch (event.kind) {
        case 'refused':
          // @ts-expect-error no rule has this name
          return event.reason === 'max-positions' ? '' : event.reason;
        case 'filled':
          // @ts-expect-error a filled order is not working
          return event.state === 'working' ? '' : event.state;
        default:
          return event.kind;
      }
    };
    expect(told).toBeTypeOf('function');
  });
});

describe('forms with names', () => {
  test('place the same orders as the positional ones', () => {
    const r = watched();
    const market = r.ctx().markets[0]!;
    r.ctx().limit(market, 'LONG', 'OPEN', 999, '0.01', true, 'why');
    r.ctx().limit({ market, side: 'LONG', effect: 'OPEN', price: 999, size: '0.01', postOnly: true, reason: 'why' });
    const [one, two] = r.venue.commands;
    expect({ ...two, seq: 0 }).toEqual({ ...one, seq: 0 });
    expect(r.ctx().quote({ market, direction: 'SELL', price: 1001, size: '0.02' })).toBe(true);
    expect(r.venue.last()).toMatchObject({ side: 1, effect: 0, price: 10_010, size: 20 });
    expect(r.ctx().quote(market, 'SELL', 1001, '0.02')).toBe(true);
    expect(r.venue.commands).toHaveLength(3);
  });

  test('refuse a misspelt field', () => {
    const r = watched();
    const market = r.ctx().markets[0]!;
    const base = { market, price: 999, size: '0.01', postonly: true };
    expect(r.ctx().limit({ ...base, side: 'LONG', effect: 'OPEN' })).toBe(0);
    expect(r.ctx().quote({ ...base, direction: 'BUY' })).toBe(false);
    r.kernel.inbox.runTimers(r.clock.time);
    expect(r.events).toEqual(['refused refused unknown-field', 'refused refused unknown-field']);
    expect(r.venue.commands).toEqual([]);
  });
});

test('a strategy that names its fills compiles', () => {
  defineStrategy({
    name: 'typed',
    create: () => ({
      onFill(fill, market, ctx) {
        const { price, trade }: Fill = fill;
        ctx.log(market.symbol, { price, entry: trade?.entryPrice });
      },
    }),
  });
});

test('a position shows its unrealised profit and its value at the reference price', () => {
  const r = pushedRig();
  const [market] = r.ctx().markets;
  const n = r.ctx().open(market!, 'LONG', { size: '0.1' });
  r.venue.accepted(n, 'v');
  r.venue.pushedFill(n, 100, 10_000);
  r.advance(10);
  r.kernel.inbox.onQuote(0, 10_100, 5_000, 10_102, 5_000);
  // The middle of the quote.
  expect(market!.long).toMatchObject({
    size: 0.1,
    entryPrice: 1000,
    unrealised: expect.closeTo(1.01, 9),
    value: expect.closeTo(101.01, 9),
  });
  expect(market!.short).toMatchObject({ size: 0, unrealised: 0, value: 0 });
});
