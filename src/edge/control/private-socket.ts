/** A Unix socket that only this user can open: a file in the state folder, or a named pipe on Windows. */
import { chmodSync, mkdirSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:net';
import { dirname } from 'node:path';

/**
 * Replaces a socket file left by a killed process: the caller has proven that no other bot uses this folder. Returns what identifies the
 * file. @throws Error of node:net or node:fs
 */
export async function listenPrivately(server: Server, path: string): Promise<string> {
  if (process.platform === 'win32') {
    await started(server, () => server.listen(path));
    return '';
  }
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  // `listen` creates the file synchronously, so no other user can open it before the chmod either.
  const before = process.umask(0o177);
  try {
    await started(server, () => {
      server.listen(path);
      process.umask(before);
    });
  } finally {
    process.umask(before);
  }
  chmodSync(path, 0o600);
  return identityOf(path);
}

/** Device and inode of the socket's file; "none" if there is none. A pipe of Windows lives as long as its server: "". */
export function identityOf(path: string): string {
  if (process.platform === 'win32') return '';
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}

/** Calls `listen`, and resolves once the server listens. */
export function started(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.removeListener('error', reject);
      resolve();
    });
    listen();
  });
}
