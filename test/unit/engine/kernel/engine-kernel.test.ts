import { describe, expect, test } from 'vitest';
import { CANCEL, CLOSE, DIRECTIONS, LIMIT, LONG, MARKET, MODIFY, OPEN, PLACE, SHORT } from '../../../../src/domain/codes.ts';
import { CANCELLED, FILLED } from '../../../../src/domain/orders/order.ts';
import { QuietBand } from '../../../../src/engine/strategy/rows.ts';
import type { OrderEvent } from '../../../../src/engine/intents/events.ts';
import type { Trade } from '../../../../src/engine/intents/market-types.ts';
import { btc, pushedRig, rejection, rig, type Rig, START } from '../../../support/engine/engine-kit.ts';
import { foldRecords } from '../../../../src/engine/recovery/registry.ts';

function collector() {
  const events: string[] = [];
  const onOrder = (e: OrderEvent): void => {
    events.push(
      `${e.order.number} ${e.state}${e.fillSize > 0 ? ` ${e.fillSize}@${e.fillPrice}` : ''}${e.reason === '' ? '' : ` (${e.reason})`}`,
    );
  };
  return { events, onOrder };
}

describe('an intent becomes a command', () => {
  test('prices never get worse and sizes round down', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    r.ctx().limit(m, 'LONG', 'OPEN', 999.97, 0.0129);
    expect(r.venue.last()).toMatchObject({ kind: PLACE, side: LONG, effect: OPEN, type: LIMIT, price: 9999, size: 12 });
    r.ctx().limit(m, 'SHORT', 'OPEN', '1000.31', '0.0129');
    expect(r.venue.last()).toMatchObject({ side: SHORT, price: 10_004, size: 12 });
    r.ctx().open(m, 'LONG', { size: '0.5', takeProfit: 1010.01, stopLoss: { trigger: '990.01', limit: '989.95' } });
    expect(r.venue.last()).toMatchObject({ type: MARKET, price: 0, takeProfit: 10_101, stopLoss: 9901, stopLossLimit: 9900 });
    r.ctx().open(m, 'SHORT', { size: '0.5', takeProfit: 990.09, stopLoss: 1010.09 });
    expect(r.venue.last()).toMatchObject({ takeProfit: 9900, stopLoss: 10_100 });
  });

  test.each([Number.NaN, Infinity, -1, 0, '0', '-1', 'abc', '', 1e300, 0.0001, null as never, undefined as never])(
    'a size of %s is refused and the strategy goes on',
    (size) => {
      const { events, onOrder } = collector();
      const r = pushedRig({ onQuote: (m, ctx) => ctx.limit(m, 'LONG', 'OPEN', 999, size), onOrder });
      r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
      expect(r.venue.commands).toEqual([]);
      expect(events).toEqual(['0 refused (bad-amount)', '0 refused (bad-amount)']);
      expect(r.kernel.refusals()).toBe(2);
      expect(r.log.lines.filter((l) => l.event === 'intent-refused')).toHaveLength(1);
      expect(r.kernel.status().strategies[0]).toMatchObject({ errors: 0, isDisabled: false });
    },
  );

  test('a bad side and a spot order on a futures market are refused', () => {
    const { events, onOrder } = collector();
    const r = pushedRig({ onOrder });
    const m = r.ctx().markets[0]!;
    expect(r.ctx().limit(m, 'UP' as never, 'OPEN', 999, 1)).toBe(0);
    expect(r.ctx().spot([{ market: m, direction: 'BUY', size: 1 }])).toEqual([0]);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    expect(events).toEqual(['0 refused (bad-side)', '0 refused (wrong-product)']);
  });

  test('a command is valid for the time of its kind, a cancel for ever', () => {
    const r = pushedRig({}, { timings: { marketValidMs: 1, limitValidMs: 2, closeValidMs: 3 } });
    const m = r.ctx().markets[0]!;
    const bought = r.ctx().open(m, 'LONG', { size: 0.01 });
    r.venue.accepted(bought, 'v1');
    r.venue.pushedFill(bought, 10, 10_000);
    const resting = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(resting, 'v2');
    r.ctx().close(m, 'LONG');
    const moved = r.ctx().modify(resting, { limit: 998 });
    r.venue.accepted(moved, 'v3');
    r.ctx().cancel(moved);
    expect(r.venue.commands.map((c) => c.validMs)).toEqual([1, 2, 3, 2, 0]);
  });

  test('the journal gets the command before the venue does', () => {
    const r = pushedRig();
    let recorded = 0;
    r.venue.onExecute = () => (recorded = r.records.filter((record) => record.kind === 'command').length);
    r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 1, true, 'because');
    expect(recorded).toBe(1);
    expect(r.records.at(-1)).toMatchObject({
      kind: 'command',
      seq: 1,
      data: { strategy: 'probe', reason: 'because', symbol: 'BTCUSDT', force: 1 },
    });
  });

  test('a journal of an earlier version, which says postOnly, is read with the same meaning', () => {
    const r = pushedRig();
    r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 1, true, 'because');
    const earlier = r.records.map(({ data, ...record }) => {
      const { force, ...facts } = data;
      return { ...record, data: { ...facts, postOnly: force } };
    });
    const [order] = foldRecords(null, earlier as typeof r.records).orders;
    expect(order).toEqual(foldRecords(null, r.records).orders[0]);
    expect(order).toMatchObject({ seq: 1, force: 1 });
  });
});

