/**
 * A real Redis for tests: redis-server from PATH, on a free loopback port, in its own folder, and sentinels. Without it, the suites that
 * need it are skipped with a message; in CI that is an error.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Sends a signal: SIGSTOP makes it hang, SIGCONT continue. */
  signal(name: NodeJS.Signals): void;
  /** Kills it without a last save, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port and folder. */
  start(): Promise<void>;
  /** Runs one command with redis-cli's inline protocol and returns the raw reply. */
  say(command: string): Promise<string>;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
}

/** True if a Redis server can be started here. In CI it must be installed, so this throws there. */
export function hasRedis(suite: string): boolean {
  const found = spawnSync('redis-server', ['--version']).status === 0;
  if (found) return true;
  const message = `${suite} needs redis-server on PATH (apt-get install redis-server)`;
  if (process.env['CI']) throw new Error(message);
  console.warn(`SKIPPED: ${message}`);
  return false;
}

/** Starts a server that keeps everything it confirms, unless `settings` override that. */
export async function startRedis(settings: Readonly<Record<string, string>> = {}, onPort?: number): Promise<RedisServer> {
  const all = {
    appendonly: 'yes',
    appendfsync: 'always',
    save: '',
    'maxmemory-policy': 'noeviction',
    'repl-diskless-sync-delay': '0',
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
  return serve((port, folder) => ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...args], onPort);
}

/** Starts a replica of `primary` and waits until it has all data. */
export async function startReplica(primary: RedisServer, settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const replica = await startRedis({ replicaof: `127.0.0.1 ${primary.port}`, ...settings });
  await untilSaid(primary, 'INFO replication', /state=online/);
  return replica;
}

/** Starts a sentinel that watches `primary` as "group", alone decides, and promotes a replica half a second after the primary is gone. */
export async function startSentinel(primary: RedisServer, more: readonly string[] = []): Promise<RedisServer> {
  const sentinel = await serve((port, folder) => {
    const file = join(folder, 'sentinel.conf');
    const lines = [`sentinel monitor group 127.0.0.1 ${primary.port} 1`, 'sentinel down-after-milliseconds group 500'];
    const all = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, 'sentinel failover-timeout group 4000', ...more];
    writeFileSync(file, all.join('\n'));
    return [file, '--sentinel'];
  });
  return sentinel;
}

/** Repeats `command` until its reply matches. */
export async function untilSaid(server: RedisServer, command: string, pattern: RegExp): Promise<void> {
  for (const until = performance.now() + 120_000; performance.now() < until; await new Promise((resolve) => setTimeout(resolve, 20))) {
    if (pattern.test(await server.say(command).catch(() => ''))) return;
  }
  throw new Error(`redis did not answer ${command} with ${pattern} within 120 s`);
}

/** An address that can be moved to another server, as a failover does it with a name or a virtual address. */
export interface MovableAddress {
  readonly url: string;
  /** Ends all connections; later ones go to `port`. */
  moveTo(port: number): void;
  close(): void;
}

export async function movableAddress(port: number): Promise<MovableAddress> {
  let target = port;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const redis = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, redis],
      [redis, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const one of open) one.destroy();
  };
  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}/0`,
    moveTo: (next) => {
      target = next;
      endAll();
    },
    close: () => {
      endAll();
      server.close();
    },
  };
}

async function serve(argsOf: (port: number, folder: string) => readonly string[], onPort?: number): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-redis-'));
  const port = onPort ?? (await freePort());
  const args = argsOf(port, folder);
  let child: ChildProcess | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}/0`,
    port,
    signal: (name) => void child?.kill(name),
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
    async start() {
      child = spawn('redis-server', args, { stdio: 'ignore' });
      await answering(child, port);
    },
    say: (command) => exchange(port, command),
    async remove() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

async function answering(child: ChildProcess, port: number): Promise<void> {
  const until = performance.now() + 120_000;
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    const reply = await exchange(port, 'PING').catch(() => '');
    if (reply.startsWith('+PONG') || reply.startsWith('-NOAUTH')) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('redis-server did not answer within 120 s');
}

/** Sends one inline command; the reply is complete when the server has answered the following QUIT, which a sentinel does not know. */
function exchange(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`));
    socket.setTimeout(5000, () => socket.destroy(new Error('no reply')));
    socket.on('data', (bytes) => {
      reply += bytes.toString();
      if (reply.includes("unknown command 'QUIT'")) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(reply));
  });
}

export async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
