/** Modes of the files that the program makes. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';

/** Each file in the folder is for its owner alone, and so is each folder, itself included. Not on Windows, which has no such modes. */
export function expectPrivate(folder: string): void {
  if (process.platform === 'win32') return;
  const inside = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  const open = [folder, ...inside].flatMap((path) => {
    const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return (mode & 0o077) === 0 ? [] : [`${path} ${(mode & 0o777).toString(8)}`];
  });
  expect(inside.length, folder).toBeGreaterThan(0);
  expect(open, 'readable by others').toEqual([]);
}
