/** Commands for operating a bot, if none runs or the words are wrong. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';

const BIN = join(import.meta.dirname, '../../../src/tickwright.js');
const folder = mkdtempSync(join(tmpdir(), 'tickwright-no-bot-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [BIN, ...args], { cwd: folder, encoding: 'utf8' });
}

test('without a running bot gives an error and exit code 6', () => {
  const { status, stdout, stderr } = run('status');
  expect([status, stdout]).toEqual([6, '']);
  expect(stderr).toMatch(/^error: no bot runs in this folder, and none .*\n {2}name it: --state FOLDER/);
});

test('with --json gives JSON', () => {
  const { status, stdout, stderr } = run('halt', '--json');
  expect([status, stderr]).toEqual([6, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    code: 'not-running',
    failure: 'bot-missing',
    hint: expect.stringContaining('--state FOLDER'),
  });
});

test('a wrong flag names the help of its command, also of a two-word command', () => {
  const { status, stderr } = run('cancel-all', '--all');
  expect([status, stderr]).toEqual([
    2,
    "error: unknown option '--all'\n  tickwright cancel-all --help shows what there is\n  code: command-line\n",
  ]);
});
