/** Where the control socket of a bot is: in its state folder, or a named pipe on Windows. Daemon and client find it by the folder alone. */
import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The system takes no longer path of a socket: 104 bytes on macOS, 108 on Linux. */
const LONGEST = 100;

export function controlPath(folder: string): string {
  const whole = resolve(folder);
  const digest = hash('sha256', whole, 'hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\tickwright-${digest}`;
  const path = join(whole, 'control.sock');
  if (Buffer.byteLength(path) <= LONGEST) return path;
  return join(tmpdir(), `tickwright-${process.getuid?.() ?? 0}`, `${digest}.sock`);
}
