import { describe, expect, test } from 'vitest';
import { createInstrument } from '../../../../src/domain/instrument.ts';
import { CLOSE, LONG, OPEN } from '../../../../src/domain/codes.ts';
import { CANCELLED, FILLED } from '../../../../src/domain/orders/order.ts';
import type { KernelOptions } from '../../../../src/engine/options.ts';
import type { RiskLimits } from '../../../../src/domain/limits.ts';
import type { Answer } from '../../../../src/ports/venue.ts';
import type { Market, OrderEvent, StrategyContext } from '../../../../src/index.ts';
import { btc, polledRig, pushedRig, rig, START, type Rig } from '../../../support/engine/engine-kit.ts';
import { BTCUSDT } from '../../../support/specs.ts';

interface PlacedFields {
  readonly limit?: number;
  readonly trigger?: number;
  readonly stopLoss?: number;
  readonly takeProfit?: number;
}

/** A rig that collects refusals as "rule: detail". */
function limited(risk: RiskLimits, external: KernelOptions['external'] = {}) {
  const refusals: string[] = [];
  const r = pushedRig(
    { onOrder: (e: OrderEvent) => (e.state === 'refused' ? refusals.push(`${e.reason}: ${e.message}`) : 0) },
    { risk, external },
  );
  const act = (what: (m: Market, ctx: StrategyContext) => unknown): string => {
    refusals.length = 0;
    const before = r.venue.commands.length;
    what(r.ctx().markets[0]!, r.ctx());
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    if (r.venue.commands.length > before) return 'sent';
    return refusals[0] ?? 'nothing';
  };
  return { r, act };
}

/** Number of intents refused so far for old data. */
const refusedStale = (r: Rig): number => r.kernel.status().counts['intent-refused stale-data'] ?? 0;

function fillAt(r: Rig, number: number, lots: number): void {
  r.venue.pushedFill(number, lots, 10_000);
  r.venue.pushedEnd(number, FILLED);
}

