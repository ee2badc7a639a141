import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { Alarm, LiveClock } from '../../../src/edge/time/live-clock.ts';

/** Clocks controlled by the test: time passes for all of them, and each may deviate. */
class Clocks {
  wall = 1_700_000_000_000;
  steady = 17.25;
  boot = 500_000;
  readonly clock: LiveClock;

  constructor() {
    this.clock = new LiveClock({ wall: () => this.wall, steady: () => this.steady, boot: () => this.boot });
  }

  pass(ms: number): number {
    for (let left = ms; left > 0; left -= 500) {
      const part = Math.min(left, 500);
      this.wall += part;
      this.steady += part;
      this.boot += part;
      this.clock.now();
    }
    return this.clock.now();
  }
}

describe('the live clock', () => {
  it('never goes back, and runs at most a tenth faster or slower, however the wall clock is set [N12]', () => {
    const step = fc.record({
      ms: fc.integer({ min: 0, max: 5_000 }),
      jump: fc.integer({ min: -4_000_000, max: 4_000_000 }),
      trusts: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const clocks = new Clocks();
        let last = clocks.clock.now();
        for (const { ms, jump, trusts } of steps) {
          clocks.clock.trustsWall = trusts;
          clocks.wall += jump;
          const now = clocks.pass(ms);
          expect(now - last).toBeGreaterThanOrEqual(Math.floor(ms * 0.9) - 1);
          expect(now - last).toBeLessThanOrEqual(Math.ceil(ms * 1.1) + 1);
          last = now;
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([-3_600_000, -20_000, 20_000, 3_600_000])(
    'is unaffected when the wall clock is set by %i ms, and reports the step [N12]',
    (by) => {
      const clocks = new Clocks();
      const before = clocks.pass(5_000);
      clocks.wall += by;
      expect(clocks.pass(60_000)).toBe(before + 60_000);
      expect(clocks.clock.takeSteps()).toEqual([by]);
      expect(clocks.clock.takeSteps()).toEqual([]);
      expect([clocks.clock.jumps, clocks.clock.wall()]).toEqual([1, clocks.wall]);
    },
  );

  it('follows a set wall clock once that is known to be right, a tenth faster or slower', () => {
    const clocks = new Clocks();
    for (const by of [60_000, -60_000]) {
      clocks.wall += by;
      clocks.clock.trustsWall = true;
      clocks.pass(1_000);
      const before = clocks.clock.now();
      expect(clocks.pass(10_000) - before).toBeCloseTo(by > 0 ? 11_000 : 9_000, -1);
      clocks.pass(700_000);
      expect(Math.abs(clocks.clock.now() - clocks.wall)).toBeLessThanOrEqual(1);
      clocks.clock.trustsWall = false;
    }
  });

  it('follows a drifting wall clock without a report', () => {
    const clocks = new Clocks();
    for (let k = 0; k < 3_600; k++) {
      clocks.wall += 0.1;
      clocks.pass(1_000);
    }
    expect(Math.abs(clocks.clock.now() - clocks.wall)).toBeLessThanOrEqual(2);
    expect(clocks.clock.takeSteps()).toEqual([]);
  });

  it('includes suspension of the machine at once: data from before is old', () => {
    const clocks = new Clocks();
    const before = clocks.pass(2_000);
    // The monotonic clock stops meanwhile; uptime and wall clock do not.
    clocks.wall += 3_600_000;
    clocks.boot += 3_600_000;
    expect(clocks.pass(1_000)).toBe(before + 3_601_000);
    expect(clocks.clock.takeSteps()).toEqual([]);
    expect(clocks.pass(5_000)).toBe(before + 3_606_000);
  });

  it('discards readings that were interrupted between the clocks', () => {
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
    napMs = 300;
    expect(clock.now()).toBe(1_001_000);
    expect(clock.now()).toBe(1_001_300);
    expect(clock.takeSteps()).toEqual([]);
  });
});

describe('the alarm', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000 }));
  afterEach(() => void vi.useRealTimers());
  const clock = { now: () => Date.now() };

  it('calls once at the time set last, whether that was earlier or later', () => {
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

  it('calls at once, but not inside setAt, for a time that has passed', () => {
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
