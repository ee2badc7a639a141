/** Long commands in a real terminal, where they show their progress: they end as they do in a pipe. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTools } from '../../support/processes/shell-document.ts';
import { Terminal } from '../../support/processes/terminal.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = `'${process.execPath}' '${join(ROOT, 'src/tickwright.js')}'`;
const STRATEGY = `--strategy '${join(ROOT, 'strategies/ema-cross.ts')}'`;

describe.skipIf(!hasTools('test/e2e/start/terminal.test.ts', 'script', 'stty'))('in a terminal', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickwright-terminal-'));
    const synth = ['tape', 'synth', '--out', join(folder, 'tape'), '--duration', '3m', '--symbol', 'BTCUSDT'];
    execFileSync(process.execPath, [join(ROOT, 'src/tickwright.js'), ...synth]);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['backtest with its readings', `backtest ${STRATEGY} --tape tape`],
    ['optimize', `optimize ${STRATEGY} --tape tape --by netProfit --param fast=2..6 --param slow=10..20 --trials 2 --every-tick`],
    ['cross-validate', `cross-validate ${STRATEGY} --tape tape --by netProfit --param fast=2..6 --groups 3 --trials 2 --every-tick`],
    ['walk-forward', `walk-forward ${STRATEGY} --tape tape --by netProfit --param fast=2..6 --trials 2`],
    ['monte-carlo', `monte-carlo ${STRATEGY} --tape tape --seed 2`],
    ['capacity', `capacity ${STRATEGY} --tape tape --doublings 1`],
    ['verify', `verify ${STRATEGY} --tape tape`],
    ['crashtest', `crashtest ${STRATEGY} --seeds 1`],
    ['tape export, import and synth', `tape export tape --out csv && ${PROGRAM} tape import csv/*.csv --out again`],
  ])('%s', async (_, command) => {
    const terminal = new Terminal(`${PROGRAM} ${command} && echo it-went-well`, { cwd: folder, env: process.env });
    await terminal.shows('it-went-well');
    expect(terminal.shown).not.toContain('unexpected');
    expect(terminal.shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
    await terminal.interrupt();
  });
});
