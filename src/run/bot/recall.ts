/** What a bot knows again after a restart: the journal's epoch, the last snapshot, and the records since. */
import { foldRecords } from '../../engine/records.ts';
import type { KernelSnapshot } from '../../engine/options.ts';
import type { JournalRecord, Store } from '../../ports/store.ts';

/** What is saved now and then under "snapshot"; the records after `after` are folded onto it. */
export interface Saved {
  readonly after: number;
  readonly kernel: KernelSnapshot;
  /** Fills told of since the journal began. */
  readonly fills: number;
  /** Equity when the journal began, as money; 0 while it is not known. */
  readonly startEquity: number;
  /** By number: why each order that lived was placed, where that was said. */
  readonly reasons?: Readonly<Record<string, string>>;
}

export interface Memory {
  /** Part of every client id; drawn once per journal, so that ids of a lost journal are never said again. */
  readonly epoch: number;
  /** null for a new journal. */
  readonly snapshot: KernelSnapshot | null;
  /** The journal's end. */
  readonly position: number;
  readonly fills: number;
  readonly startEquity: number;
  /** By number: why orders were placed, all that live among them. */
  readonly reasons: ReadonlyMap<number, string>;
}

/** Reads the journal, or begins it. @throws StoreError */
export async function recall(store: Store, now: number): Promise<Memory> {
  const known = await store.get('epoch');
  if (known === null) {
    const epoch = Math.floor(now / 1000);
    store.put('epoch', String(epoch));
    await store.commit();
    return { epoch, snapshot: null, position: await store.last(), fills: 0, startEquity: 0, reasons: new Map() };
  }
  const text = await store.get('snapshot');
  const saved = text === null ? null : (JSON.parse(text) as Saved);
  const records: JournalRecord[] = [];
  for await (const record of store.read((saved?.after ?? 0) + 1)) records.push(record);
  return {
    epoch: Number(known),
    snapshot: foldRecords(saved?.kernel ?? null, records),
    position: await store.last(),
    fills: (saved?.fills ?? 0) + records.filter((record) => record.kind === 'fill').length,
    startEquity: saved?.startEquity ?? 0,
    reasons: reasonsOf(saved, records),
  };
}

function reasonsOf(saved: Saved | null, records: readonly JournalRecord[]): Map<number, string> {
  const reasons = new Map(Object.entries(saved?.reasons ?? {}).map(([seq, reason]) => [Number(seq), reason]));
  for (const { kind, seq, data } of records) if (kind === 'command') reasons.set(seq, String(data['reason']));
  return reasons;
}
