/** Writes each known mistake into a copy of the project and lets the simulation look for it. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf } from '../mutation/edits.ts';
import { copyOfProject } from '../support/processes/project-copy.ts';
import type { Wrong } from './batch.ts';
import { MUTANTS } from './mutations.ts';
import type { Mutant } from './mutations/mutant.ts';

/** Each must be found within so many seeds. */
const SEEDS = 2_000;

/** All whose name contains `wanted`, on `workers` processes. 0 when each was found, 1 when not, 2 when one does not fit or does not run. */
export async function findMutants(workers: number, wanted: string): Promise<number> {
  const open = MUTANTS.filter(({ name }) => name.includes(wanted));
  let [survivors, misfits] = [0, 0];
  const work = async (): Promise<void> => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const copy = copyWith(next);
      if (typeof copy === 'string') {
        misfits++;
        console.log(`no longer fits  ${next.of}  ${next.name}: ${copy}`);
        continue;
      }
      try {
        const found = await (next.by.endsWith('.test.ts') ? foundByTest(next.by, copy.folder) : searched(next.by, copy.folder));
        if (found === null) survivors++;
        console.log(lineOf(next, found));
      } catch (error) {
        misfits++;
        console.log(`did not run     ${next.of}  ${next.name}: ${error instanceof Error ? error.message : String(error)}`);
      }
      rmSync(copy.folder, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return misfits > 0 ? 2 : survivors > 0 ? 1 : 0;
}

function lineOf({ of, name }: Mutant, found: Wrong | null): string {
  if (found === null) return `SURVIVED        ${of}  ${name}`;
  const [first] = found.problems;
  const by = found.seed === 0 ? 'a test      ' : `seed ${String(found.seed).padStart(5)}  `;
  return `${by}    ${of}  ${name}: ${first?.of}, ${first?.text.slice(0, 120)}`;
}

/** A copy of what the simulation needs, with the edits of the mutant; what does not fit instead. */
function copyWith({ by, edits }: Mutant): { readonly folder: string } | string {
  const changes = changesOf(edits);
  if (typeof changes === 'string') return changes;
  const folder = copyFor(by);
  for (const { path, text } of changes) writeFileSync(join(folder, path), text);
  return { folder };
}

function copyFor(by: string): string {
  const test = ['test/mutation', 'test/simulation', 'test/support', 'test/tidy'];
  const parts = ['src', 'strategies', 'config', ...test, 'package.json', 'vitest.config.ts'];
  return copyOfProject(by.endsWith('.test.ts') ? [...parts, by] : parts);
}

/** Whether each file of tests passes in a copy without a change. One that does not finds every mutant, and proves nothing. */
const sound = new Map<string, Promise<Wrong | null>>();

/** The first test of the file that fails because of the change, or null. */
async function foundByTest(file: string, copy: string): Promise<Wrong | null> {
  if (!sound.has(file)) sound.set(file, testedInCopy(file));
  const wrong = await sound.get(file)!;
  if (wrong !== null) throw new Error(`without the change this test of ${file} fails too: ${wrong.problems[0]?.text}`);
  return testedBy(file, copy);
}

async function testedInCopy(file: string): Promise<Wrong | null> {
  const folder = copyFor(file);
  try {
    return await testedBy(file, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first test of the file that fails, or null. */
function testedBy(file: string, copy: string): Promise<Wrong | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Wrong | null>();
  const child = spawn('npx', ['vitest', 'run', file], { cwd: copy, env: { ...process.env, NO_COLOR: '1' } });
  let out = '';
  child.stdout.on('data', (text) => (out += String(text)));
  child.on('close', (code) => {
    const failed = /^ +× (.*)$/m.exec(out)?.[1];
    if (code === 0) resolve(null);
    else if (failed === undefined) reject(new Error(`${file} did not run: ${out}`));
    else resolve({ seed: 0, problems: [{ of: 'lost', text: failed }] });
  });
  return promise;
}

/** The first seed that fails, or null. A process that breaks at once is no find. */
function searched(world: string, copy: string): Promise<Wrong | null> {
  const { promise, resolve, reject } = Promise.withResolvers<Wrong | null>();
  const child = spawn(
    process.execPath,
    ['test/simulation/simulate.ts', '--first', '--seeds', String(SEEDS), ...(world === 'trades' ? ['--trades'] : [])],
    { cwd: copy },
  );
  let out = '';
  let errors = '';
  child.stdout.on('data', (text) => (out += String(text)));
  child.stderr.on('data', (text) => (errors += String(text)));
  child.on('close', () => {
    const last = out.trim().split('\n').at(-1) ?? '';
    if (!last.startsWith('{')) return reject(new Error(`the simulation broke: ${errors}`));
    resolve((JSON.parse(last) as { wrong: Wrong[] }).wrong[0] ?? null);
  });
  return promise;
}
