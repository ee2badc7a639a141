/** Verifies the authentication headers of a dialect (interface §5) against the accounts of this exchange. Returns the account's API key. */
import type { IncomingHttpHeaders } from 'node:http';
import type { KeyObject } from 'node:crypto';
import type { Dialect } from '../../../venue/dialect.ts';
import { sameSecret, sign, signatureKey } from '../../signature.ts';

/** The credentials of an account. */
export interface ServedAccount {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface Credentials {
  /** The request target as received, the exact bytes of the body, and the time of arrival in milliseconds. */
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly now: number;
}

interface KnownAccount {
  readonly passphrase: string;
  readonly signer: KeyObject;
}

/** The path that a signature covers: `full` as requested, `bare` without the API prefix, or either. */
export type SignedPath = 'bare' | 'either' | 'full';

/** An integer of milliseconds: no sign, no fraction. */
const TIMESTAMP = /^[0-9]{1,15}$/;

/**
 * Creates a function that returns the verified API key, or null if a header is missing or wrong. An unknown key takes as long as a known
 * one.
 */
export function createAuthenticator(
  accounts: readonly ServedAccount[],
  clockSkewMs: number,
  { prefix, signedText }: Dialect,
  signedPath: SignedPath = 'full',
): (call: Credentials) => string | null {
  const known = new Map<string, KnownAccount>();
  for (const { key, secret, passphrase } of accounts) {
    known.set(key, { passphrase, signer: signatureKey(secret) });
  }
  const nobody: KnownAccount = { passphrase: '', signer: signatureKey('nobody') };
  return ({ method, target, body, headers, now }) => {
    const key = headers['access-key'];
    const signature = headers['access-sign'];
    const passphrase = headers['access-passphrase'];
    const timestamp = headers['access-timestamp'];
    if (typeof key !== 'string' || typeof signature !== 'string' || typeof passphrase !== 'string') return null;
    if (typeof timestamp !== 'string' || !TIMESTAMP.test(timestamp)) return null;
    const holder = known.get(key) ?? nobody;
    const isSignedAs = (path: string): boolean => sameSecret(signature, sign(holder.signer, timestamp, method, path, body, signedText));
    const bare = target.startsWith(prefix) ? target.slice(prefix.length) : target;
    const isSigned = (signedPath !== 'bare' && isSignedAs(target)) || (signedPath !== 'full' && isSignedAs(bare));
    const isPassed = sameSecret(passphrase, holder.passphrase);
    const isTimely = Math.abs(now - Number(timestamp)) <= clockSkewMs;
    return isSigned && isPassed && isTimely && holder !== nobody ? key : null;
  };
}
