/** Each known mutant fits the source, or it would change nothing; and no marker is left over. */
import { expect, it } from 'vitest';
import { BAR_MUTANTS } from '../model/bars/mutations.ts';
import { MUTANTS as OF_MODEL } from '../model/mutations.ts';
import { MUTANTS as OF_SIMULATION } from '../simulation/mutations.ts';
import { changesOf, markersInSource, type MarkedEdit } from './marked.ts';

const ALL: readonly (readonly [string, readonly MarkedEdit[]])[] = [
  ...[...OF_MODEL, ...BAR_MUTANTS].map((edit) => [edit[0], [edit]] as const),
  ...OF_SIMULATION.map(({ name, edits }) => [name, edits] as const),
];

it.each(ALL)('the mutant "%s" fits the code at its marker', (_name, edits) => {
  expect(changesOf(edits)).toBeInstanceOf(Array);
  for (const [, pattern, instead] of edits) expect(instead).not.toBe(pattern);
});

it('has one mutant for each marker in src, and no marker twice', () => {
  const wanted = ALL.flatMap(([, edits]) => edits.map(([marker]) => marker));
  expect(markersInSource().toSorted()).toEqual(wanted.toSorted());
});

it('says what does not fit', () => {
  const [[marker, pattern, instead]] = OF_MODEL as readonly [MarkedEdit];
  expect(changesOf([['no such marker', pattern, instead]])).toMatch(/^expected the comment "\/\/ mutant: no such marker" in one file/);
  expect(changesOf([[marker, 'return 1 / 3', '']])).toMatch(/the code after .* is not "return 1 \/ 3"/);
  expect(changesOf([[marker, pattern, 'return gone_by_renaming']])).toMatch(/no file of src has the word "gone_by_renaming"/);
});
