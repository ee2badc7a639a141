/** Writes each known mistake into a copy of the project and lets the simulation look for it. */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf } from '../mutation/edits.ts';
import { copyOfProject } from '../support/project-copy.ts';
import type { Wrong } from './batch.ts';
import { MUTANTS, type Mutant } from './mutations.ts';

/** Each must be found within so many seeds. */
const SEEDS = 2_000;

/** All whose name contains `wanted`, on `workers` processes. 0 when each was found, 1 when not, 2 when one no longer fits the source. */
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
      const found = await searched(copy.folder);
      rmSync(copy.folder, { recursive: true, force: true });
      if (found === null) survivors++;
      console.log(lineOf(next, found));
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return misfits > 0 ? 2 : survivors > 0 ? 1 : 0;
}

function lineOf({ of, name }: Mutant, found: Wrong | null): string {
  if (found === null) return `SURVIVED        ${of}  ${name}`;
  const [first] = found.problems;
  return `seed ${String(found.seed).padStart(5)}      ${of}  ${name}: ${first?.of}, ${first?.text.slice(0, 120)}`;
}

/** A copy of what the simulation needs, with the edits of the mutant; what does not fit instead. */
function copyWith({ edits }: Mutant): { readonly folder: string } | string {
  const changes = changesOf(edits);
  if (typeof changes === 'string') return changes;
  const folder = copyOfProject(['src', 'strategies', 'test/mutation', 'test/simulation', 'test/support', 'test/tidy', 'package.json']);
  for (const { path, text } of changes) writeFileSync(join(folder, path), text);
  return { folder };
}

/** The first seed that fails, or null. A process that breaks at once is no find. */
function searched(copy: string): Promise<Wrong | null> {
  const { promise, resolve } = Promise.withResolvers<Wrong | null>();
  const child = spawn(process.execPath, ['test/simulation/simulate.ts', '--first', '--seeds', String(SEEDS)], { cwd: copy });
  let out = '';
  let errors = '';
  child.stdout.on('data', (text) => (out += String(text)));
  child.stderr.on('data', (text) => (errors += String(text)));
  child.on('close', () => {
    const last = out.trim().split('\n').at(-1) ?? '';
    if (!last.startsWith('{')) throw new Error(`the simulation broke: ${errors}`);
    resolve((JSON.parse(last) as { wrong: Wrong[] }).wrong[0] ?? null);
  });
  return promise;
}
