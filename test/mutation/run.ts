/**
 * Breaks the program at random places, one operator or statement at a time, and lets the fast suites find it:
 * `npm run mutants:random -- [--count 200] [--seed 1] [--in src/engine,src/domain]`. Prints each mutant with its line and its fate, and the
 * share that was found. Ends with 1 below 90 %. The same seed chooses the same mutants of the same source.
 *
 * First it measures which test files execute which mutants. A mutant is then given to those files alone, until one fails.
 * Each result is written to `--log` and `--reach` at once, and a run that is started again takes it from there. With `--again`, survivors of
 * earlier runs are judged once more.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/random.ts';
import { ROOT, sourcesIn } from '../tidy/source.ts';
import { EXPLAINED } from './explained.ts';
import { LineLog } from './line-log.ts';
import { keyOf, reachOf, type Mutant, type Reaching } from './reach.ts';
import { mutated, sitesOf } from './sites.ts';
import { TestRunner } from './test-runner.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src/engine,src/domain,src/edge/http,src/run/bot,src/tape' },
    workers: { type: 'string', default: '1' },
    log: { type: 'string', default: 'var/mutants-random.jsonl' },
    reach: { type: 'string', default: 'var/mutants-reach.jsonl' },
    again: { type: 'boolean', default: false },
  },
});

/** A file has so much of its own duration, and so much besides, before it is taken for endless. */
const TIMES = 8;
const LEAST_MS = 10_000;
/** What an endless file must take longer than the same file without the change, which is run right after it. */
const SLOWER = 4;
/** Tests with sockets and real time. Their failures, those that speak of time, and those of long runs may come from a busy machine. */
const TIMED_FILES = /^test\/(contract|conformance)\//;
const TIMED_ERRORS = /timed? ?-?out|ECONN|EPIPE|socket|aborted/i;
const LONG_MS = 20_000;
/** Share of the mutants without an explanation that must be found. */
const WANTED = 0.9;

/** One line of the log. */
interface Fate {
  /** The test file that failed; null if none did. */
  readonly foundBy: string | null;
  /** Its first error, "" if it did not end. */
  readonly error: string;
  /** How many test files execute the mutant. */
  readonly reachedBy: number;
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

/** Asks the files in turn, until one fails because of the mutant. */
async function fateOf(mutant: Mutant, reaching: readonly Reaching[], runner: TestRunner): Promise<Fate> {
  for (const { file, ms } of reaching) {
    const errors = await errorsBy(mutant, file, ms, runner);
    if (errors !== null) return { foundBy: file, error: (errors[0] ?? '').slice(0, 200), reachedBy: reaching.length };
  }
  return { foundBy: null, error: '', reachedBy: reaching.length };
}

/** The errors of a test file that the mutant causes; null if it finds nothing. */
async function errorsBy(mutant: Mutant, file: string, ms: number, runner: TestRunner): Promise<readonly string[] | null> {
  const limitMs = LEAST_MS + TIMES * ms;
  const first = await broken(limitMs);
  if (!first.failed) return null;
  const isTimed = first.ms > LONG_MS || TIMED_FILES.test(file) || first.errors.some((error) => TIMED_ERRORS.test(error));
  if (!isTimed && !first.isOver) return first.errors;
  // Perhaps the machine was busy: the file must pass without the change, much quicker than it did not end, or fail again with the change.
  const whole = await runner.run(file, SLOWER * limitMs);
  if (whole.failed) console.log(`${file} fails without a change too: ${whole.errors.join('; ').slice(0, 300)}`);
  if (whole.failed) return null;
  if (first.isOver && SLOWER * whole.ms < first.ms) return first.errors;
  return (await broken(SLOWER * limitMs)).failed ? first.errors : null;

  async function broken(limit: number): ReturnType<TestRunner['run']> {
    const { path, source } = mutant;
    runner.write(path, mutated(source, mutant));
    const run = await runner.run(file, limit);
    runner.write(path, source);
    return run;
  }
}

const all = chosen(values.in.split(','), Number(values.count), Number(values.seed));
const total = all.length;
let found = 0;
let excused = 0;
const log = new LineLog<Fate>(join(ROOT, values.log));
const queue = all.filter((mutant) => {
  const fate = log.get(keyOf(mutant));
  if (fate === undefined || (values.again && fate.foundBy === null)) return true;
  judge(mutant, fate, 'by an earlier run');
  return false;
});

/** Counts and prints the fate of a mutant. */
function judge({ path, line, shown, kind, text }: Mutant, { foundBy, reachedBy, error }: Fate, note: string): void {
  const isDead = foundBy !== null;
  const reason = isDead ? undefined : EXPLAINED.find((one) => one.path === path && shown.includes(one.line) && one.kind === kind)?.because;
  if (isDead) found++;
  if (reason !== undefined) excused++;
  const fate = isDead ? 'found   ' : reason === undefined ? 'SURVIVED' : 'harmless';
  const by =
    foundBy !== null
      ? `${foundBy} (${error.split('\n')[0] || 'does not end'})`
      : reachedBy === 0
        ? 'executed by no test file'
        : `passed by ${reachedBy} test files that execute it`;
  const why = reason === undefined ? '' : ` (${reason})`;
  console.log(`${fate} ${path}:${line} [${kind} → ${text || 'nothing'}] ${shown}${why}: ${by}, ${note}`);
}

if (queue.length > 0) {
  const runners = Array.from({ length: Number(values.workers) }, () => new TestRunner());
  const reachingOf = await reachOf(all, runners, join(ROOT, values.reach));
  await Promise.all(runners.map((runner) => work(runner, reachingOf)));
}

async function work(runner: TestRunner, reachingOf: (mutant: Mutant) => readonly Reaching[]): Promise<void> {
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const began = performance.now();
    const fate = await fateOf(mutant, reachingOf(mutant), runner);
    log.set(keyOf(mutant), fate);
    judge(mutant, fate, `${Math.round((performance.now() - began) / 1000)} s`);
  }
  runner.close();
}

const share = found / (total - excused);
console.log(`${found} of ${total} found, ${excused} harmless: ${(100 * share).toFixed(1)} %`);
process.exitCode = share >= WANTED ? 0 : 1;
