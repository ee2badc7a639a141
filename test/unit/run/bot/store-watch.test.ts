/** What a running bot does about a store that is away, full or damaged. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StoreError, type StoreErrorCode, storeFailure } from '../../../../src/ports/store.ts';
import { BotFailure } from '../../../../src/run/bot/bot-failure.ts';
import { exitCodeOf } from '../../../../src/cli/shell/print-error.ts';
import { StoreWatch } from '../../../../src/run/bot/life/store-watch.ts';
import { MemoryLog } from '../../../support/engine/engine-kit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('the journal counts as away until commands may leave again, and each second what waits is dropped', async () => {
  const store = { isAway: false, maySend: true, check: async (): Promise<void> => undefined };
  const said: string[] = [];
  const watch = new StoreWatch({
    store,
    kind: 'redis',
    gate: {
      failure: null,
      fail: () => void said.push('failed'),
      dropWaiting: () => void said.push('dropped'),
      isMoved: false,
      renewed: () => undefined,
    },
    loop: { take: (work) => work() },
    events: {
      journalAway: (isAway) => void said.push(isAway ? 'away' : 'back'),
      journalUnsafe: (why) => void said.push(`unsafe ${why}`),
      newEpoch: () => void said.push('epoch'),
    },
    ids: { epoch: 1 },
    lock: { noteEpoch: () => undefined },
    snapshots: { save: () => undefined },
    upkeep: { look: async () => undefined },
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

test('a store that moved begins an epoch once it can be written, and a risk is told when it comes, changes and goes', async () => {
  const store = { isAway: true, risk: '', check: async (): Promise<void> => undefined };
  const said: string[] = [];
  const gate = {
    failure: null,
    fail: () => undefined,
    dropWaiting: () => void said.push('dropped'),
    isMoved: true,
    renewed: () => void (gate.isMoved = false),
  };
  const log = new MemoryLog();
  const watch = new StoreWatch({
    store,
    kind: 'redis',
    gate,
    loop: { take: (work) => work() },
    events: {
      journalAway: (isAway) => void said.push(isAway ? 'away' : 'back'),
      journalUnsafe: (why) => void said.push(`unsafe ${why}`),
      newEpoch: () => void said.push('epoch'),
    },
    ids: { epoch: 7 },
    lock: { noteEpoch: (epoch) => void said.push(`lock ${epoch}`) },
    snapshots: { save: () => void said.push('saved') },
    upkeep: { look: async () => undefined },
    log,
  });
  const after = async (change: Partial<typeof store>): Promise<string[]> => {
    said.length = 0;
    Object.assign(store, change);
    await watch.look();
    return [...said];
  };
  expect(await after({})).toEqual(['dropped', 'away', 'dropped']);
  expect(await after({ isAway: false })).toEqual(['dropped', 'epoch', 'lock 7', 'saved', 'back']);
  expect(await after({ risk: 'one' })).toEqual(['unsafe one']);
  expect(await after({ risk: 'two' })).toEqual(['unsafe two']);
  expect(await after({ risk: '' })).toEqual(['unsafe ']);
  gate.isMoved = true;
  expect(await after({})).toEqual(['dropped', 'epoch', 'lock 7', 'saved']);
  expect(log.events()).toEqual([
    'journal-away',
    'journal-moved',
    'journal-back',
    'journal-unsafe',
    'journal-unsafe',
    'journal-safe',
    'journal-moved',
  ]);
});

/** Every code of the table; a missing one does not compile. */
const EXITS: Readonly<Record<StoreErrorCode, number>> = {
  full: 75,
  unreachable: 75,
  behind: 75,
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
    const failure = new BotFailure(
      new MemoryLog(),
      () => undefined,
      () => undefined,
    );
    failure.journalFailed(error);
    const later = new BotFailure(
      new MemoryLog(),
      () => undefined,
      () => undefined,
    );
    later.journalFailed(new StoreError('poisoned', 'not used any more', { cause: error }));
    expect([await failure.code, await later.code, exitCodeOf(storeFailure(error)), exitCodeOf(error)]).toEqual([exit, exit, exit, exit]);
  },
);
