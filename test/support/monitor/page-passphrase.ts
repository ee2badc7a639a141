/** The proof of the passphrase as the page makes it: its own module. */
import type { Challenge } from '../../../src/control/monitor-routes.ts';

interface PagePassphrase {
  readonly factorOf: (typed: string, challenge: Challenge, name: string, fields: object) => Promise<{ nonce: string; proof: string }>;
}

const MODULE = new URL('../../../src/monitor/page/parts/passphrase.js', import.meta.url);

export const { factorOf } = (await import(MODULE.href)) as PagePassphrase;