describe('outcomes and pushed ends', () => {
  test('an order goes from placed to filled and creates a position with its entry price', () => {
    const { events, onOrder } = collector();
    const changes: number[] = [];
    const r = pushedRig({ onOrder, onPosition: (e) => changes.push(e.change) });
    const m = r.ctx().markets[0]!;
    const n = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    expect(m.long.opening).toBe(0.01);
    r.venue.accepted(n, 'v1');
    r.venue.pushedFill(n, 4, 9990);
    expect(r.ctx().order(n)).toMatchObject({ filled: 0.004, remaining: 0.006, state: 'working', venueId: 'v1' });
    r.venue.pushedFill(n, 6, 9985);
    r.venue.pushedEnd(n, FILLED);
    expect(events).toEqual([`${n} working`, `${n} working 0.004@999`, `${n} working 0.006@998.5`, `${n} filled`]);
    expect(changes).toEqual([0.004, 0.006]);
    expect(m.long.size).toBe(0.01);
    expect(m.long.entryPrice).toBeCloseTo(998.7, 9);
    expect(m.long.opening).toBe(0);
    expect(r.ctx().order(n)).toBeNull();
    expect(m.orders).toHaveLength(0);
  });

  test('a fill and an end before the acceptance are applied as they arrive', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    const n = r.ctx().open(m, 'SHORT', { size: 0.01 });
    r.venue.pushedFill(n, 10, 10_000);
    r.venue.pushedEnd(n, FILLED);
    r.venue.accepted(n, 'v1');
    expect(m.short.size).toBe(0.01);
    expect(r.kernel.isQuiet).toBe(true);
  });

  test.each<[string, (r: Rig, n: number) => void, string[], number, number]>([
    ['a fill', (r, n) => r.venue.pushedFill(n, 4, 9980), ['1 replaced', '2 submitting 0.004@998', '2 working'], 0.016, 0.004],
    ['its last fill', (r, n) => r.venue.pushedFill(n, 20, 9980), ['1 replaced', '2 submitting 0.02@998', '2 filled'], 0, 0.02],
    ['its end', (r, n) => r.venue.pushedEnd(n, CANCELLED), ['1 replaced', '2 cancelled'], 0, 0],
  ])('%s of an order that overtakes the acceptance of its modify ends the one it replaced', (_, push, told, opening, held) => {
    const { events, onOrder } = collector();
    const r = pushedRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const old = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(old, 'v1');
    const next = r.ctx().modify(old, { limit: 998, size: 0.02 });
    expect(m.long.opening).toBe(0.02);
    events.length = 0;
    push(r, next);
    expect(m.long.opening).toBe(opening);
    r.venue.accepted(next, 'v2');
    expect(events).toEqual(told);
    expect([m.long.opening, m.long.size]).toEqual([opening, held]);
    expect(m.orders.map((o) => o.number)).toEqual(opening === 0 ? [] : [next]);
    expect(r.kernel.isQuiet).toBe(true);
  });

  test('an accepted replacement counts whole if the replaced order has ended before', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    const old = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(old, 'v1');
    const next = r.ctx().modify(old, { limit: 998 });
    r.venue.pushedEnd(old, CANCELLED);
    r.venue.accepted(next, 'v2');
    expect(m.long.opening).toBe(0.01);
    r.venue.pushedEnd(next, CANCELLED);
    expect(m.long.opening).toBe(0);
  });

  test('a cancel of a replaced order goes to its replacement', () => {
    const r = pushedRig();
    const old = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(old, 'v1');
    const next = r.ctx().modify(old, { limit: 998 });
    expect(r.ctx().cancel(old)).toBe(true);
    r.venue.pushedFill(next, 4, 9980);
    r.venue.accepted(next, 'v2');
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: next });
  });

  test('a bracket that the venue fired changes the leg', () => {
    const changes: number[] = [];
    const r = pushedRig({ onPosition: (e) => changes.push(e.change) });
    const m = r.ctx().markets[0]!;
    const n = r.ctx().open(m, 'LONG', { size: 0.01, stopLoss: 990 });
    r.venue.pushedFill(n, 10, 10_000);
    r.venue.pushedEnd(n, FILLED);
    r.venue.pushedOwnFill(0, LONG, CLOSE, 10, 9900);
    expect(m.long.size).toBe(0);
    expect(changes).toEqual([0.01, -0.01]);
  });

  test('events that arrive inside a step are processed after it, in order', () => {
    const order: string[] = [];
    const r = rig({
      onQuote(m, ctx) {
        order.push('quote');
        ctx.limit(m, 'LONG', 'OPEN', 999, 0.01);
        order.push(`after intent: ${ctx.markets[0]!.orders[0]!.state}`);
      },
      onOrder: (e) => order.push(e.state),
    });
    r.kernel.inbox.start();
    r.venue.onExecute = ({ seq }) => {
      r.venue.accepted(seq, 'v');
      r.venue.pushedFill(seq, 10, 9990);
      r.venue.pushedEnd(seq, FILLED);
    };
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    expect(order).toEqual(['quote', 'after intent: submitting', 'working', 'working', 'filled']);
  });

  test('a rejected command, an unsent command and a rejected cancel end as expected', () => {
    const { events, onOrder } = collector();
    const r = pushedRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.rejected(a, rejection('insufficient-balance'));
    const b = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.unsent(b, 'expired-in-queue');
    const c = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(c, 'v3');
    expect(r.ctx().cancel(c)).toBe(true);
    expect(r.ctx().cancel(c)).toBe(false);
    r.venue.rejected(r.venue.last().seq, rejection('system-error'));
    expect(r.ctx().order(c)!.state).toBe('working');
    expect(r.ctx().cancel(c)).toBe(true);
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: c, targetVenueId: 'v3' });
    r.venue.accepted(r.venue.last().seq, 'v3');
    expect(events).toEqual([
      `${a} rejected (insufficient-balance)`,
      `${b} refused (unsent)`,
      `${c} working`,
      `${c} working (system-error)`,
      `${c} cancelled`,
    ]);
    expect(m.long.opening).toBe(0);
  });

  test('a cancel before the acceptance waits, so that it cannot overtake the order', () => {
    const r = pushedRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    expect(r.ctx().cancel(n)).toBe(true);
    expect(r.venue.commands).toHaveLength(1);
    r.venue.accepted(n, 'v1');
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
  });

  test('a modify creates a new order and ends the old one; a rejected modify changes nothing', () => {
    const { events, onOrder } = collector();
    const r = pushedRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(a, 'v1');
    const b = r.ctx().modify(a, { limit: 998 });
    expect(r.venue.last()).toMatchObject({ kind: MODIFY, target: a, targetVenueId: 'v1', price: 9980, size: 10 });
    expect(m.long.opening).toBe(0.01);
    r.venue.rejected(b, rejection('price-invalid'));
    expect(r.ctx().order(a)!.state).toBe('working');
    const c = r.ctx().modify(a, { size: 0.03 });
    expect(m.long.opening).toBe(0.03);
    r.venue.accepted(c, 'v2');
    expect(m.orders.map((o) => o.number)).toEqual([c]);
    expect(m.long.opening).toBe(0.03);
    expect(r.ctx().modify(c, {})).toBe(0);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    expect(events).toContain(`${a} replaced`);
    expect(events.at(-1)).toBe('0 refused (nothing-to-modify)');
  });

  test('a partly filled order is not modified', () => {
    const r = pushedRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.venue.pushedFill(n, 1, 9990);
    expect(r.ctx().modify(n, { limit: 998 })).toBe(0);
  });
});

