/** The headers that say who asks. The secret lives in a key object; nothing here keeps or prints it. */
import type { Secret } from '../../base/secret.ts';
import { sign, signatureKey } from '../signature.ts';

export interface Credentials {
  readonly key: Secret;
  readonly secret: Secret;
  readonly passphrase: Secret;
}

export interface Signing {
  readonly method: string;
  /** Path and query, as the venue signs them. */
  readonly target: string;
  readonly body: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes the headers of one authenticated request. Another way of signing is another function of this type. */
export type Signer = (signing: Signing) => Record<string, string>;

export function createSigner(credentials: Credentials): Signer {
  const key = credentials.key.reveal();
  const passphrase = credentials.passphrase.reveal();
  const signer = signatureKey(credentials.secret.reveal());
  return ({ method, target, body, now }) => {
    const timestamp = String(Math.floor(now));
    return {
      'ACCESS-KEY': key,
      'ACCESS-SIGN': sign(signer, timestamp, method, target, body),
      'ACCESS-PASSPHRASE': passphrase,
      'ACCESS-TIMESTAMP': timestamp,
    };
  };
}
