/** The next time of a cron expression, compared with node-cron, and with a reading of the fields second by second. */
import { createTask } from 'node-cron';
import { describe, expect, test, vi } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { nextCron, parseCron } from '../../../src/domain/time/cron.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const next = (text: string, from: string): string => new Date(nextCron(parseCron(text), at(from))).toISOString().slice(0, 19);

describe('the next time', () => {
  test.each([
    ['0 8 * * *', '2024-03-04T07:59:59.999', '2024-03-04T08:00:00'],
    ['0 8 * * *', '2024-03-04T08:00', '2024-03-05T08:00:00'],
    ['59 23 31 12 *', '2024-12-31T23:59', '2025-12-31T23:59:00'],
    ['0 0 29 2 *', '2097-01-01T00:00', '2104-02-29T00:00:00'],
    ['*/15 9-10 * * MON-FRI', '2024-03-08T10:45', '2024-03-11T09:00:00'],
    ['30 12 13 * FRI', '2024-03-01T12:30', '2024-03-08T12:30:00'],
    ['30 12 13 * FRI', '2024-03-08T12:30', '2024-03-13T12:30:00'],
    ['*/20 * * * * *', '2024-03-04T08:00:59', '2024-03-04T08:01:00'],
  ])('of %s after %s is %s', (text, from, expected) => {
    expect(next(text, from)).toBe(expected);
  });

  test.each(['', '* * * *', '60 * * * *', '* * 31 2 *', '* * * * MOO', '5-1 * * * *', '*/0 * * * *', '* * * * * * *'])(
    '"%s" is refused',
    (text) => {
      expect(() => parseCron(text)).toThrow(/expected|no day/);
    },
  );

  test('of 300 random expressions is that of node-cron', () => {
    const random = new Random(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.uniform() * list.length)]!;
    const whole = (from: number, to: number): number => from + Math.floor(random.uniform() * (to - from + 1));
    const field = (from: number, to: number): string => {
      const [a, b] = [whole(from, to), whole(from, to)].sort((x, y) => x - y);
      return pick(['*', String(a), `${a}-${b}`, `*/${whole(1, 9)}`, `${a},${b}`]);
    };
    vi.useFakeTimers();
    try {
      for (let k = 0; k < 300; k++) {
        const isByDate = k % 2 === 0;
        // Both day fields restricted mean either of them here and in cron, both of them in node-cron.
        const days = isByDate ? `${field(1, 28)} ${field(1, 12)} *` : `* ${field(1, 12)} ${field(0, 6)}`;
        const text = `${pick(['', `${field(0, 59)} `])}${field(0, 59)} ${field(0, 23)} ${days}`;
        let time = at('2024-01-01T00:00') + whole(0, 400 * 86_400) * 1_000;
        vi.setSystemTime(time);
        const task = createTask(text, () => undefined, { timezone: 'UTC' });
        void task.start();
        for (const expected of task.getNextRuns(5)) {
          time = nextCron(parseCron(text), time);
          if (time !== expected.getTime()) expect.fail(`${text}: ${new Date(time).toISOString()}, node-cron ${expected.toISOString()}`);
        }
        void task.destroy();
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test('matches the fields, and skips no second that does', () => {
    for (const text of ['*/7 */5 1-3 * * *', '0,30 59 23 * * 0', '5 10/20 0 */2 1-6 *']) {
      const cron = parseCron(text);
      let expected = nextCron(cron, at('2023-12-30T00:00') - 1);
      for (let time = at('2023-12-30T00:00'); time < at('2024-01-09T00:00'); time += 1_000) {
        const date = new Date(time);
        const isMatch =
          cron.seconds.has(date.getUTCSeconds()) &&
          cron.minutes.has(date.getUTCMinutes()) &&
          cron.hours.has(date.getUTCHours()) &&
          cron.days.has(date.getUTCDate()) &&
          cron.months.has(date.getUTCMonth() + 1) &&
          cron.weekdays.has(date.getUTCDay());
        if (isMatch !== (time === expected)) expect.fail(`${text}: ${date.toISOString()}`);
        if (isMatch) expected = nextCron(cron, time);
      }
    }
  });
});
