/** Finds the strategies that an operator has added to the bot of a configuration, as its journal has them. */
import type { BotConfig } from '../../../config/model.ts';
import type { AddedByStrategy } from '../../../domain/ready-made.ts';
import { openRedisReader } from '../../../edge/redis/image.ts';
import { foldRecords } from '../../../engine/recovery/registry.ts';
import type { StoredRecord } from '../../../ports/store.ts';
import { stateFolder } from '../../setup/state-folder.ts';
import type { Saved } from '../store/recovered.ts';
import { openStoppedBot } from '../store/stopped.ts';

/** Of a bot that does not run. Empty without a journal. @throws StoreError if it cannot be read */
export async function addedBefore(config: Pick<BotConfig, 'bot' | 'store'>): Promise<AddedByStrategy> {
  const { kind, url, acceptPlaintext } = config.store;
  if (kind === 'memory') return {};
  if (kind === 'embedded') {
    const bot = openStoppedBot(stateFolder(config));
    bot?.close();
    return bot?.added ?? {};
  }
  const reader = openRedisReader({ url, acceptPlaintext, prefix: `tickwright:${config.bot}` });
  try {
    const text = (await reader.image())?.values.get('snapshot');
    const saved = text === undefined ? null : (JSON.parse(text) as Saved);
    const records: StoredRecord[] = [];
    for await (const record of reader.read((saved?.after ?? 0) + 1)) records.push(record);
    return foldRecords(saved?.kernel ?? null, records).added ?? {};
  } finally {
    reader.close();
  }
}
