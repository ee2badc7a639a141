/** Finds what a backup holds by replaying it: each record is applied to the snapshot as at a start of the bot. */
import { readBackup } from '../../edge/file/backup/backup-reader.ts';
import type { SavedIds } from '../../domain/orders/client-ids.ts';
import { ClientIds } from '../../domain/orders/client-ids.ts';
import { isEnded } from '../../domain/orders/order.ts';
import { foldRecords, type KernelSnapshot } from '../../engine/recovery/registry.ts';
import type { StoredRecord } from '../../ports/store.ts';
import { checkFormat, IDS_KEY, idsIn, type Saved } from '../bot/store/recovered.ts';

export interface BackupContents {
  readonly values: ReadonlyMap<string, string>;
  readonly records: number;
  /** Time of the last record, in milliseconds since 1970; 0 without records. */
  readonly until: number;
  /** What a bot would know at its start. */
  readonly kernel: KernelSnapshot;
  readonly ids: ClientIds;
  /** Legs with a position, and orders that may be live. */
  readonly positions: number;
  readonly orders: number;
}

/** Reads and replays all of it. @throws Failure backup-unusable, store-unusable if a newer version wrote the store */
export async function contentsOf(path: string, bot: string): Promise<BackupContents> {
  const values = new Map<string, string>();
  let saved: Saved | null = null;
  const after: StoredRecord[] = [];
  let [records, until] = [0, 0];
  for await (const entry of readBackup(path)) {
    if (entry.kind === 'value') {
      values.set(entry.key, entry.text);
      if (entry.key === 'snapshot') saved = JSON.parse(entry.text) as Saved;
      continue;
    }
    records++;
    until = entry.record.time;
    if (entry.record.position > (saved?.after ?? 0)) after.push(entry.record);
  }
  const kept = { get: async (key: string) => values.get(key) ?? null };
  await checkFormat(kept, bot);
  const kernel = foldRecords(saved?.kernel ?? null, after);
  const ids = (await idsIn(kept, bot)) ?? ClientIds.begin({ bot, epoch: 1 });
  const orders = kernel.orders.filter(({ state }) => !isEnded(state)).length;
  const positions = (kernel.legs ?? []).filter(({ total }) => total > 0).length;
  return { values, records, until, kernel, ids, positions, orders };
}

/** The values of a restored store: those of the backup, with other client ids. */
export function withIds(values: ReadonlyMap<string, string>, ids: SavedIds): ReadonlyMap<string, string> {
  return new Map([...values, [IDS_KEY, JSON.stringify(ids)]]);
}
