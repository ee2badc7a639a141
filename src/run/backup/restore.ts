/**
 * Puts a backup back where no store is. The bot that starts with it issues client ids of another epoch, and opens nothing until a person has looked:
 * what happened after the backup is known to the venue alone.
 */
import { randomInt } from 'node:crypto';
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { latestEpoch } from '../../edge/file/account-lock.ts';
import type { BackupHead } from '../../edge/file/backup/backup-format.ts';
import { readBackup, readBackupHead } from '../../edge/file/backup/backup-reader.ts';
import { HaltRequests, type HaltRequest } from '../../edge/file/beside/halt-requests.ts';
import { takePresence } from '../../edge/file/beside/presence.ts';
import { linkOf, type Row } from '../../edge/journal-rows.ts';
import { StoreError, storeFailure, type JournalRecord, type RecordPlace } from '../../ports/store.ts';
import { makeFolder } from '../bot/outside/try-folders.ts';
import { placeOf } from '../bot/store/open-store.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { contentsOf, withIds, type BackupContents } from './contents.ts';

export interface RestoreOptions {
  readonly path: string;
  readonly config: BotConfig;
  readonly now: number;
  /** Finds the epochs that bots of this machine used. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface RestoreDone extends Pick<BackupContents, 'records' | 'positions' | 'orders' | 'until'> {
  readonly head: BackupHead;
  /** Where the store is now. */
  readonly place: string;
  readonly folder: string;
  readonly epoch: number;
}

/**
 * Seconds between the latest known epoch and that of a restored bot, at least; at most twice as many. The lost records may have used epochs ahead of
 * any clock, and the same backup may be restored twice.
 */
const EPOCH_GAP = 1 << 20;

/** A store that is made, under whatever kind. */
interface Making {
  value(key: string, text: string): void | Promise<void>;
  record(record: Row): void | Promise<void>;
  publish(): void | Promise<void>;
  /** After `publish` too. */
  end(): void;
}

/** @throws Failure. Nothing was changed then. */
export async function restoreBackup({ path, config, now, env }: RestoreOptions): Promise<RestoreDone> {
  const { bot } = config;
  const head = await readBackupHead(path);
  if (head.bot !== bot) {
    const what = `${path} is of bot ${head.bot}, and the configuration names bot ${bot}`;
    throw new Failure('backup-unusable', { what, hint: 'client ids begin with the name of the bot: restore it under the same name' });
  }
  const contents = await contentsOf(path, bot);
  const { ids, kernel } = contents;
  const before = ids.epoch;
  ids.restore(Math.max(now, latestEpoch(env) * 1000), kernel.nextSeq, EPOCH_GAP + randomInt(EPOCH_GAP));
  const folder = stateFolder(config);
  makeFolder(folder);
  const presence = takePresence(folder);
  if (presence === null) throw new Failure('store-occupied', { what: `a bot runs in ${folder}`, hint: 'stop it, or name another folder' });
  try {
    const making = await begin(config, head.base);
    try {
      for (const [key, text] of withIds(contents.values, ids.saved())) await making.value(key, text);
      let last = head.base;
      for await (const entry of readBackup(path)) {
        if (entry.kind === 'value') continue;
        const { record, data, link } = entry;
        await making.record({ ...record, data, link });
        last = { position: record.position, link };
      }
      for (const record of recordsOf(head, { before, epoch: ids.epoch, nextSeq: kernel.nextSeq }, now)) {
        const linked = linkedTo(last, record);
        await making.record(linked);
        last = linked;
      }
      const requests = new HaltRequests(folder);
      for (const request of head.requests) requests.add(request as HaltRequest);
      await making.publish();
    } finally {
      making.end();
    }
  } catch (error) {
    throw error instanceof StoreError ? storeFailure(error, placeOf(config.store)) : error;
  } finally {
    presence.release();
  }
  const { records, positions, orders, until } = contents;
  return { head, place: placeOf(config.store), folder, epoch: ids.epoch, records, positions, orders, until };
}

/** What a person reads in `status` of the restored bot, and the new epoch. */
function recordsOf(head: BackupHead, epoch: Readonly<Record<string, number>>, time: number): readonly JournalRecord[] {
  const detail = `restored from a backup of ${new Date(head.madeAt).toISOString()}: compare positions and orders with the venue`;
  const halt = { scope: 'bot', code: 'journal-restored', detail, by: 'tickwright restore' };
  return [
    { kind: 'halt', seq: 0, time, data: halt },
    { kind: 'epoch', seq: 0, time, data: epoch },
  ];
}

function linkedTo({ position, link }: RecordPlace, { kind, seq, time, data }: JournalRecord): Row {
  const text = JSON.stringify(data);
  return { position: position + 1, kind, seq, time, data: text, link: linkOf(link, position + 1, seq, time, text, kind) };
}

/** @throws Failure store-exists, store-kept-nowhere; StoreError */
async function begin({ store, bot }: BotConfig, base: RecordPlace): Promise<Making> {
  if (store.kind === 'memory') throw new Failure('store-kept-nowhere', { what: 'store.kind is memory: nothing would be kept' });
  if (store.kind === 'redis') {
    const { RestoredJournal } = await import('../../edge/redis/restored-journal.ts');
    const { url, acceptPlaintext } = store;
    const journal = await RestoredJournal.begin({ url, acceptPlaintext, prefix: `tickwright:${bot}` }, base);
    return {
      value: (key, text) => journal.value(key, text),
      record: (record) => journal.record(record),
      publish: () => journal.publish(),
      end: () => journal.close(),
    };
  }
  const { RestoredStore, storeFileIn } = await import('../../edge/embedded/restored-store.ts');
  const found = storeFileIn(store.folder, base);
  if (found !== null)
    throw new Failure('store-exists', { what: `there is a store: ${found}`, hint: 'move it away, or name another store.folder' });
  const made = new RestoredStore(store.folder, base);
  return {
    value: (key, text) => made.value(key, text),
    record: (record) => made.record(record),
    publish: () => made.publish(),
    end: () => made.discard(),
  };
}
