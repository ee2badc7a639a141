/**
 * A gate in front of an exchange for tests of changed keys: an account has several keys, as at a venue. Requests of each are verified, and go on under the
 * only key that the exchange knows. A key can be revoked.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuthenticator, type ServedAccount } from '../../../src/edge/serve/request/authenticate.ts';
import { sign, signatureKey } from '../../../src/edge/signature.ts';
import { dialectOf } from '../../../src/venue/registry/dialects.ts';

export interface KeyGate {
  readonly url: string;
  /** Requests that were refused. */
  readonly refused: number;
  revoke(key: string): void;
  close(): void;
}

/** `own` is what the exchange knows; `keys` are those that may be used. */
export async function keyGate(exchange: string, own: ServedAccount, keys: readonly ServedAccount[]): Promise<KeyGate> {
  const dialect = dialectOf('interface');
  const authenticate = createAuthenticator(keys, 30_000, dialect);
  const revoked = new Set<string>();
  const signer = signatureKey(own.secret);
  let refused = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const { method = '', url: target = '', headers } = request;
      const isSigned = headers['access-key'] !== undefined;
      const key = isSigned ? authenticate({ method, target, body, headers, now: Date.now() }) : null;
      if (isSigned && (key === null || revoked.has(key))) {
        refused++;
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ code: '40002', msg: 'Unauthorized', data: null, requestTime: Date.now() }));
        return;
      }
      const timestamp = String(headers['access-timestamp'] ?? '');
      const again = {
        'access-key': own.key,
        'access-passphrase': own.passphrase,
        'access-timestamp': timestamp,
        'access-sign': sign(signer, timestamp, method, target, body, dialect.signedText),
      };
      const answer = await fetch(`${exchange}${target}`, {
        method,
        headers: { ...(isSigned ? again : {}), 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: new Uint8Array(body) } : {}),
      });
      response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => name !== 'content-encoding')));
      response.end(Buffer.from(await answer.arrayBuffer()));
    })().catch((error: unknown) => response.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get refused() {
      return refused;
    },
    revoke: (key) => void revoked.add(key),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
