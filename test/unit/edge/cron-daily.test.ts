import { describe, expect, it, vi } from 'vitest';
import { scheduleDaily } from '../../../src/edge/cron/daily.ts';
import type { Log } from '../../../src/ports/log.ts';

function recordingLog(events: string[]): Log {
  const at = (event: string): void => void events.push(event);
  return { debug: at, info: at, warn: at, error: at };
}

describe('a calendar job', () => {
  it('runs next at the UTC time of its expression', () => {
    const job = scheduleDaily('30 2 * * *', 'summary', () => undefined, recordingLog([]));
    const next = new Date(job.nextAt ?? 0);
    expect([next.getUTCHours(), next.getUTCMinutes(), next.getUTCSeconds()]).toEqual([2, 30, 0]);
    expect(next.getTime()).toBeGreaterThan(Date.now());
    job.stop();
  });

  it('logs a job that fails and continues', async () => {
    const events: string[] = [];
    let runs = 0;
    const job = scheduleDaily(
      '0 0 * * *',
      'summary',
      () => (runs++ === 0 ? Promise.reject(new Error('no')) : undefined),
      recordingLog(events),
    );
    await job.runNow();
    await job.runNow();
    job.stop();
    expect(runs).toBe(2);
    expect(events).toEqual(['calendar-job-failed']);
  });

  it('runs by itself when the time comes', async () => {
    const ran = Promise.withResolvers<void>();
    const job = scheduleDaily('* * * * * *', 'tick', () => ran.resolve(), recordingLog([]));
    await ran.promise;
    job.stop();
  });

  it.each([3_600_000, -3_600_000])('still runs if the wall clock is set by %i ms before its time [N12]', async (by) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 1, 23, 50) });
    const events: string[] = [];
    let runs = 0;
    const job = scheduleDaily('0 0 * * *', 'summary', () => void runs++, recordingLog(events));
    try {
      vi.setSystemTime(Date.now() + by);
      await vi.advanceTimersByTimeAsync(Math.max(0, -by) + 15 * 60_000);
      expect(runs).toBe(1);
      await vi.advanceTimersByTimeAsync(12 * 3_600_000);
      expect(runs).toBe(1);
    } finally {
      job.stop();
      vi.useRealTimers();
    }
  });

  it.each(['', 'x', '61 * * * *', '0 25 * * *'])('refuses the expression %j', (expression) => {
    expect(() => scheduleDaily(expression, 'x', () => undefined, recordingLog([]))).toThrow(RangeError);
  });
});
