/** The table of the control plane: its pages, its routes and access to them. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { controlPage } from '../../../src/cli/pages/control-page.ts';
import { CONTROL_COMMANDS, routeOf } from '../../../src/control/commands.ts';
import { controlOpenApi } from '../../../src/control/control-openapi.ts';
import { callControl } from '../../../src/edge/control/control-client.ts';
import { startControl, type ControlHandler, type RunningControl } from '../../../src/edge/control/control-server.ts';
import { controlPath } from '../../../src/edge/control/socket-path.ts';
import { answerControl } from '../../../src/run/bot/control/control.ts';

const doc = (name: string): string => readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');

describe('the pages', () => {
  test('docs/reference/control.md and docs/reference/control.json are up to date (if not: npm run docs)', () => {
    expect(doc('control.md') === controlPage()).toBe(true);
    expect(doc('control.json') === `${JSON.stringify(controlOpenApi(), null, 2)}\n`).toBe(true);
  });

  test('docs/reference/control.json is valid OpenAPI and has every route', async () => {
    const result = await new Validator().validate(structuredClone(controlOpenApi()) as Record<string, unknown>);
    expect(result.errors ?? []).toEqual([]);
    const { paths } = controlOpenApi() as { paths: Record<string, object> };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(routes).toEqual(CONTROL_COMMANDS.map(routeOf));
  });
});

let folder: string;
let running: RunningControl | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-control-'));
});
afterEach(async () => {
  await running?.close();
  running = null;
  rmSync(folder, { recursive: true, force: true });
});

const ECHO: ControlHandler = (method, name, given) => Promise.resolve({ status: 200, body: { method, name, given } });

async function serve(handler: ControlHandler = ECHO, port: number | null = null, now: () => number = () => 0): Promise<RunningControl> {
  running = await startControl({ folder, port, handler, now, onError: (error) => expect.unreachable(String(error)) });
  return running;
}

/** A call with headers that the client would not send. */
function http(url: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const { host } = new URL(url);
    const sent = request(url, { method, headers: { host, ...headers } }, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('the socket', () => {
  test('is accessible to its own user only, also in a folder with a very long name [security 5]', async () => {
    const { path } = await serve();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await running!.close();
    folder = join(folder, 'x'.repeat(120));
    const long = await serve();
    expect(Buffer.byteLength(long.path)).toBeLessThan(104);
    expect(statSync(long.path).mode & 0o777).toBe(0o600);
    expect(await callControl(folder, { method: 'GET', name: 'status', given: {} })).toMatchObject({ isThere: true, status: 200 });
  });

  test('of a killed process is replaced, and a folder without one has no bot', async () => {
    expect(await callControl(folder, { method: 'GET', name: 'status', given: {} })).toMatchObject({ isThere: false, cause: 'ENOENT' });
    await serve();
    const second = await startControl({ folder, port: null, handler: ECHO, now: () => 0, onError: () => undefined });
    expect((await callControl(folder, { method: 'POST', name: 'halt', given: { scope: 'A' } })).isThere).toBe(true);
    await second.close();
    expect(controlPath(folder)).toBe(join(folder, 'control.sock'));
  });

  test('accepts what the client sends, and nothing above 64 KB', async () => {
    await serve();
    const called = await callControl(folder, { method: 'POST', name: 'halt', given: { scope: 'BTCUSDT', why: 'é"\n' } });
    expect(called).toMatchObject({ status: 200, body: { method: 'POST', name: 'halt', given: { scope: 'BTCUSDT', why: 'é"\n' } } });
    const large = await callControl(folder, { method: 'POST', name: 'halt', given: { why: 'x'.repeat(70_000) } });
    expect(large.isThere ? large.status : large.cause).toBeOneOf([413, 'EPIPE', 'ECONNRESET']);
  });
});

describe('the HTTP port', () => {
  const token = (): string => readFileSync(join(folder, 'control.token'), 'utf8').trim();

  test('is closed unless configured', async () => {
    expect((await serve()).url).toBe('');
  });

  test('requires the token of a private file, for reads too [security 5]', async () => {
    const { url } = await serve(ECHO, 0);
    expect(statSync(join(folder, 'control.token')).mode & 0o777).toBe(0o600);
    expect(Buffer.from(token(), 'base64url')).toHaveLength(32);
    expect((await http(`${url}/v1/status`, {})).status).toBe(401);
    expect((await http(`${url}/v1/status`, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await http(`${url}/v1/status`, { authorization: `Bearer ${token()}` })).status).toBe(200);
  });

  test('refuses another host name and web pages [security 5]', async () => {
    const { url } = await serve(ECHO, 0);
    const authorization = `Bearer ${token()}`;
    expect((await http(`${url}/v1/status`, { authorization, host: 'evil.example' })).status).toBe(403);
    expect((await http(`${url}/v1/status`, { authorization, origin: 'http://evil.example' })).status).toBe(403);
    expect((await http(`${url}/v1/status`, { authorization, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  });

  test('wrong tokens wait for a minute after twenty of them, the right one never does [security 5]', async () => {
    let time = 1;
    const { url } = await serve(ECHO, 0, () => time);
    const wrong = { authorization: 'Bearer no' };
    for (let k = 0; k < 20; k++) expect((await http(`${url}/v1/status`, wrong)).status).toBe(401);
    const right = { authorization: `Bearer ${token()}` };
    for (let k = 0; k < 5; k++) {
      expect((await http(`${url}/v1/status`, wrong)).status).toBe(429);
      expect((await http(`${url}/v1/status`, right)).status).toBe(200);
    }
    time += 60_001;
    expect((await http(`${url}/v1/status`, wrong)).status).toBe(401);
  });
});

describe('a call', () => {
  const BAD: readonly (readonly [string, string, object, number])[] = [
    ['GET', 'nothing', {}, 404],
    ['GET', 'halt', {}, 405],
    ['POST', 'halt', { scop: 'BTCUSDT' }, 400],
    ['POST', 'halt', { scope: 5 }, 400],
    ['POST', 'halt', { wait: -1 }, 400],
    ['POST', 'settle', { order: '5' }, 400],
    ['POST', 'settle', { order: '5', outcome: 'perhaps' }, 400],
    ['POST', 'set', { strategy: 'a', assignment: 'no equals sign' }, 400],
    ['GET', 'pnl', { by: 'moon' }, 400],
    ['POST', 'halt', { scope: 'BTCUSDT', by: 5 }, 400],
    ['POST', 'halt', { scope: 'BTCUSDT' }, 503],
  ];
  test.each(BAD)('%s %s %o is answered with %i before it reaches a bot [H1]', async (method, name, given, status) => {
    const reply = await answerControl(null, method, name, given as Record<string, unknown>);
    expect(reply).toMatchObject({ status, body: { ok: false } });
  });
});
