/** Where a keystore is, and what opens it, by their names: whoever only reads a configuration loads no ciphers. */

/** Names a file with the passphrase of a keystore. */
export const PASSPHRASE_VARIABLE = 'TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE';

/** An entry of a keystore, as `keystore:FILE#NAME` names it. `name` may be "" if there is one entry. */
export interface KeystorePlace {
  readonly file: string;
  readonly name: string;
}

/** "keystore:FILE#NAME" or "keystore:FILE"; null for anything else. */
export function keystoreIn(text: string): KeystorePlace | null {
  const found = /^keystore:(.+?)(?:#([^#/\\]*))?$/.exec(text);
  return found === null ? null : { file: found[1]!, name: found[2] ?? '' };
}
