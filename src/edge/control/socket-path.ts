/** Path of a bot's control socket: in its state folder, or a named pipe on Windows. Server and client both derive it from the folder. */
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Longest path used, in bytes. The system's limit for a socket is 104 on macOS and 108 on Linux. */
const LONGEST = 100;

export function controlPath(folder: string): string {
  const whole = resolve(folder);
  const digest = hash('sha256', whole, 'hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\tickwright-${digest}`;
  const path = join(whole, 'control.sock');
  if (Buffer.byteLength(path) <= LONGEST) return path;
  return join(tmpdir(), `tickwright-${process.getuid?.() ?? 0}`, `${digest}.sock`);
}
