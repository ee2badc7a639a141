/**
 * Breaks the program at random places, one operator or statement at a time, and lets the fast suites find it:
 * `npm run mutants:random -- [--count 200] [--seed 1] [--in src/engine,src/domain]`. Prints each mutant with its line and its fate, and the
 * share that was found. Ends with 1 below 90 %. The same seed chooses the same mutants of the same source.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Random } from '../../src/base/random.ts';
import { copyOfProject } from '../support/project-copy.ts';
import { ROOT, sourcesIn, trackedFiles } from '../tidy/source.ts';
import { EXPLAINED } from './explained.ts';
import { mutated, sitesOf, type Site } from './sites.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', default: 'src/engine,src/domain,src/edge/http,src/run/bot,src/tape' },
    workers: { type: 'string', default: '2' },
  },
});

/** A mutant that runs longer is found: it no longer ends. */
const LIMIT_MS = 300_000;
/** What needs processes, minutes, or does not look at behaviour. */
const LEFT_OUT = ['test/e2e/**', 'test/tidy/**', 'test/mutation/**', 'test/contract/exchange-flood.test.ts', 'test/conformance/redis*'];
/** Of all mutants that no explanation excuses, the share that has to be found. */
const WANTED = 0.9;

interface Mutant extends Site {
  readonly path: string;
  readonly source: string;
  readonly line: number;
  /** The line of the source where it begins. */
  readonly shown: string;
}

/** `count` different sites of `folders`, chosen by `seed`. */
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

/** Whether a test fails, or none ends, in `copy`. */
function isFound(copy: string, path: string): Promise<boolean> {
  const left = LEFT_OUT.flatMap((pattern) => ['--exclude', pattern]);
  const args = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'related', path, '--run', '--bail', '1', '--reporter', 'dot', ...left];
  return new Promise((settle) => {
    const child = spawn(process.execPath, args, { cwd: copy, stdio: 'ignore', detached: true, env: { ...process.env, CI: '' } });
    const timer = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), LIMIT_MS);
    child.on('exit', (code) => {
      clearTimeout(timer);
      settle(code !== 0);
    });
  });
}

const queue = chosen(values.in.split(','), Number(values.count), Number(values.seed));
const total = queue.length;
let found = 0;
let excused = 0;

async function work(): Promise<void> {
  const copy = copyOfProject(trackedFiles());
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    const { path, line, shown, kind, source } = mutant;
    writeFileSync(join(copy, path), mutated(source, mutant));
    const began = performance.now();
    const isDead = await isFound(copy, path);
    writeFileSync(join(copy, path), source);
    const reason = isDead
      ? undefined
      : EXPLAINED.find((one) => one.path === path && shown.includes(one.line) && one.kind === kind)?.because;
    if (isDead) found++;
    if (reason !== undefined) excused++;
    const fate = isDead ? 'found   ' : reason === undefined ? 'SURVIVED' : 'harmless';
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(
      `${fate} ${path}:${line} [${kind} → ${mutant.text || 'nothing'}] ${shown}${reason === undefined ? '' : ` (${reason})`} ${seconds} s`,
    );
  }
  rmSync(copy, { recursive: true, force: true });
}

await Promise.all(Array.from({ length: Number(values.workers) }, () => work()));
const share = found / (total - excused);
console.log(`${found} of ${total} found, ${excused} harmless: ${(100 * share).toFixed(1)} %`);
process.exitCode = share >= WANTED ? 0 : 1;
