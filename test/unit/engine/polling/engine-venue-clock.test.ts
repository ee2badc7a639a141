/** What the bot does while answers of the venue have a wrong time: reads are dropped and told, nothing opens, exits read again. */
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../src/domain/codes.ts';
import type { OrderReport } from '../../../../src/domain/report.ts';
import type { Query } from '../../../../src/ports/venue.ts';
import { orderReport, POLLS, polledRig, positionReport, rig, settleReads, START, type Rig } from '../../../support/engine/engine-kit.ts';

/** Largest lag of a list. */
const SETTLE_MS = 12_000;

/** Answers every query as a venue that holds so many lots, on a clock that is `off`; each answer takes no time. */
function answer(r: Rig, lots: number, off: number, only = (_query: Query): boolean => true): void {
  const rest: Query[] = [];
  const held = lots > 0 ? [positionReport(LONG, lots, { updatedAt: r.clock.time - 500 })] : [];
  for (let k = 0; r.open.length > 0 && k < 50; k++) {
    const [query] = r.open.splice(0, 1);
    if (!only(query!)) {
      rest.push(query!);
      continue;
    }
    r.open.unshift(query!);
    const others = r.open.splice(1);
    settleReads(r, [], held, r.clock.time + off);
    r.open.push(...others);
  }
  r.open.push(...rest);
}

function opens(r: Rig): boolean {
  const before = r.venue.commands.length;
  r.ctx().open(r.ctx().markets[0]!, 'LONG', { size: 0.01 });
  return r.venue.commands.length > before;
}

/** Answers the open reads of quotes with one of this bid, as of `ts`, in an answer of `venueTime`. */
function quote(r: Rig, bid: number, ts: number, venueTime: number): void {
  const one = { instrument: 0, bid, bidSize: 5_000, ask: bid + 2, askSize: 5_000, venueTime: ts };
  const at = r.open.findIndex(({ kind }) => kind === 'quotes');
  if (at < 0) return;
  const [query] = r.open.splice(at, 1);
  r.venue.answered(query!, { kind: 'quotes', quotes: [one] as never }, r.clock.time, venueTime);
}

const isPublic = ({ kind }: Query): boolean => kind === 'quotes' || kind === 'trades';

