/** Paths of a bot's sockets: in its state folder, or named pipes on Windows. Server and client both derive them from the folder. */
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type SocketName = 'control' | 'monitor' | 'hub';

/** Longest path used, in bytes. The system's limit for a socket is 104 on macOS and 108 on Linux. */
const LONGEST = 100;

/** `name`: "control" of the bot, "monitor" of the monitor beside it, or "hub" in the folder of the user. */
export function controlPath(folder: string, name: SocketName = 'control'): string {
  return socketPath(folder, name);
}

/** The socket on which a bot shows that it lives. */
export function beatPath(folder: string): string {
  return socketPath(folder, 'beats');
}

function socketPath(folder: string, name: SocketName | 'beats'): string {
  const whole = resolve(folder);
  const digest = hash('sha256', whole, 'hex').slice(0, 24) + (name === 'control' ? '' : `-${name}`);
  if (process.platform === 'win32') return `\\\\.\\pipe\\tickwright-${digest}`;
  const path = join(whole, `${name}.sock`);
  if (Buffer.byteLength(path) <= LONGEST) return path;
  return join(tmpdir(), `tickwright-${process.getuid?.() ?? 0}`, `${digest}.sock`);
}
