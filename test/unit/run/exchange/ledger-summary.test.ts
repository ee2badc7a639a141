/** `ledger` of a folder without a ledger says so; one whose ledger is there and cannot be read says that. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { linesIn, requireLedger, summarise } from '../../../../src/run/exchange/ledger-summary.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'ledger-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('finds the ledger in the folder of an exchange and in that of start', () => {
  const own = join(folder, 'exchange');
  mkdirSync(own);
  writeFileSync(join(own, 'ledger.jsonl'), '');
  expect([requireLedger(folder), requireLedger(own)]).toEqual([own, own]);
  expect([...linesIn(folder, ['order'])]).toEqual([]);
  expect(summarise(folder)).toEqual(summarise(own));
});

it('tells a ledger that is missing from one that cannot be read', () => {
  expect(() => requireLedger(folder)).toThrow(expect.objectContaining({ failure: 'ledger-missing' }));
  writeFileSync(join(folder, 'file'), '');
  expect(() => requireLedger(join(folder, 'file'))).toThrow(expect.objectContaining({ failure: 'ledger-missing' }));
  // A loop of links is refused to root too; permissions are not.
  symlinkSync('ledger.jsonl', join(folder, 'ledger.jsonl'));
  expect(() => requireLedger(folder)).toThrow(
    expect.objectContaining({ failure: 'ledger-unreadable', message: expect.stringContaining('ELOOP') }),
  );
});