describe('dropped reads', () => {
  test('three position reads 20 s ahead: they are told, nothing opens, and the next right one is used [N12]', () => {
    const r = polledRig({}, { external: { position: 'adopt' } });
    const isPosition = (query: Query): boolean => query.kind === 'positions';
    r.advance(3_000);
    answer(r, 0, 0);
    for (let k = 0; k < 3; k++) {
      r.advance(1_000);
      answer(r, 0, 20_000, isPosition);
      answer(r, 0, 0);
      expect(opens(r)).toBe(false);
    }
    expect(r.kernel.status().onHold).toMatch(
      /^a read of positions was dropped, because its time is 20\.0 s ahead of the venue's clock: opens wait/,
    );
    expect(r.kernel.status().counts['old-read positions']).toBe(3);
    expect(r.log.lines.filter(({ event }) => event === 'old-read')[0]).toMatchObject({ fields: { kind: 'positions', offByMs: 20_000 } });
    r.advance(1_000);
    answer(r, 0, 0);
    expect([r.kernel.status().onHold, r.kernel.status().halts]).toEqual(['', []]);
    expect(opens(r)).toBe(true);
  });

  test('a clock an hour ahead for all answers and back: opens wait both times until positions are read by it [N12]', () => {
    const r = polledRig();
    r.advance(3_000);
    answer(r, 0, 0);
    for (const [k, off] of [3_600_000, 0].entries()) {
      let heldMs = 0;
      for (; heldMs < 10_000; heldMs += 100) {
        r.advance(100);
        answer(r, 0, off);
        const moves = r.log.lines.filter(({ event }) => event === 'venue-clock-moved').length;
        if (moves > k && r.kernel.status().onHold === '') break;
        if (r.kernel.status().onHold !== '') expect(opens(r)).toBe(false);
      }
      expect(heldMs).toBeGreaterThanOrEqual(900);
      expect(heldMs).toBeLessThan(4_000);
    }
  });

  test('an exit in progress reads positions again at once, and moves no clock alone [N12]', () => {
    const r = polledRig();
    r.advance(3_000);
    for (let k = 0; k < 4; k++) {
      r.advance(1_000);
      answer(r, 10, 0);
    }
    r.kernel.inbox.operate({ name: 'kill', by: 'ann', why: '' });
    const lists: number[] = [];
    const alone: number[] = [];
    for (let ms = 0; ms < 20_000; ms += 50) {
      r.advance(50);
      for (const query of r.open) if (query.kind === 'positions') (query.instrument < 0 ? lists : alone).push(ms);
      answer(r, 10, 20_000, ({ kind }) => kind === 'positions' || kind === 'history');
      answer(r, 10, 0, ({ kind }) => kind === 'quotes' || kind === 'trades');
    }
    // Lists: one every 250 ms, and those of the poll plan, one a second. Of the symbol alone, whose size is wanted: one every 500 ms.
    expect(lists.length).toBeGreaterThanOrEqual(75);
    expect(lists.length).toBeLessThanOrEqual(20_000 / 250 + 20_000 / 1_000 + 1);
    expect(alone.length).toBeLessThanOrEqual(20_000 / 500 + 1);
    expect(r.log.events()).not.toContain('venue-clock-moved');
  });

  test.each(['all answers', 'answers about the account'])('a cache that repeats %s: nothing opens after the first second', (which) => {
    const r = polledRig();
    r.advance(3_000);
    answer(r, 0, 0);
    const copied = r.clock.time;
    for (let ms = 200; ms <= 60_000; ms += 200) {
      r.advance(200);
      answer(r, 0, which === 'all answers' ? -ms : 0, isPublic);
      answer(r, 0, copied - r.clock.time);
      if (ms > 2_000) expect([ms, opens(r)]).toEqual([ms, false]);
    }
    expect(r.log.events()).not.toContain('venue-clock-moved');
  });

  test('a cache repeats the list of a server ahead of the venue: it is no list of the time that it has, when that comes', () => {
    const r = polledRig();
    r.advance(3_000);
    answer(r, 0, 0);
    const copied = r.clock.time + 5_500;
    for (let ms = 200; ms <= 8_000; ms += 200) {
      r.advance(200);
      answer(r, 0, copied - r.clock.time, ({ kind }) => kind === 'positions');
      answer(r, 0, 0);
      if (ms > 2_000) expect([ms, opens(r)]).toEqual([ms, false]);
    }
    const last = r.log.lines.filter(({ event }) => event === 'old-read').at(-1);
    expect(last).toMatchObject({ fields: { kind: 'positions' } });
    r.advance(1_000);
    answer(r, 0, 0);
    expect(opens(r)).toBe(true);
  });

  test.each([20_000, -20_000])('a clock %i ms off of private answers alone is read by after 30 s, and opens nothing [N12]', (off) => {
    const r = polledRig();
    r.advance(3_000);
    answer(r, 0, 0);
    for (let ms = 0; ms < 90_000; ms += 200) {
      r.advance(200);
      answer(r, 0, 0, isPublic);
      answer(r, 0, off);
      if (ms > 2_000) expect([ms, opens(r)]).toEqual([ms, false]);
    }
    expect(r.log.events().filter((event) => event === 'venue-clock-moved')).toHaveLength(1);
    expect(r.kernel.status().onHold).toMatch(/^answers about the account and public ones have clocks 20\.0 s apart: opens wait/);
    for (let ms = 0; ms < 2_000; ms += 200) {
      r.advance(200);
      answer(r, 0, off);
    }
    expect(r.kernel.status().onHold).toBe('');
  });

  test('private answers come first, and public ones have another clock: nothing opens', () => {
    const r = rig({}, { polls: POLLS });
    r.kernel.inbox.start();
    for (let ms = 0; ms < 20_000; ms += 200) {
      answer(r, 0, -20_000, (query) => !isPublic(query));
      answer(r, 0, 0, isPublic);
      r.advance(200);
    }
    expect(r.kernel.phase).toBe('armed');
    expect(opens(r)).toBe(false);
    expect(r.log.events().filter((event) => event === 'clocks-apart')).toHaveLength(1);
  });
});

