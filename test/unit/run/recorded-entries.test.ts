/** What a replay gives out equals what was recorded only if every field does. */
import { expect, it } from 'vitest';
import { ASK, type Entry, type Head, type RecordedQuery } from '../../../src/run/session/entries.ts';
import { RecordedEntries } from '../../../src/run/replay/recorded-entries.ts';

function isTaken(recorded: RecordedQuery, given: RecordedQuery): boolean {
  const head = { startedAt: 0, instruments: [] } as unknown as Head;
  const entries: readonly Entry[] = [{ kind: ASK, body: recorded }];
  const read = new RecordedEntries(head, entries.values(), false);
  read.advance();
  const matches = read.matches({ kind: ASK, body: given });
  expect(read.divergence === null).toBe(matches);
  return matches;
}

it('takes the recorded question in any order of fields, and no other', () => {
  const recorded = { kind: 'history', instrument: 0, clientId: '', since: 0 };
  expect(isTaken(recorded, { ...recorded })).toBe(true);
  expect(isTaken(recorded, { since: 0, clientId: '', instrument: 0, kind: 'history' })).toBe(true);
  expect(isTaken({ ...recorded, ids: ['a'] }, { ...recorded, ids: ['a'] })).toBe(true);
  for (const other of [{ since: 1 }, { since: -0 }, { since: '0' }, { clientId: 'a' }, { before: undefined }, { ids: ['b'] }]) {
    expect(isTaken(recorded, { ...recorded, ...other }), JSON.stringify(other)).toBe(false);
  }
  expect(isTaken({ ...recorded, before: undefined }, recorded)).toBe(false);
  expect(isTaken({ ...recorded, ids: ['a'] }, { ...recorded, ids: ['b'] })).toBe(false);
  expect(isTaken({ ...recorded, since: Number.NaN }, { ...recorded, since: Number.NaN })).toBe(true);
});
