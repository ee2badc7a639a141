/** Fast start: the first file's promise about the cache of compiled code. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tickwright-start-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Events of the runtime's cache, as "event count". */
function start(args: readonly string[]): Readonly<Record<string, number>> {
  const { NODE_COMPILE_CACHE: _cache, ...inherited } = process.env;
  const env = { ...inherited, TMPDIR: folder, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'src/tickwright.js'), ...args], {
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 26,
  });
  expect(status, stderr).toBe(0);
  const told = (stdout + stderr).split('\n').filter((line) => line.startsWith('[compile cache] '));
  const count = (what: string): number => told.filter((line) => line.includes(what)).length;
  return { accepted: count(' was accepted'), rejected: count(' was rejected'), written: count('writing cache') };
}

test('a backtest finds all its modules compiled by the one before, whatever ran between them', () => {
  const tape = join(folder, 'tape');
  start(['tape', 'synth', '--out', tape, '--duration', '10s']);
  const backtest = ['backtest', '--no-bracket', '--tape', tape, '--strategy', join(ROOT, 'strategies/ema-cross.ts'), '--json'];
  const first = start(backtest);
  start(['tape', 'info', tape]);
  const second = start(backtest);
  expect(first['accepted']).toBe(0);
  expect(second['rejected']).toBe(0);
  expect(second['written']).toBe(0);
  expect(second['accepted']).toBeGreaterThan(100);
  expect(start(['tape', 'info', tape])).toMatchObject({ rejected: 0, written: 0 });
});

test('the version is told without the program', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const flag of ['--version', '-V']) {
    expect(spawnSync(process.execPath, [join(ROOT, 'src/tickwright.js'), flag], { encoding: 'utf8' }).stdout).toBe(`${version}\n`);
    expect(start([flag])).toEqual({ accepted: 0, rejected: 0, written: 0 });
  }
});

test('paths are relative to the folder in which `npm run` was called', () => {
  const args = ['--prefix', ROOT, 'run', '-s', 'tickwright', '--', 'tape', 'synth', '--out', 'here', '--duration', '2s'];
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  expect(existsSync(join(folder, 'here'))).toBe(true);
});
