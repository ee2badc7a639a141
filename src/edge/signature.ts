/**
 * The request signature, used by the client to sign and by the paper exchange to verify. The interface does not show it;
 * base64(HMAC-SHA256(secret, timestamp + METHOD + target + body)) is what the vendor's own documents and tool use.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Makes the key object once per account: signing with it is faster than with the bare string, and it does not print. */
export function signatureKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/**
 * The signature of one request. `target` is the raw request target with its query exactly as sent, `body` the exact bytes sent
 * as text ("" when there are none), `timestamp` the same string as the header.
 */
export function sign(key: KeyObject, timestamp: string, method: string, target: string, body: string | Buffer): string {
  return createHmac('sha256', key)
    .update(timestamp + method + target)
    .update(body)
    .digest('base64');
}

/** Compares two secrets in a time that depends on the length of `given` alone. */
export function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given, 'utf8');
  const b = Buffer.from(expected, 'utf8');
  if (a.length !== b.length) return false;
  return timingSafeEqual(a, b);
}
