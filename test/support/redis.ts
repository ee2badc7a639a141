/**
 * A real Redis for tests: redis-server from PATH, on a free loopback port, in its own folder. Without it, the suites that need it are
 * skipped with a message; in CI that is an error.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
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
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-redis-'));
  const port = onPort ?? (await freePort());
  const all = { appendonly: 'yes', appendfsync: 'always', save: '', 'maxmemory-policy': 'noeviction', ...settings };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
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
      child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...args], { stdio: 'ignore' });
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

/** Sends one inline command; the reply is complete when the server has answered the following QUIT. */
function exchange(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let reply = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\nQUIT\r\n`));
    socket.setTimeout(5000, () => socket.destroy(new Error('no reply')));
    socket.on('data', (bytes) => (reply += bytes.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(reply));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
