/** What systemd hears of a bot through its watchdog, over a real Unix datagram socket, which Python opens: Node.js has none. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { Notifier } from '../../../src/edge/systemd/notify.ts';

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
const isPossible = process.platform === 'linux' && has('python3') && has('systemd-notify');

/** Prints each datagram that comes, the lines of it joined by a comma; ancillary data is left. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('ready', flush=True)
while True:
    data, ancillary, flags, address = s.recvmsg(4096, 4096)
    text = data.decode().strip()
    if text != 'BARRIER=1': print(text.replace('\\n', ','), flush=True)
    for level, kind, fds in ancillary:
        import array, os
        for fd in array.array('i', fds[: len(fds) - len(fds) % 4]): os.close(fd)
`;

let listener: ChildProcess | null = null;
const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
afterEach(() => {
  listener?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(!isPossible)('READY once armed, WATCHDOG at a third of its time while the bot advances, STOPPING once', async () => {
  const path = join(folder, 'notify.sock');
  listener = spawn('python3', ['-c', LISTENER, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  listener.stdout!.on('data', (bytes: Buffer) => (heard += bytes.toString()));
  const until = (text: string): Promise<unknown> => vi.waitUntil(() => heard.includes(text), { timeout: 120_000 });
  await until('ready');
  let now = 0;
  const failures: unknown[] = [];
  const env = { PATH: process.env['PATH'], NOTIFY_SOCKET: path, WATCHDOG_USEC: '3000000' };
  const notifier = new Notifier({ env, now: () => now, onFailure: (error) => failures.push(error) });
  notifier.alive(false);
  await until('WATCHDOG=1');
  expect(heard).toBe('ready\nWATCHDOG=1\n');
  now = 999;
  notifier.alive(true);
  await until('READY=1');
  notifier.silent('no sign of life for 30 s');
  await until('no sign');
  now = 1_000;
  notifier.alive(true);
  await vi.waitUntil(() => heard.split('WATCHDOG=1').length === 3, { timeout: 120_000 });
  notifier.stopping();
  notifier.stopping();
  await until('STOPPING=1');
  expect(heard.split('\n').slice(1, -1)).toEqual([
    'WATCHDOG=1',
    'READY=1,STATUS=armed',
    'STATUS=no sign of life for 30 s',
    'WATCHDOG=1',
    'STOPPING=1',
  ]);
  expect(failures).toEqual([]);
});

test('without a socket nothing is run, and a program that is missing is said once', async () => {
  const failures: unknown[] = [];
  const silent = new Notifier({ env: { PATH: folder }, now: () => 0, onFailure: (error) => failures.push(error) });
  silent.alive(true);
  const missing = new Notifier({ env: { PATH: folder, NOTIFY_SOCKET: '/none' }, now: () => 0, onFailure: (error) => failures.push(error) });
  missing.alive(true);
  missing.stopping();
  await vi.waitUntil(() => failures.length > 0, { timeout: 120_000 });
  expect(failures).toHaveLength(1);
});
