/**
 * Breaks the program at random places, one operator or statement at a time, and lets the fast suites find it:
 * `npm run mutants:random -- [--count 200] [--seed 1] [--in src/engine,src/domain]`. Prints each mutant with its line and its fate, and the
 * share that was found. Ends with 1 below 90 %. The same seed chooses the same mutants of the same source. What may have failed for want of
 * time is judged again at the end, alone. Each fate is written to `--log` at once, and a run that is started again takes it from there.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/random.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { ROOT, sourcesIn, trackedFiles } from '../tidy/source.ts';
import { EXPLAINED } from './explained.ts';
import { FateLog } from './fate-log.ts';
import type { Line } from './reporter.ts';
import { mutated, sitesOf, type Site } from './sites.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src/engine,src/domain,src/edge/http,src/run/bot,src/tape' },
    workers: { type: 'string', default: '2' },
    log: { type: 'string', default: 'var/mutants-random.jsonl' },
  },
});

/** A run that takes longer does not end, or the machine is busy: which of them is found out later, alone. */
const LIMIT_MS = 900_000;
/** Alone, a test file has so long; a test always has so long, but where it says otherwise. */
const ALONE_MS = 240_000;
const TEST_MS = 120_000;
/** Tests with sockets and real time. Their failures, and those that speak of time, may come from a busy machine. */
const TIMED_FILES = /^test\/(contract|conformance)\//;
const TIMED_ERRORS = /timed? ?-?out|ECONN|EPIPE|socket|aborted/i;
/** Suites that need processes or minutes, or do not test behaviour. */
const LEFT_OUT = [
  'test/e2e/**',
  'test/tidy/**',
  'test/mutation/**',
  'test/unit/config-keys.test.ts',
  'test/contract/exchange-flood.test.ts',
  'test/conformance/redis*',
];
/** Most mutants are found by the shorter tests, which are asked first. */
const SHORT = ['test/unit/**', 'test/property/**'];
const LONG = ['test/golden/**', 'test/sim/**', 'test/model/**', 'test/contract/**', 'test/conformance/**'];
/** Share of the mutants without an explanation that must be found. */
const WANTED = 0.9;

interface Mutant extends Site {
  readonly path: string;
  readonly source: string;
  readonly line: number;
  /** The source line where it starts. */
  readonly shown: string;
}

/** Selects `count` different sites in `folders` by `seed`. */
function chosen(folders: readonly string[], count: number, seed: number): Mutant[] {
  const all = sourcesIn(...folders).flatMap(({ path, text }) =>
    sitesOf({ path, text }).map((site): Mutant => {
      const line = text.slice(0, site.start).split('\n').length;
      return { ...site, path, source: text, line, shown: text.split('\n')[line - 1]!.trim() };
    }),
  );
  const random = new Random(seed);
  const picked: Mutant[] = [];
  while (picked.length < count && all.length > 0) picked.push(...all.splice(random.uint32() % all.length, 1));
  console.log(`${picked.length} of ${picked.length + all.length} possible changes, seed ${seed}`);
  return picked;
}

interface Run {
  /** All tests passed. */
  readonly isGreen: boolean;
  /** Test files that failed, or had begun and not ended. */
  readonly files: readonly string[];
  /** A failure that a busy machine cannot cause. */
  readonly isCertain: boolean;
}

function run(copy: string, what: readonly string[], limitMs: number, leftOut: readonly string[] = []): Promise<Run> {
  const lines = join(copy, 'mutant-lines.jsonl');
  writeFileSync(lines, '');
  const left = [...LEFT_OUT, ...leftOut].flatMap((pattern) => ['--exclude', pattern]);
  const reporter = join(import.meta.dirname, 'reporter.ts');
  const args = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    ...what,
    '--run',
    '--bail',
    '1',
    '--passWithNoTests',
    '--reporter',
    reporter,
    ...left,
  ];
  return new Promise((settle) => {
    const env = { ...process.env, CI: '', MUTANT_LINES: lines };
    const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true, env });
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limitMs);
    child.on('exit', (code) => {
      clearTimeout(timer);
      settle(verdictOf(code === 0, readFileSync(lines, 'utf8').split('\n').filter(Boolean)));
    });
  });
}

