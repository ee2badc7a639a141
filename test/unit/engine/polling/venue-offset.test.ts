/** The venue's clock as answers show it: which of them fit it, and what it takes until another one is accepted. */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/base/random.ts';
import { VenueOffset } from '../../../../src/engine/market/venue-offset.ts';
import { CLOCK_SLEW } from '../../../../src/ports/clock.ts';
import { START } from '../../../support/engine/engine-kit.ts';

/** Takes answers at our times, which took 20 ms; `off` is their clock minus ours. */
class Answers {
  readonly offset = new VenueOffset();
  now = START;

  heard(kind: string, off: number, afterMs = 100, venueTime = 0): boolean {
    return this.takes(kind, afterMs, venueTime || this.now + afterMs - 10 + off, 20);
  }

  /** One that took `rttMs`. */
  takes(kind: string, afterMs: number, venueTime: number, rttMs: number): boolean {
    this.now += afterMs;
    return this.offset.heard(kind, isPublic(kind), venueTime, this.now - rttMs, this.now);
  }
}

function isPublic(kind: string): boolean {
  return ['quotes', 'trades', 'stats'].includes(kind);
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

  test.each([1_200, 1_500, 2_500, -1_200, -1_500, -2_500])(
    'a clock that was set by %i ms is accepted soon, however slow answers are',
    (off) => {
      for (const slowestMs of [500, 1_500, 3_000]) {
        for (let seed = 1; seed <= 10; seed++) {
          const random = new Random(seed);
          const a = new Answers();
          const from = a.now + 10_000;
          let droppedAt = from;
          while (a.now < from + 60_000) {
            const kind = ['quotes', 'positions', 'quotes', 'pending', 'trades', 'account'][random.below(6)]!;
            const rttMs = 10 + random.below(slowestMs);
            const isSet = a.now >= from;
            const isTaken = a.takes(kind, 100, a.now + 100 - random.below(rttMs) + (isSet ? off : 0), rttMs);
            if (!isTaken && isSet && !isPublic(kind)) droppedAt = a.now;
          }
          expect(droppedAt - from, `seed ${seed}, at most ${slowestMs} ms`).toBeLessThan(10_000);
        }
      }
    },
  );

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
    expect(a.offset.isAlone).toBe(true);
    for (let k = 0; k < 100; k++)
      for (const [kind, off] of [
        ['positions', 20_000],
        ['quotes', 0],
      ] as const)
        a.heard(kind, off);
    expect([a.offset.moves, a.offset.isAlone]).toEqual([1, true]);
    a.heard('quotes', 20_000);
    expect(a.offset.isAlone).toBe(false);
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

  test('a clock is accepted also if a cache repeated an answer from ahead of it before', () => {
    const a = new Answers();
    for (const kind of ['quotes', 'positions']) a.heard(kind, -3_600_000);
    // The answer is ahead by less and less, until it seems to be of the new clock.
    const copied = a.now + 2_000;
    while (a.now < copied) a.heard('quotes', 0, 200, copied);
    const from = a.now;
    while (a.offset.moves === 0) {
      a.heard('quotes', 0);
      a.heard('positions', 0);
      expect(a.now - from).toBeLessThan(3_000);
    }
    expect(a.offset.ms).toBe(0);
  });

  test('a clock is accepted also if its answers are on their way for longer since the first of them', () => {
    const a = new Answers();
    a.heard('quotes', 0);
    a.heard('positions', 20_000);
    a.heard('quotes', 20_000);
    const from = a.now;
    while (a.offset.moves === 0) {
      for (const kind of ['quotes', 'positions']) a.takes(kind, 100, a.now + 100 - 880 + 20_000, 900);
      expect(a.now - from).toBeLessThan(3_000);
    }
    expect(Math.abs(a.offset.ms - 20_000)).toBeLessThan(50);
  });

  test('whatever answers showed before, the account is read by the clock that all have', () => {
    const kinds = ['quotes', 'trades', 'positions', 'pending', 'account'];
    const offs = [0, 1_500, -1_500, 5_500, -20_000, 3_600_000];
    for (let seed = 1; seed <= 3_000; seed++) {
      const random = new Random(seed);
      const a = new Answers();
      const kindAndOff = (): [string, number] => [kinds[random.below(kinds.length)]!, offs[random.below(offs.length)]!];
      const copies = new Map<string, number>();
      for (const until = a.now + random.below(60_000); a.now < until;) {
        const [kind, off] = kindAndOff();
        const isCopy = copies.has(kind) && random.below(3) > 0;
        if (!isCopy) copies.set(kind, a.now + off);
        a.takes(kind, random.below(1_500), copies.get(kind)!, random.below(3_000));
      }
      const [, off] = kindAndOff();
      const rtt = 20 + random.below(1_000);
      let taken = 0;
      for (let k = 0; k < 80; k++) {
        const [kind] = kindAndOff();
        const isTaken = a.takes(kind, 250, a.now + 250 - random.below(rtt) + off, rtt);
        if (isTaken && k >= 40 && !isPublic(kind)) taken++;
      }
      expect(taken, `seed ${seed}`).toBeGreaterThan(0);
    }
  });

  test('copies from now on, or answers that fall behind more and more, do not take the offset with them', () => {
    for (const [speed, rtt] of [
      [0, 20],
      [0.5, 20],
      [0.4, 3_000],
    ] as const) {
      const a = new Answers();
      for (const kind of ['quotes', 'positions']) a.heard(kind, 0);
      const from = a.now;
      const fit = (): boolean =>
        ['quotes', 'positions', 'pending'].some((kind) => a.takes(kind, 100, from + speed * (a.now + 100 - from), rtt));
      while (fit()) expect(a.now - from).toBeLessThan((1_500 + rtt) / (1 - speed - CLOCK_SLEW));
      const until = a.now + 60_000;
      while (a.now < until) expect([speed, fit()]).toEqual([speed, false]);
      expect([a.offset.moves, a.offset.ms]).toEqual([0, 0]);
    }
  });

  test.each([1, -1])('it follows while our clock approaches a wall clock that was set, from side %i', (side) => {
    const a = new Answers();
    for (let off = 2_500; off > 1_500; off -= 100 * CLOCK_SLEW) {
      a.heard('quotes', side * off);
      expect(Math.abs(a.offset.ms - side * off)).toBeLessThan(50);
    }
    expect(a.offset.moves).toBe(0);
  });

  test('a server with another clock among several moves nothing while the others answer', () => {
    const a = new Answers();
    const kinds = ['quotes', 'positions', 'quotes', 'pending', 'trades', 'account'];
    for (let k = 0; k < 600; k++) {
      const isBad = k % 3 === 0;
      expect(a.heard(kinds[k % kinds.length]!, isBad && k > 0 ? 20_003 : 0)).toBe(!isBad || k === 0);
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

describe('an answer that a cache repeats', () => {
  test('is dropped when the time comes that a server ahead of the venue gave it, and the next one of that moment is taken', () => {
    const a = new Answers();
    a.heard('quotes', 0);
    const copied = a.now + 5_500;
    for (let ms = 0; ms < 10_000; ms += 500) {
      expect(a.heard('positions', 0, 400, copied)).toBe(false);
      expect(a.offset.offBy).not.toBe(0);
      expect(a.heard('positions', 0, 100)).toBe(true);
      expect(a.offset.offBy).toBe(0);
    }
  });

  test('of another kind is none', () => {
    const a = new Answers();
    a.heard('quotes', 0);
    const venueTime = a.now + 5_500;
    a.heard('history', 0, 100, venueTime);
    expect(a.heard('positions', 0, 5_400, venueTime)).toBe(true);
  });
});

describe('the clocks that the venue has had since a moment of ours', () => {
  /** Lets the venue's clock be `off` for two seconds; our time from when it counts. */
  function set(a: Answers, off: number): number {
    const until = a.now + 2_000;
    while (a.now < until) {
      a.heard('quotes', off);
      a.heard('positions', off);
    }
    return a.now;
  }

  test('are the present one, and the earlier ones that counted then or later', () => {
    const a = new Answers();
    const before = a.now;
    const [first, ahead, behind] = [set(a, -5_000), set(a, 20_000), set(a, 3_600_000)];
    const least = [behind, ahead, first, before].map((at) => Math.round(a.offset.leastSince(at) / 100) * 100);
    expect(least).toEqual([3_600_000, 20_000, -5_000, -5_000]);
  });

  test('before the first answer, one that agrees with ours is among them', () => {
    const a = new Answers();
    const before = a.now;
    const at = set(a, 20_000);
    expect([a.offset.leastSince(before), Math.round(a.offset.leastSince(at) / 100) * 100]).toEqual([0, 20_000]);
  });
});
