import diagnostics from 'node:diagnostics_channel';
import { afterEach, describe, expect, it } from 'vitest';
import { parseBaseUrl, publicLookup } from '../../../../src/edge/http/base-url.ts';
import { HttpTransport, MAX_REPLY_BYTES, type WireRequest } from '../../../../src/edge/http/transport.ts';
import { LiveClock } from '../../../../src/edge/time/live-clock.ts';
import { eventually } from '../../../support/eventually.ts';
import { closedPort, reply, startRawServer, type RawRequest, type RawServer } from '../../../support/exchange/raw-server.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(answer: (request: RawRequest) => void): Promise<RawServer> {
  const server = await startRawServer(answer);
  closers.push(() => server.close());
  return server;
}

/** A server that answers may be slow on a busy machine: only a test of one that does not answer sets short limits. */
function connect(url: string, timeoutMs = 120_000, connectTimeoutMs = 120_000): HttpTransport {
  const transport = new HttpTransport({ base: parseBaseUrl(url), clock: new LiveClock(), timeoutMs, connectTimeoutMs });
  closers.push(() => transport.close());
  return transport;
}

const write: WireRequest = {
  method: 'POST',
  target: '/a?b=1',
  headers: { 'content-type': 'application/json' },
  body: '{"x":1}',
  isWrite: true,
};
const read: WireRequest = { method: 'GET', target: '/a?b=1', headers: {}, body: '', isWrite: false };

/** Counts the heads that undici reports as written to `port` while `run` ran. */
async function headsWritten(port: number, run: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const onSend = (message: unknown): void => {
    if ((message as { socket: { remotePort: number } }).socket.remotePort === port) count++;
  };
  diagnostics.subscribe('undici:client:sendHeaders', onSend);
  try {
    await run();
  } finally {
    diagnostics.unsubscribe('undici:client:sendHeaders', onSend);
  }
  return count;
}

