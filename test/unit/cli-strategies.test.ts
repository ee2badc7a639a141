/** Strategies that cannot be run as told: whose fault it is, by exit code and words. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const BIN = join(ROOT, 'src/tickwright.js');
const EMA_CROSS = join(ROOT, 'strategies/ema-cross.ts');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-cli-'));
  run(['tape', 'synth', '--out', 'tape', '--duration', '72s']);
  const given = (params: object): string => JSON.stringify({ strategies: [{ file: EMA_CROSS, params }] });
  writeFileSync(join(folder, 'crossed.yaml'), given({ fast: 50 }));
  writeFileSync(join(folder, 'misspelt.yaml'), given({ fsat: 50 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TICKWRIGHT_')));
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd: folder, env, encoding: 'utf8', timeout: 20_000 });
  return { status, stdout, stderr };
}

describe('a parameter that is refused', () => {
  const named = ['--strategy', EMA_CROSS];
  const crossed = /^error: --param: ema-cross: fast must be below slow, found 50 and 20\n$/;
  test.each([
    ['its name, from a flag', [...named, '--param', 'fsat=50'], 2, /^error: --param: ema-cross: unknown parameter "fsat"/],
    ['its value, from a flag', [...named, '--param', 'fast=x'], 2, /^error: --param: ema-cross: parameter "fast": an integer/],
    ['its value, by the strategy, from a flag', [...named, '--param', 'fast=50'], 2, crossed],
    ['its value, by the strategy, from a file', ['--config', 'crossed.yaml'], 78, /^error: ema-cross: fast must be below slow, found 50/],
    ['its name, from a file', ['--config', 'misspelt.yaml'], 78, /^error: ema-cross: unknown parameter "fsat"/],
    ['its name, from a file beside a flag', ['--config', 'misspelt.yaml', '--param', 'slow=60'], 78, /^error: ema-cross: unknown param/],
  ])('%s', (_what, args, status, words) => {
    const ran = run(['backtest', '--tape', 'tape', ...args]);
    expect(ran.stderr).toMatch(words);
    expect(ran).toMatchObject({ status, stdout: '' });
  });
});
