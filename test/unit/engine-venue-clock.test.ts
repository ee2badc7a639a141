/** The venue's clock as answers show it: which of them fit it, and what it takes until another one is accepted. */
import { describe, expect, test } from 'vitest';
import { LONG } from '../../src/domain/codes.ts';
import type { Query } from '../../src/ports/venue.ts';
import { VenueOffset } from '../../src/engine/market/venue-offset.ts';
import { polledRig, positionReport, settleReads, START, type Rig } from '../support/engine-kit.ts';

/** Takes answers at our times, which took 20 ms; `off` is their clock minus ours. */
class Answers {
  readonly offset = new VenueOffset();
  now = START;

  heard(kind: string, off: number, afterMs = 100, venueTime = 0): boolean {
    this.now += afterMs;
    const isPublic = ['quotes', 'trades', 'stats'].includes(kind);
    return this.offset.heard(kind, isPublic, venueTime || this.now - 10 + off, this.now - 20, this.now);
  }
}

describe('the offset of the venue’s clock', () => {
  test('answers of servers that differ by less than a second fit, and the newest time never goes back', () => {
    const a = new Answers();
    let newest = 0;
    for (let k = 0; k < 50; k++) {
      expect(a.heard(k % 2 === 0 ? 'quotes' : 'positions', k % 3 === 0 ? 800 : 0)).toBe(true);
      expect(a.offset.newest).toBeGreaterThanOrEqual(newest);
      newest = a.offset.newest;
    }
    expect(a.offset.moves).toBe(0);
  });

  test.each([20_000, -20_000, 3_600_000, -3_600_000])('a clock that was set by %i ms is accepted after about a second', (off) => {
    const a = new Answers();
    a.heard('quotes', 0);
    a.heard('positions', 0);
    const from = a.now;
    while (a.offset.moves === 0) {
      const isTaken = a.heard('positions', off);
      expect(isTaken).toBe(a.offset.moves > 0);
      a.heard('quotes', off);
      expect(a.now - from).toBeLessThan(3_000);
    }
    expect(a.now - from).toBeGreaterThanOrEqual(1_000);
    expect(Math.abs(a.offset.ms - off)).toBeLessThan(50);
    expect(a.heard('positions', off)).toBe(true);
  });

  test('answers of one kind alone, or without a public one, move nothing at once', () => {
    for (const kinds of [['quotes'], ['positions'], ['positions', 'history', 'pending']]) {
      const a = new Answers();
      a.heard('quotes', 0);
      for (let k = 0; k < 290; k++) a.heard(kinds[k % kinds.length]!, 20_000);
      expect([kinds, a.offset.moves]).toEqual([kinds, 0]);
    }
  });

  test('private answers of a clock of their own are accepted after 30 s, also while public ones fit the old one', () => {
    const a = new Answers();
    a.heard('quotes', 0);
    const from = a.now;
    while (a.offset.moves === 0) {
      a.heard('positions', 20_000);
      a.heard('pending', 20_000);
      if (a.offset.moves === 0) expect(a.heard('quotes', 0)).toBe(true);
      expect(a.now - from).toBeLessThan(40_000);
    }
    expect(a.now - from).toBeGreaterThanOrEqual(30_000);
  });

  test('copies that a cache repeats move nothing, whatever their kind', () => {
    const a = new Answers();
    for (const kind of ['quotes', 'positions', 'pending']) a.heard(kind, 0);
    const copied = a.now;
    a.now += 20_000;
    for (let k = 0; k < 200; k++) {
      for (const kind of ['quotes', 'positions', 'pending']) expect(a.heard(kind, 0, 100, copied)).toBe(false);
    }
    expect(a.offset.moves).toBe(0);
    // Each kind has its own copy: together they seem to run.
    const b = new Answers();
    b.heard('quotes', 0);
    b.now += 60_000;
    for (let k = 0; k < 200; k++)
      for (const [n, kind] of ['quotes', 'stats', 'trades', 'positions'].entries()) b.heard(kind, 0, 100, START + 200 + n * 400);
    expect(b.offset.moves).toBe(0);
  });

  test('a server with another clock among several moves nothing while the others answer', () => {
    const a = new Answers();
    const kinds = ['quotes', 'positions', 'quotes', 'pending', 'trades', 'account'];
    for (let k = 0; k < 600; k++) {
      const isBad = k % 3 === 0;
      expect(a.heard(kinds[k % kinds.length]!, isBad && k > 0 ? 20_000 : 0)).toBe(!isBad || k === 0);
    }
    expect(a.offset.moves).toBe(0);
  });
});

test('of two servers with different clocks, the one that answers more often is accepted, whichever came first', () => {
  const a = new Answers();
  a.heard('quotes', 20_000);
  const kinds = ['quotes', 'positions', 'quotes', 'pending', 'trades', 'account', 'quotes'];
  for (let k = 1; k < 100; k++) a.heard(kinds[k % kinds.length]!, k % 3 === 0 ? 20_000 : 0);
  expect([a.offset.moves, a.offset.ms]).toEqual([1, 0]);
});

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
});