describe('isolation of a strategy', () => {
  test.each(['onQuote', 'onTrade', 'onOrder', 'onTimer', 'onStart', 'onStop'] as const)(
    '%s that returns a promise is a strategy error',
    async (handler) => {
      const later = (): any => Promise.reject(new Error('too late'));
      const r = pushedRig({ [handler]: later });
      r.kernel.inbox.onTrade(0, 10_000, 1, 0);
      r.ctx().setTimer('t', 1);
      r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', Number.NaN, 1);
      r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
      r.advance(5);
      r.kernel.inbox.stop();
      const fault = r.log.lines.find((line) => line.event === 'strategy-error');
      expect(fault?.fields).toMatchObject({ handler, error: expect.stringContaining(`${handler} gave back a promise`) });
      // No one handles the promise's rejection, and it must not end the program.
      await Promise.resolve();
    },
  );

  test('a promise from onTrade is an error for each bulk row; other values are ignored', async () => {
    const rows = {
      length: 30,
      time: Float64Array.from({ length: 30 }, (_, k) => START + k),
      price: new Int32Array(30).fill(10_000),
      size: new Int32Array(30).fill(1),
      side: new Uint8Array(30),
    };
    const takeAll = (r: ReturnType<typeof pushedRig>): void => {
      const taker = r.kernel.rowTaker(r.clock);
      for (let from = 0; from < 30;) from = r.kernel.takeTrades(taker, r.kernel.subscribersOf(0), rows, from, 30, new QuietBand());
    };
    const faulty = pushedRig({ onTrade: (): any => Promise.reject(new Error('too late')) });
    takeAll(faulty);
    const errors = faulty.log.lines.filter((line) => line.event === 'strategy-error');
    expect(errors).toHaveLength(10);
    expect(errors[0]!.fields).toMatchObject({ handler: 'onTrade', error: expect.stringContaining('onTrade gave back a promise') });
    expect(faulty.log.events()).toContain('strategy-disabled');
    await Promise.resolve();
    let seen = 0;
    const sound = pushedRig({ onTrade: (): any => ++seen });
    takeAll(sound);
    expect(seen).toBe(30);
    expect(sound.log.lines.filter((line) => line.event === 'strategy-error')).toEqual([]);
  });

  test('a bulk row that starts a bar ends the batch, so that the bar closes in time', () => {
    const r = pushedRig({ onBar: () => undefined });
    const rows = {
      length: 3,
      time: Float64Array.of(START, START + 1, START + 200_000),
      price: new Int32Array(3).fill(10_000),
      size: new Int32Array(3).fill(1),
      side: new Uint8Array(3),
    };
    const taker = r.kernel.rowTaker(r.clock);
    expect(r.kernel.takeTrades(taker, r.kernel.subscribersOf(0), rows, 0, 3, new QuietBand())).toBe(1);
    expect(r.kernel.nextTimer).toBeLessThan(START + 200_000);
  });

  test('a bulk quote whose bid is not below its ask is left to the way of single rows', () => {
    for (const ask of [10_000, 9_999]) {
      const seen: number[] = [];
      const r = pushedRig({ onQuote: ({ bid }) => void seen.push(bid) });
      const rows = {
        time: Float64Array.of(START + 1, START + 2, START + 3),
        bid: Int32Array.of(9_990, 10_000, 9_991),
        bidSize: new Int32Array(3).fill(1),
        ask: Int32Array.of(10_002, ask, 10_002),
        askSize: new Int32Array(3).fill(1),
      };
      seen.length = 0;
      expect(r.kernel.takeQuotes(r.kernel.rowTaker(r.clock), r.kernel.subscribersOf(0), rows, 0, 3, new QuietBand())).toBe(1);
      expect(seen).toEqual([999]);
    }
  });

  test('the newest trade stays valid when its columns are overwritten', () => {
    let kept: Trade | undefined;
    const r = pushedRig({ onTrade: (trade) => void (kept = trade) });
    const rows = {
      length: 2,
      time: Float64Array.of(START, START + 1),
      price: Int32Array.of(10_000, 10_001),
      size: Int32Array.of(1, 70),
      side: Uint8Array.of(0, 1),
    };
    const taker = r.kernel.rowTaker(r.clock);
    expect(r.kernel.takeTrades(taker, r.kernel.subscribersOf(0), rows, 0, 2, new QuietBand())).toBe(2);
    for (const column of [rows.time, rows.price, rows.size, rows.side]) column.fill(0);
    expect(kept).toMatchObject({ ticks: 10_001, lots: 70, aggressor: DIRECTIONS[1], time: START + 1 });
    r.clock.time = START + 2;
    r.kernel.inbox.onTrade(0, 10_002, 5, 0);
    expect(kept).toMatchObject({ ticks: 10_002, lots: 5, aggressor: DIRECTIONS[0], time: START + 2 });
  });

  test('its errors are logged with names; the tenth disables it and cancels its orders', () => {
    let ordered = 0;
    const r = pushedRig({
      onStart: (ctx) => ctx.log('ready'),
      onQuote(m, ctx) {
        if (ordered === 0) ordered = ctx.limit(m, 'LONG', 'OPEN', 999, 0.01);
        throw new Error('boom');
      },
    });
    r.venue.accepted(ordered, 'v1');
    for (let k = 0; k < 20; k++) r.kernel.inbox.onQuote(0, 10_000 - k, 1, 10_002, 1);
    const errors = r.log.lines.filter((l) => l.event === 'strategy-error');
    expect(errors).toHaveLength(10);
    expect(errors[0]!.fields).toMatchObject({ strategy: 'probe', handler: 'onQuote' });
    expect(r.log.events()).toContain('strategy-disabled');
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: ordered });
  });

  test('its errors are logged with frames of its own files, each stack once', () => {
    let quotes = 0;
    const r = pushedRig({
      onQuote(_market, ctx) {
        quotes++;
        if (quotes > 2) ctx.open({} as never, 'LONG', { size: 1 });
        throw new Error(`boom ${quotes}`);
      },
    });
    for (let k = 0; k < 4; k++) r.kernel.inbox.onQuote(0, 10_000 - k, 1, 10_002, 1);
    const told = r.log.lines.filter((line) => line.event === 'strategy-error').map((line) => String(line.fields?.['error']));
    const place = '\n    at (Object\\.)?onQuote \\(.*/test/unit/engine/kernel/engine-kernel\\.test\\.ts:\\d+:\\d+\\)';
    expect(told[0]).toMatch(new RegExp(`^Error: boom 1${place}$`));
    expect(told[1]).toBe('Error: boom 2');
    expect(told[2]).toMatch(new RegExp(`^TypeError: .*${place}$`));
    expect(told[3]).toBe(told[2]!.split('\n')[0]);
  });

  test('its log lines name the strategy and its text', () => {
    const r = pushedRig({ onStart: (ctx) => ctx.log('warmed-up', { bars: 30 }) });
    expect(r.log.lines.filter((line) => line.event === 'strategy-log').map((line) => line.fields)).toEqual([
      { strategy: 'probe', says: 'warmed-up', bars: 30 },
    ]);
  });

  test('a strategy that answers every refusal with another intent is stopped', () => {
    const r = pushedRig({
      onOrder: (e, ctx) => ctx.limit(e.order.market, 'LONG', 'OPEN', 9999, 1),
    });
    r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 9999, 1);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    expect(r.kernel.status().strategies[0]!.isDisabled).toBe(true);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
  });

  test('timers fire once, move when set again, and cannot be set into the past', () => {
    const fired: string[] = [];
    const r = pushedRig({ onTimer: (name, ctx) => fired.push(`${name}@${ctx.now - START}`) });
    r.ctx().setTimer('a', 100);
    r.ctx().setTimer('a', 200);
    r.ctx().setTimer('b', 150);
    r.ctx().setTimer('c', 160);
    r.ctx().cancelTimer('c');
    expect(() => r.ctx().setTimer('d', 0)).toThrow(RangeError);
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    expect(r.kernel.nextTimer).toBe(START + 150);
    r.advance(1000);
    expect(fired).toEqual(['b@150', 'a@200']);
  });

  test('random numbers and saved state are a function of seed and snapshot', () => {
    const values = [1, 1, 2].map((seed) => pushedRig({}, { seed }).ctx().random());
    expect(values[0]).toBe(values[1]);
    expect(values[0]).not.toBe(values[2]);
    let restored = '';
    const first = pushedRig({ save: () => 'kept' });
    const second = rig({ restore: (state) => (restored = state) });
    second.kernel.restore(first.kernel.snapshot());
    second.kernel.inbox.start();
    expect(restored).toBe('kept');
  });
});

