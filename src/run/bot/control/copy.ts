/** Gives the journal of a running bot away page by page, for a backup. Each call is short and keeps nothing, so the bot trades on meanwhile. */
import type { StoredRecord, StoreImage } from '../../../ports/store.ts';
import type { ControlReply } from '../../../edge/control/control-server.ts';
import type { Operable } from './operable.ts';

/** Name of the route. It is none of the commands of a person: `tickwright backup` calls it. */
export const COPY_ROUTE = 'copy';

/** The answer to a call without `from`. */
export interface CopyImage extends Omit<StoreImage, 'values'> {
  readonly bot: string;
  readonly store: 'embedded' | 'redis';
  readonly values: readonly (readonly [key: string, text: string])[];
}

/** The answer to a call with `from`: records from that position on, at least one if there is one. */
export interface CopyPage {
  readonly records: readonly StoredRecord[];
}

/** Characters of a page, about. */
const PAGE_CHARACTERS = 500_000;
const PAGE_RECORDS = 1_000;

export async function answerCopy(bot: Operable | null, from: unknown): Promise<ControlReply> {
  if (bot === null) return refused(503, 'starting', 'the bot is starting');
  if (from !== undefined) return { status: 200, body: await pageOf(bot, Number(from)) };
  const image = await bot.image();
  if (image === null) return refused(409, 'refused', 'the store of this bot is in memory: it keeps nothing that a backup could restore');
  return { status: 200, body: { ...image, values: [...image.values] } satisfies CopyImage };
}

async function pageOf(bot: Operable, from: number): Promise<CopyPage> {
  const records: StoredRecord[] = [];
  if (!Number.isSafeInteger(from) || from < 1) return { records };
  let characters = 0;
  for await (const record of bot.records(from)) {
    records.push(record);
    characters += JSON.stringify(record.data).length;
    if (characters >= PAGE_CHARACTERS || records.length >= PAGE_RECORDS) break;
  }
  return { records };
}

function refused(status: number, code: string, message: string): ControlReply {
  return { status, body: { ok: false, code, message, hint: '' } };
}
