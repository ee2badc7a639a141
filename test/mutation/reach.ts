/** Which test file executes which mutants, and how long it takes. Measured once for each test file, and kept beside the log of the fates. */
import { sourcesIn } from '../tidy/source.ts';
import { digestOf, LineLog } from './line-log.ts';
import { withProbes } from './probes.ts';
import type { Site } from './sites.ts';
import type { TestRunner } from './test-runner.ts';

/** A change of a source file. */
export interface Mutant extends Site {
  readonly path: string;
  readonly source: string;
  readonly line: number;
  /** The source line where it starts. */
  readonly shown: string;
}

/** Names a mutant for the logs: another text of the file makes it another one. */
export function keyOf({ path, source, start, end, text }: Mutant): string {
  return `${path}:${start}-${end}:${text}:${digestOf(source)}`;
}

export interface Reaching {
  readonly file: string;
  /** Duration of the whole file without a change, with its start. */
  readonly ms: number;
}

interface Measured {
  readonly ms: number;
  readonly failed: boolean;
  /** Positions in the list of the mutants. */
  readonly reached: readonly number[];
}

/** Suites that need processes or minutes, or do not test behaviour. */
const LEFT_OUT = [
  /^test\/(e2e|tidy)\//,
  /^test\/unit\/config\/config-keys\.test\.ts$/,
  /^test\/contract\/server\/exchange-flood\.test\.ts$/,
  /^test\/conformance\/redis/,
];
/** No file of the fast suites takes longer. */
const LIMIT_MS = 900_000;

/** Returns the test files that execute each of the mutants; short files, and those that execute few others, come first. */
export async function reachOf(
  mutants: readonly Mutant[],
  runners: readonly TestRunner[],
  logPath: string,
): Promise<(mutant: Mutant) => readonly Reaching[]> {
  const log = new LineLog<Measured>(logPath);
  const tests = testsWithKeys(mutants);
  const queue = tests.filter(({ key }) => log.get(key) === undefined);
  await Promise.all(runners.map((runner) => measure(runner)));
  const reaching = new Map<Mutant, Reaching[]>(mutants.map((mutant) => [mutant, []]));
  const known = tests
    .map(({ file, key }) => ({ file, ...log.get(key)! }))
    .toSorted((a, b) => a.ms * a.reached.length - b.ms * b.reached.length);
  for (const { file, ms, failed, reached } of known) if (!failed) for (const at of reached) reaching.get(mutants[at]!)!.push({ file, ms });
  return (mutant) => reaching.get(mutant)!;

  async function measure(runner: TestRunner): Promise<void> {
    if (queue.length === 0) return;
    probeAll(mutants, runner);
    for (let test = queue.shift(); test !== undefined; test = queue.shift()) {
      const { ms, failed, probes: reached, errors } = await runner.runProbed(test.file, LIMIT_MS);
      if (failed) console.log(`${test.file} fails without a change and is not asked: ${errors.join('; ').slice(0, 300)}`);
      log.set(test.key, { ms: Math.round(ms), failed, reached });
    }
    for (const { path, source } of mutants) runner.write(path, source);
  }
}

/** The test files of the fast suites. A change of the source, of the mutants or of what tests share makes the key another one. */
function testsWithKeys(mutants: readonly Mutant[]): { readonly file: string; readonly key: string }[] {
  const all = sourcesIn('test').filter(({ path }) => !path.startsWith('test/mutation/'));
  const [tests, shared] = [all.filter(({ path }) => path.endsWith('.test.ts')), all.filter(({ path }) => !path.endsWith('.test.ts'))];
  const base = digestOf(...[...sourcesIn('src'), ...shared].map(({ path, text }) => path + text), ...mutants.map(keyOf));
  const fast = tests.filter(({ path }) => !LEFT_OUT.some((pattern) => pattern.test(path)));
  return fast.map(({ path, text }) => ({ file: path, key: `${path}:${digestOf(text)}:${base}` }));
}

function probeAll(mutants: readonly Mutant[], runner: TestRunner): void {
  const byPath = Map.groupBy(mutants.entries(), ([, { path }]) => path);
  for (const [path, places] of byPath) runner.write(path, withProbes({ path, text: places[0]![1].source }, new Map(places)));
}