describe('closing and stopping', () => {
  test('close without a size closes what no live order closes yet', () => {
    const r = pushedRig();
    const m = r.ctx().markets[0]!;
    expect(r.ctx().close(m, 'LONG')).toBe(0);
    const n = r.ctx().open(m, 'LONG', { size: 0.01 });
    r.venue.pushedFill(n, 10, 10_000);
    r.venue.pushedEnd(n, FILLED);
    r.ctx().limit(m, 'LONG', 'CLOSE', 1001, 0.004);
    r.ctx().close(m, 'LONG');
    expect(r.venue.last()).toMatchObject({ effect: CLOSE, size: 6, type: MARKET });
    expect(r.ctx().close(m, 'LONG')).toBe(0);
  });

  test('after stop only cancels are accepted, and no market events are delivered', () => {
    const r = pushedRig({ onStop: (ctx) => ctx.cancelAll() });
    const m = r.ctx().markets[0]!;
    const n = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.kernel.inbox.stop();
    expect(r.venue.last()).toMatchObject({ kind: CANCEL, target: n });
    expect(r.kernel.isQuiet).toBe(false);
    r.venue.accepted(r.venue.last().seq, '');
    r.venue.pushedEnd(n, CANCELLED);
    expect(r.kernel.isQuiet).toBe(true);
    expect(r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01)).toBe(0);
    expect(r.ctx().close(m, 'LONG', { size: 0.01 })).toBe(0);
    r.kernel.close();
    expect(r.kernel.phase).toBe('stopped');
  });

  test('two instruments keep separate orders and legs', () => {
    const r = pushedRig({}, { instruments: [btc(0), btc(1, 'ETHUSDT')] });
    r.kernel.inbox.onQuote(1, 20_000, 1, 20_002, 1);
    const [a, b] = r.ctx().markets;
    r.ctx().limit(a!, 'LONG', 'OPEN', 999, 0.01);
    r.ctx().limit(b!, 'LONG', 'OPEN', 1999, 0.02);
    expect([a!.long.opening, b!.long.opening, a!.orders.length, b!.orders.length]).toEqual([0.01, 0.02, 1, 1]);
    expect(r.ctx().market('ETHUSDT')).toBe(b);
    expect(() => r.ctx().market('XRPUSDT')).toThrow(/does not trade XRPUSDT/);
  });
});
