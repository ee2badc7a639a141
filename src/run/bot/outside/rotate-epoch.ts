/**
 * The `rotate-epoch` command on the store of a stopped bot. A person confirms that unknown orders with the bot's name are from a lost
 * journal. Later ids are of a new epoch, and the halts that wait for this are lifted.
 */
import type { BotConfig } from '../../../config/model.ts';
import { ClientIds } from '../../../domain/orders/client-ids.ts';
import { latestEpoch } from '../../../edge/file/account-lock.ts';
import { HaltMarker } from '../../../edge/file/beside/halt-marker.ts';
import { LiveClock } from '../../../edge/time/live-clock.ts';
import { haltRow } from '../../../engine/state/events/halt-codes.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import { foldRecords } from '../../../engine/recovery/registry.ts';
import type { Log } from '../../../ports/log.ts';
import type { JournalRecord, Store } from '../../../ports/store.ts';
import { openStore } from '../store/open-store.ts';
import { IDS_KEY, idsIn, type Saved } from '../store/recovered.ts';

export interface Rotation {
  readonly before: number;
  readonly epoch: number;
  readonly nextSeq: number;
  /** Codes of the halts that were lifted. */
  readonly lifted: readonly string[];
}

/** @throws Failure: occupied if the bot runs, configuration if there is no journal or it is damaged */
export async function rotateEpoch(config: BotConfig, log: Log): Promise<Rotation> {
  const store = await openStore(config.store, config.bot, log, { isRollbackAccepted: true });
  try {
    return await rotateIn(store, config);
  } finally {
    await store.close();
  }
}

async function rotateIn(store: Store, config: BotConfig): Promise<Rotation> {
  const now = new LiveClock().now();
  const ids = (await idsIn(store, config.bot)) ?? ClientIds.begin({ bot: config.bot, epoch: Math.floor(now / 1000) });
  const text = await store.get('snapshot');
  const saved = text === null ? null : (JSON.parse(text) as Saved);
  const records: JournalRecord[] = [];
  for await (const record of store.read((saved?.after ?? 0) + 1)) records.push(record);
  const { nextSeq, halts } = foldRecords(saved?.kernel ?? null, records);
  const before = ids.epoch;
  // A lost journal may have used epochs ahead of the clock: starts within one second, or a clock that was put back.
  ids.rotate(Math.max(now, latestEpoch(process.env) * 1000), nextSeq);
  const lifted = halts.filter(isLifted);
  for (const { scope, code, seq } of lifted) {
    store.append({ kind: 'lift', seq, time: now, data: { scope, code, why: 'the epoch was rotated', by: 'operator' } });
  }
  store.append({ kind: 'epoch', seq: 0, time: now, data: { before, epoch: ids.epoch, nextSeq } });
  store.put(IDS_KEY, JSON.stringify(ids.saved()));
  await store.commit();
  const marker = new HaltMarker(config.store.folder);
  const marked = marker.read();
  const kept = marked.filter((halt) => !isLifted(halt));
  if (kept.length < marked.length) marker.write(kept);
  return { before, epoch: ids.epoch, nextSeq, lifted: [...new Set(lifted.map(({ code }) => code))] };
}

function isLifted({ code }: Pick<SavedHalt, 'code'>): boolean {
  return haltRow(code).end === 'rotate';
}