describe('risk rules allow or refuse, exactly at the boundary', () => {
  test('order size', () => {
    const { act } = limited({ maxOrderSize: { '*': '0.5' } });
    expect(act((m, ctx) => ctx.open(m, 'LONG', { size: '0.5' }))).toBe('sent');
    expect(act((m, ctx) => ctx.open(m, 'LONG', { size: '0.501' }))).toBe('order-size: at most 0.500 an order, asked 0.501');
    const own = limited({ maxOrderSize: { BTCUSDT: '0.2', '*': '0.5' } });
    expect(own.act((m, ctx) => ctx.open(m, 'LONG', { size: '0.3' }))).toMatch(/^order-size/);
  });

  test('order size does not block an exit: a close may be as large as the instrument allows', () => {
    const { r, act } = limited({ maxOrderSize: { '*': '0.5' } });
    for (let k = 0; k < 3; k++) fillAt(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.5' }), 500);
    expect(act((m, ctx) => ctx.close(m, 'LONG'))).toBe('sent');
    expect(r.venue.last()).toMatchObject({ size: 1500 });
    const large = limited({});
    for (let k = 0; k < 2; k++) fillAt(large.r, large.r.ctx().open(large.r.ctx().markets[0]!, 'LONG', { size: '100' }), 100_000);
    expect(large.act((m, ctx) => ctx.close(m, 'LONG'))).toBe('order-size: at most 100.000 an order, asked 200.000');
  });

  test('position, with all live opening orders counted as filled', () => {
    const { r, act } = limited({ maxPosition: { '*': '1' } });
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.6))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.401))).toBe(
      'max-position: at most 1.000 a leg, 1.001 if every live order fills',
    );
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.4))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 1001, 1))).toBe('sent');
    r.venue.pushedFill(1, 600, 9990);
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.001))).toMatch(/^max-position/);
    r.venue.accepted(2, 'v2');
    expect(act((_, ctx) => ctx.modify(2, { size: 0.401 }))).toMatch(/^max-position/);
    expect(act((_, ctx) => ctx.modify(2, { size: 0.4, limit: 998 }))).toBe('sent');
  });

  test('closing orders never exceed the position', () => {
    const { r, act } = limited({});
    expect(act((m, ctx) => ctx.close(m, 'LONG', { size: 0.001 }))).toBe('close-size: the position is 0.000, it would close 0.001');
    const n = r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01 });
    fillAt(r, n, 10);
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'CLOSE', 1001, 0.006))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'CLOSE', 1001, 0.005))).toMatch(/^close-size/);
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'CLOSE', 1001, 0.004))).toBe('sent');
  });

  test('open orders; a modify replaces and does not add', () => {
    const { r, act } = limited({ maxOpenOrders: 2 });
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 998, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 997, 0.01))).toBe('max-open-orders: at most 2 live orders per instrument');
    r.venue.accepted(1, 'v1');
    expect(act((_, ctx) => ctx.modify(1, { limit: 999.5 }))).toBe('sent');
  });

  test('the collar refuses a price that crosses too far, and ignores resting prices', () => {
    const { r, act } = limited({ priceCollar: '5%' });
    fillAt(r, r.ctx().open(r.ctx().markets[0]!, 'SHORT', { size: '0.1' }), 100);
    fillAt(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.1' }), 100);
    // Buys at most 5 % above the ask of 1000.2.
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 1050.2, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 1050.3, 0.01))).toBe('price-collar: at most 5 % above 1000.2, asked 1050.3');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'CLOSE', 1050.3, 0.01))).toMatch(/^price-collar/);
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 400, 0.01))).toBe('sent');
    // Sells at most 5 % below the bid of 1000.0.
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 950, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 949.9, 0.01))).toBe('price-collar: at most 5 % below 1000.0, asked 949.9');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'CLOSE', 949.9, 0.01))).toMatch(/^price-collar/);
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 2000, 0.01))).toBe('sent');
  });

  test('max-distance limits the distance of a price in both directions if it is set', () => {
    const { act } = limited({ maxDistance: '0.1' });
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 900.1, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 900, 0.01))).toBe('max-distance: within 10 % of 1000.1, asked 900.0');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 1100.1, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 1100.2, 0.01))).toMatch(/^max-distance/);
  });

  test('the value of an order, of a leg and of all legs', () => {
    const { r, act } = limited({ maxNotionalOrder: '200 USDT', maxNotionalPosition: '500', maxNotionalTotal: '800 USDT' });
    // A market buy is valued at 1000.2, a market sell at 1000.0, a limit buy at its limit at most.
    expect(act((m, ctx) => ctx.open(m, 'LONG', { size: '0.2' }))).toBe(
      'max-notional-order: at most 200 USDT an order, 200.04 if every live order fills',
    );
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 1000, 0.2))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 1000.1, 0.2))).toMatch(/^max-notional-order/);
    expect(act((m, ctx) => ctx.open(m, 'SHORT', { size: '0.2' }))).toBe('sent');
    // A leg is valued at the market if that is above the order's price.
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 500, 0.2))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 500, 0.1))).toBe(
      'max-notional-position: at most 500 USDT a leg, 500.05 if every live order fills',
    );
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 500, 0.099))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 1000.2, 0.101))).toMatch(/^max-notional-total: at most 800 USDT all/);
    expect(act((m, ctx) => ctx.limit(m, 'SHORT', 'OPEN', 1000.2, 0.1))).toBe('sent');
    // Closing orders are limited only by the position.
    fillAt(r, 2, 200);
    expect(act((m, ctx) => ctx.close(m, 'SHORT', { size: '0.2' }))).toBe('sent');
  });

  test('a value limit as a share follows the equity, and refuses while it is unknown', () => {
    const { r, act } = limited({ maxNotionalOrder: '10%' });
    expect(act((m, ctx) => ctx.open(m, 'SHORT', { size: '0.01' }))).toBe(
      'max-notional-order: the limit is a share of the equity, which is not known yet',
    );
    const polled = polledRig({}, { risk: { maxNotionalOrder: '10%' } });
    const [m] = polled.ctx().markets;
    const placed = (size: string): boolean => polled.ctx().limit(m!, 'LONG', 'OPEN', 1000, size) > 0;
    // The equity of the rig is 10,000 USDT.
    expect([placed('1.001'), placed('1')]).toEqual([false, true]);
    expect(r.kernel.refusals()).toBe(1);
  });

  // The quote is 1000.0 / 1000.2: a LONG opens at the ask, a SHORT at the bid, or at its limit if that is better.
  test.each<[string, 'LONG' | 'SHORT', PlacedFields, string]>([
    ['at the market', 'LONG', { stopLoss: 1000.1, takeProfit: 1000.3 }, 'sent'],
    [
      'a stop at the price',
      'LONG',
      { stopLoss: 1000.2 },
      'stop-loss below 1000.2, where this LONG would open, asked 1000.2: it would close at once',
    ],
    [
      'a stop above',
      'LONG',
      { stopLoss: 1010 },
      'stop-loss below 1000.2, where this LONG would open, asked 1010.0: it would close at once',
    ],
    [
      'a profit at the price',
      'LONG',
      { takeProfit: 1000.2 },
      'take-profit above 1000.2, where this LONG would open, asked 1000.2: it would close at once',
    ],
    ['at the market', 'SHORT', { stopLoss: 1000.1, takeProfit: 999.9 }, 'sent'],
    [
      'a stop at the price',
      'SHORT',
      { stopLoss: 1000 },
      'stop-loss above 1000.0, where this SHORT would open, asked 1000.0: it would close at once',
    ],
    [
      'a profit at the price',
      'SHORT',
      { takeProfit: 1000 },
      'take-profit below 1000.0, where this SHORT would open, asked 1000.0: it would close at once',
    ],
    ['a limit that rests', 'LONG', { limit: 990, stopLoss: 989.9, takeProfit: 990.1 }, 'sent'],
    [
      'its stop at the limit',
      'LONG',
      { limit: 990, stopLoss: 990 },
      'stop-loss below 990.0, where this LONG would open, asked 990.0: it would close at once',
    ],
    [
      'its profit below',
      'LONG',
      { limit: 990, takeProfit: 989 },
      'take-profit above 990.0, where this LONG would open, asked 989.0: it would close at once',
    ],
    ['a limit that rests', 'SHORT', { limit: 1010, stopLoss: 1010.1, takeProfit: 1009.9 }, 'sent'],
    [
      'its stop below',
      'SHORT',
      { limit: 1010, stopLoss: 1005 },
      'stop-loss above 1010.0, where this SHORT would open, asked 1005.0: it would close at once',
    ],
    ['a limit that takes opens at the quote', 'LONG', { limit: 1010, stopLoss: 1000.1, takeProfit: 1005 }, 'sent'],
    [
      'and its stop-loss is compared with that',
      'LONG',
      { limit: 1010, stopLoss: 1005 },
      'stop-loss below 1000.2, where this LONG would open, asked 1005.0: it would close at once',
    ],
    ['a limit that takes opens at the quote', 'SHORT', { limit: 990, stopLoss: 1000.1, takeProfit: 995 }, 'sent'],
    ['a trigger order opens at its trigger', 'LONG', { trigger: 1020, stopLoss: 1019.9, takeProfit: 1020.1 }, 'sent'],
    [
      'its stop above',
      'LONG',
      { trigger: 990, stopLoss: 995 },
      'stop-loss below 990.0, where this LONG would open, asked 995.0: it would close at once',
    ],
    ['a trigger order with a worse limit', 'LONG', { trigger: 1020, limit: 1022, takeProfit: 1021 }, 'sent'],
    [
      'a trigger order with a better limit',
      'LONG',
      { trigger: 1020, limit: 1015, stopLoss: 1017 },
      'stop-loss below 1015.0, where this LONG would open, asked 1017.0: it would close at once',
    ],
    ['a trigger order opens at its trigger', 'SHORT', { trigger: 980, limit: 978, stopLoss: 980.1, takeProfit: 979 }, 'sent'],
    [
      'its profit above',
      'SHORT',
      { trigger: 980, takeProfit: 981 },
      'take-profit below 980.0, where this SHORT would open, asked 981.0: it would close at once',
    ],
  ])('brackets on the right side of the entry: %s, %s %o', (_name, side, { trigger, ...terms }, expected) => {
    const [{ act }, fields] = [limited({}), { size: 0.01, ...terms }];
    const said = act((market, ctx) => {
      return trigger === undefined ? ctx.open(market, side, fields) : ctx.placeTrigger({ market, side, trigger, ...fields });
    });
    expect(said).toBe(expected === 'sent' ? 'sent' : `exit-side: ${expected}`);
  });

  test('a modify checks its brackets against its new price; without brackets nothing', () => {
    const { r, act } = limited({});
    expect(act((m, ctx) => ctx.open(m, 'LONG', { size: 0.01, limit: 990, stopLoss: 980 }))).toBe('sent');
    r.venue.accepted(1, 'v1');
    expect(act((_, ctx) => ctx.modify(1, { limit: 985, stopLoss: 985 }))).toMatch(/^exit-side: stop-loss below 985.0/);
    expect(act((_, ctx) => ctx.modify(1, { limit: 979 }))).toBe('sent');
    r.venue.accepted(2, 'v2');
    expect(act((_, ctx) => ctx.modify(2, { stopLoss: 978.9 }))).toBe('sent');
  });

  test('without a book, brackets are checked against the last trade', () => {
    const r = rig();
    r.kernel.inbox.start();
    r.kernel.inbox.onTrade(0, 9_990, 1, 0);
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01, stopLoss: 999 })).toBe(0);
    expect(r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01, stopLoss: 998.9 })).toBeGreaterThan(0);
  });

  test('stale data refuses opens and allows closes', () => {
    const refusals: string[] = [];
    const r = pushedRig(
      {
        onTimer(name, ctx) {
          const m = ctx.markets[0]!;
          if (name === 'open') ctx.open(m, 'LONG', { size: 0.01 });
          else ctx.close(m, 'LONG');
        },
        onOrder: (e) => (e.state === 'refused' ? refusals.push(e.reason) : 0),
      },
      { risk: { staleAfterMs: 1000 } },
    );
    fillAt(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01 }), 10);
    r.ctx().setTimer('open', 1000);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    r.advance(1000);
    expect([r.venue.commands.length, refusals]).toEqual([2, []]);
    r.ctx().setTimer('open', 1);
    r.ctx().setTimer('close', 2);
    r.advance(1);
    r.kernel.inbox.runTimers(r.clock.time + 1);
    r.clock.time += 10;
    r.kernel.inbox.runTimers(r.clock.time);
    expect(refusals).toEqual(['stale-data']);
    expect(r.venue.last().effect).toBe(1);
  });

  test('new trades do not make an old quote fresh', () => {
    const refusals: string[] = [];
    const r = pushedRig(
      {
        onTrade: (_, m, ctx) => void ctx.open(m, 'LONG', { size: 0.01 }),
        onOrder: (e) => (e.state === 'refused' ? refusals.push(e.reason) : 0),
      },
      { risk: { staleAfterMs: 1000 } },
    );
    const trade = (at: number): void => {
      r.clock.time = at;
      r.kernel.inbox.onTrade(0, 10_000, 1, 0);
    };
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    const quoted = r.clock.time;
    trade(quoted + 1000);
    expect([r.venue.commands.length, refusals]).toEqual([1, []]);
    trade(quoted + 1001);
    expect([r.venue.commands.length, refusals]).toEqual([1, ['stale-data']]);
  });

  test('a quote that the venue has not renewed is old, however often it repeats it [M4]', () => {
    const r = polledRig({ onQuote: () => undefined }, { risk: { staleAfterMs: 1000 } });
    const quotes = (venueTime: number): Answer => ({
      kind: 'quotes',
      quotes: [{ instrument: 0, bid: 10_000, bidSize: 5_000, ask: 10_002, askSize: 5_000, venueTime }] as never,
    });
    /** The venue's clock is an hour ahead of ours; its quote is newer than the last, and this old in ms when it answers. */
    const open = (ageMs: number): string => {
      r.advance(ageMs + 10);
      const before = r.venue.commands.length;
      const refused = refusedStale(r);
      for (let wait = 0; !r.open.some((query) => query.kind === 'quotes'); wait++) {
        expect(wait).toBeLessThan(100);
        r.advance(10);
      }
      const clock = r.clock.time + 3_600_000;
      const [query] = r.open.splice(
        r.open.findIndex(({ kind }) => kind === 'quotes'),
        1,
      );
      r.venue.answered(query!, quotes(clock - ageMs), r.clock.time, clock);
      r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01 });
      r.ctx().setTimer('turn', 1);
      r.advance(5);
      return r.venue.commands.length > before ? 'sent' : refusedStale(r) > refused ? 'stale' : 'nothing';
    };
    for (const age of [0, 900]) expect(open(age)).toBe('sent');
    for (const age of [1001, 1200, 3000]) expect(open(age), String(age)).toBe('stale');
    expect(open(0)).toBe('sent');
    expect(r.ctx().markets[0]!.ageMs).toBeLessThan(10);
  });

  test('a flood of intents is stopped, cancels are not [S4]', () => {
    const { r, act } = limited({ maxIntentsPerSecond: 3 });
    for (let k = 0; k < 3; k++) expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01))).toBe('sent');
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01))).toBe('flood: at most 3 intents in a second');
    r.venue.accepted(1, 'v1');
    expect(act((_, ctx) => ctx.cancel(1))).toBe('sent');
    r.clock.time += 999;
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01))).toMatch(/nothing|flood/);
    r.clock.time += 1001;
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    expect(act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01))).toBe('sent');
  });

  test('a flood is counted over any second, however long it lasts', () => {
    const { r, act } = limited({ maxIntentsPerSecond: 2 });
    const at = (ms: number): string => {
      r.clock.time = START + ms;
      r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
      return act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01));
    };
    expect([0, 400].map(at)).toEqual(['sent', 'sent']);
    for (const turn of [1000, 2000, 3000]) {
      expect(at(turn - 1)).toMatch(/^flood/);
      expect(at(turn)).toBe('sent');
      expect(at(turn + 399)).toMatch(/^flood/);
      expect(at(turn + 400)).toBe('sent');
    }
  });

  test('cancels push older intents out of the count, not the newest', () => {
    const { r, act } = limited({ maxIntentsPerSecond: 2 });
    const at = (ms: number, what: Parameters<typeof act>[0]): string => {
      r.clock.time = START + ms;
      r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
      return act(what);
    };
    const limit: Parameters<typeof act>[0] = (m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.01);
    expect(at(0, limit)).toBe('sent');
    r.venue.accepted(1, 'v1');
    expect(at(500, limit)).toBe('sent');
    r.venue.accepted(2, 'v2');
    expect(at(600, (_, ctx) => ctx.cancel(1))).toBe('sent');
    expect(at(1499, limit)).toMatch(/^flood/);
    expect(at(1500, limit)).toBe('sent');
    expect(at(1599, limit)).toMatch(/^flood/);
    expect(at(1600, limit)).toBe('sent');
  });

  test('a position below the minimum size may be closed whole', () => {
    const instrument = createInstrument({ ...BTCUSDT, minSize: '0.005' }, 0);
    const r = pushedRig({}, { instruments: [instrument] });
    const [market] = r.ctx().markets;
    const n = r.ctx().open(market!, 'LONG', { size: '0.005' });
    r.venue.pushedFill(n, 3, 10_000);
    r.venue.pushedEnd(n, CANCELLED);
    expect(r.ctx().close(market!, 'LONG', { size: '0.002' })).toBe(0);
    expect(r.ctx().close(market!, 'LONG')).toBeGreaterThan(0);
    expect(r.venue.last()).toMatchObject({ effect: CLOSE, size: 3 });
  });

  test('a shrinking order does not hide a position beyond its limit', () => {
    const { r, act } = limited({ maxPosition: { '*': '1' } }, { liquidation: 'adopt' });
    act((m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, 0.6));
    r.venue.accepted(1, 'v1');
    r.venue.pushedOwnFill(0, LONG, OPEN, 600, 10_000);
    expect(act((_, ctx) => ctx.modify(1, { size: 0.3 }))).toBe('max-position: at most 1.000 a leg, 1.200 if every live order fills');
  });

  test('brackets of a closing order are left to the venue', () => {
    const { r, act } = limited({});
    fillAt(r, r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: '0.5' }), 500);
    expect(act((m, ctx) => ctx.close(m, 'LONG', { size: 0.1, limit: 1001, stopLoss: 1010 }))).toBe('sent');
  });

  test('nothing is accepted before the kernel is armed, or without a first price', () => {
    const seen: number[] = [];
    const r = pushedRig(
      { onStart: (ctx) => seen.push(ctx.open(ctx.markets[1]!, 'LONG', { size: 1 })) },
      { instruments: [btc(0), btc(1, 'ETHUSDT')] },
    );
    expect(seen).toEqual([0]);
    expect(r.kernel.refusals()).toBe(1);
  });
});

