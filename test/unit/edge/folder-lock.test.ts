/** One process per folder: who counts as the holder of the lock. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeLock } from '../../../src/edge/file/lock.ts';

let folder = '';
let path = '';
const HOLDER = fileURLToPath(new URL('../../support/stores/folder-lock-holder.ts', import.meta.url));
const refuse = (message: string): Error => new Error(message);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

function isFree(): boolean {
  try {
    takeLock(path, refuse).release();
    return true;
  } catch {
    return false;
  }
}

describe('the lock of a folder', () => {
  test('is held once, and free again after release', () => {
    const lock = takeLock(path, refuse);
    expect(() => takeLock(path, refuse)).toThrow(`is in use by process ${process.pid}`);
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    takeLock(path, refuse).release();
  });

  test.runIf(process.platform === 'linux')(
    'is held by a process while it runs, and free once it was killed, before its parent collects it',
    async () => {
      // The shell becomes a process that never collects its children.
      const parent = spawn('sh', ['-c', '"$0" "$1" "$2" & exec sleep 60', process.execPath, HOLDER, path], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      try {
        const [printed] = await once(parent.stdout, 'data');
        const pid = Number(printed);
        expect(() => takeLock(path, refuse)).toThrow(`is in use by process ${pid}`);
        expect(() => takeLock(path, refuse)).toThrow(`is in use by process ${pid}`);
        process.kill(pid, 'SIGKILL');
        await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /);
        expect(readdirSync(folder)).toEqual(['lock']);
        await expect.poll(isFree).toBe(true);
        expect(existsSync(path)).toBe(false);
      } finally {
        parent.kill();
      }
    },
  );

  // After a restart of the machine or of a container, another process or a thread has the number of the owner that was killed.
  test('is free without its owner, whoever has its number now', () => {
    writeFileSync(path, String(process.ppid));
    takeLock(path, refuse).release();
    takeLock(path, refuse);
    const left = readFileSync(path);
    left.writeUInt32BE(process.ppid, 60);
    const other = join(folder, 'other');
    writeFileSync(other, left);
    takeLock(other, refuse).release();
  });
});
