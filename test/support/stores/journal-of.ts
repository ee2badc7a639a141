/** A journal of given records. */
import type { JournalRecord, StoredRecord } from '../../../src/ports/store.ts';

export function journalOf(records: readonly JournalRecord[]): { records(from?: number): StoredRecord[]; lastRecord(): number } {
  const stored = records.map((record, k) => ({ position: k + 1, ...record }));
  return { records: (from = 1) => stored.slice(Math.max(0, from - 1)), lastRecord: () => stored.length };
}
