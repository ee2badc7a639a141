/** Withdrawals (E5) across a kill: they are journaled before they are reported, and those during downtime are reported. */
import { expect, test } from 'vitest';
import type { WithdrawalReport } from '../../src/domain/report.ts';
import { foldRecords } from '../../src/engine/recovery/records.ts';
import type { KernelSnapshot } from '../../src/engine/recovery/kernel-snapshot.ts';
import { POLLS, rig, type Rig } from '../support/engine-kit.ts';

const polls = { ...POLLS, periods: { ...POLLS.periods, withdrawals: 1_000 } };

function withdrawal(id: string): WithdrawalReport {
  return { id, coin: 'USDT', size: '5', status: 'pending', toAddress: 'x' };
}

/** A bot that reads these withdrawals once, starting from `snapshot`. */
function reads(snapshot: KernelSnapshot | null, ids: readonly string[]): Rig {
  const r = rig({}, { polls });
  if (snapshot !== null) r.kernel.restore(snapshot);
  r.kernel.inbox.start();
  r.advance(2_000);
  r.answer({ kind: 'withdrawals', withdrawals: ids.map(withdrawal) });
  return r;
}

function told(r: Rig): unknown[] {
  return r.log.lines.filter(({ event }) => event === 'external').map(({ fields }) => fields['id']);
}

test('a kill before the first snapshot neither repeats nor hides a withdrawal', () => {
  const first = reads(null, ['1']);
  expect(told(first), 'it was there before the bot').toEqual([]);
  const second = reads(foldRecords(null, first.records), ['2', '1']);
  expect(told(second)).toEqual(['2']);
  const third = reads(foldRecords(foldRecords(null, first.records), second.records), ['3', '2', '1']);
  expect(told(third)).toEqual(['3']);
});

test('an empty first list counts as known', () => {
  const first = reads(null, []);
  expect(told(reads(foldRecords(null, first.records), ['1']))).toEqual(['1']);
});
