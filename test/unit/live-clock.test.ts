import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { Alarm, LiveClock } from '../../src/edge/time/live-clock.ts';

describe('the live clock', () => {
  it('never goes back and ends up at the wall, however the wall jumps', () => {
    const step = fc.record({ steady: fc.double({ min: 0, max: 5_000, noNaN: true }), jump: fc.integer({ min: -30_000, max: 30_000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        let wall = 1_700_000_000_000;
        let steady = 17.25;
        const clock = new LiveClock({ wall: () => wall, steady: () => steady });
        let last = clock.now();
        for (const s of steps) {
          steady += s.steady;
          wall += s.steady + s.jump;
          const now = clock.now();
          expect(now).toBeGreaterThanOrEqual(last);
          last = now;
        }
        for (let i = 0; i < 4_000 && Math.abs(clock.now() - wall) > 1; i++) {
          steady += 1_000;
          wall += 1_000;
          clock.now();
        }
        expect(Math.abs(clock.now() - wall)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });

  it('follows a wall that jumps ahead at once and counts the jump', () => {
    let wall = 1_000_000;
    let steady = 0;
    const clock = new LiveClock({ wall: () => wall, steady: () => steady });
    steady += 2_000;
    wall += 3_600_000;
    expect(clock.now()).toBe(4_600_000);
    expect(clock.jumps).toBe(1);
  });

  it('runs at half speed after the wall was set back, until they agree', () => {
    let wall = 1_000_000;
    let steady = 0;
    const clock = new LiveClock({ wall: () => wall, steady: () => steady });
    const pass = (ms: number): number => {
      steady += ms;
      wall += ms;
      return clock.now();
    };
    wall -= 2_000;
    expect(pass(1_000)).toBe(1_001_000);
    expect(pass(1_000)).toBe(1_001_500);
    for (let i = 0; i < 10; i++) pass(1_000);
    expect(clock.now()).toBe(wall);
  });

  it('is slow no longer than it takes: a wall set back by milliseconds costs no more than those', () => {
    let wall = 1_000_000;
    let steady = 0;
    const clock = new LiveClock({ wall: () => wall, steady: () => steady });
    wall -= 5;
    const behind: number[] = [];
    for (let i = 0; i < 400; i++) {
      steady += 10;
      wall += 10;
      behind.push(wall - clock.now());
    }
    expect(Math.max(...behind)).toBe(0);
    expect(Math.min(...behind)).toBe(-5);
    expect(behind.at(-1)).toBe(0);
  });

  it('does not believe a look that was interrupted between the two clocks', () => {
    let wall = 1_000_000;
    let steady = 0;
    let napMs = 0;
    const nap = (): void => {
      steady += napMs;
      wall += napMs;
      napMs = 0;
    };
    const read = (): number => {
      nap();
      return wall;
    };
    const clock = new LiveClock({ wall: read, steady: () => steady });
    steady += 1_000;
    wall += 1_000;
    napMs = 30;
    expect(clock.now()).toBe(1_001_000);
    expect(clock.now()).toBe(1_001_030);
    expect(clock.jumps).toBe(0);
  });
});

describe('the alarm', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());
  const clock = { now: () => Date.now() };

  it('calls once at the moment set last, whether it was moved nearer or farther', () => {
    const calls: number[] = [];
    const alarm = new Alarm(clock, (now) => calls.push(now));
    alarm.setAt(5_000);
    alarm.setAt(2_000);
    vi.advanceTimersByTime(1_500);
    expect(calls).toEqual([2_000]);
    alarm.setAt(3_000);
    alarm.setAt(9_000);
    vi.advanceTimersByTime(5_000);
    expect(calls).toEqual([2_000]);
    vi.advanceTimersByTime(5_000);
    expect(calls).toEqual([2_000, 9_000]);
  });

  it('may be set again from its own call', () => {
    const calls: number[] = [];
    const alarm: Alarm = new Alarm(clock, (now) => {
      calls.push(now);
      if (calls.length < 3) alarm.setAt(now + 10);
    });
    alarm.setAt(1_010);
    vi.advanceTimersByTime(1_000);
    expect(calls).toEqual([1_010, 1_020, 1_030]);
  });

  it('calls at once, but not inside setAt, for a moment that has passed', () => {
    const calls: number[] = [];
    const alarm = new Alarm(clock, (now) => calls.push(now));
    alarm.setAt(5);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(0);
    expect(calls).toEqual([1_000]);
  });

  it('waits longer than a system timer can', () => {
    const calls: number[] = [];
    const at = 1_000 + 40 * 86_400_000;
    const alarm = new Alarm(clock, (now) => calls.push(now));
    alarm.setAt(at);
    vi.advanceTimersByTime(39 * 86_400_000);
    expect(calls).toEqual([]);
    vi.advanceTimersByTime(86_400_000);
    expect(calls).toEqual([at]);
  });

  it('leaves no timer behind after stop or Infinity', () => {
    const alarm = new Alarm(clock, () => undefined);
    alarm.setAt(5_000);
    alarm.stop();
    expect(vi.getTimerCount()).toBe(0);
    alarm.setAt(5_000);
    alarm.setAt(Infinity);
    expect(vi.getTimerCount()).toBe(0);
  });
});
