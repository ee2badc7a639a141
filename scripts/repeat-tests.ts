/**
 * Repeats the test suite and prints which tests failed how often, and which files take longest: a test that fails now and then is a defect of
 * the test or of the program. `npm run repeat -- 10 --load 4 test/e2e`: how often, beside how many busy loops, and arguments of Vitest. The
 * exit code is 1 if anything failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** What Vitest's JSON reporter writes of a file. */
interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string; readonly failureMessages: readonly string[] }[];
}

interface Failure {
  readonly test: string;
  readonly message: string;
}

const SLOWEST = 15;
const USAGE = 'usage: npm run repeat -- [TIMES] [--load BUSY_LOOPS] [ARGUMENTS OF VITEST]\n';

function count(text: string | undefined, least: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= least) return value;
  process.stderr.write(`a whole number of at least ${least} was expected, found "${text ?? ''}"\n${USAGE}`);
  process.exit(2);
}

const given = process.argv.slice(2);
const times = /^[\d.]+$/.test(given[0] ?? '') ? count(given.shift(), 1) : 10;
const at = given.indexOf('--load');
const load = at < 0 ? 0 : count(given.splice(at, 2)[1], 0);

/** Always busy, and ends with this process, however that ends. */
const BUSY = `
  process.on('disconnect', () => process.exit());
  const work = () => { for (const end = performance.now() + 100; performance.now() < end;); setImmediate(work); };
  work();
`;
for (let k = 0; k < load; k++) spawn(process.execPath, ['-e', BUSY], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });

const folder = mkdtempSync(join(tmpdir(), 'tickwright-repeat-'));
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const failures: Failure[] = [];
const failedRuns: number[] = [];
const seconds = new Map<string, number[]>();

function failuresOf({ name, status, message, assertionResults }: FileResult): Failure[] {
  const path = relative(process.cwd(), name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [{ test: `${path} (not loaded)`, message }];
  return failed.map(({ fullName, failureMessages }) => ({ test: `${path} > ${fullName}`, message: failureMessages[0] ?? '' }));
}

for (let run = 1; run <= times; run++) {
  const report = join(folder, `${run}.json`);
  const args = [vitest, 'run', '--reporter=json', `--outputFile.json=${report}`, ...given];
  const began = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'close')) as [number | null];
  const files = existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as { testResults: FileResult[] }).testResults : [];
  const failed = files.flatMap(failuresOf);
  if (code !== 0 && failed.length === 0) failed.push({ test: '(Vitest)', message: `ended with ${code}` });
  const passed = files.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'passed').length;
  process.stdout.write(
    `run ${run} of ${times}: ${passed} passed, ${failed.length} failed, ${((performance.now() - began) / 1_000).toFixed(0)} s\n`,
  );
  for (const { test, message } of failed) process.stdout.write(`  ${test}\n    ${message.split('\n')[0]}\n`);
  failures.push(...failed);
  if (failed.length > 0) failedRuns.push(run);
  for (const { name, startTime, endTime } of files) {
    const path = relative(process.cwd(), name);
    seconds.set(path, [...(seconds.get(path) ?? []), (endTime - startTime) / 1_000]);
  }
}
rmSync(folder, { recursive: true });

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
const slowest = [...seconds].map(([path, values]) => [path, mean(values)] as const).sort((a, b) => b[1] - a[1]);
process.stdout.write(`\nslowest files, seconds\n`);
for (const [path, value] of slowest.slice(0, SLOWEST)) process.stdout.write(`${value.toFixed(1).padStart(8)}  ${path}\n`);
const often = new Map<string, number>();
for (const { test } of failures) often.set(test, (often.get(test) ?? 0) + 1);
process.stdout.write(`\n${times - failedRuns.length} of ${times} runs passed${load > 0 ? ` beside ${load} busy loops` : ''}\n`);
for (const [test, failed] of [...often].sort((a, b) => b[1] - a[1])) process.stdout.write(`${String(failed).padStart(8)} × ${test}\n`);
process.exit(failedRuns.length === 0 ? 0 : 1);
