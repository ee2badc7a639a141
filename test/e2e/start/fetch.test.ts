/** `tape fetch` as a user runs it: Ctrl-C, and the same command again. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { archiveOf, ArchiveServer, klinePath, klines } from '../../support/tape/archive-server.ts';
import { cleanUp, freshFolder, launch, runToEnd } from '../process.ts';

const server = new ArchiveServer();
afterEach(async () => {
  await cleanUp();
  await server.close();
});

it('Ctrl-C ends a download with what is here kept, and the same command goes on from there', async () => {
  const path = klinePath('BTCUSDT', '2024-01', '1h');
  server.add(path, archiveOf(path, klines(Date.UTC(2024, 0), 31, { barMs: 3_600_000 })));
  server.faults.set(path, [{ stallAfter: 4000 }]);
  const tape = join(freshFolder(), 'tapes', 'hours');
  const env = { TICKWRIGHT_MIRROR: await server.listen() };
  const args = ['tape', 'fetch', 'binance-vision', 'BTCUSDT', '1h', '2024-01', '--out', tape];
  const first = launch(args, env);
  await first.until('a request and a part of its answer', () => server.requests.length > 0 && existsSync(partOf(tape, path)));
  await first.kill('SIGINT');
  expect([first.code, first.out, first.err]).toEqual([
    1,
    '',
    'error: stopped before the end; the tape is as it was\n  the same command goes on from here\n  code: fetch-stopped\n',
  ]);
  expect(existsSync(tape)).toBe(false);
  const info = await runToEnd(['tape', 'info', `${tape}/`]);
  expect(info.err).toContain('its download has not ended: the same tickwright tape fetch goes on from there');
  const second = await runToEnd([...args, '--json'], env);
  expect([second.code, second.err]).toEqual([0, '']);
  expect(JSON.parse(second.out)).toMatchObject({ folder: tape, archives: 1, rows: 744, missing: [] });
  expect(server.requests).toContain(`GET ${path} bytes=4000-`);
});

function partOf(tape: string, path: string): string {
  return join(`${tape}.fetch`, 'files', 'binance-vision', `${path}.part`);
}

it('a server that does not answer is named while it is asked again', async () => {
  const args = ['tape', 'fetch', 'binance-vision', 'BTCUSDT', '1h', '2024-01', '--out', join(freshFolder(), 'tape')];
  const fetching = launch(args, { TICKWRIGHT_MIRROR: 'http://127.0.0.1:1' });
  await fetching.until('a line about it', () => fetching.err.includes('the server is asked again: connect ECONNREFUSED 127.0.0.1:1'));
  await fetching.kill('SIGINT');
  expect(fetching.code).toBe(1);
});
