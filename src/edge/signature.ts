/**
 * The request signature, used by the client to sign and by the paper exchange to verify: base64(HMAC-SHA256(secret, text + body)). The
 * dialect says what the text is. The interface does not define it; timestamp + METHOD + target is in the vendor's documents and tool.
 */
import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { plainText, type SignedText } from '../venue/dialect.ts';

/** Creates the key object, once per account. Signing with it is faster than with a string, and it cannot be printed. */
export function signatureKey(secret: string): KeyObject {
  return createSecretKey(Buffer.from(secret, 'utf8'));
}

/**
 * Signature of one request. `target` is the request target with its query exactly as sent. `body` is the exact body text ("" for none).
 * `timestamp` is the same text as in the header.
 */
export function sign(
  key: KeyObject,
  timestamp: string,
  method: string,
  target: string,
  body: string | Buffer,
  signedText: SignedText = plainText,
): string {
  return createHmac('sha256', key)
    .update(signedText(timestamp, method, target))
    .update(body)
    .digest('base64');
}

/** Compares two secrets in a time that depends only on the length of `given`. */
export function sameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given, 'utf8');
  const b = Buffer.from(expected, 'utf8');
  if (a.length !== b.length) return false;
  return timingSafeEqual(a, b);
}
