/** The port for webhooks over real sockets: who crowds it keeps no sender out, and learns nothing. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { Secret } from '../../../../src/base/secret.ts';
import { WebhookGate } from '../../../../src/edge/webhooks/webhook-gate.ts';
import type { OnLoopback } from '../../../../src/edge/node-http.ts';
import { startWebhooks } from '../../../../src/edge/webhooks/webhook-server.ts';
import { callWeb, type Answered } from '../../../support/monitor/monitor-client.ts';

const SECRET = 's'.repeat(32);
const open: Socket[] = [];
let server: OnLoopback | undefined;
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await server?.close();
});

async function started() {
  const heard: string[] = [];
  const errors: unknown[] = [];
  const refused: string[] = [];
  const sender = { name: 'desk', kind: 'signed', strategy: 'news', secret: new Secret(SECRET), perMinute: 600 } as const;
  // The gate was made a minute ago: what is signed now is not of before its start.
  let offset = -60_000;
  const gate = new WebhookGate([sender], () => Date.now() + offset);
  offset = 0;
  server = await startWebhooks({
    port: 0,
    gate,
    give: (_sender, text) => Promise.resolve({ status: 200, body: { ok: heard.push(text) > 0 } }),
    onRefused: ({ code }) => refused.push(code),
    onError: (error) => errors.push(error),
  });
  return { url: server.url, heard, errors, refused };
}

function call(url: string, nonce: string, body: string): Promise<Answered> {
  const time = Date.now();
  const v1 = createHmac('sha256', SECRET).update(`${time}.${nonce}.${body}`).digest('hex');
  return callWeb(url, 'POST', '/signed/desk', { 'x-tickwright-signature': `t=${time},n=${nonce},v1=${v1}` }, body);
}

it('a signed call reaches the strategy; a replay, a GET, a page and a long body do not', async () => {
  const { url, heard, refused } = await started();
  expect(await call(url, 'nonce-01', 'buy')).toMatchObject({ status: 200, body: { ok: true } });
  expect(await call(url, 'nonce-01', 'buy')).toMatchObject({ status: 409, body: { code: 'replayed' } });
  expect((await callWeb(url, 'GET', '/signed/desk')).status).toBe(405);
  expect((await callWeb(url, 'POST', '/signed/desk', { origin: 'http://evil.example' }, 'buy')).status).toBe(405);
  expect((await call(url, 'nonce-02', 'x'.repeat(20_000))).status).toBe(413);
  expect([heard, refused]).toEqual([['buy'], ['replayed']]);
});

it.each([
  ['that say nothing', ''],
  ['with half a request', 'POST /signed/desk HTTP/1.1\r\nHost: '],
  ['with a body that never ends', 'POST /signed/desk HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{'],
])('300 connections %s do not keep a sender out', async (_what, text) => {
  const { url, heard, errors } = await started();
  for (let k = 0; k < 300; k++) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
    open.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (text !== '') socket.write(text);
  }
  expect(await call(url, 'nonce-01', 'buy')).toMatchObject({ status: 200 });
  expect([heard, errors]).toEqual([['buy'], []]);
});