describe('a spot order without observed spot prices', () => {
  const spotOf = (symbol: string) =>
    createInstrument(
      {
        symbol,
        product: 'spot',
        baseCoin: 'BTC',
        quoteCoin: 'USDT',
        tickSize: '0.01',
        lotSize: '0.0001',
        minSize: '0.0001',
        maxSize: '10',
        minNotional: '5',
        makerFeeRate: '0.001',
        takerFeeRate: '0.001',
      },
      1,
    );
  /** The futures contract is at 1,000.0 / 1,000.2; the collar is 10 %, a quote may be a second old. */
  const rigged = (symbol: string) => {
    const refusals: string[] = [];
    const r = pushedRig(
      { onOrder: (e: OrderEvent) => (e.state === 'refused' ? refusals.push(`${e.reason}: ${e.message}`) : 0) },
      { instruments: [btc(0), spotOf(symbol), btc(2, 'ETHUSDT')], risk: { priceCollar: 0.1, staleAfterMs: 1_000 } },
    );
    r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
    const buy = (terms: { readonly size: string; readonly limit?: string }): string => {
      refusals.length = 0;
      const [n] = r.ctx().spot([{ market: r.ctx().markets[1]!, direction: 'BUY', ...terms }]);
      r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
      return n! > 0 ? 'sent' : refusals.join();
    };
    return { r, buy };
  };

  test('is checked against the futures contract of its symbol, on its own grid', () => {
    const { r, buy } = rigged('BTCUSDT');
    expect(buy({ size: '0.1' })).toBe('sent');
    // 10 % above the ask of 1,000.2 is the limit.
    expect(buy({ size: '0.1', limit: '1100.22' })).toBe('sent');
    expect(buy({ size: '0.1', limit: '1100.23' })).toMatch(/^price-collar: at most 10 % above 1000\.20, asked 1100\.23/);
    // 5 USDT are 0.00499… of a coin.
    expect(buy({ size: '0.005' })).toBe('sent');
    expect(buy({ size: '0.0049' })).toMatch(/^order-size/);
    // Market data of another symbol only.
    r.clock.time += 1_001;
    r.kernel.inbox.onQuote(2, 10_000, 5_000, 10_002, 5_000);
    expect(buy({ size: '0.1' })).toMatch(/^stale-data/);
    expect(r.kernel.status().counts).toMatchObject({
      'intent-refused price-collar': 1,
      'intent-refused order-size': 1,
      'intent-refused stale-data': 1,
    });
    // The strategy does not see prices that were not observed.
    expect(r.ctx().markets[1]!.bid).not.toBe(1000);
  });

  test('is checked against its own market once prices are observed', () => {
    const { r, buy } = rigged('BTCUSDT');
    r.kernel.inbox.onQuote(1, 200_000, 10, 200_010, 10);
    expect(buy({ size: '0.1', limit: '2000' })).toBe('sent');
    expect(buy({ size: '0.1', limit: '2200.12' })).toMatch(/^price-collar/);
  });

  test('is refused if there is no such contract', () => {
    const { buy } = rigged('XYZUSDT');
    expect(buy({ size: '0.1' })).toMatch(/^order-size/);
  });
});
