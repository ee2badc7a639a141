/** Builds the authentication headers. The secret is kept in a key object; nothing here stores or prints it. */
import type { Credentials } from '../../base/secret.ts';
import type { SignedText } from '../../venue/dialect.ts';
import { sign, signatureKey } from '../signature.ts';

export interface Unsigned {
  readonly method: string;
  /** Path and query in the form that the venue signs. */
  readonly target: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Builds the headers of one authenticated request. Another signature scheme is another function of this type. */
export type Signer = (request: Unsigned) => Record<string, string>;

export function createSigner(credentials: Credentials, signedText: SignedText): Signer {
  const key = credentials.key.reveal();
  const passphrase = credentials.passphrase.reveal();
  const signer = signatureKey(credentials.secret.reveal());
  return ({ method, target, body, now }) => {
    const timestamp = String(Math.floor(now));
    return {
      'ACCESS-KEY': key,
      'ACCESS-SIGN': sign(signer, timestamp, method, target, body, signedText),
      'ACCESS-PASSPHRASE': passphrase,
      'ACCESS-TIMESTAMP': timestamp,
    };
  };
}
