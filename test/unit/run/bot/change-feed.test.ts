/** What feeds the stream of changes of a running bot. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { StatusAnswer } from '../../../../src/control/answers.ts';
import type { Change } from '../../../../src/control/changes.ts';
import { ChangeFeed, type FedBot } from '../../../../src/run/bot/changes/change-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('what a strategy notes and draws is a line of the log, and a note', () => {
  let log: (line: string) => boolean = () => true;
  const bot: FedBot = {
    now: () => 5,
    status: () => ({ positions: [] }) as unknown as StatusAnswer,
    health: () => ({}) as ReturnType<FedBot['health']>,
    orders: () => [],
    order: () => null,
    reasons: () => ({}),
    quotes: () => [],
    listen(take) {
      log = take;
      return () => undefined;
    },
  };
  const got: Change[] = [];
  const lines = new ChangeFeed(bot).open('');
  lines.begin((line) => got.push(JSON.parse(line) as Change) > 0);
  log('{"event":"strategy-note","level":"info","strategy":"a","symbol":"BTCUSDT","text":"waits for \\"up\\""}\n');
  log('{"event":"strategy-plot","level":"info","strategy":"a","symbol":"BTCUSDT","name":"fast","value":60000.5}\n');
  log('{"event":"armed","level":"info"}\n');
  vi.advanceTimersByTime(20);
  expect(got.map(({ kind }) => kind)).toEqual(['log', 'note', 'log', 'note', 'log']);
  expect(got.flatMap((one) => (one.kind === 'note' ? [one.note] : []))).toEqual([
    { strategy: 'a', symbol: 'BTCUSDT', text: 'waits for "up"' },
    { strategy: 'a', symbol: 'BTCUSDT', text: '', line: 'fast', value: '60000.5' },
  ]);
});
