/** Makes new, renamed and removed names in a folder durable. */
import { closeSync, fsyncSync, openSync } from 'node:fs';

/** @throws Error of node:fs */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
