/** Opens the configured store and explains its errors. */
import { Failure } from '../../base/failure.ts';
import type { StoreConfig } from '../../config/model.ts';
import type { Log } from '../../ports/log.ts';
import { StoreError, type Store } from '../../ports/store.ts';

export interface OpenOptions {
  /** Open a store even if it was restored to an earlier state. */
  readonly isRollbackAccepted?: boolean;
  /** Hash of the traded account. */
  readonly account?: string;
  /** How long a command of the previous holder may still be in flight, in milliseconds. */
  readonly settleMs?: number;
}

/** How long to wait for the Redis lease of a killed process. */
const LEASE_MS = 15_000;

/** @throws Failure: occupied if another bot has the store, Redis is away or there is no room, configuration if it is damaged or unsafe */
export async function openStore(config: StoreConfig, bot: string, log: Log, options: OpenOptions = {}): Promise<Store> {
  try {
    switch (config.kind) {
      case 'embedded': {
        const { openEmbeddedStore } = await import('../../edge/embedded/store.ts');
        return openEmbeddedStore({ folder: config.folder, isRollbackAccepted: options.isRollbackAccepted });
      }
      case 'redis': {
        const { openRedisStore } = await import('../../edge/redis/store.ts');
        log.info('store-opening', { kind: 'redis', waitMs: LEASE_MS + 1_000 });
        return await openRedisStore({
          url: config.url,
          acceptPlaintext: config.acceptPlaintext,
          prefix: `tickwright:${bot}`,
          leaseMs: LEASE_MS,
          waitMs: LEASE_MS + 1_000,
          outageMs: config.outageMs,
          ...options,
        });
      }
      case 'memory': {
        const { openMemoryStore } = await import('../../edge/memory/store.ts');
        return openMemoryStore();
      }
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const where = config.kind === 'embedded' ? config.folder : `store (${config.kind})`;
    const isOccupied = error.code === 'locked' || (error.code === 'unreachable' && config.kind === 'redis');
    const code = error.code === 'full' ? 'store-full' : isOccupied ? 'store-occupied' : 'store-unusable';
    throw new Failure(code, { what: error.message, where }, { cause: error });
  }
}
