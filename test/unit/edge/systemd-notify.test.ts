/** What systemd hears of a bot through its watchdog, over a real Unix datagram socket, which Python opens: Node.js has none. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { Secret } from '../../../src/base/secret.ts';
import { openBeatSocket } from '../../../src/edge/control/beat-socket.ts';
import type { LogOutput } from '../../../src/edge/log/pino-log.ts';
import { Notifier } from '../../../src/edge/systemd/notify.ts';
import { ENDED, type Beat } from '../../../src/run/watchdog/life/beat.ts';
import { watchdogDigest, watchdogSettings } from '../../../src/run/watchdog/settings.ts';
import { Watchdog } from '../../../src/run/watchdog/watchdog.ts';
import { MemoryLog } from '../../support/engine/engine-kit.ts';
import { SPECS } from '../../support/exchange/exchange-kit.ts';

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
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'systemd-'));
});
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

test('a watchdog that outlives its bot says READY for the next one too, and STOPPING at an end that was asked for alone', async () => {
  const [said, state] = [join(folder, 'said'), join(folder, 'state')];
  mkdirSync(state);
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$1" >> ${said}\n`, { mode: 0o755 });
  const count = (word: string): number => (existsSync(said) ? readFileSync(said, 'utf8').split(word).length - 1 : 0);
  const until = (word: string, times: number): Promise<unknown> => vi.waitUntil(() => count(word) === times, { timeout: 120_000 });
  const [a, b] = ['a', 'b'].map((text) => new Secret(text));
  const config = { ...defaultConfig(), instruments: SPECS, credentials: { key: a!, secret: b!, passphrase: b! } };
  const given = { ...config, venue: { ...config.venue, baseUrl: 'http://127.0.0.1:1' }, store: { ...config.store, folder: state } };
  const settings = watchdogSettings(given, true);
  const log = Object.assign(new MemoryLog(), { scrub: (text: string) => text }) as unknown as LogOutput;
  const env = { PATH: folder, NOTIFY_SOCKET: '/none' };
  const socket = await openBeatSocket(state);
  const watchdog = new Watchdog(settings, log, new Notifier({ env, now: () => 0, onFailure: () => undefined }));
  await vi.waitUntil(() => socket.listeners === 1, { timeout: 120_000 });
  const beat: Beat = { bot: 'a', pid: 1, epoch: 5, phase: 'armed', turns: 1, isHalted: false, settings: watchdogDigest(settings) };
  const tell = (facts: Partial<Beat>): void => socket.tell(JSON.stringify({ ...beat, ...facts }));
  tell({});
  await until('READY', 1);
  // Opened again in its process: systemd has heard of this one.
  tell({ phase: 'stopping', turns: 2 });
  tell({ epoch: 6, turns: 1 });
  // The process was killed, and systemd starts the next one, which has to say READY itself.
  tell({ pid: 2, epoch: 0, phase: 'starting', turns: 0 });
  tell({ pid: 2, epoch: 7, phase: 'reconciling', turns: 1 });
  tell({ pid: 2, epoch: 7, turns: 2 });
  await until('READY', 2);
  expect(count('STOPPING')).toBe(0);
  tell({ pid: 2, epoch: 7, phase: ENDED, turns: 2 });
  await until('STOPPING', 1);
  expect(count('READY')).toBe(2);
  await watchdog.ended;
  await socket.close();
});
