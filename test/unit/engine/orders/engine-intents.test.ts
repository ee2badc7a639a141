import { describe, expect, test } from 'vitest';
import {
  BUY,
  BY_MARK,
  CANCEL_SPOT,
  CANCEL_TRIGGER,
  ISOLATED,
  LIMIT,
  LONG,
  MARKET,
  PLACE_SPOT,
  PLACE_TRIGGER,
  SELL,
  SET_MARGIN_MODE,
} from '../../../../src/domain/codes.ts';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import type { Market } from '../../../../src/engine/intents/market-types.ts';
import type { OrderEvent } from '../../../../src/engine/intents/events.ts';
import type { OrderFields } from '../../../../src/engine/intents/intents.ts';
import type { StrategyContext } from '../../../../src/engine/strategy/definition/types.ts';
import { btc, polledRig, positionReport, pushedRig, rejection } from '../../../support/engine/engine-kit.ts';
import { settle } from '../../../support/engine/operator-commands.ts';

const SPOT = createInstrument(
  {
    symbol: 'BTCUSDT-SPOT',
    product: 'spot',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tickSize: '0.01',
    lotSize: '0.0001',
    minSize: '0.0001',
    maxSize: '10',
    makerFeeRate: '0.001',
    takerFeeRate: '0.001',
  },
  1,
);

test.each<[string, (ctx: any) => unknown]>([
  ['open without fields', (ctx) => ctx.open(ctx.markets[0], 'LONG')],
  ['open without a size', (ctx) => ctx.open(ctx.markets[0], 'LONG', { limit: 990 })],
  ['place without a size', (ctx) => ctx.place({ market: ctx.markets[0], side: 'LONG', effect: 'OPEN' })],
])('%s is refused with an explanation', (_, submit) => {
  const r = pushedRig();
  expect(submit(r.ctx())).toBe(0);
  expect(r.venue.commands).toEqual([]);
  expect(r.log.lines.find((l) => l.event === 'intent-refused')).toMatchObject({
    fields: { why: 'bad-amount', detail: 'a size was expected, found none' },
  });
});

describe('an unknown field of an intent', () => {
  const stoploss = { size: '0.01', stoploss: 990 };
  test.each<[string, (r: ReturnType<typeof pushedRig>, any: any) => unknown]>([
    ['open', (_, ctx) => ctx.open(ctx.markets[0], 'LONG', stoploss)],
    ['close', (_, ctx) => ctx.close(ctx.markets[0], 'LONG', stoploss)],
    ['place', (_, ctx) => ctx.place({ market: ctx.markets[0], side: 'LONG', effect: 'OPEN', ...stoploss })],
    ['plan', (_, ctx) => ctx.placeTrigger({ market: ctx.markets[0], side: 'LONG', trigger: 1005, ...stoploss })],
    [
      'modify',
      (r, ctx) => {
        const n = ctx.limit(ctx.markets[0], 'LONG', 'OPEN', 999, '0.01');
        r.venue.accepted(n, 'f1');
        r.venue.commands.length = 0;
        return ctx.modify(n, stoploss);
      },
    ],
  ])('%s is refused: it is not silently an order without a stop-loss', (_, submit) => {
    const r = pushedRig();
    expect(submit(r, r.ctx())).toBe(0);
    expect(r.venue.commands).toEqual([]);
    expect(r.log.lines.find((l) => l.event === 'intent-refused')).toMatchObject({
      fields: { why: 'unknown-field', detail: 'there is no "stoploss" (did you mean "stopLoss"?)' },
    });
  });

  test('for a price, which is another word here, the field limit is named', () => {
    const r = pushedRig();
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', price: 990 } as OrderFields)).toBe(0);
    expect(r.log.lines.find((l) => l.event === 'intent-refused')).toMatchObject({
      fields: { why: 'unknown-field', detail: 'there is no "price" (did you mean "limit"?)' },
    });
  });

  test('an unknown field of a bracket is refused', () => {
    const r = pushedRig();
    const stopLoss = { trigger: 990, limt: 980 };
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.01', stopLoss })).toBe(0);
    expect(r.log.lines.find((l) => l.event === 'intent-refused')).toMatchObject({
      fields: { why: 'unknown-field', detail: 'there is no "limt" in stopLoss (did you mean "limit"?)' },
    });
  });

  test('a spot order with an unknown field is refused, the next one is not', () => {
    const r = pushedRig({}, { instruments: [btc(0), SPOT] });
    r.kernel.inbox.onQuote(1, 100_000, 10, 100_010, 10);
    const market = r.ctx().markets[1]!;
    const wrong = { market, direction: 'BUY', size: '0.01', price: 1000 } as const;
    const [first, second] = r.ctx().spot([wrong, { market, direction: 'BUY', size: '0.01' }]);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(0);
  });
});

