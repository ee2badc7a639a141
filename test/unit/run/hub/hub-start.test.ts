/** A hub that cannot start leaves nothing behind: the next one can. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { SILENT_LOG } from '../../../../src/ports/log.ts';
import { runHub } from '../../../../src/run/hub/hub.ts';
import { controlPath } from '../../../../src/edge/control/socket-path.ts';

it('a hub whose control socket cannot be made gives back its lock, and serves nothing', async () => {
  const home = mkdtempSync(join(tmpdir(), 'hub-'));
  const stop = new AbortController();
  const run = (): Promise<boolean> =>
    runHub({
      cwd: home,
      env: { TICKWRIGHT_STATE_HOME: home },
      named: [],
      port: 0,
      log: SILENT_LOG,
      signal: stop.signal,
      onReady: () => stop.abort(),
    });
  const servers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = servers();
  const socket = controlPath(home, 'hub');
  mkdirSync(socket, { recursive: true });
  writeFileSync(join(socket, 'in-the-way'), '');
  await expect(run()).rejects.toThrow(/hub\.sock|EADDRINUSE|EISDIR|directory/);
  await vi.waitUntil(() => servers() === before, { timeout: 20_000 });
  rmSync(socket, { recursive: true });
  expect(await run()).toBe(true);
  rmSync(home, { recursive: true });
});