function verdictOf(isGreen: boolean, texts: readonly string[]): Run {
  const lines = texts.map((text) => JSON.parse(text) as Line);
  const failed = lines.filter(({ what }) => what === 'failed');
  const open = new Set(lines.filter(({ what }) => what === 'begun').map(({ file }) => file));
  for (const { what, file } of lines) if (what === 'ended') open.delete(file);
  const isCertain = failed.some(({ file, errors }) => !TIMED_FILES.test(file) && !errors.some((error) => TIMED_ERRORS.test(error)));
  return { isGreen, files: [...new Set([...failed.map(({ file }) => file), ...(isGreen ? [] : open)])], isCertain };
}

/** The tests again while nothing else of this command runs, and with much time: they fail with the change, and pass without it. */
async function isFoundAlone(copy: string, { path, source, ...site }: Mutant, files: readonly string[]): Promise<boolean> {
  const patient = ['--testTimeout', String(TEST_MS), '--hookTimeout', String(TEST_MS)];
  const broken = (): void => writeFileSync(join(copy, path), mutated(source, site));
  broken();
  const named = files.length > 0 ? await run(copy, [...files, ...patient], ALONE_MS * files.length) : null;
  // The files that failed on the busy machine pass alone: all the others have still to be asked.
  const all = ['related', path, ...patient];
  const again = named === null || named.isGreen ? await run(copy, all, 2 * LIMIT_MS) : named;
  writeFileSync(join(copy, path), source);
  if (again.isGreen) return false;
  // A run that fails before any file began names none. The same run of the original tells whether the change is the cause.
  const [tests, limitMs] = again.files.length > 0 ? [[...again.files, ...patient], ALONE_MS * again.files.length] : [all, 2 * LIMIT_MS];
  return (await run(copy, tests, limitMs)).isGreen;
}

const all = chosen(values.in.split(','), Number(values.count), Number(values.seed));
const total = all.length;
let found = 0;
let excused = 0;
const log = new FateLog(join(ROOT, values.log));
const queue = all.filter((mutant) => {
  const isDead = log.fateOf(mutant);
  if (isDead !== undefined) judge(mutant, isDead, 'judged by an earlier run');
  return isDead === undefined;
});

const doubtful: { readonly mutant: Mutant; readonly files: readonly string[] }[] = [];

async function work(): Promise<void> {
  const copy = copyOfProject(trackedFiles());
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { path, source } = mutant;
    writeFileSync(join(copy, path), mutated(source, mutant));
    const began = performance.now();
    const tests = ['related', path, '--testTimeout', String(TEST_MS)];
    const short = await run(copy, tests, LIMIT_MS, LONG);
    const { isGreen, isCertain, files } = short.isGreen ? await run(copy, tests, LIMIT_MS, SHORT) : short;
    writeFileSync(join(copy, path), source);
    if (isGreen || isCertain) keep(mutant, !isGreen, `${Math.round((performance.now() - began) / 1000)} s`);
    else {
      doubtful.push({ mutant, files });
      console.log(
        `later    ${path}:${mutant.line} [${mutant.kind} → ${mutant.text}] failed, perhaps for want of time: ${files.join(', ')}`,
      );
    }
  }
  rmSync(copy, { recursive: true, force: true });
}

function keep(mutant: Mutant, isDead: boolean, note: string): void {
  log.write(mutant, isDead);
  judge(mutant, isDead, note);
}

/** Counts and prints the fate of a mutant. */
function judge({ path, line, shown, kind, text }: Mutant, isDead: boolean, note: string): void {
  const reason = isDead ? undefined : EXPLAINED.find((one) => one.path === path && shown.includes(one.line) && one.kind === kind)?.because;
  if (isDead) found++;
  if (reason !== undefined) excused++;
  const fate = isDead ? 'found   ' : reason === undefined ? 'SURVIVED' : 'harmless';
  const why = reason === undefined ? '' : ` (${reason})`;
  console.log(`${fate} ${path}:${line} [${kind} → ${text || 'nothing'}] ${shown}${why} ${note}`);
}

await Promise.all(Array.from({ length: Number(values.workers) }, () => work()));
const copy = copyOfProject(trackedFiles());
for (const { mutant, files } of doubtful) keep(mutant, await isFoundAlone(copy, mutant, files), `judged alone (${files.join(', ')})`);
rmSync(copy, { recursive: true, force: true });
const share = found / (total - excused);
console.log(`${found} of ${total} found, ${excused} harmless: ${(100 * share).toFixed(1)} %`);
process.exitCode = share >= WANTED ? 0 : 1;
