/** Proves that a person knows the passphrase, for one act and one challenge. The passphrase itself is not sent. */

const SHA = 'SHA-256';
const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
const utf8 = (text) => new TextEncoder().encode(text);

/**
 * What the monitor wants as `factor`.
 * @param {string} passphrase
 * @param {{ nonce: string, salt: string, rounds: number }} challenge of the refusal
 * @param {string} name of the command
 * @param {object} fields of it, as they are sent
 */
export async function factorOf(passphrase, { nonce, salt, rounds }, name, fields) {
  const typed = await crypto.subtle.importKey('raw', utf8(passphrase.normalize('NFKC')), 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: SHA, salt: bytesOf(salt), iterations: rounds };
  const key = new Uint8Array(await crypto.subtle.deriveBits(how, typed, 256));
  const stored = await crypto.subtle.digest(SHA, key);
  const signer = await crypto.subtle.importKey('raw', stored, { name: 'HMAC', hash: SHA }, false, ['sign']);
  const message = `${nonce}\n${name}\n${JSON.stringify(fields)}`;
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', signer, utf8(message)));
  return { nonce, proof: btoa(String.fromCharCode(...signature.map((byte, k) => byte ^ key[k]))) };
}
