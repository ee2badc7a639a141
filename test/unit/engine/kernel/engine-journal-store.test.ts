/** What the kernel does about the store of its journal: another server, settings that may lose records, records that are lost. */
import { expect, test } from 'vitest';
import { ClientIds } from '../../../../src/domain/orders/client-ids.ts';
import { parseClientId } from '../../../../src/domain/orders/command.ts';
import { pushedRig } from '../../../support/engine/engine-kit.ts';

test('after a move of the journal new ids are of a later epoch, and old ones stay what they were', () => {
  const ids = ClientIds.begin({ bot: 'tw', epoch: 5 });
  const { ctx, kernel } = pushedRig({}, { ids });
  const open = (): number => ctx().open(ctx().markets[0]!, 'LONG', { size: '0.01' });
  const epochOf = (seq: number): number => parseClientId(ids.bot, ids.idOf(seq)).epoch;
  const before = open();
  const first = epochOf(before);
  kernel.inbox.newEpoch();
  const after = open();
  expect(epochOf(before)).toBe(first);
  expect(epochOf(after)).toBeGreaterThan(first);
  expect(ids.lostUpTo, 'unknown ids still count as unexpected').toBeLessThan(first);
});

test('an unsafe journal halts opens with its reason, until it is safe', () => {
  const { ctx, kernel, venue } = pushedRig();
  const refused = (): boolean => {
    const before = venue.commands.length;
    ctx().open(ctx().markets[0]!, 'LONG', { size: '0.01' });
    return venue.commands.length === before;
  };
  kernel.inbox.journalUnsafe('"appendonly no"');
  expect(kernel.halts().map(({ code, detail }) => [code, detail])).toEqual([['journal-unsafe', '"appendonly no"']]);
  expect(refused()).toBe(true);
  kernel.inbox.journalUnsafe('no replica');
  expect(kernel.halts().map(({ code, detail }) => [code, detail])).toEqual([['journal-unsafe', 'no replica']]);
  kernel.inbox.journalUnsafe('');
  expect([kernel.halts(), refused()]).toEqual([[], false]);
});

test('lost records halt opens until the epoch is rotated', () => {
  const { kernel } = pushedRig();
  kernel.inbox.journalBehind('it lacks records');
  kernel.inbox.journalUnsafe('');
  expect(kernel.halts().map(({ code }) => code)).toEqual(['journal-rollback']);
  kernel.inbox.rotateEpoch();
  expect(kernel.halts()).toEqual([]);
});