describe('what a trigger order became, without a name', () => {
  /** For `ms`, every read shows these orders, by a clock of the venue that is `off`. */
  function pass(r: Rig, ms: number, off: number, orders: readonly OrderReport[] = []): void {
    const held = orders.length === 0 ? [] : [positionReport(LONG, 10, { updatedAt: orders[0]!.updatedAt })];
    for (let passed = 0; passed < ms; passed += 100) {
      r.advance(100);
      for (let left = 4; left > 0 && r.open.length > 0; left--) settleReads(r, orders, held, r.clock.time + off);
    }
  }

  /** The clocks of the venue when it wrote the record, and when the bot reads it: milliseconds ahead of ours. */
  test.each([
    [0, 3_600_000],
    [3_600_000, 0],
    [0, -20_000],
    [-20_000, 0],
  ])('is found by the clock that wrote it, %i ms ahead, while the venue has one that is %i ms ahead', (written, read) => {
    const r = polledRig({}, { idWatchMs: 2_000 });
    const moves = (): number => r.log.events().filter((event) => event === 'venue-clock-moved').length;
    if (written !== 0) pass(r, 4_000, written);
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    const command = r.venue.last();
    r.venue.accepted(n, 'p1');
    const at = r.clock.time + written;
    pass(r, 4_000, read);
    expect(moves()).toBe(written === 0 ? 1 : 2);
    const times = { createdAt: at, updatedAt: at };
    pass(r, 5_000, read, [orderReport(command, 'filled', { venueId: 'child', clientId: '', averagePrice: 1_010, ...times })]);
    expect(r.ctx().markets[0]!.long.size).toBe(0.01);
    expect(r.log.events().filter((event) => event === 'external' || event === 'trigger-fired')).toEqual(['trigger-fired']);
  });

  test('is not taken from a record that no clock of the venue puts into the life of the trigger order', () => {
    const r = polledRig({}, { idWatchMs: 2_000 });
    const n = r.ctx().placeTrigger({ market: r.ctx().markets[0]!, side: 'LONG', size: 0.01, trigger: 1010 });
    const command = r.venue.last();
    r.venue.accepted(n, 'p1');
    pass(r, 4_000, 3_600_000);
    const at = r.clock.time - 60_000;
    const other = orderReport(command, 'filled', { venueId: 'x', clientId: '', averagePrice: 1_010, createdAt: at, updatedAt: at });
    pass(r, 5_000, 3_600_000, [other]);
    expect(r.log.events()).not.toContain('trigger-fired');
  });
});

describe('quotes of another clock', () => {
  test('three of them 20 s ahead do not hide those that follow [N12]', () => {
    const bids: number[] = [];
    const r = polledRig({ onQuote: (market) => void bids.push(market.bid) });
    for (let k = 0; k < 3; k++) {
      r.advance(200);
      quote(r, 10_100 + k, r.clock.time + 20_000, r.clock.time + 20_000);
    }
    r.advance(200);
    quote(r, 10_200, r.clock.time - 3_000, r.clock.time);
    expect(bids.at(-1)).toBe(1_020);
  });

  test('those of a clock that was accepted for a while do not hide later ones by the right one', () => {
    const bids: number[] = [];
    const r = polledRig({ onQuote: (market) => void bids.push(market.bid) });
    r.advance(1_000);
    answer(r, 0, 0);
    for (const off of [20_000, 0]) {
      for (let ms = 0; ms < 3_000; ms += 200) {
        r.advance(200);
        quote(r, 10_000 + ms / 200, r.clock.time + off, r.clock.time + off);
        answer(r, 0, off);
      }
    }
    expect(r.log.events().filter((event) => event === 'venue-clock-moved')).toHaveLength(2);
    expect(bids.at(-1)).toBe((10_000 + 2_800 / 200) / 10);
  });

  test('the copy of an answer that a cache repeats becomes old, although the quote is the newest known one', () => {
    const r = polledRig({}, { risk: { staleAfterMs: 2_000 } });
    const copied = r.clock.time;
    for (let ms = 0; ms < 30_000; ms += 200) {
      quote(r, 10_000, copied, copied);
      settleReads(r, [], []);
      if (ms > 4_000) expect([ms, opens(r)]).toEqual([ms, false]);
      r.advance(200);
    }
    expect(r.log.lines.at(-1)).toMatchObject({ event: 'intent-refused', fields: { why: 'stale-data' } });
    expect(r.clock.time - r.kernel.status().readAt.quotes).toBeGreaterThan(28_000);
  });
});

test('a list of orders that a cache repeats for less than a second shows no fill of after it was made', () => {
  const r = polledRig();
  const market = r.ctx().markets[0]!;
  const id = r.ctx().open(market, 'LONG', { size: 0.01, limit: 990 });
  r.venue.accepted(id, 'v1');
  const open = orderReport(r.venue.last(), 'open', { createdAt: START + 100, updatedAt: START + 100 });
  r.advance(20_000);
  settleReads(r, [open], []);
  const from = r.clock.time;
  const held = [positionReport(LONG, 10, { createdAt: from + 100, updatedAt: from + 100 })];
  const until = from + SETTLE_MS + 1_300;
  for (r.advance(500); r.clock.time < until; r.advance(500)) {
    const copies = r.open.filter(({ kind }) => kind === 'pending');
    r.open.splice(0, r.open.length, ...r.open.filter(({ kind }) => kind !== 'pending'));
    for (const query of copies) r.venue.answered(query, { kind: 'pending', orders: [open] }, r.clock.time, r.clock.time - 900);
    for (let k = 0; k < 5; k++) settleReads(r, [], held);
  }
  expect(r.log.events()).not.toContain('external');
  // A list that was made so late shows that the order has not filled.
  for (let k = 0; k < 10; k++) {
    r.advance(500);
    for (let left = 0; left < 5; left++) settleReads(r, [open], held);
  }
  expect(r.log.events()).toContain('external');
});
