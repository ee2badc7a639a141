/** Black boxes of somebody else: what opening one may touch. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../../src/engine/strategy/definition/source.ts';
import { openBox, writeBox } from '../../../../src/run/blackbox/box-file.ts';
import type { Head } from '../../../../src/run/session/entries.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tickwright-box-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A box with one file, whose head names a strategy file. */
function boxOf(files: readonly SourceFile[], strategy: string): string {
  const file = join(folder, 'box.jsonl');
  const head = { kind: 100, version: 1, strategies: [{ file: strategy, params: {}, symbols: [] }] } as unknown as Head;
  writeBox(file, { blackbox: 1, holds: [], replays: true, files }, head, []);
  return file;
}

it.each([
  ['writes no file', [{ file: '../outside.ts', text: 'x' }], 'strategies/a.ts', '../outside.ts'],
  ['runs no strategy', [{ file: 'strategies/a.ts', text: 'x' }], '../../elsewhere/b.ts', '../../elsewhere/b.ts'],
  ['runs no strategy of an absolute path', [{ file: 'strategies/a.ts', text: 'x' }], '/elsewhere/b.ts', '/elsewhere/b.ts'],
] as const)('opening a box %s outside of its folder', (_what, files, strategy, named) => {
  const into = join(folder, 'into', 'box');
  expect(() => openBox(boxOf(files, strategy), into)).toThrow(`the black box has a file outside of its folder: ${named}`);
  expect(existsSync(join(folder, 'into', 'outside.ts'))).toBe(false);
});

it('opens a box whose files are inside', () => {
  const into = join(folder, 'into');
  openBox(boxOf([{ file: 'strategies/a.ts', text: 'x' }], 'strategies/a.ts'), into);
  expect(existsSync(join(into, 'strategies', 'a.ts'))).toBe(true);
});
