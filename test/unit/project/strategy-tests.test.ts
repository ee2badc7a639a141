/** The tests beside the strategies and the tests on docs/testing.md pass in the test runner of Node.js, as a user runs them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/testing.md'), 'utf8');
let folder = '';
beforeAll(() => {
  // Inside the package, where its own name is known.
  mkdirSync(join(ROOT, 'var'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'var/strategy-tests-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(files: readonly string[]): { readonly status: number | null; readonly text: string; readonly passed: number } {
  const { NODE_OPTIONS: _options, VITEST: _runner, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const args = ['--test', '--test-reporter=tap', ...files];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env, encoding: 'utf8', timeout: 240_000 });
  return { status, text: stdout + stderr, passed: Number(/^# pass (\d+)$/m.exec(stdout)?.[1] ?? 0) };
}

test('each test beside a strategy passes', () => {
  const files = readdirSync(join(ROOT, 'strategies')).filter((name) => name.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(0);
  const { passed, status, text } = run(files.map((name) => join('strategies', name)));
  expect(status, text).toBe(0);
  expect(passed).toBeGreaterThanOrEqual(files.length);
});

test('each block of docs/testing.md is a test that passes', () => {
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map((match) => match[1] ?? '');
  expect(blocks.length).toBe(3);
  const files = blocks.map((block, k) => {
    const file = join(folder, `page-${k}.test.ts`);
    writeFileSync(file, block);
    return file;
  });
  const { passed, status, text } = run(files);
  expect(status, text).toBe(0);
  expect(passed).toBe(4);
});

test('a failing test of a strategy fails the run', () => {
  const file = join(folder, 'wrong.test.ts');
  writeFileSync(file, /```ts\n([^]*?)```/.exec(page)![1]!.replace("'90.0'", "'91.0'"));
  expect(run([file]).status).toBe(1);
});
