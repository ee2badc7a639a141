/** What a running bot does about a store that is away, full or damaged. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreError, type StoreErrorCode } from '../../src/ports/store.ts';
import { BotFailure } from '../../src/run/bot/bot-failure.ts';
import { StoreWatch } from '../../src/run/bot/store-watch.ts';
import { MemoryLog } from '../support/engine-kit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the journal counts as away until commands may leave again, and each second what waits is dropped', async () => {
  const store = { isAway: false, maySend: true, check: async (): Promise<void> => undefined };
  const said: string[] = [];
  const watch = new StoreWatch({
    store,
    kind: 'redis',
    gate: { failure: null, fail: () => void said.push('failed'), dropWaiting: () => void said.push('dropped') },
    loop: { take: (work) => work() },
    events: { journalAway: (isAway) => void said.push(isAway ? 'away' : 'back') },
    log: new MemoryLog(),
  });
  watch.start();
  const after = async (change: Partial<typeof store>): Promise<string[]> => {
    said.length = 0;
    Object.assign(store, change);
    await vi.advanceTimersByTimeAsync(1_000);
    return [...said];
  };
  expect(await after({})).toEqual([]);
  expect(await after({ isAway: true })).toEqual(['dropped', 'away', 'dropped']);
  expect(await after({ isAway: false, maySend: false })).toEqual(['dropped']);
  expect(await after({})).toEqual(['dropped']);
  expect(await after({ maySend: true })).toEqual(['back']);
  watch.stop();
});

test.each<[StoreErrorCode, number]>([
  ['full', 75],
  ['unreachable', 75],
  ['locked', 75],
  ['corrupt', 78],
  ['poisoned', 78],
])('a store that fails as %s ends the bot with %i', async (code, exit) => {
  const failure = new BotFailure(new MemoryLog());
  failure.journalFailed(new StoreError(code, 'it failed'));
  expect(await failure.code).toBe(exit);
});
