/** A bot that ends with a command in its hands: the caller is told that it may have been carried out. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { controlPath } from '../../../../src/edge/control/socket-path.ts';
import { operate } from '../../../../src/run/bot/outside/operate.ts';
import { replyOf } from '../../../../src/run/webhooks/webhooks.ts';

it('a signal that a dying bot had may have been heard; one to a bot that is gone was not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lost-'));
  const signal = { strategy: 'news', text: 'buy' };
  // No process has the folder, as after a kill: the socket closes once it has the call.
  const dying = createServer((socket) => socket.once('data', () => socket.destroy()));
  await new Promise<void>((resolve) => dying.listen(controlPath(folder), resolve));
  const lost = await operate(folder, 'signal', signal);
  expect(lost).toMatchObject({ by: 'lost', isRefused: true, body: { code: 'lost' } });
  expect(replyOf(lost).status).toBe(504);
  await new Promise((resolve) => dying.close(resolve));
  const gone = await operate(folder, 'signal', signal);
  expect(gone).toMatchObject({ by: 'nobody', isRefused: true });
  expect(replyOf(gone).status).toBe(503);
  rmSync(folder, { recursive: true, force: true });
});
