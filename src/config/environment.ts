/** Tells variables of the configuration from others. Cheap, so that the command line can decide whether to load the schema. */

import { PASSPHRASE_VARIABLE } from './files/keystore-place.ts';

/**
 * Variables that are not configuration keys. TICKWRIGHT_DEBUG shows stack traces. TICKWRIGHT_STATE_HOME is the folder of account locks.
 * TICKWRIGHT_NODE is the Node.js that PM2 uses. TICKWRIGHT_ADMIN_TOKEN is the token of the paper exchange's admin interface. TICKWRIGHT_MIRROR is where
 * `tape fetch` downloads from.
 */
export const RESERVED_VARIABLES: readonly string[] = [
  'TICKWRIGHT_DEBUG',
  'TICKWRIGHT_STATE_HOME',
  'TICKWRIGHT_NODE',
  'TICKWRIGHT_ADMIN_TOKEN',
  'TICKWRIGHT_MIRROR',
  PASSPHRASE_VARIABLE,
];

/** True if any variable sets a key. Secrets count, because they must be removed from the environment. */
export function isConfigured(env: Readonly<Record<string, string | undefined>>): boolean {
  return Object.keys(env).some((name) => name.startsWith('TICKWRIGHT_') && !RESERVED_VARIABLES.includes(name));
}
