/** Reads a backup from its source: the bot that runs, or the store of a stopped one. */
import { Failure } from '../../base/failure/failure.ts';
import type { BotConfig } from '../../config/model.ts';
import { openStoreReader } from '../../edge/embedded/reader.ts';
import { openRedisReader } from '../../edge/redis/image.ts';
import type { StoredRecord, StoreImage } from '../../ports/store.ts';
import { COPY_ROUTE, type CopyImage, type CopyPage } from '../bot/control/copy.ts';
import { advice, reach, silence } from '../bot/outside/reach.ts';
import type { Saved } from '../bot/store/recovered.ts';

export interface BackupSource {
  readonly bot: string;
  readonly store: 'embedded' | 'redis';
  readonly isRunning: boolean;
  readonly image: StoreImage;
  /** Records from `from` on, in order. It may give more than the image has. */
  records(from: number): AsyncIterable<StoredRecord>;
  close(): void;
}

/** Longest wait for a bot that is busy. */
const PATIENCE_MS = 30_000;

/** The bot of the state folder, running or not. `config`: null if none names it. @throws Failure, StoreError */
export async function openSource(folder: string, config: BotConfig | null): Promise<BackupSource> {
  const first = await ask(folder, {});
  if (first !== null) return running(folder, first as CopyImage);
  if (config?.store.kind === 'memory') throw nowhere('the store of the bot is in memory');
  if (config?.store.kind === 'redis') return ofRedis(config);
  const reader = openStoreReader(folder);
  if (reader === null)
    throw new Failure('bot-missing', {
      what: `no bot runs in ${folder}, and it has no store`,
      hint: 'name another: --state FOLDER, or --config FILE of the bot; a stopped bot with its store in Redis is found only by --config',
    });
  const image = reader.image();
  const bot = config?.bot ?? nameIn(image);
  if (bot === '') {
    reader.close();
    throw new Failure('bot-unnamed', { what: `no bot has left its name in ${folder}`, hint: 'name its configuration: --config FILE' });
  }
  return {
    bot,
    store: 'embedded',
    isRunning: false,
    image,
    async *records(from) {
      yield* reader.read(from);
    },
    close: () => reader.close(),
  };
}

function nameIn({ values }: StoreImage): string {
  const text = values.get('snapshot');
  return text === undefined ? '' : ((JSON.parse(text) as Saved).shown?.bot ?? '');
}

function running(folder: string, { bot, store, values, ...places }: CopyImage): BackupSource {
  return {
    bot,
    store,
    isRunning: true,
    image: { ...places, values: new Map(values) },
    async *records(from) {
      for (let next = from; ;) {
        const { records } = ((await ask(folder, { from: next })) ?? { records: [] }) as CopyPage;
        if (records.length === 0) return;
        yield* records;
        next = records.at(-1)!.position + 1;
      }
    },
    close: () => undefined,
  };
}

async function ofRedis({ bot, store }: BotConfig): Promise<BackupSource> {
  const { url, acceptPlaintext } = store;
  const reader = openRedisReader({ url, acceptPlaintext, prefix: `tickwright:${bot}` });
  try {
    const image = await reader.image();
    if (image === null)
      throw new Failure('bot-missing', { what: `bot ${bot} has no journal in its Redis`, hint: 'check bot and store.url' });
    return { bot, store: 'redis', isRunning: false, image, records: (from) => reader.read(from), close: () => reader.close() };
  } catch (error) {
    reader.close();
    throw error;
  }
}

/** The answer of the bot that runs in the folder; null if none runs. @throws Failure backup-failed */
async function ask(folder: string, given: Readonly<Record<string, unknown>>): Promise<object | null> {
  const reached = await reach(folder, { method: 'GET', name: COPY_ROUTE, given }, true, PATIENCE_MS);
  if (reached.kind === 'absent') return null;
  if (reached.kind === 'silent')
    throw new Failure('backup-failed', { what: silence(reached.present, Date.now()), hint: advice(reached.present) });
  if (reached.status === 200) return reached.body;
  const { code, message } = reached.body as { readonly code: string; readonly message: string };
  if (code === 'no-such-command')
    throw new Failure('backup-failed', { what: 'the bot that runs is of a version without backups', hint: 'stop it first' });
  throw code === 'refused' ? nowhere(message) : new Failure('backup-failed', { what: message });
}

function nowhere(what: string): Failure {
  return new Failure('store-kept-nowhere', { what });
}
