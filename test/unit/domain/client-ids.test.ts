/** Client ids across starts, epoch rotations and a restored journal: none is used twice, and each is recognised. */
import { describe, expect, test } from 'vitest';
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
