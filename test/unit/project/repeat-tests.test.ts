/** The command that repeats the suite: it counts the failures of each test, over a suite of its own. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../../tidy/source.ts';

const SUITE = `
import { readFileSync, writeFileSync } from 'node:fs';
it('always passes', () => {});
it('fails every other time', () => {
  const file = new URL('runs', import.meta.url);
  const runs = Number(readFileSync(file, 'utf8')) + 1;
  writeFileSync(file, String(runs));
  expect(runs % 2, 'it was its turn').toBe(1);
});
`;

function repeat(
  folder: string,
  ...args: readonly string[]
): { readonly status: number | null; readonly out: string; readonly err: string } {
  const all = ['scripts/repeat-tests.ts', ...args, '--root', folder, '--config', join(folder, 'vitest.config.ts'), '--globals'];
  const { status, stdout, stderr } = spawnSync(process.execPath, all, { cwd: ROOT, encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

it('prints which tests failed how often, beside busy loops', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-flaky-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.test.js'), SUITE);
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {};');
  writeFileSync(join(folder, 'runs'), '0');
  const { status, out } = repeat(folder, '4', '--load', '1');
  expect(out).toMatch(/^run 1 of 4: 2 passed, 0 failed, \d+ s\nrun 2 of 4: 1 passed, 1 failed/);
  expect(out).toContain('2 of 4 runs passed beside 1 busy loops\n');
  expect(out).toMatch(/\n {7}2 × \S*a\.test\.js > fails every other time\n$/);
  expect(status).toBe(1);
});

it('fails if no test could run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-flaky-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'a.test.js'), 'throw new Error("broken on purpose");');
  writeFileSync(join(folder, 'vitest.config.ts'), 'export default {};');
  const { status, out } = repeat(folder, '1');
  expect(out).toContain('0 of 1 runs passed');
  expect(out).toContain('broken on purpose');
  expect(status).toBe(1);
});

it('says what a number of runs looks like', () => {
  expect(repeat('', '0')).toMatchObject({
    status: 2,
    err: expect.stringContaining('a whole number of at least 1 was expected, found "0"'),
  });
});
