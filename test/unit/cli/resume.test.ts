/** Which study `optimize --resume` means, and which of its flags count. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandText, resumed } from '../../../src/cli/search/resume.ts';
import type { OptimizeFlags } from '../../../src/cli/search/optimize-flags.ts';
import { Failure } from '../../../src/base/failure/failure.ts';
import { SEARCH_COMMANDS } from '../../../src/cli/table/search-rows.ts';
import { StudyStore } from '../../../src/run/search/study/study-store.ts';

let folder = '';
const begun: OptimizeFlags = {
  tape: 'strategies',
  by: 'objective',
  sampler: 'tpe',
  holdout: 0.2,
  trials: 50,
  seed: 7,
  param: { a: '1..2' },
  workers: 8,
};
const given: OptimizeFlags = { tape: '', by: 'sharpe', sampler: 'tpe', holdout: 0.3 };

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-resume-'));
  for (const [name, command] of [
    ['mine.study', commandText(begun)],
    ['old.study', null],
  ] as const) {
    const store = new StudyStore(join(folder, name), { tape: 'x' });
    if (command !== null) store.keepCommand(command);
    store.close();
  }
  writeFileSync(join(folder, 'notes.study'), 'shopping list');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const problem = (name: string): string => {
  try {
    resumed(given, join(folder, name));
  } catch (error) {
    if (error instanceof Failure) return `${error.problems[0]!.what}; ${error.problems[0]!.hint ?? ''}`;
    throw error;
  }
  return '';
};

test('a study is found by its name with and without the ending, and its own flags count', () => {
  for (const name of ['mine', 'mine.study']) {
    const flags = resumed({ ...given, workers: 2, json: true }, join(folder, name));
    expect(flags).toEqual({ ...begun, tape: join(process.cwd(), 'strategies'), workers: 2, json: true, study: join(folder, 'mine.study') });
  }
  expect(resumed({ ...given, trials: 80 }, join(folder, 'mine')).trials).toBe(80);
});

test('a study that is not there, is none, or does not say how it was begun is refused', () => {
  expect(problem('mime')).toMatch(/^there is no study .*mime or .*mime\.study in .*; did you mean "mine\.study"\?$/);
  expect(problem('qqqqqqqq')).toMatch(/; there are mine\.study, notes\.study, old\.study$/);
  expect(problem('old')).toMatch(/^the study does not say how it was begun: .*; type the whole optimize command again, with --study /);
  expect(problem('notes')).toMatch(/file is not a database/);
});

test('every flag of optimize is kept by the study, or may be given beside --resume', () => {
  const { options = [] } = SEARCH_COMMANDS.find(({ name }) => name === 'optimize')!;
  const rows = options.flatMap((group) => group.options);
  const names = rows.map(({ flags }) => /--([a-z-]+)/.exec(flags)![1]!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()));
  const conflicts = rows.find(({ flags }) => flags.startsWith('--resume'))!.conflicts!;
  const kept = Object.keys(JSON.parse(commandText(Object.fromEntries(names.map((name) => [name, 1])) as never)) as object);
  expect(new Set([...conflicts, 'trials'])).toEqual(new Set([...kept, 'study']));
  const beside = Object.keys(resumed(Object.fromEntries(names.map((name) => [name, 'given'])) as never, join(folder, 'mine')));
  expect(names.filter((name) => !kept.includes(name) && !beside.includes(name))).toEqual(['resume']);
});