describe('trigger orders', () => {
  test('wait at the venue and are cancelled by the command for trigger orders', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    const n = r
      .ctx()
      .placeTrigger({ market: m, side: 'LONG', size: 0.01, trigger: 1005.07, triggerBy: 'MARK', limit: 1006.09, stopLoss: 990 });
    expect(r.venue.last()).toMatchObject({
      kind: PLACE_TRIGGER,
      side: LONG,
      type: LIMIT,
      trigger: 10_050,
      triggerBy: BY_MARK,
      price: 10_060,
      stopLoss: 9900,
    });
    r.venue.accepted(n, 'p1');
    expect(r.ctx().order(n)).toMatchObject({ kind: 'trigger', state: 'working' });
    expect(m.long.opening).toBe(0.01);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_TRIGGER, target: n, targetVenueId: 'p1' });
  });

  test('of unknown outcome are never presumed gone', () => {
    const r = polledRig();
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'SHORT', size: 0.01, trigger: 1005 });
    r.venue.unknown(n, 'timeout');
    for (let k = 0; k < 120; k++) {
      r.advance(1000);
      while (r.open.length > 0) {
        const query = r.open.shift()!;
        if (query.kind === 'pending' || query.kind === 'history')
          r.venue.answered(query, { kind: query.kind, orders: [] }, r.clock.time, 0);
        else r.venue.failed(query, 'not asked about here');
      }
    }
    expect(r.ctx().order(n)!.state).toBe('unknown');
    expect(r.ctx().markets[0]!.isHalted).toBe(true);
  });
});

describe('spot orders', () => {
  const rigged = () => {
    const r = pushedRig({}, { instruments: [btc(0), SPOT] });
    r.kernel.inbox.onQuote(1, 100_000, 10, 100_010, 10);
    return { r, spot: r.ctx().markets[1]! };
  };

  test('round by direction, and a refused one does not stop the others', () => {
    const { r, spot } = rigged();
    const numbers = r.ctx().spot([
      { market: spot, direction: 'BUY', size: '0.12345', limit: 999.999 },
      { market: spot, direction: 'SELL', size: 0 },
      { market: spot, direction: 'SELL', size: 0.5 },
    ]);
    expect(numbers.map((n) => n > 0)).toEqual([true, false, true]);
    expect(r.venue.commands).toMatchObject([
      { kind: PLACE_SPOT, side: BUY, price: 99_999, size: 1234, type: LIMIT },
      { kind: PLACE_SPOT, side: SELL, size: 5000, type: MARKET },
    ]);
    r.venue.accepted(numbers[0]!, '77');
    expect(r.ctx().order(numbers[0]!)).toMatchObject({ kind: 'spot', direction: 'BUY', clientId: '' });
    r.ctx().cancel(numbers[0]!);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL_SPOT, targetVenueId: '77' });
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(numbers[0]!)?.isAlive ?? false).toBe(false);
  });

  test('of unknown outcome halt their symbol until an operator settles them', () => {
    const { r, spot } = rigged();
    const [n] = r.ctx().spot([{ market: spot, direction: 'BUY', size: 0.5 }]);
    r.venue.unknown(n!, 'reset');
    r.advance(1_000_000);
    expect(spot.isHalted).toBe(true);
    expect(r.ctx().markets[0]!.isHalted).toBe(false);
    expect(settle(r.kernel, n!, '78')).toBe(true);
    expect(spot.isHalted).toBe(false);
  });

  test('are refused on a futures market', () => {
    const { r, spot } = rigged();
    expect(r.ctx().open(spot, 'LONG', { size: 1 })).toBe(0);
  });
});

describe('margin', () => {
  test('the mode changes only while the market is flat and has no live order', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    expect(r.ctx().setMarginMode(m, 'ISOLATED')).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: SET_MARGIN_MODE, marginMode: ISOLATED });
    r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    expect(r.ctx().setMarginMode(m, 'CROSS')).toBe(false);
  });

  test('nothing is sent without an isolated position, or for an invalid target', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    expect(r.ctx().ensureMargin(m, 'LONG', Number.NaN)).toBe(false);
    expect(r.ctx().ensureMargin(m, 'LONG', '-1')).toBe(false);
    r.ctx().ensureMargin(m, 'LONG', 100);
    r.answer({ kind: 'positions', positions: [positionReport(LONG, 10)] });
    expect(r.venue.commands).toEqual([]);
  });
});

