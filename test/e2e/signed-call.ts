/** A client of the exchange in twenty lines, written only from the interface's text. */
import { createHmac } from 'node:crypto';

export interface Keys {
  readonly key: string;
  readonly secret: string;
  readonly passphrase: string;
}

/** Sends a signed GET of `target` (path and query). */
export async function signedCall(url: string, keys: Keys, target: string): Promise<{ code: string; msg: string; data: unknown }> {
  const timestamp = String(Date.now());
  const signature = createHmac('sha256', keys.secret).update(`${timestamp}GET${target}`).digest('base64');
  const headers = {
    'ACCESS-KEY': keys.key,
    'ACCESS-SIGN': signature,
    'ACCESS-TIMESTAMP': timestamp,
    'ACCESS-PASSPHRASE': keys.passphrase,
  };
  const reply = await fetch(url + target, { headers });
  return (await reply.json()) as { code: string; msg: string; data: unknown };
}
