/** The examples of docs/programs.md, run as they stand there. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { blocksOf } from '../../support/processes/shell-document.ts';
import { ROOT } from '../process.ts';

/** A Python with pandas and pyarrow. */
const PYTHON = process.env['PANDAS_PYTHON'] ?? '';
const blocks = blocksOf(readFileSync(join(ROOT, 'docs/programs.md'), 'utf8'));
const codeOf = (language: string): string => blocks.find((one) => one.language === language)!.text;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-programs-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/tickwright'));
  cpSync(join(ROOT, 'strategies/ema-cross.ts'), join(folder, 'strategies/ema-cross.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  run(process.execPath, [
    join(ROOT, 'src/tickwright.js'),
    'tape',
    'synth',
    '--out',
    'tapes/noise',
    '--duration',
    '3m',
    '--symbol',
    'BTCUSDT',
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout;
}

test('the script in TypeScript', () => {
  writeFileSync(join(folder, 'research.ts'), codeOf('ts'));
  const lines = run(process.execPath, ['research.ts']).trim().split('\n');
  expect(lines).toEqual([
    expect.stringMatching(/^rows \d+ highest bid \d+/),
    expect.stringMatching(/^net -?[\d.]+ of \d+ trades; worst -[\d.]+ \w+/),
    expect.stringMatching(/^best \d+ 4$/),
    'parameter-flag option params',
  ]);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<!doctype html>');
});

test.skipIf(PYTHON === '')('the script in Python', () => {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tickwright'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'src/tickwright.js')}" "$@"\n`);
  chmodSync(join(bin, 'tickwright'), 0o755);
  writeFileSync(join(folder, 'research.py'), codeOf('py'));
  const env = { ...process.env, PATH: [bin, dirname(process.execPath), process.env['PATH']].join(delimiter) };
  const said = run(PYTHON, ['research.py'], env);
  const [, read = '', told = ''] = /^(\d+) trades, (\d+) in the report$/m.exec(said) ?? [];
  expect(Number(read)).toBeGreaterThan(0);
  expect(read).toBe(told);
  expect(said).toContain('held for 0 days');
});
