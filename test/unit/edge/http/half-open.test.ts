/** The admin port of an exchange and the control port of a bot drop connections that begin a request and do not end it, or send nothing. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startControl } from '../../../../src/edge/control/control-server.ts';
import { startAdmin } from '../../../../src/edge/serve/admin.ts';

/** The promise is 10 s; a busy machine may be late. Without a check of its own, Node.js drops them after 30 to 60 s. */
const LATEST_MS = 25_000;

test('half-open connections are dropped', { timeout: LATEST_MS + 5_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'half-open-'));
  const onError = (error: unknown): void => expect.unreachable(String(error));
  const admin = await startAdmin({ port: 0, token: 'x'.repeat(32), now: Date.now, routes: new Map(), onError });
  const control = await startControl({
    folder,
    port: 0,
    handler: () => Promise.resolve({ status: 200, body: {} }),
    now: Date.now,
    onError,
  });
  try {
    const ports = [Number(new URL(admin.url).port), Number(new URL(control.url).port)];
    const begun = Date.now();
    const texts = ['', 'GET / HTTP/1.1\r\nhost:', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n{'];
    const sockets = ports.flatMap((port) =>
      texts.map((text) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(text));
        socket.on('error', () => undefined).resume();
        return socket;
      }),
    );
    await Promise.all(sockets.map((socket) => once(socket, 'close')));
    expect(Date.now() - begun).toBeLessThan(LATEST_MS);
  } finally {
    await admin.close();
    await control.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
