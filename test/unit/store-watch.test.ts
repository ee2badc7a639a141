/** What a running bot does about a store that is away, full or damaged. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreError, type StoreErrorCode, storeFailure } from '../../src/ports/store.ts';
import { BotFailure } from '../../src/run/bot/bot-failure.ts';
import { exitCodeOf } from '../../src/cli/print-error.ts';
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

/** Every code of the table; a missing one does not compile. */
const EXITS: Readonly<Record<StoreErrorCode, number>> = {
  full: 75,
  unreachable: 75,
  locked: 75,
  refused: 78,
  unsafe: 78,
  corrupt: 78,
  'rolled-back': 78,
  poisoned: 78,
};

test.each(Object.entries(EXITS) as [StoreErrorCode, number][])(
  'a store that fails as %s ends with %i: while the bot runs, when it starts, and in a command',
  async (code, exit) => {
    const error = new StoreError(code, 'it failed');
    const failure = new BotFailure(new MemoryLog());
    failure.journalFailed(error);
    const later = new BotFailure(new MemoryLog());
    later.journalFailed(new StoreError('poisoned', 'not used any more', { cause: error }));
    expect([await failure.code, await later.code, exitCodeOf(storeFailure(error)), exitCodeOf(error)]).toEqual([exit, exit, exit, exit]);
  },
);