describe('a size as a value or a share of the equity', () => {
  // The quote is 1000.0 / 1000.2 and a lot is 0.001; the account of the polled rig has 10,000 USDT.
  const rigged = () => {
    const refusals: string[] = [];
    const r = polledRig({ onOrder: (e: OrderEvent) => (e.state === 'refused' ? refusals.push(`${e.reason}: ${e.message}`) : 0) });
    const sent = (act: (m: Market, ctx: StrategyContext) => unknown): number | string => {
      const before = r.venue.commands.length;
      refusals.length = 0;
      act(r.ctx().markets[0]!, r.ctx());
      if (r.venue.commands.length > before) return r.venue.last().size;
      r.advance(1000);
      return refusals[0] ?? 'nothing';
    };
    return { r, sent };
  };

  test.each<[string, (m: Market, ctx: StrategyContext) => unknown, number]>([
    ['a market buy at the ask', (m, ctx) => ctx.open(m, 'LONG', { size: '1000.2 USDT' }), 1000],
    ['rounded down', (m, ctx) => ctx.open(m, 'LONG', { size: '1000.19 USDT' }), 999],
    ['a market sell at the bid', (m, ctx) => ctx.open(m, 'SHORT', { size: '1000 USDT' }), 1000],
    ['a limit buy at its limit', (m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 500, '100 USDT'), 200],
    ['a limit sell at its limit', (m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 2000, '100 USDT'), 50],
    ['a limit sell that crosses the bid, at the bid', (m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 990, '100 USDT'), 100],
    ['a trigger order at its trigger', (m, ctx) => ctx.placeTrigger({ market: m, side: 'LONG', trigger: 2000, size: '100 USDT' }), 50],
    ['a share of the equity', (m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 1000, '2%'), 200],
    ['a quote', (m, ctx) => ctx.quote(m, 'BUY', 500, '1%'), 200],
    ['the base coin by name', (m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, '0.5 BTC'), 500],
  ])('%s', (_, act, lots) => {
    expect(rigged().sent(act)).toBe(lots);
  });

  test('a modify may state its size as a value', () => {
    const { r, sent } = rigged();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 1000, '1');
    r.venue.accepted(n, 'v1');
    expect(sent((_, ctx) => ctx.modify(n, { limit: 500, size: '100 USDT' }))).toBe(200);
  });

  test.each<[string, (m: Market, ctx: StrategyContext) => unknown, RegExp]>([
    ['another coin', (m, ctx) => ctx.open(m, 'LONG', { size: '100 EUR' }), /^bad-amount: an amount in USDT was expected, found "100 EUR"/],
    ['less than a lot', (m, ctx) => ctx.open(m, 'LONG', { size: '1 USDT' }), /^bad-amount: a size worth at least 0\.001/],
    ['nothing', (m, ctx) => ctx.open(m, 'LONG', { size: '0%' }), /^bad-amount/],
    [
      'a share as a stop',
      (m, ctx) => ctx.open(m, 'LONG', { size: 1, stopLoss: -0.02 }),
      /: stopLoss is a price: at least 0\.1 was expected, found -0\.02$/,
    ],
    [
      'a percentage as a stop',
      (m, ctx) => ctx.open(m, 'LONG', { size: 1, stopLoss: '-2%' }),
      /: stopLoss is a price: a plain decimal .* found "-2%"$/,
    ],
    [
      'a target',
      (m, ctx) => ctx.open(m, 'LONG', { size: 1, takeProfit: { trigger: 2000, limit: 0 } }),
      /: takeProfit\.limit is a price: at least/,
    ],
    ['a limit', (m, ctx) => ctx.open(m, 'LONG', { size: 1, limit: Number.NaN }), /: limit is a price: /],
    ['a quote without a price', (m, ctx) => ctx.quote(m, 'BUY', 'x', 1), /: price is a price: /],
    ['a trigger', (m, ctx) => ctx.placeTrigger({ market: m, side: 'LONG', trigger: '1%', size: 1 }), /: trigger is a price: /],
    ['a negative share', (m, ctx) => ctx.open(m, 'LONG', { size: '-2%' }), /^bad-amount: size: a plain decimal/],
    ['an exponent', (m, ctx) => ctx.open(m, 'LONG', { size: '1e-7' }), /^bad-amount: size: a plain decimal/],
    ['no number', (m, ctx) => ctx.open(m, 'LONG', { size: 'NaN' }), /^bad-amount/],
  ])('%s is refused', (_, act, why) => {
    expect(rigged().sent(act)).toMatch(why);
  });

  test('a share of an unknown equity is refused', () => {
    const refusals: string[] = [];
    const r = pushedRig({ onOrder: (e: OrderEvent) => (e.state === 'refused' ? refusals.push(e.message) : 0) });
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '2%' })).toBe(0);
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(refusals).toEqual(['the equity is not known yet, so "2%" of it is not known either']);
  });
});
