import { describe, expect, test } from 'vitest';
import { LONG, SHORT } from '../../../../src/domain/codes.ts';
import type { OrderEvent } from '../../../../src/engine/intents/events.ts';
import { EMPTY_SNAPSHOT } from '../../../../src/engine/recovery/registry.ts';
import {
  orderReport,
  polledRig,
  POLLS,
  positionReport,
  rejection,
  restarted,
  rig,
  settleReads,
  START,
} from '../../../support/engine/engine-kit.ts';

/** What a taker pays for these lots at this price in ticks. */
const feeOf = (lots: number, ticks: number): number => lots * ticks * 10_000 * 0.0006;

function collector() {
  const events: string[] = [];
  const onOrder = (e: OrderEvent): void => {
    events.push(
      `${e.order.number} ${e.state}${e.fillSize > 0 ? ` ${e.fillSize}@${e.fillPrice}` : ''}${e.reason === '' ? '' : ` (${e.reason})`}`,
    );
  };
  return { events, onOrder };
}

describe('polled venue: fills are inferred, silence proves nothing', () => {
  test('failing position reads right after arming halt opens, as later ones do', () => {
    const r = polledRig();
    expect(r.kernel.phase).toBe('armed');
    for (let second = 0; second < 17; second++) {
      for (const query of r.open.filter(({ kind }) => kind === 'positions')) r.venue.failed(query, 'venue-fault');
      r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'positions'));
      settleReads(r, [], []);
      r.advance(1_000);
    }
    expect(r.kernel.status().halts.map(({ code }) => code)).toContain('positions-unread');
  });

  test('the first read after a start ends the halt of the process before, whose last read nobody knows', () => {
    const halt = { scope: 'bot', code: 'positions-unread', by: 'bot', detail: 'd', since: 0, seq: 0 } as const;
    const r = restarted({ ...EMPTY_SNAPSHOT, halts: [halt] }, 0);
    const lifted = r.log.lines.filter(({ event }) => event === 'halt-lifted').map(({ fields }) => fields['why']);
    expect(lifted).toEqual(['the first read since the start']);
  });

  test.each([
    ['positions', 'positions-unread'],
    ['account', 'account-unread'],
  ] as const)('reads of %s that go on raise no halt; one begins when they fail, and ends with the next', (kind, code) => {
    const r = rig({}, { polls: POLLS });
    r.kernel.inbox.start();
    const isHalted = (seconds: number, fails: boolean): boolean => {
      for (let second = 0; second < seconds; second++) {
        if (fails && r.kernel.phase === 'armed') {
          const failing = r.open.filter((query) => query.kind === kind);
          r.open.splice(0, r.open.length, ...r.open.filter((query) => query.kind !== kind));
          for (const query of failing) r.venue.failed(query, 'venue-fault');
        }
        settleReads(r, [], []);
        r.advance(r.kernel.phase === 'armed' ? 1_000 : 1);
      }
      return r.kernel.status().halts.some((halt) => halt.code === code);
    };
    // Those that fail from the first moment on are noticed, too.
    expect(isHalted(100, true)).toBe(true);
    expect(isHalted(5, false)).toBe(false);
    expect(r.log.lines.filter(({ event }) => event === 'halt-lifted').at(-1)!.fields['why']).toMatch(/^read again after [\d.]+ s$/);
    expect(isHalted(100, false)).toBe(false);
    expect(isHalted(100, true)).toBe(true);
  });

  test('a market order is read back at once and shows its average price', () => {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const n = r.ctx().open(m, 'LONG', { size: 0.01 });
    r.clock.time += 5;
    r.venue.accepted(n, 'v1');
    expect(r.open.map((q) => q.kind)).toContain('history');
    r.clock.time += 5;
    settleReads(r, [orderReport(r.venue.last(), 'filled', { averagePrice: 1000.2 })], [positionReport(LONG, 10)]);
    expect(events).toEqual([`${n} working`, `${n} working 0.01@1000.2`, `${n} filled`]);
    expect(m.long.size).toBe(0.01);
    r.advance(2000);
    settleReads(r, [], [positionReport(LONG, 10)]);
    expect(m.long.size).toBe(0.01);
    expect(r.log.events()).not.toContain('external');
  });

  /** A polled rig with an accepted order. `positions` answers the current or next read of positions with a LONG leg. */
  function taken(make: (r: ReturnType<typeof polledRig>) => number) {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const n = make(r);
    const command = r.venue.last();
    r.clock.time += 5;
    r.venue.accepted(n, 'v1');
    events.length = 0;
    const positions = (lots: number): void => {
      r.advance(r.open.some((q) => q.kind === 'positions') ? 5 : 1000);
      r.answer({ kind: 'positions', positions: [positionReport(LONG, lots, { updatedAt: r.clock.time })] });
    };
    const record = (...report: Parameters<typeof orderReport> | []): void => {
      r.clock.time += 5;
      r.answer({ kind: 'history', orders: report.length === 0 ? [] : [orderReport(...report)] });
    };
    return { r, n, events, command, positions, record };
  }
  const opened = (r: ReturnType<typeof polledRig>): number => r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01 });

  test('a position ahead of the order record waits for the average price', () => {
    const { r, n, events, command, positions, record } = taken(opened);
    positions(10);
    expect([events, r.records.filter((x) => x.kind === 'fill')]).toEqual([[], []]);
    record(command, 'filled', { averagePrice: 1000.3 });
    expect(events).toEqual([`${n} working 0.01@1000.3`, `${n} filled`]);
    expect(r.records.filter((x) => x.kind === 'fill').map((x) => x.data['ticks'])).toEqual([10_003]);
    positions(10);
    positions(10);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.log.events()).not.toContain('external');
  });

  test('a leg missing from a read is settled by the record of the close', () => {
    const { r, command, positions, record } = taken(opened);
    record(command, 'filled', { averagePrice: 1000.2 });
    positions(10);
    const m = r.ctx().markets[0]!;
    const open = (): number => r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const resting = open();
    expect(resting, 'the position size is certain').toBeGreaterThan(0);
    r.ctx().cancel(resting);
    r.venue.accepted(r.venue.last().seq, '');
    const close = r.ctx().close(m, 'LONG', {});
    const sent = r.venue.last();
    r.clock.time += 5;
    r.venue.accepted(close, 'v3');
    const at = r.open.findIndex((q) => q.kind === 'history');
    const [question] = r.open.splice(at, 1);
    r.advance(1000);
    r.answer({ kind: 'positions', positions: [] });
    expect(open(), 'only the list may be incomplete').toBe(0);
    r.clock.time += 5;
    const orders = [orderReport(sent, 'filled', { averagePrice: 1000, updatedAt: r.clock.time })];
    r.venue.answered(question!, { kind: 'history', orders }, r.clock.time - 1, r.clock.time);
    expect(m.long.size).toBe(0);
    expect(open(), 'the record agrees with the read').toBeGreaterThan(0);
  });

  test('a partial fill has the average price of its end record and the size of the position', () => {
    const { r, n, events, command, positions, record } = taken(opened);
    record(command, 'cancelled', { averagePrice: 1000.4, fee: feeOf(4, 10_004) });
    expect(events).toEqual([`${n} working 0.001@1000.4`, `${n} cancelled (cancelled)`]);
    positions(4);
    expect(events.slice(2)).toEqual([`${n} cancelled 0.003@1000.4`]);
    expect(r.ctx().order(n)).toBeNull();
  });

  test('a filled size in records proves a partial fill at once, without a fee or a position', () => {
    const { r, n, events, command, record } = taken(opened);
    record(command, 'cancelled', { averagePrice: 1000.4, filled: 4 });
    expect(events).toEqual([`${n} working 0.004@1000.4`, `${n} cancelled (cancelled)`]);
    expect(r.ctx().order(n), 'nothing is left to find out').toBeNull();
  });

  test('a marketable limit order fills at the average price of its record', () => {
    const takes = taken((r) => r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 1000.6, 0.01));
    takes.positions(10);
    expect(takes.events).toEqual([]);
    takes.record(takes.command, 'filled', { averagePrice: 1000.2 });
    expect(takes.events).toEqual([`${takes.n} working 0.01@1000.2`, `${takes.n} filled`]);
  });

  test('a position change is assigned to no order before its record shows a trade [outcomes 2.8]', () => {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const one = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const other = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const both = [...r.venue.commands];
    for (const c of both) r.venue.accepted(c.seq, `v${c.seq}`);
    events.length = 0;
    const read = (traded: number, at = START + 10): void => {
      r.advance(1000);
      settleReads(
        r,
        both.map((c) => orderReport(c, c.seq === traded ? 'partial' : 'open', { averagePrice: c.seq === traded ? 999 : 0, updatedAt: at })),
        [positionReport(LONG, 4, { updatedAt: START + 10 })],
      );
    };
    read(0, START);
    expect(events).toEqual([]);
    expect(m.long).toMatchObject({ size: 0, opening: 0.02 });
    read(other);
    expect(events.map((e) => e.replace(/ 0.00\d@999/, ' some'))).toContain(`${other} working some`);
    // No fee shows its lots, and no history as late as the change: that nobody else traded is known after the longest lag.
    for (let reads = 0; reads < 14; reads++) read(other);
    expect([r.ctx().order(one)!.filled, r.ctx().order(other)!.filled]).toEqual([0, 0.004]);
    expect(m.long).toMatchObject({ size: 0.004, opening: 0.016 });
    expect(r.log.events()).not.toContain('position-external');
  });

  test('the record of the order proves a whole fill', () => {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const low = r.ctx().limit(m, 'LONG', 'OPEN', 998, 0.01);
    const high = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const both = [...r.venue.commands];
    for (const c of both) r.venue.accepted(c.seq, `v${c.seq}`);
    r.advance(1500);
    settleReads(
      r,
      both.map((c) => orderReport(c, c.seq === high ? 'filled' : 'open', { averagePrice: c.seq === high ? 999 : 0 })),
      [positionReport(LONG, 10)],
    );
    expect(r.ctx().order(high)).toBeNull();
    expect(r.ctx().order(low)!.filled).toBe(0);
    expect(events.filter((e) => e.includes('@'))).toEqual([`${high} working 0.01@999`]);
    expect(m.long).toMatchObject({ size: 0.01, opening: 0.01 });
  });

  test('a working order missing from one read is read by client id and stays alive', () => {
    const r = polledRig();
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.advance(1500);
    settleReads(r, [], []);
    expect(r.ctx().order(n)!.state).toBe('working');
    r.advance(1000);
    settleReads(r, [orderReport(r.venue.last(), 'open')], []);
    expect(r.ctx().order(n)!.state).toBe('working');
  });

  test('a read sent before our command is not compared with the order of that command', () => {
    const r = polledRig();
    r.advance(1200);
    const before = r.clock.time;
    r.clock.time += 10;
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(n, 'v1');
    r.answer({ kind: 'pending', orders: [] }, before);
    expect(r.open.filter((q) => q.kind === 'history')).toEqual([]);
  });

  test('an unexplained change is reported as external after the second read', () => {
    const seen: string[] = [];
    const r = polledRig({ onPosition: (e) => seen.push(`${e.position.side} ${e.change} ${e.external}`) });
    r.advance(1000);
    settleReads(r, [], [positionReport(SHORT, 7)]);
    expect(seen).toEqual([]);
    r.advance(1000);
    settleReads(r, [], [positionReport(SHORT, 7)]);
    expect(seen).toEqual(['SHORT 0.007 true']);
    expect(r.log.events()).toContain('external');
  });

  test.each(['accepted', 'unknown'] as const)('an order read as filled before its modify is %s replaces the earlier order', (outcome) => {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const m = r.ctx().markets[0]!;
    const a = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    r.venue.accepted(a, 'v1');
    r.clock.time += 5;
    const b = r.ctx().modify(a, { limit: 999.5 });
    r.advance(1000);
    settleReads(r, [orderReport(r.venue.last(), 'filled', { averagePrice: 999.5 })], [positionReport(LONG, 10)]);
    r.venue[outcome](b, 'v2');
    expect(events.slice(-3)).toEqual([`${a} replaced`, `${b} submitting 0.01@999.5`, `${b} filled`]);
    expect([m.orders.length, m.long.opening, m.long.size, m.isHalted]).toEqual([0, 0, 0.01, false]);
    expect(r.kernel.isQuiet).toBe(true);
  });

  test('unproven fills of a cancelled order count pessimistically until its record is read', () => {
    const r = polledRig({ onOrder: () => undefined });
    const m = r.ctx().markets[0]!;
    const n = r.ctx().limit(m, 'LONG', 'OPEN', 999, 0.01);
    const command = r.venue.last();
    r.venue.accepted(n, 'v1');
    r.advance(5);
    r.ctx().cancel(n);
    r.venue.accepted(r.venue.last().seq, 'v1');
    expect(r.ctx().order(n)).toMatchObject({ state: 'cancelled', filledIsFinal: false });
    r.kernel.inbox.onQuote(0, 10_000, 1, 10_002, 1);
    r.advance(1500);
    settleReads(r, [], [positionReport(LONG, 4)]);
    expect([m.long.size, r.ctx().order(n)!.filledIsFinal]).toEqual([0, false]);
    r.advance(1000);
    settleReads(r, [orderReport(command, 'cancelled', { averagePrice: 999, updatedAt: START })], [positionReport(LONG, 4)]);
    for (let reads = 0; reads < 14; reads++) {
      r.advance(1000);
      settleReads(r, [], [positionReport(LONG, 4)]);
    }
    expect(m.long.size).toBe(0.004);
    expect(r.ctx().order(n)).toBeNull();
    expect(
      r.records
        .filter((x) => x.kind === 'fill')
        .map((x) => Number(x.data['lots']))
        .reduce((a, b) => a + b),
    ).toBe(4);
  });

  test('a cancel answered by "not found" is verified by a read', () => {
    const { events, onOrder } = collector();
    const r = polledRig({ onOrder });
    const n = r.ctx().limit(r.ctx().markets[0]!, 'LONG', 'OPEN', 999, 0.01);
    const place = r.venue.last();
    r.venue.accepted(n, 'v1');
    r.ctx().cancel(n);
    r.venue.rejected(r.venue.last().seq, rejection('order-not-found'));
    expect(r.ctx().order(n)!.state).toBe('cancelling');
    r.advance(1500);
    settleReads(r, [orderReport(place, 'filled', { averagePrice: 999 })], [positionReport(LONG, 10)]);
    expect(events.at(-1)).toBe(`${n} filled`);
  });
  test('an older quote is dropped, but one from the far future does not block later ones', () => {
    const r = polledRig();
    const m = r.ctx().markets[0]!;
    const say = (bid: number, venueTime: number): number => {
      r.advance(200);
      const quote = { instrument: 0, bid, bidSize: 1, ask: bid + 2, askSize: 1, venueTime };
      r.answer({ kind: 'quotes', quotes: [quote] as never });
      return m.bid;
    };
    const now = r.clock.time;
    expect(say(10_100, now)).toBe(1010);
    expect(say(10_200, now - 1)).toBe(1010);
    expect(say(10_300, now * 1000)).toBe(1030);
    expect(say(10_400, now + 600)).toBe(1040);
    expect(say(10_500, now + 599)).toBe(1040);
  });
});
