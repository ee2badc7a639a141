/**
 * Proves that comparisons find errors: breaks a copy of the program in one small way after another and runs the search of that comparison.
 * `npm run mutants -- [part of a name]`. Ends with 1 if a mutant survives all seeds, and with 2 if one no longer fits the source.
 */
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changesOf, type Change, type NamedEdit } from '../mutation/edits.ts';
import { copyOfProject } from '../support/processes/project-copy.ts';
import { BAR_MUTANTS } from './bars/mutations.ts';
import { CHANGE_MUTANTS } from './changes/mutations.ts';
import { MUTANTS } from './mutations.ts';

/** A program that ends with 1 if it finds a difference, and the mutants that it must find. Its arguments: how much to search, the seed. */
interface Search {
  readonly program: string;
  readonly amount: string;
  readonly mutants: readonly NamedEdit[];
}

const SEARCHES: readonly Search[] = [
  { program: 'test/model/fuzz.ts', amount: '10000', mutants: MUTANTS },
  { program: 'test/model/bars/search.ts', amount: '100', mutants: BAR_MUTANTS },
  { program: 'test/model/changes/search.ts', amount: '40', mutants: CHANGE_MUTANTS },
];

/** Rare events are searched again with other seeds before a mutant counts as not found. */
const SEEDS = ['1', '7', '13', '21', '34'];

/** Copies the files that the search needs, with the changes. */
function copyWith(changes: readonly Change[]): string {
  const copy = copyOfProject(['src', 'config', 'test/model', 'test/support', 'package.json']);
  for (const { path, text } of changes) writeFileSync(join(copy, path), text);
  return copy;
}

function searched(copy: string, { program, amount }: Search): [boolean, string] {
  let told = '';
  for (const seed of SEEDS) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, amount, seed], { cwd: copy, encoding: 'utf8' });
    told = `seed ${seed}, ${(stdout || stderr).split('\n')[0] ?? ''}`;
    if (status === 1 && stdout !== '') return [true, told];
  }
  return [false, told];
}

const [wanted = ''] = process.argv.slice(2);
let survivors = 0;
let misfits = 0;
for (const [search, mutant] of SEARCHES.flatMap((one) => one.mutants.map((edit) => [one, edit] as const))) {
  const [name, ...edit] = mutant;
  if (!name.includes(wanted)) continue;
  const changes = changesOf([edit]);
  if (typeof changes === 'string') {
    misfits++;
    console.log(`no longer fits  ${name}: ${changes}`);
    continue;
  }
  const copy = copyWith(changes);
  const [isKilled, told] = searched(copy, search);
  if (!isKilled) survivors++;
  console.log(`${isKilled ? 'killed  ' : 'SURVIVED'}  ${name}: ${told}`);
  rmSync(copy, { recursive: true, force: true });
}
process.exitCode = misfits > 0 ? 2 : survivors > 0 ? 1 : 0;
