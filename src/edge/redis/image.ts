/** Reads a journal in Redis without its lease: what it had at one moment, and its records up to there. */
import { StoreError, type StoredRecord, type StoreImage } from '../../ports/store.ts';
import { READ_ROWS, recordOf } from '../journal-rows.ts';
import { checkedValue, entryOf } from './entry.ts';
import { keysOf, type Keys } from './keys.ts';
import { RedisClient, type RedisCalls } from './redis-client.ts';

/** KEYS: head, entries. → [format, genesis, position, link, then keys and values]. Both are of one moment, because a script is. */
const IMAGE = `
local head = redis.call('HMGET', KEYS[1], 'format', 'genesis', 'position', 'link')
return {head, redis.call('HGETALL', KEYS[2])}
`;

/** Format of the journal: 2 has a hash of key and value before each value, and the number of values in the head. */
export const FORMAT = '2';

export interface RedisReader {
  /** null if there is no journal. @throws StoreError */
  image(): Promise<StoreImage | null>;
  read(from: number): AsyncIterable<StoredRecord>;
  close(): void;
}

/** @throws StoreError unsafe if the address is none */
export function openRedisReader(options: {
  readonly url: string;
  readonly prefix: string;
  readonly acceptPlaintext: boolean;
}): RedisReader {
  const client = new RedisClient({ url: options.url, timeoutMs: 5_000, refusesPlaintext: !options.acceptPlaintext });
  const keys = keysOf(options.prefix);
  return {
    image: () => redisImage(client, keys),
    async *read(from) {
      for (let next = Math.max(1, from); ;) {
        const reply = await client.command('XRANGE', keys.journal, `${next}-0`, '+', 'COUNT', READ_ROWS);
        const entries = (reply as [string, string[]][]).map(entryOf);
        if (entries.length === 0) return;
        for (const entry of entries) yield recordOf(entry);
        next = entries.at(-1)!.position + 1;
      }
    },
    close: () => client.close(),
  };
}

/** Of a journal that is there. @throws StoreError */
export async function wholeImage(client: RedisCalls, keys: Keys): Promise<StoreImage> {
  const image = await redisImage(client, keys);
  if (image === null) throw new StoreError('corrupt', `the head ${keys.head} at redis ${client.address} is missing`);
  return image;
}

/** @throws StoreError */
async function redisImage(client: RedisCalls, keys: Keys): Promise<StoreImage | null> {
  const reply = (await client.script(IMAGE, [keys.head, keys.entries], [])) as [(string | null)[], string[]];
  const [[format, genesis, position, link], pairs] = reply;
  if (format === null || format === undefined) return null;
  checkFormat(format, keys);
  const values = new Map<string, string>();
  for (let k = 0; k < pairs.length; k += 2) {
    const value = checkedValue(pairs[k]!, pairs[k + 1]!);
    if (value === null) throw new StoreError('corrupt', `the value of ${JSON.stringify(pairs[k])} in ${keys.entries} is damaged`);
    values.set(pairs[k]!, value);
  }
  return { base: { position: 0, link: genesis ?? '' }, position: Number(position), link: link ?? '', values };
}

/** @throws StoreError unsafe */
export function checkFormat(format: string, keys: Keys): void {
  if (format === FORMAT) return;
  const advice = format === RESTORING ? 'restore it again' : 'open it with the version that wrote it';
  throw new StoreError('unsafe', `${keys.journal} has format ${format}, expected format ${FORMAT}: ${advice}`);
}

/** The format of a journal that is being restored: no bot opens it. */
export const RESTORING = 'restoring';
