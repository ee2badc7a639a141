/** Downloads against a server that cuts, refuses and forgets, and through a proxy. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { Downloader } from '../../../../src/edge/http/downloader.ts';
import { ArchiveServer } from '../../../support/tape/archive-server.ts';

const BYTES = Buffer.from(Uint32Array.from({ length: 100_000 }, (_, k) => k * 2_654_435_761).buffer);
const PLAN = { retries: 2, firstDelayMs: 1, longestDelayMs: 4 };

let server: ArchiveServer;
let folder = '';
let file = '';
beforeEach(async () => {
  server = new ArchiveServer();
  await server.listen();
  server.files.set('/a.zip', BYTES);
  folder = mkdtempSync(join(tmpdir(), 'download-'));
  file = join(folder, 'a.zip.part');
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

async function download(env: Record<string, string> = {}, path = '/a.zip', signal = new AbortController().signal): Promise<boolean> {
  const downloader = new Downloader({ env, now: () => Date.now(), signal, plan: PLAN });
  try {
    return await downloader.download(server.address + path, file, () => undefined);
  } finally {
    await downloader.close();
  }
}

describe('cut connections', () => {
  test('the rest is asked for, as often as something came', async () => {
    server.faults.set(
      '/a.zip',
      [1, 2, 3, 4, 5].map(() => ({ cutAfter: 70_000 })),
    );
    expect(await download()).toBe(true);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
    expect(server.requests).toHaveLength(6);
    expect(server.requests.slice(1).every((line) => /bytes=\d+-$/.test(line))).toBe(true);
  });

  test('nothing again and again is an error, and the part stays', async () => {
    server.faults.set('/a.zip', [{ cutAfter: 70_000 }, ...[1, 2, 3].map(() => ({ cutAfter: 0 }))]);
    await expect(download()).rejects.toMatchObject({ failure: 'fetch-failed' });
    expect(readFileSync(file).equals(BYTES.subarray(0, 70_000))).toBe(true);
  });

  test('a part from another day is completed', async () => {
    writeFileSync(file, BYTES.subarray(0, 1000));
    expect(await download()).toBe(true);
    expect(server.requests).toEqual(['GET /a.zip bytes=1000-']);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
  });

  test('a part that is the whole file is not downloaded again', async () => {
    writeFileSync(file, BYTES);
    expect(await download()).toBe(true);
    expect(server.requests).toHaveLength(1);
  });

  test('a part that is longer than the file begins again', async () => {
    writeFileSync(file, Buffer.concat([BYTES, BYTES]));
    expect(await download()).toBe(true);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
  });

  test('a server that ignores the range sends all of it, which replaces the part', async () => {
    server.hasRanges = false;
    writeFileSync(file, 'something else');
    expect(await download()).toBe(true);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
  });
});

describe('answers', () => {
  test('404 is no error', async () => {
    expect(await download({}, '/b.zip')).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test('429 waits as long as Retry-After says', async () => {
    server.faults.set('/a.zip', [{ status: 429, headers: { 'retry-after': '1' } }]);
    const began = Date.now();
    expect(await download()).toBe(true);
    expect(Date.now() - began).toBeGreaterThanOrEqual(990);
  });

  test('a pause holds all downloads back', async () => {
    server.faults.set('/a.zip', [{ status: 503, headers: { 'retry-after': '1' } }]);
    server.files.set('/c.zip', BYTES);
    const downloader = new Downloader({ env: {}, now: () => Date.now(), signal: new AbortController().signal, plan: PLAN });
    const first = downloader.download(`${server.address}/a.zip`, file, () => undefined);
    await expect.poll(() => server.requests.length).toBe(1);
    await new Promise((resolve) => void setTimeout(resolve, 50));
    const began = Date.now();
    await downloader.download(`${server.address}/c.zip`, join(folder, 'c'), () => undefined);
    expect(Date.now() - began).toBeGreaterThan(500);
    await first;
    await downloader.close();
  });

  test.each([500, 502, 503])('%i is repeated, and an error in the end', async (status) => {
    server.faults.set(
      '/a.zip',
      [1, 2, 3].map(() => ({ status })),
    );
    await expect(download()).rejects.toMatchObject({
      failure: 'fetch-failed',
      problems: [{ what: `expected the file, found status ${status}, again and again` }],
    });
    expect(server.requests).toHaveLength(3);
  });

  test.each([403, 451])('%i is final', async (status) => {
    server.faults.set('/a.zip', [{ status }]);
    await expect(download()).rejects.toMatchObject({ failure: 'fetch-failed' });
    expect(server.requests).toHaveLength(1);
  });

  test('a redirection is not followed, and the error names where it leads', async () => {
    server.faults.set('/a.zip', [{ status: 302, headers: { location: 'http://elsewhere.example/' } }]);
    await expect(download()).rejects.toThrow(/redirection to http:\/\/elsewhere\.example/);
  });

  test('an address without a server is an error that says so', async () => {
    const { address } = server;
    await server.close();
    const downloader = new Downloader({ env: {}, now: () => Date.now(), signal: new AbortController().signal, plan: PLAN });
    await expect(downloader.download(`${address}/a.zip`, file, () => undefined)).rejects.toThrow(/ECONNREFUSED/);
    await downloader.close();
    await server.listen();
  });

  test('a file that cannot be written is no error of the network', async () => {
    mkdirSync(file);
    await expect(download()).rejects.toMatchObject({ code: 'EISDIR' });
    expect(server.requests).toHaveLength(1);
  });

  test('a stop ends a pause', async () => {
    server.faults.set('/a.zip', [{ status: 429, headers: { 'retry-after': '60' } }]);
    const stop = new AbortController();
    const reason = new Error('stopped');
    setTimeout(() => stop.abort(reason), 100);
    await expect(download({}, '/a.zip', stop.signal)).rejects.toThrow();
  });
});

describe('a proxy', () => {
  let proxy: Server;
  const seen: string[] = [];
  beforeEach(async () => {
    seen.length = 0;
    proxy = createServer((incoming, outgoing) => {
      seen.push(`${incoming.method} ${incoming.url}`);
      request(incoming.url!, { headers: incoming.headers }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      }).end();
    });
    proxy.on('connect', (incoming, socket, head) => {
      seen.push(`CONNECT ${incoming.url}`);
      const [host = '', port = ''] = incoming.url!.split(':');
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        target.write(head);
        target.pipe(socket).pipe(target);
      });
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
  });
  const address = (): string => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  test.each(['HTTP_PROXY', 'http_proxy'])('%s is used', async (name) => {
    expect(await download({ [name]: address() })).toBe(true);
    expect(seen).toHaveLength(1);
    expect(readFileSync(file).equals(BYTES)).toBe(true);
  });

  test('HTTPS_PROXY is used for https', async () => {
    const downloader = new Downloader({
      env: { HTTPS_PROXY: address() },
      now: () => Date.now(),
      signal: new AbortController().signal,
      plan: PLAN,
    });
    const https = server.address.replace('http:', 'https:');
    await expect(downloader.download(`${https}/a.zip`, file, () => undefined)).rejects.toMatchObject({ failure: 'fetch-failed' });
    expect(seen[0]).toBe(`CONNECT ${new URL(server.address).host}`);
    await downloader.close();
  });

  test('NO_PROXY names hosts without it', async () => {
    expect(await download({ HTTP_PROXY: address(), NO_PROXY: 'example.com,127.0.0.1' })).toBe(true);
    expect(seen).toEqual([]);
  });

  test('what is no address of a proxy is refused', () => {
    const make = (): Downloader =>
      new Downloader({ env: { HTTPS_PROXY: 'not an address' }, now: () => 0, signal: new AbortController().signal });
    expect(make).toThrow(Failure);
    expect(make).toThrow(/HTTPS_PROXY: expected the address of a proxy/);
  });
});
