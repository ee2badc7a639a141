/** Black boxes of somebody else: what opening one may touch. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { SourceFile } from '../../../../src/engine/strategy/definition/source.ts';
import { openBox, writeBox } from '../../../../src/run/blackbox/box-file.ts';
import { shrink } from '../../../../src/run/blackbox/shrink.ts';
import { openSession } from '../../../../src/run/replay/replay.ts';
import type { Head } from '../../../../src/run/session/entries.ts';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tickwright-box-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A box with one file, whose head names a strategy file. */
function boxOf(files: readonly SourceFile[], strategy: string, config: object = {}): string {
  const file = join(folder, 'box.jsonl');
  const head = {
    kind: 100,
    version: 1,
    config: { bot: 'tw', ...config },
    strategies: [{ file: strategy, params: {}, symbols: [] }],
    instruments: [],
    snapshot: null,
  } as unknown as Head;
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

it('guards the strategies of a box, whatever its own setting says', () => {
  const box = boxOf([{ file: 'strategies/a.ts', text: 'x' }], 'strategies/a.ts', { strategyGuard: 'off' });
  expect(openSession(openBox(box, join(folder, 'into')).session).config.strategyGuard).toBe('on');
});

it('shrink leaves no files of a box when it fails, and writes over none', async () => {
  const box = boxOf([{ file: 'strategies/a.ts', text: 'x' }], '/elsewhere/b.ts');
  const options = { from: box, out: join(folder, 'fault.test.ts'), fault: 'opens-halted code=daily-loss' };
  await expect(shrink(options)).rejects.toThrow('outside of its folder');
  expect(readdirSync(folder)).toEqual(['box.jsonl']);
  mkdirSync(join(folder, 'fault.files'));
  await expect(shrink(options)).rejects.toThrow(`there is ${join(folder, 'fault.files')}`);
  expect(readdirSync(folder).toSorted()).toEqual(['box.jsonl', 'fault.files']);
});

it('opens a box whose files are inside', () => {
  const into = join(folder, 'into');
  openBox(boxOf([{ file: 'strategies/a.ts', text: 'x' }], 'strategies/a.ts'), into);
  expect(existsSync(join(into, 'strategies', 'a.ts'))).toBe(true);
});
