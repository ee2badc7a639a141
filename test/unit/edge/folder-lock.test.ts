/** One process per folder: who counts as the holder of the lock. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../../src/edge/file/lock.ts';

let folder = '';
let path = '';
const refuse = (message: string): Error => new Error(message);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the lock of a folder', () => {
  test('is held once, and free again after release', () => {
    const lock = takeLock(path, refuse);
    expect(readFileSync(path, 'utf8')).toBe(String(process.pid));
    expect(() => takeLock(path, refuse)).toThrow(`is in use by process ${process.pid}`);
    lock.release();
    expect(existsSync(path)).toBe(false);
    takeLock(path, refuse).release();
  });

  test('of a running process is refused', () => {
    writeFileSync(path, String(process.ppid));
    expect(() => takeLock(path, refuse)).toThrow(`is in use by process ${process.ppid}`);
  });

  test.runIf(process.platform === 'linux')('of an ended process is taken over, even before its parent collects it', async () => {
    // The shell becomes a process that never collects its children. Its child ends only then: a shell would collect it.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 3<&-'], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    try {
      const [printed] = (await once(parent.stdout!, 'data')) as [Buffer];
      const pid = printed.toString().trim();
      await expect.poll(() => readFileSync(`/proc/${parent.pid}/stat`, 'utf8')).toContain('(sleep)');
      (parent.stdio[3] as Writable).end();
      await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
      writeFileSync(path, pid);
      takeLock(path, refuse).release();
    } finally {
      parent.kill();
    }
  });
});
