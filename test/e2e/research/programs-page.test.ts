/** The examples of docs/programs.md and of the notebooks, run as they stand there. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NOTEBOOKS, notebookOf, notebookPath, type NotebookName } from '../../../scripts/notebooks.ts';
import { blocksOf, lineDifference } from '../../support/processes/shell-document.ts';
import { cleanUp, launch, ROOT } from '../process.ts';

/** A Python with pandas, pyarrow and matplotlib. */
const PYTHON = process.env['PANDAS_PYTHON'] ?? '';
const hasClient = existsSync(join(ROOT, 'node_modules/bitget-api'));
const page = (name: string) => blocksOf(readFileSync(join(ROOT, `docs/${name}.md`), 'utf8'));
const codeOf = (note: string): string => page('programs').find((one) => one.note === note)!.text;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-programs-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/tickwright'));
  if (hasClient) symlinkSync(join(ROOT, 'node_modules/bitget-api'), join(folder, 'node_modules/bitget-api'));
  cpSync(join(ROOT, 'strategies/ema-cross.ts'), join(folder, 'strategies/ema-cross.ts'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tickwright'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'src/tickwright.js')}" "$@"\n`);
  chmodSync(join(bin, 'tickwright'), 0o755);
  const synth = ['tape', 'synth', '--out', 'tapes/noise', '--duration', '3m', '--symbol', 'BTCUSDT'];
  run(process.execPath, [join(ROOT, 'src/tickwright.js'), ...synth]);
});
afterAll(async () => {
  await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

function run(command: string, args: readonly string[]): string {
  const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(delimiter);
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, env: { ...process.env, PATH: path }, encoding: 'utf8' });
  expect(status, stderr + stdout).toBe(0);
  return stdout;
}

function script(name: string): string[] {
  writeFileSync(join(folder, name), codeOf(name));
  return run(process.execPath, [name]).trim().split('\n');
}

test('the script of research', () => {
  expect(script('research.ts')).toEqual([
    expect.stringMatching(/^rows \d+ highest bid \d+/),
    expect.stringMatching(/^net -?[\d.]+ of \d+ trades; worst -[\d.]+ \w+/),
    expect.stringMatching(/^best \d+ 4$/),
    'parameter-flag option params',
  ]);
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<!doctype html>');
});

test('the script that operates a bot', async () => {
  const bot = launch(['start', '--state', join(folder, 'var/start'), '--set', 'monitor.enabled=never']);
  await bot.untilLogged('armed');
  expect(script('control.ts')).toEqual([
    expect.stringMatching(/^armed equity [\d.]+ positions \d+ nearest limit risk\.\w+$/),
    expect.stringMatching(/^ended: symbol:BTCUSDT operator still open: 0$/),
    'command-refused "NOTHERE" is neither a symbol nor a strategy of this bot',
  ]);
});

test.skipIf(!hasClient)('the test of another bot', () => {
  writeFileSync(join(folder, 'exchange.test.ts'), codeOf('exchange.test.ts'));
  expect(run(process.execPath, ['--test', 'exchange.test.ts'])).toMatch(/^(# |ℹ )pass 1$/m);
});

describe.each(Object.keys(NOTEBOOKS) as NotebookName[])('the notebook in %s', (name) => {
  const { fence } = NOTEBOOKS[name];

  test('is made of its page', () => {
    expect(readFileSync(join(ROOT, notebookPath(name)), 'utf8'), 'npm run docs').toBe(notebookOf(name));
  });

  test.skipIf(name === 'python' && PYTHON === '')('prints what the page shows', () => {
    const { cells } = JSON.parse(notebookOf(name)) as { cells: readonly { cell_type: string; source: readonly string[] }[] };
    const sources = cells.flatMap(({ cell_type: kind, source }) => (kind === 'code' ? [source.join('')] : []));
    const shown = page(`notebook-${name}`).filter(({ language }) => language === 'text');
    expect([sources.length, page(`notebook-${name}`).filter(({ language }) => language === fence).length]).toEqual([4, 4]);
    const mark = '@@@ next @@@';
    const print = name === 'python' ? `print("${mark}")` : `console.log('${mark}');`;
    const file = `notebook.${fence}`;
    writeFileSync(join(folder, file), sources.flatMap((source) => [source, print]).join('\n'));
    const printed = run(name === 'python' ? PYTHON : process.execPath, [file]).split(`${mark}\n`);
    for (const [k, { text }] of shown.entries()) expect([k, lineDifference(text.trimEnd(), printed[k]!.trimEnd(), true)]).toEqual([k, '']);
    if (name === 'python') expect(readFileSync(join(folder, 'profit.png')).subarray(1, 4).toString()).toBe('PNG');
  });
});
