/** Stores of bots for tests of backups: a journal with values, stopped or served as a running bot serves it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultConfig } from '../../../src/config/defaults.ts';
import type { BotConfig } from '../../../src/config/model.ts';
import { ClientIds } from '../../../src/domain/orders/client-ids.ts';
import { startControl, type RunningControl } from '../../../src/edge/control/control-server.ts';
import { takePresence } from '../../../src/edge/file/beside/presence.ts';
import { EMPTY_SNAPSHOT } from '../../../src/engine/recovery/registry.ts';
import type { JournalRecord, Store, StoredRecord } from '../../../src/ports/store.ts';
import { answerCopy } from '../../../src/run/bot/control/copy.ts';
import type { Operable } from '../../../src/run/bot/control/operable.ts';

const folders: string[] = [];

/** For `afterEach`. */
export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tw-backup-'));
  folders.push(folder);
  return folder;
}

/** Text that a line of JSON, a gzip member and a split into lines may stumble over. */
const ODD = 'a "line"\n \u2028\u2029 \u0000 \u{1f600} é';

export const recordOf = (k: number): JournalRecord => {
  return { kind: 'note', seq: 0, time: 1_700_000_000_000 + k, data: { k, text: `${ODD} ${'x'.repeat(k % 97)}` } };
};

/** Writes what a bot has after its start: its epoch, its format and a snapshot of the records so far. */
export async function begin(store: Store, bot: string, records = 0): Promise<void> {
  for (let k = 1; k <= records; k++) store.append(recordOf(k));
  store.put('format', '1');
  store.put('epochs', JSON.stringify(ClientIds.begin({ bot, epoch: 1_700_000_000 }).saved()));
  store.put('odd', ODD);
  const kernel = { ...EMPTY_SNAPSHOT, nextSeq: 7 };
  store.put('snapshot', JSON.stringify({ after: records, kernel, fills: 0, startEquity: 0, shown: { bot, status: {}, instruments: [] } }));
  await store.commit();
}

/** The configuration of a bot with an embedded store in the folder. */
export function configIn(folder: string, bot = 'tw'): BotConfig {
  const config = defaultConfig();
  return { ...config, bot, store: { ...config.store, kind: 'embedded', folder } };
}

export function configOnRedis(url: string, folder: string, bot = 'tw'): BotConfig {
  const config = configIn(folder, bot);
  return { ...config, store: { ...config.store, kind: 'redis', url } };
}

/** Serves the store on the control socket of the folder, as a bot that runs there. */
export async function serve(folder: string, store: Store, bot = 'tw', kind: 'embedded' | 'redis' = 'embedded'): Promise<RunningControl> {
  const presence = takePresence(folder);
  const operable = {
    image: async () => ({ ...(await store.image!()), bot, store: kind }),
    records: (from: number) => store.read(from),
  } as unknown as Operable;
  const control = await startControl({
    folder,
    port: null,
    handler: (_method, _name, { from }) => answerCopy(operable, from),
    now: () => performance.now(),
    onError: (error) => {
      throw error;
    },
  });
  return {
    ...control,
    async close() {
      await control.close();
      presence?.release();
    },
  };
}

export async function recordsOf(store: Store, from = 1): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const record of store.read(from)) records.push(record);
  return records;
}
