/** A ledger that was written with other settings: the error says which. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure } from '../../../../src/base/failure/failure.ts';
import { differencesOf, openLedgerIn } from '../../../../src/run/exchange/exchange-ledger.ts';

const row = (symbol: string, tick = 1): unknown[] => [symbol, 'futures', tick, 1];
const identity = (grid: unknown[], more: object = {}): string => JSON.stringify({ funding: {}, accounts: [['a', {}]], ...more, grid });
const many = Array.from({ length: 7 }, (_, k) => row(`X${k}`));
const moreRows = 'X0 futures, X1 futures, X2 futures, X3 futures, X4 futures and 2 more';

test.each([
  ['instruments that are new', [row('A')], [row('A'), ...many], {}, [`it lacks ${moreRows}`]],
  ['instruments that are gone', [row('A'), row('B')], [row('A')], {}, ['it also has B futures']],
  ['other rules', [row('A')], [row('A', 2)], {}, ['it has other rules of A futures']],
  ['another order', [row('A'), row('B')], [row('B'), row('A')], {}, ['another order of the instruments']],
  ['a setting', [row('A')], [row('A')], { accounts: [], dialect: 'mix-v2' }, ['accounts or their deposits', 'venue.dialect']],
] as const)('%s', (_, before, after, more, expected) => {
  expect(differencesOf(identity([...before]), identity([...after], more))).toEqual(expected);
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exchange-ledger-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the error names them, and what to do', () => {
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ version: 8, identity: identity([row('A')]) }));
  let problem;
  try {
    openLedgerIn(folder, { identity: identity([row('A'), row('B')]), names: new Map(), clock: { now: () => 0 } });
  } catch (error) {
    problem = error instanceof Failure ? { kind: error.kind, ...error.problems[0] } : error;
  }
  expect(problem).toMatchObject({
    kind: 'configuration',
    where: folder,
    what: 'the ledger was written with other settings: it lacks B futures. Start with those, or with another folder (--state FOLDER)',
  });
});
