/** Strategies that cannot run: exit code and message show whether a flag, a file or the strategy is wrong. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const BIN = join(ROOT, 'src/tickwright.js');
const EMA_CROSS = join(ROOT, 'strategies/ema-cross.ts');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-cli-'));
  run(['tape', 'synth', '--out', 'tape', '--duration', '72s']);
  run(['tape', 'synth', '--out', 'eth', '--duration', '10s', '--symbol', 'ETHUSDT']);
  const given = (params: object): string => JSON.stringify({ strategies: [{ file: EMA_CROSS, params }] });
  writeFileSync(join(folder, 'crossed.yaml'), given({ fast: 50 }));
  const paper = { bot: 'paper', venue: { baseUrl: 'http://127.0.0.1:9' } };
  writeFileSync(join(folder, 'paper.yaml'), JSON.stringify({ ...paper, strategies: [{ file: EMA_CROSS, symbols: ['BTCUSDT'] }] }));
  writeFileSync(join(folder, 'misspelt.yaml'), given({ fsat: 50 }));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], cwd = folder): { status: number | null; stdout: string; stderr: string } {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TICKWRIGHT_'));
  const demo = { TICKWRIGHT_KEY: 'demo-key', TICKWRIGHT_SECRET: 'demo-secret', TICKWRIGHT_PASSPHRASE: 'demo-pass' };
  const env = { ...Object.fromEntries(inherited), ...demo };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], { cwd, env, encoding: 'utf8', timeout: 240_000 });
  return { status, stdout, stderr };
}

describe('a parameter that is refused', () => {
  const named = ['--strategy', EMA_CROSS];
  const crossed = /^error: --param: ema-cross: fast must be below slow, found 50 and 20\n {2}code: parameter-flag\n$/;
  test.each([
    ['its name, from a flag', [...named, '--param', 'fsat=50'], 2, /^error: --param: ema-cross: unknown parameter "fsat"/],
    ['its value, from a flag', [...named, '--param', 'fast=x'], 2, /^error: --param: ema-cross: parameter "fast": an integer/],
    ['its value, by the strategy, from a flag', [...named, '--param', 'fast=50'], 2, crossed],
    [
      'its value, by the strategy, from a file',
      ['--config', 'crossed.yaml'],
      78,
      /^error: crossed\.yaml: ema-cross: fast must be below slow, found 50/,
    ],
    ['its name, from a file', ['--config', 'misspelt.yaml'], 78, /^error: misspelt\.yaml:1:\d+: ema-cross: unknown parameter "fsat"/],
    [
      'its name, from a file beside a flag',
      ['--config', 'misspelt.yaml', '--param', 'slow=60'],
      78,
      /^error: misspelt\.yaml:1:\d+: ema-cross: unknown param/,
    ],
  ])('%s', (_what, args, status, words) => {
    const ran = run(['backtest', '--no-bracket', '--tape', 'tape', ...args]);
    expect(ran.stderr).toMatch(words);
    expect(ran).toMatchObject({ status, stdout: '' });
  });
});

describe('an invalid command is reported before anything is created or printed', () => {
  const start = ['start', '--state', 'made'];
  const bot = ['run', '--config', '../paper.yaml', '--set', 'store.folder=made'];
  const known = '\n  did you mean "BTCUSDT"?\n';
  const noSuch = (symbol: string): string => `error: --symbol: expected a symbol of this market, found "${symbol}"`;
  test.each([
    ['start: a symbol', [...start, '--symbol', 'BTCUSD'], 2, `${noSuch('BTCUSD')}${known}`],
    ['start: a symbol that is not on the tape', [...start, '--tape', '../eth', '--symbol', 'BTCUSDT'], 2, noSuch('BTCUSDT')],
    ['start: a parameter', [...start, '--param', 'fsat=1'], 2, 'error: --param: ema-cross: unknown parameter "fsat"'],
    ['start: a parameter, by the strategy', [...start, '--param', 'fast=50'], 2, 'error: --param: ema-cross: fast must be below slow'],
    ['start: polls that exceed the limits', [...start, '--set', 'poll.trades=10'], 78, 'error: public: quotes(BTCUSDT)'],
    ['start: the address of another market', [...start, '--market-url', 'nowhere'], 2, 'error: --market-url: expected a base URL'],
    ['run: a symbol', [...bot, '--symbol', 'BTCUSD'], 2, `${noSuch('BTCUSD')}${known}`],
    ['run: a parameter, by the strategy', [...bot, '--param', 'fast=50'], 2, 'error: --param: ema-cross: fast must be below slow'],
  ])('%s', (_what, args, status, words) => {
    const here = mkdtempSync(join(folder, 'here-'));
    const ran = run(args, here);
    expect(ran.stderr.startsWith(words), ran.stderr).toBe(true);
    expect(ran).toMatchObject({ status, stdout: '' });
    expect(readdirSync(here)).toEqual([]);
  });
});

describe('a backtest whose strategy is stopped for its errors', () => {
  const args = ['backtest', '--strategy', 'throwy.ts', '--tape', 'noisy'];
  const why = /after 10 errors: Error: no idea at throwy\.ts:4/;

  beforeAll(() => {
    const lines = [
      "import { defineStrategy } from 'tickwright';",
      "export default defineStrategy({ name: 'throwy', create: () => ({",
      '  onTrade() {',
      "    throw new Error('no idea');",
      '  },',
      '}) });',
    ];
    writeFileSync(join(folder, 'throwy.ts'), `${lines.join('\n')}\n`);
    run(['tape', 'synth', '--out', 'noisy', '--symbol', 'BTCUSDT', '--duration', '72s']);
  });

  test('reports it first and fails', () => {
    const { status, stdout, stderr } = run(args);
    expect(stderr).toMatch(/^error: throwy was disabled after 10 errors: Error: no idea at throwy\.ts:4\n$/);
    const [, first = '', next = ''] = stdout.split('\n');
    expect(first).toMatch(/^ {2}STOPPED: strategy throwy was disabled after 10 errors/);
    expect(`${first} ${next.trim()}`).toMatch(why);
    expect(status).toBe(1);
  });

  test('fails too where it threw less often and ran on', () => {
    writeFileSync(
      join(folder, 'thrice.ts'),
      readFileSync(join(folder, 'throwy.ts'), 'utf8')
        .replace('throw new', 'if (times++ < 3) throw new')
        .replace('export', 'let times = 0;\nexport')
        .replace("'throwy'", "'thrice'"),
    );
    const { status, stdout, stderr } = run(['backtest', '--strategy', 'thrice.ts', '--tape', 'noisy', '--no-bracket']);
    expect(stderr).toBe('error: thrice threw 3 times, first in onTrade: Error: no idea at thrice.ts:5\n');
    expect(stdout).toContain('ERRORS: strategy thrice threw 3 times, first in onTrade');
    expect(status).toBe(1);
  });

  test('reports it in its JSON and fails', () => {
    const { status, stdout } = run([...args, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ failed: [{ strategy: 'throwy', why: expect.stringMatching(why) }] });
    expect(status).toBe(1);
  });
});
