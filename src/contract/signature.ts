/** What is signed (A01). The HMAC itself is the edges' business: this room does no cryptography. */
import { API_PREFIX } from './endpoint.ts';

export const HEADERS = {
  key: 'ACCESS-KEY',
  sign: 'ACCESS-SIGN',
  passphrase: 'ACCESS-PASSPHRASE',
  timestamp: 'ACCESS-TIMESTAMP',
} as const;

export interface Signed {
  /** Milliseconds, the same text as the header. */
  readonly timestamp: string;
  readonly method: string;
  /** Path and query exactly as sent: never sorted, never encoded again. */
  readonly target: string;
  /** The body exactly as sent, "" when there is none. */
  readonly body: string;
}

/** timestamp + METHOD + path (+ "?" + query) + body: the text whose base64 HMAC-SHA256 is ACCESS-SIGN. */
export function textToSign({ timestamp, method, target, body }: Signed): string {
  return timestamp + method.toUpperCase() + target + body;
}

/** The target as some clients sign it, without the API prefix (A02). */
export function withoutPrefix(target: string, prefix: string = API_PREFIX): string {
  return target.startsWith(`${prefix}/`) ? target.slice(prefix.length) : target;
}
