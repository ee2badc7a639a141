/** Opens the configured store and explains its errors. */
import type { StoreConfig } from '../../../config/model.ts';
import type { Log } from '../../../ports/log.ts';
import { StoreError, storeFailure, type Store } from '../../../ports/store.ts';

export interface OpenOptions {
  /** Open a store even if it was restored to an earlier state. */
  readonly isRollbackAccepted?: boolean;
  /** Hash of the traded account. */
  readonly account?: string;
  /** Time that a command of the previous holder may still be in flight, in milliseconds. */
  readonly settleMs?: number;
}

/** Time to wait for the Redis lease of a killed process. */
const LEASE_MS = 15_000;

/** @throws Failure by the table in base/failure/store-failures.ts */
export async function openStore(config: StoreConfig, bot: string, log: Log, options: OpenOptions = {}): Promise<Store> {
  try {
    switch (config.kind) {
      case 'embedded': {
        const { openEmbeddedStore } = await import('../../../edge/embedded/embedded-store.ts');
        return openEmbeddedStore({ folder: config.folder, isRollbackAccepted: options.isRollbackAccepted });
      }
      case 'redis': {
        const { openRedisStore } = await import('../../../edge/redis/redis-store.ts');
        log.info('store-opening', { kind: 'redis', waitMs: LEASE_MS + 1_000 });
        return await openRedisStore({
          url: config.url,
          acceptPlaintext: config.acceptPlaintext,
          acceptReplicaLoss: config.acceptReplicaLoss,
          prefix: `tickwright:${bot}`,
          leaseMs: LEASE_MS,
          waitMs: LEASE_MS + 1_000,
          outageMs: config.outageMs,
          ...options,
        });
      }
      case 'memory': {
        const { openMemoryStore } = await import('../../../edge/memory/memory-store.ts');
        return openMemoryStore();
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw storeFailure(error, placeOf(config));
  }
}

/** Where the store is, for messages. */
export function placeOf(config: StoreConfig): string {
  return config.kind === 'embedded' ? config.folder : `store (${config.kind})`;
}
