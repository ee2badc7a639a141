/** Client ids across starts, epoch rotations and a restored journal: none is used twice, and each is recognised. */
import { describe, expect, test } from 'vitest';
import { isWatchdogSeq, parseClientId, watchdogClientId, watchdogCount } from '../../../src/domain/orders/command.ts';
import { ClientIds, FOREIGN_ID, UNKNOWN_OWN_ID } from '../../../src/domain/orders/client-ids.ts';

const FIRST_MS = 1_700_000_000_000;
const begun = (): ClientIds => ClientIds.begin({ bot: 'tw', epoch: FIRST_MS / 1000 });
const restarted = (before: ClientIds, now: number, nextSeq: number): ClientIds => {
  const ids = new ClientIds('tw', before.saved());
  ids.start(now, nextSeq);
  return ids;
};

describe('a start', () => {
  test('starts a new epoch, also within one second and with a clock that is set back', () => {
    const first = begun();
    const second = restarted(first, FIRST_MS, 5);
    const third = restarted(second, FIRST_MS - 3_600_000, 9);
    expect([second.epoch - first.epoch, third.epoch - second.epoch]).toEqual([1, 1]);
    expect(new Set([first, second, third].map((ids) => ids.idOf(9))).size).toBe(3);
  });

  test('of a restored journal uses no id a second time', () => {
    const first = begun();
    // The journal is copied when order 5 is next, continues to order 20, and is then restored.
    const copy = new ClientIds('tw', first.saved());
    const used = [5, 10, 19].map((seq) => first.idOf(seq));
    const again = restarted(copy, FIRST_MS + 60_000, 5);
    expect([5, 10, 19].map((seq) => again.idOf(seq)).filter((id) => used.includes(id))).toEqual([]);
    // It recognises orders after the copy as its own, but as unknown ones.
    expect([4, 5, 10].map((seq) => again.seqOf(first.idOf(seq), 20))).toEqual([4, UNKNOWN_OWN_ID, UNKNOWN_OWN_ID]);
  });

  test('recognises the ids of earlier epochs, and those of others', () => {
    const first = begun();
    const second = restarted(first, FIRST_MS + 1_000, 5);
    expect([first.idOf(4), second.idOf(5), second.idOf(6), 'other-1', 'tw'].map((id) => second.seqOf(id, 6))).toEqual([
      4,
      5,
      UNKNOWN_OWN_ID,
      FOREIGN_ID,
      FOREIGN_ID,
    ]);
  });
});

test('a number that was given to an order of another journal has no id of its own', () => {
  const ids = begun();
  const own = ids.idOf(1);
  ids.alias(1, 'tw-1-7');
  expect([ids.seqOf('tw-1-7', 2), ids.seqOf(own, 2)]).toEqual([1, UNKNOWN_OWN_ID]);
});

test('a rotation starts above every epoch that the venue has shown', () => {
  const ids = begun();
  ids.sighted(ids.epoch + 500);
  const before = ids.epoch;
  ids.rotate(FIRST_MS, 7);
  expect([ids.epoch - before, ids.lostUpTo]).toEqual([501, before + 500]);
});

test('a rotation starts above the epoch that a lost journal started in the same second', () => {
  const ids = begun();
  const lost = ClientIds.begin({ bot: ids.bot, epoch: Math.floor((FIRST_MS + 30_000) / 1000) });
  ids.rotate(FIRST_MS + 30_900, 7);
  expect(ids.epoch).toBeGreaterThan(lost.epoch);
  expect(ids.lostUpTo).toBeGreaterThanOrEqual(lost.epoch);
});

describe('the ids of a watchdog', () => {
  const identity = { bot: 'tw', epoch: FIRST_MS / 1000 };

  test('say epoch, leg and number, and are those of no order of a journal', () => {
    const id = watchdogClientId(identity, 41, 3);
    const { epoch, seq } = parseClientId('tw', id);
    expect([id, epoch, isWatchdogSeq(seq), watchdogCount(seq)]).toEqual([
      `tw-${identity.epoch.toString(36)}-w015003`,
      identity.epoch,
      true,
      { leg: 41, count: 3 },
    ]);
    expect([isWatchdogSeq(1), isWatchdogSeq(1e9), begun().seqOf(id, Infinity)]).toEqual([false, false, UNKNOWN_OWN_ID]);
    expect(() => watchdogClientId(identity, 36 ** 3, 1)).toThrow(RangeError);
  });

  test('are known after they were taken over, also after a restart, and are unexplained before', () => {
    const ids = begun();
    const [id, strange] = [watchdogClientId(identity, 0, 1), 'tw-zz-5'];
    ids.alias(8, id);
    ids.alias(9, strange);
    const next = restarted(ids, FIRST_MS + 5_000, 10);
    expect([next.seqOf(id, 10), next.idOf(8), next.seqOf(watchdogClientId(identity, 0, 2), 10)]).toEqual([8, id, UNKNOWN_OWN_ID]);
    expect([8, 9, 3].map((seq) => ids.isUnexplained(seq))).toEqual([false, true, false]);
  });
});