describe('the transport', () => {
  it('sends target and body exactly and returns status, headers, text and times', async () => {
    const server = await serve(({ socket }) => socket.write(reply(418, '{"é":1}', { 'retry-after': '3' })));
    const before = Date.now() - 1;
    const result = await connect(server.url).send({ ...write, target: "/api/v1/x?clientOid=a+b%2F%C3%BC*'(" });
    expect(result).toMatchObject({ ok: true, status: 418, body: '{"é":1}', headers: { 'retry-after': '3' } });
    expect(result.ok && result.sentAt >= before && result.receivedAt >= result.sentAt).toBe(true);
    const [request] = server.requests;
    expect(request?.target).toBe("/api/v1/x?clientOid=a+b%2F%C3%BC*'(");
    expect(request?.body).toBe('{"x":1}');
    expect(request?.text).not.toMatch(/accept-encoding/i);
  });

  it('uses separate connections for reads and writes, and reuses them', async () => {
    const server = await serve(({ socket }) => socket.write(reply(200, '{}')));
    const transport = connect(server.url);
    for (let i = 0; i < 5; i++) await transport.send(read);
    const forReads = server.connections;
    expect(forReads).toBeLessThanOrEqual(2);
    for (let i = 0; i < 5; i++) await transport.send(write);
    expect(server.connections).toBeGreaterThan(forReads);
    expect(server.connections).toBeLessThanOrEqual(4);
  });

  it('proves that nothing was sent if no one listens [N1]', async () => {
    const port = await closedPort();
    const transport = connect(`http://127.0.0.1:${port}`);
    const heads = await headsWritten(port, async () => {
      const results = await Promise.all(Array.from({ length: 50 }, () => transport.send(write)));
      expect(results.every((r) => !r.ok && r.phase === 'before-send' && r.cause === 'connection-refused')).toBe(true);
    });
    expect(heads).toBe(0);
  });

  it('proves that nothing was sent to an unknown name or with an untrusted certificate [N1]', async () => {
    const named = connect('https://no-such-host.invalid');
    expect(await named.send(write)).toMatchObject({ ok: false, phase: 'before-send' });
    const server = await serve(() => undefined);
    const tls = connect(`https://127.0.0.1:${server.port}`, 800);
    expect(await tls.send(write)).toMatchObject({ ok: false, phase: 'before-send' });
    expect(server.requests).toHaveLength(0);
  });

  const afterSend: readonly (readonly [name: string, cause: string, answer: (request: RawRequest) => void])[] = [
    ['a reset', 'reset', ({ socket }) => socket.resetAndDestroy()],
    ['a close without an answer', 'reset', ({ socket }) => socket.destroy()],
    ['silence', 'timeout', () => undefined],
    ['headers and then nothing', 'timeout', ({ socket }) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12')],
    ['a body cut short', 'reset', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n12')],
    ['a chunk cut short', 'reset', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nA\r\n12')],
    ['a redirect', 'redirect', ({ socket }) => socket.write(reply(307, '', { location: 'http://127.0.0.1:1/' }))],
    ['a compressed body', 'encoded', ({ socket }) => socket.write(reply(200, 'xx', { 'content-encoding': 'br' }))],
    ['bytes that are not UTF-8', 'not-utf8', ({ socket }) => socket.write(Buffer.from(reply(200, '"_"').replace('_', '\xff'), 'latin1'))],
    ['bytes that are not HTTP', 'failed', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
  ];
  it.each(afterSend)('reports that the venue may have acted after %s', async (_name, cause, answer) => {
    const server = await serve(answer);
    const heads = await headsWritten(server.port, async () => {
      expect(await connect(server.url, cause === 'timeout' ? 2_000 : undefined).send(write)).toMatchObject({
        ok: false,
        phase: 'after-send',
        cause,
      });
    });
    expect(heads).toBe(1);
    expect(server.requests).toHaveLength(1);
  });

  it('accepts a close-delimited body as received: only its parser can detect that it is short', async () => {
    const server = await serve(({ socket }) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"code":"000'));
    expect(await connect(server.url).send(write)).toMatchObject({ ok: true, body: '{"code":"000' });
  });

  it('stops reading at the size limit and buffers no more than that [N6]', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 97);
    const server = await serve(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
      let left = 100;
      const pump = (): void => {
        while (left-- > 0 && !socket.destroyed) if (!socket.write(chunk)) return void socket.once('drain', pump);
        socket.end();
      };
      pump();
    });
    const result = await connect(server.url).send(read);
    expect(result).toMatchObject({ ok: false, phase: 'after-send', cause: 'too-large' });
    expect(MAX_REPLY_BYTES).toBe(8_388_608);
  });

  it('never writes a request that was aborted while it waited for a connection', async () => {
    const held: RawRequest[] = [];
    const server = await serve((request) => void held.push(request));
    const transport = new HttpTransport({ base: parseBaseUrl(server.url), clock: new LiveClock(), timeoutMs: 120_000, connections: 1 });
    closers.push(() => transport.close());
    const first = transport.send(write);
    const abort = new AbortController();
    const second = transport.send({ ...write, target: '/second', signal: abort.signal });
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await second).toMatchObject({ ok: false, phase: 'before-send', cause: 'aborted' });
    held[0]?.socket.write(reply(200, '{}'));
    expect(await first).toMatchObject({ ok: true });
    const third = transport.send({ ...write, target: '/third' });
    while (held.length === 1) await new Promise((resolve) => setImmediate(resolve));
    held[1]?.socket.write(reply(200, '{}'));
    expect(await third).toMatchObject({ ok: true });
    expect(server.requests.map((r) => r.target)).toEqual(['/a?b=1', '/third']);
  });

  it('sends a cancel or close at once while all other writes, reads and other exits hang', async () => {
    const server = await serve(() => undefined);
    const transport = connect(server.url);
    const hang = (request: WireRequest): void => void transport.send(request);
    for (let k = 0; k < 30; k++) {
      hang(write);
      hang(read);
    }
    const arrived = (target: string): boolean => server.requests.some((one) => one.target === target);
    for (let k = 0; k < 30; k++) hang({ ...write, isExit: true, target: `/exit-${k}` });
    await eventually(() => expect(arrived('/exit-29')).toBe(true));
    // The others wait for connections of their own pools, 8 each.
    const others = (): number => server.requests.filter(({ target }) => target === write.target).length;
    await eventually(() => expect(others()).toBeGreaterThanOrEqual(16));
    expect(others()).toBe(16);
  });

  it('aborts a request in flight, and reports its result as unknown', async () => {
    const abort = new AbortController();
    const server = await serve(() => abort.abort());
    expect(await connect(server.url).send({ ...write, signal: abort.signal })).toMatchObject({ phase: 'after-send', cause: 'aborted' });
    expect(await connect(server.url).send({ ...write, signal: abort.signal })).toMatchObject({ phase: 'before-send' });
    expect(server.requests).toHaveLength(1);
  });

  it('does not send after it was closed', async () => {
    const server = await serve(({ socket }) => socket.write(reply(200, '{}')));
    const transport = connect(server.url);
    await transport.close();
    expect(await transport.send(write)).toMatchObject({ ok: false, phase: 'before-send', cause: 'stopped' });
  });

  it('writes no request on a connection that the server has just closed [N13]', async () => {
    const server = await serve(({ socket }) => socket.end(reply(200, '{}')));
    const transport = connect(server.url);
    let ambiguous = 0;
    for (let i = 0; i < 300; i++) {
      const result = await transport.send(write);
      if (!result.ok && result.phase === 'after-send') ambiguous++;
    }
    expect(ambiguous).toBe(0);
    expect(server.requests).toHaveLength(300);
  });
});

describe('a base URL', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com', ''],
    ['https://api.example.com/mount/', 'https://api.example.com', '/mount'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', ''],
    ['http://localhost:1/x', 'http://localhost:1', '/x'],
    ['http://[::1]:9', 'http://[::1]:9', ''],
  ])('%s is accepted', (text, origin, mount) => {
    expect(parseBaseUrl(text)).toMatchObject({ origin, mount });
  });

  it.each([
    'http://api.example.com',
    'http://192.168.1.1',
    'https://10.0.0.1',
    'https://169.254.169.254',
    'https://user:pass@example.com',
    'https://example.com/?q=1',
    'https://example.com/#x',
    'ftp://example.com',
    'example.com',
    '',
  ])('%s is refused', (text) => {
    expect(() => parseBaseUrl(text)).toThrow(/expected|carries|has no|loopback/);
  });
});

describe('the lookup of public names', () => {
  it.each(['localhost', '127.0.0.1', '10.1.2.3', '192.168.0.9', '169.254.169.254', '::1', 'fe80::1', '::ffff:10.0.0.1'])(
    'refuses %s',
    async (name) => {
      const error = await new Promise((resolve) => publicLookup(name, {}, resolve));
      expect(error).toMatchObject({ code: 'EPRIVATE' });
    },
  );

  it.each([
    [{}, '192.0.2.7'],
    [{ all: true }, [{ address: '192.0.2.7', family: 4 }]],
  ])('returns a public address in the form requested with %j', async (options, expected) => {
    const found = await new Promise((resolve) => publicLookup('192.0.2.7', options, (error, address) => resolve(error ?? address)));
    expect(found).toEqual(expected);
  });
});
