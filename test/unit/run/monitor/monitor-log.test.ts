/** The log of the monitor is bounded, whoever causes its lines. */
import { expect, it } from 'vitest';
import { atMost } from '../../../../src/run/monitor/monitor-log.ts';

it('an unknown person who writes to the chat a thousand times leaves a hundred lines an hour, and hides no other event', () => {
  let now = 0;
  const [due, told] = [[] as (() => void)[], [] as [string, number][]];
  const shows = atMost(100, {
    now: () => now,
    later: (work) => void due.push(work),
    told: (event, lines) => void told.push([event, lines]),
  });
  const count = (event: string): number => Array.from({ length: 1_000 }, () => shows('warn', event)).filter(Boolean).length;
  expect([count('chat-refused'), shows('info', 'alert'), count('chat-refused')]).toEqual([100, true, 0]);
  now = 3_600_000;
  for (const work of due) work();
  expect([told, count('chat-refused')]).toEqual([[['chat-refused', 1_900]], 100]);
});
