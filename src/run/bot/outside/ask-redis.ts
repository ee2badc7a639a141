/** Asks the Redis of a store who it is, for `doctor`. Changes nothing there. */
import { addressOf, RedisClient } from '../../../edge/redis/client.ts';
import { checkSafety, readFacts } from '../../../edge/redis/safety.ts';
import type { StoreConfig } from '../../../config/model.ts';

const TIMEOUT_MS = 5_000;

export interface RedisAnswer {
  readonly version: string;
  readonly address: string;
  readonly replicas: number;
  /** True if sentinels said which server is the primary. */
  readonly isWatched: boolean;
}

/** @throws StoreError if a bot could not keep its journal there */
export async function askRedis({ url, acceptPlaintext }: StoreConfig): Promise<RedisAnswer> {
  const client = new RedisClient({ url, timeoutMs: TIMEOUT_MS, refusesPlaintext: !acceptPlaintext });
  try {
    const facts = await readFacts(client);
    checkSafety(facts, client.address, false);
    const { version, replicas } = facts;
    return { version, replicas, address: client.address, isWatched: addressOf(url).group !== '' };
  } finally {
    client.close();
  }
}
