/** The moments that `why --at` understands. */
import { expect, test } from 'vitest';
import { momentOf } from '../../../../src/run/why/why.ts';

const NOW = Date.parse('2026-11-28T12:00:00Z');
const at = (text: string): string[] => Object.values(momentOf(text, NOW)).map((time) => new Date(time).toISOString());

test('a minute is answered for its end, a second for its own end', () => {
  expect(at('10:32')).toEqual(['2026-11-28T10:32:00.000Z', '2026-11-28T10:33:00.000Z']);
  expect(at('10:32:05')).toEqual(['2026-11-28T10:32:05.000Z', '2026-11-28T10:32:06.000Z']);
  expect(at('2026-11-27T10:32')).toEqual(['2026-11-27T10:32:00.000Z', '2026-11-27T10:33:00.000Z']);
  expect(at('2026-11-27 10:32:05.250Z')).toEqual(['2026-11-27T10:32:05.000Z', '2026-11-27T10:32:06.000Z']);
});

test('a time of day that has not come yet is that of yesterday, and a minute that is not over ends now', () => {
  expect(at('13:00')).toEqual(['2026-11-27T13:00:00.000Z', '2026-11-27T13:01:00.000Z']);
  expect(at('12:00')).toEqual(['2026-11-28T12:00:00.000Z', '2026-11-28T12:00:00.001Z']);
});

test.each(['noon', '25:00', '10:32 pm', '2026-13-01T10:32'])('%s is refused, with what was expected', (text) => {
  expect(() => momentOf(text, NOW)).toThrow(/a time in UTC such as 10:32/);
});
