/** Asks the Redis of a store who it is, for `doctor`. Leaves nothing there. */
import { addressOf, RedisClient } from '../../../edge/redis/redis-client.ts';
import { checkSafety, readFacts } from '../../../edge/redis/safety.ts';
import { keysOf } from '../../../edge/redis/keys.ts';
import { openRedisStore, type RedisOptions } from '../../../edge/redis/redis-store.ts';
import type { StoreConfig } from '../../../config/model.ts';

const TIMEOUT_MS = 5_000;

export interface RedisAnswer {
  readonly version: string;
  readonly address: string;
  readonly replicas: number;
  /** True if sentinels said which server is the primary. */
  readonly isWatched: boolean;
}

/** @throws StoreError if bot `bot` could not keep its journal there */
export async function askRedis(bot: string, { url, acceptPlaintext, acceptReplicaLoss }: StoreConfig): Promise<RedisAnswer> {
  const client = new RedisClient({ url, timeoutMs: TIMEOUT_MS, refusesPlaintext: !acceptPlaintext });
  try {
    const facts = await readFacts(client);
    checkSafety(facts, client.address, false);
    const prefix = `tickwright:${bot}.doctor-${process.pid}`;
    await writeTrial({ url, acceptPlaintext, acceptReplicaLoss, prefix, timeoutMs: TIMEOUT_MS }, client);
    const { version, replicas } = facts;
    return { version, replicas, address: client.address, isWatched: addressOf(url).group !== '' };
  } finally {
    client.close();
  }
}

/** Opens a journal of its own and uses every right that a bot needs, then removes it. */
async function writeTrial(options: RedisOptions, client: RedisClient): Promise<void> {
  const store = await openRedisStore(options);
  try {
    store.append({ kind: 'trial', seq: 0, time: 0, data: {} });
    store.put('trial', '1');
    await store.commit();
    await store.check();
    await store.get('trial');
    await store.read(1)[Symbol.asyncIterator]().next();
  } finally {
    await store.close();
    await client.command('DEL', ...Object.values(keysOf(options.prefix)));
  }
}
