/** The web server of the monitor: who crowds it cannot keep the operator out, and its answers can be told from those of another program. */
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { MONITOR_ROUTES, type RouteName } from '../../../../src/control/monitor-routes.ts';
import { Sessions } from '../../../../src/edge/web/sessions.ts';
import { json, startWeb, type RunningWeb, type WebHandler } from '../../../../src/edge/web/web-server.ts';
import { callWeb } from '../../../support/monitor/monitor-client.ts';

const open: (Socket | ClientRequest)[] = [];
let web: RunningWeb | undefined;
afterEach(async () => {
  for (const one of open.splice(0)) one.destroy();
  await web?.close();
});

async function started(now = Date.now): Promise<{ url: string; sessions: Sessions; errors: unknown[] }> {
  const errors: unknown[] = [];
  const sessions = new Sessions(now, () => undefined);
  const answers: WebHandler = () => json({ ok: true });
  const routes = Object.fromEntries(Object.keys(MONITOR_ROUTES).map((name) => [name, answers])) as Record<RouteName, WebHandler>;
  const stream: WebHandler = () => ({ past: ['{"kind":"reset"}\n'], begin: () => () => undefined });
  const onError = (error: unknown): void => void errors.push(error);
  web = await startWeb({ port: 0, sessions, routes: { ...routes, stream }, files: new Map(), policy: '', now: Date.now, onError });
  return { url: web.url, sessions, errors };
}

function loggedIn(sessions: Sessions, token: string): { authorization: string; proof: string; id: string } {
  const made = sessions.login(token);
  if (made.kind !== 'session') throw new Error(made.kind);
  return { authorization: `Bearer ${made.secret}`, proof: made.proof, id: made.session.id };
}

/** A connection that has sent `text` and reads nothing. Resolves once it is connected. */
async function caller(url: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').pause();
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

it.each([
  ['that say nothing', () => ''],
  ['with half a request', () => 'POST /api/stop HTTP/1.1\r\nHost: '],
  ['with a body that never ends', (host: string) => `POST /api/login HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 60000\r\n\r\n{`],
  ['that read no answer', (host: string) => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(50)],
])('300 connections of an unknown caller %s do not keep STOP out', async (_what, textOf) => {
  const { url, sessions, errors } = await started();
  const { authorization } = loggedIn(sessions, sessions.token('operate'));
  for (let k = 0; k < 300; k++) await caller(url, textOf(new URL(url).host));
  expect(await callWeb(url, 'POST', '/api/stop', { authorization }, {})).toMatchObject({ status: 200 });
  // Callers that leave amid a request are no error of the monitor: its log would grow with them.
  for (const one of open.splice(0)) one.destroy();
  expect(await callWeb(url, 'POST', '/api/stop', { authorization }, {})).toMatchObject({ status: 200 });
  expect(errors).toEqual([]);
});

async function follow(url: string, { authorization }: { authorization: string }): Promise<{ readonly isOpen: boolean }> {
  const sent = request(`${url}/api/stream`, { headers: { authorization }, agent: false });
  open.push(sent);
  sent.on('error', () => undefined);
  sent.end();
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream & { destroyed: boolean }];
  let isOpen = true;
  response.on('error', () => undefined).on('close', () => (isOpen = false));
  response.resume();
  return {
    get isOpen() {
      return isOpen;
    },
  };
}

it('the stream of a view link ends when the link expires, that of the operator goes on', async () => {
  let ahead = 0;
  const { url, sessions } = await started(() => Date.now() + ahead);
  const owner = loggedIn(sessions, sessions.token('operate'));
  const viewer = loggedIn(sessions, sessions.link('guest', 1, { id: owner.id, role: 'operate' }).token);
  const [own, theirs] = [await follow(url, owner), await follow(url, viewer)];
  ahead = 3_600_000;
  await expect.poll(() => theirs.isOpen, { timeout: 30_000 }).toBe(false);
  expect(own.isOpen).toBe(true);
});

it('streams and calls of a view link close none of the operator', async () => {
  const { url, sessions } = await started();
  const owner = loggedIn(sessions, sessions.token('operate'));
  const link = sessions.link('leaked', 1, { id: owner.id, role: 'operate' });
  const viewer = loggedIn(sessions, link.token);
  const own = await follow(url, owner);
  const theirs: { readonly isOpen: boolean }[] = [];
  for (let k = 0; k < 60; k++) theirs.push(await follow(url, viewer));
  await expect.poll(() => theirs.filter(({ isOpen }) => isOpen).length).toBe(24);
  expect(own.isOpen).toBe(true);
  expect(theirs.at(-1)!.isOpen).toBe(true);
});

it('an answer to a nonce carries a proof by the key of the login; one without a session carries none', async () => {
  const { url, sessions } = await started();
  const { authorization, proof } = loggedIn(sessions, sessions.token('view'));
  const { headers } = await callWeb(url, 'GET', '/api/now', { authorization, 'x-monitor-nonce': 'n-1' });
  expect(headers['x-monitor-proof']).toBe(createHmac('sha256', proof).update('n-1').digest('base64url'));
  const unknown = await callWeb(url, 'GET', '/api/now', { authorization: 'Bearer x', 'x-monitor-nonce': 'n-1' });
  expect([unknown.status, unknown.headers['x-monitor-proof']]).toEqual([401, undefined]);
  expect(JSON.stringify(sessions.rows())).not.toContain(proof);
});
