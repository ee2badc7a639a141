/** A digest of a configuration: the same for the same configuration. Keys of the account are no part of it. */
import { createHash } from 'node:crypto';
import type { BotConfig } from '../../config/model.ts';

/** So many hexadecimal digits of SHA-256. */
export function configDigest(config: BotConfig, digits: number): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...config, credentials: null }))
    .digest('hex')
    .slice(0, digits);
}
