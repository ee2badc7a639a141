/** Trading hours by cron expressions: exact to the millisecond, compared with a minute-by-minute reading of the fields. */
import { describe, expect, test } from 'vitest';
import { faultOfHours, Hours } from '../../../src/domain/time/hours.ts';

const at = (text: string): number => Date.parse(`${text}Z`);

describe('a minute that matches is open', () => {
  test('from its first millisecond to its last, in UTC', () => {
    const hours = new Hours('* 8-16 * * 1-5');
    const looks = ['2024-03-04T07:59:59.999', '2024-03-04T08:00', '2024-03-04T16:59:59.999', '2024-03-04T17:00', '2024-03-09T12:00'];
    expect(looks.map((one) => hours.isOpen(at(one)))).toEqual([false, true, true, false, false]);
    // In any order: earlier calls leave no state.
    expect(looks.toReversed().map((one) => hours.isOpen(at(one)))).toEqual([false, false, true, true, false]);
  });

  test('by any of several expressions', () => {
    const hours = new Hours('30-59 9 * * *; * 10-15 * * *');
    const looks = ['09:29', '09:30', '15:59', '16:00'].map((one) => hours.isOpen(at(`2024-03-04T${one}`)));
    expect(looks).toEqual([false, true, true, false]);
  });

  test('by either day field where both are restricted, as in cron', () => {
    const hours = new Hours('* * 13 * FRI');
    // A Friday, a 13th on a Wednesday, and a Thursday that is neither.
    expect(['2024-03-01', '2024-03-13', '2024-03-14'].map((day) => hours.isOpen(at(`${day}T12:00`)))).toEqual([true, true, false]);
  });

  test.each(['*/7 * * * *', '5,10-20/3 1-3 * * *', '0-30 * 1,29 FEB *', '59 23 31 12 *', '* * * * sun,7', '10/20 0 */2 1-6 *'])(
    '%s, according to its fields',
    (text) => {
      const hours = new Hours(text);
      const [minutes, hour, days, months, weekdays] = text.split(' ').map((field, k) => plain(field, k));
      const is31 = text.split(' ')[2]!.startsWith('*') || text.split(' ')[4]!.startsWith('*');
      expect(is31).toBe(true);
      for (let time = at('2023-12-30T00:00'); time < at('2024-03-03T00:00'); time += 60_000) {
        const date = new Date(time);
        const expected =
          minutes!(date.getUTCMinutes()) &&
          hour!(date.getUTCHours()) &&
          days!(date.getUTCDate()) &&
          months!(date.getUTCMonth() + 1) &&
          (weekdays!(date.getUTCDay()) || weekdays!(date.getUTCDay() + 7));
        if (hours.isOpen(time) !== expected) expect.fail(`${date.toISOString()}: expected ${expected}`);
      }
    },
  );

  test('on every day of the calendar, including leap days', () => {
    const weekdays = [0, 1, 2, 3, 4, 5, 6].map((n) => new Hours(`* * * * ${n}`));
    for (let day = at('1999-01-01T00:00'); day < at('2101-04-01T00:00'); day += 86_400_000) {
      // Two centuries start in these years, one with a leap day and one without.
      if (day === at('2004-04-01T00:00')) day = at('2096-01-01T00:00');
      const date = new Date(day);
      const [month, dayOfMonth, weekday] = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCDay()];
      if (!new Hours(`* * ${dayOfMonth} ${month} *`).isOpen(day)) expect.fail(date.toISOString());
      if (!weekdays[weekday]!.isOpen(day)) expect.fail(date.toISOString());
    }
  });

  test('and reports when that may change: never after the next minute that differs', () => {
    const hours = new Hours('* 8-16 * * *');
    expect(hours.nextLook(at('2024-03-04T03:30'))).toBe(at('2024-03-04T08:00'));
    expect(hours.nextLook(at('2024-03-04T08:00'))).toBe(at('2024-03-04T17:00'));
    expect(hours.nextLook(at('2024-03-04T17:00'))).toBe(at('2024-03-05T00:00'));
  });
});

/** Evaluates a field the slow way. */
function plain(field: string, k: number): (n: number) => boolean {
  const names = [[], [], [], 'x jan feb'.split(' '), 'sun mon tue wed thu fri sat'.split(' ')][k]!;
  const first = k === 2 || k === 3 ? 1 : 0;
  const value = (word: string): number => (names.includes(word.toLowerCase()) ? names.indexOf(word.toLowerCase()) : Number(word));
  return (n) =>
    field.split(',').some((item) => {
      const [range = '', step = '1'] = item.split('/');
      const [low, high] = range === '*' ? [first, Infinity] : range.split('-').map(value);
      const top = high ?? (item.includes('/') ? Infinity : low!);
      return n >= low! && n <= top && (n - low!) % Number(step) === 0;
    });
}

test.each([
  '',
  '* * * *',
  '60 * * * *',
  '* 24 * * *',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 8',
  '5-1 * * * *',
  '*/0 * * * *',
  '* * 30 2 *',
  'a b c d e',
  '* * * * *;',
])('is refused with what was expected: "%s"', (text) => {
  expect(faultOfHours(text)).toMatch(/expected|matches no day/);
});

test('is accepted', () => {
  for (const text of ['* * * * *', '0-29 8-16 * JAN-MAR MON-FRI', '* * 29 2 *', '* * 31 2 MON']) expect(faultOfHours(text)).toBeNull();
});
