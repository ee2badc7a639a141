/** A disk of a few hundred kilobytes for tests: a tmpfs. Only root can mount one; elsewhere the suites that need it are skipped by name. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk to the last byte, or but for `room` bytes. */
  fill(room?: number): void;
  /** Gives the filled space back. */
  free(): void;
  /** Names of its files, at any depth. */
  files(): readonly string[];
  remove(): void;
}

/** True if a small disk can be mounted here. In CI of a machine without the right to, the suite is skipped with this message. */
export function hasSmallDisk(suite: string): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-disk-'));
  const isMounted = mount(folder, 64);
  if (isMounted) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  if (!isMounted) console.warn(`SKIPPED: ${suite} needs the right to mount a tmpfs (run it as root)`);
  return isMounted;
}

export function smallDisk(kilobytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-disk-'));
  if (!mount(folder, kilobytes)) throw new Error(`no tmpfs at ${folder}`);
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill(room = 0) {
      // Page by page, until nothing fits any more. A bot may take and give back pages meanwhile.
      const file = openSync(ballast, 'a');
      try {
        for (let left = statfsSync(folder); left.bavail * left.bsize > room; left = statfsSync(folder)) appendPage(file, left.bsize);
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    files: () => readdirSync(folder, { recursive: true }).map(String),
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function appendPage(file: number, bytes: number): void {
  try {
    writeSync(file, Buffer.alloc(bytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mount(folder: string, kilobytes: number): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' }).status === 0;
}
