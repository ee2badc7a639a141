/** Each known mutant fits the source, or it would change nothing. */
import { expect, it } from 'vitest';
import { BAR_MUTANTS } from '../model/bars/mutations.ts';
import { CHANGE_MUTANTS } from '../model/changes/mutations.ts';
import { MUTANTS as OF_MODEL } from '../model/mutations.ts';
import { MUTANTS as OF_SIMULATION } from '../simulation/mutations.ts';
import { changesOf, type SourceEdit } from './edits.ts';

const ALL: readonly (readonly [string, readonly SourceEdit[]])[] = [
  ...[...OF_MODEL, ...BAR_MUTANTS, ...CHANGE_MUTANTS].map(([name, ...edit]) => [name, [edit]] as const),
  ...OF_SIMULATION.map(({ name, edits }) => [name, edits] as const),
];

it.each(ALL)('the mutant "%s" fits the code at its place', (_name, edits) => {
  expect(changesOf(edits)).toBeInstanceOf(Array);
  for (const [, pattern, instead] of edits) expect(instead).not.toBe(pattern);
});

it('has no two mutants of one name', () => {
  const names = ALL.map(([name]) => name);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

it('says what does not fit', () => {
  const [, at, pattern, instead] = OF_MODEL[0]!;
  expect(changesOf([['none.ts', pattern, instead]])).toBe('none.ts: expected one file of src with this name, found 0');
  expect(changesOf([['orders.ts', pattern, instead]])).toMatch(/^orders.ts: expected one file of src with this name, found [2-9]/);
  expect(changesOf([[at, 'return 1 / 3', '']])).toBe(`${at}: expected "return 1 / 3" once, found it 0 times`);
  expect(changesOf([[at, 'return $value', '']])).toMatch(/once, found it \d+ times/);
  expect(changesOf([[`${at} none`, pattern, instead]])).toMatch(/once, found it 0 times/);
  expect(changesOf([[at, pattern, 'return gone_by_renaming']])).toMatch(/no file of src has the word "gone_by_renaming"/);
});

it('changes the first place from a function on, if one is named', () => {
  const changed = changesOf([['matching/fills.ts open', 'const $a =', 'let $a =']]);
  expect(changed).toEqual([{ path: 'src/sim/matching/fills.ts', text: expect.stringMatching(/function open\([^]*?\n {2}let /) }]);
});
