/** The command line as a child process: exit codes, output streams, help, and error messages. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAtLeast, isPatchedNode, OLDEST_NODE } from '../../../src/cli/shell/node-version.ts';
import { examineNode, heapFinding } from '../../../src/cli/bot/start/doctor-command.ts';
import type { TapeInfo } from '../../../src/run/market/tapes.ts';
import { moment, pair, wholeNumber } from '../../../src/cli/shell/values.ts';
import { checkPrinted } from '../../support/output-fits.ts';

const ROOT = join(import.meta.dirname, '../../..');
const BIN = join(ROOT, 'src/tickwright.js');

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-cli-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 's.ts'), 'export const x = 1;\n');
  writeFileSync(join(folder, 'bad.yaml'), 'bot: a\nsed: 1\n');
  writeFileSync(join(folder, 'plain.yaml'), 'bot: a\n');
  writeFileSync(join(folder, 'far.yaml'), 'venue: { baseUrl: "https://api.example.com" }\nstrategies: [{ file: s.ts }]\n');
  writeFileSync(join(folder, 'other.yaml'), 'strategies: [{ file: noop.ts, symbols: [ETHUSDT] }]\n');
  const noop = "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'noop', create: () => ({}) });\n";
  writeFileSync(join(folder, 'noop.ts'), noop);
  writeFileSync(join(folder, 'two.yaml'), 'strategies: [{ file: s.ts }, { file: s.ts }]\n');
  const lines = [
    'symbol,tradeId,price,size,side,ts',
    'BTCUSDT,1,61800.30,0.006,BUY,1723161256322',
    'BTCUSDT,2,61800.20,0.199,SELL,1723161266344',
  ];
  writeFileSync(join(folder, 'bare.csv'), `${lines[0]}\n`);
  const parts = 'tape config orders pnl equity stats series returns portfolio metrics trades notes noteTopics'.split(' ');
  writeFileSync(join(folder, 'torn.json'), JSON.stringify(Object.fromEntries(parts.map((part) => [part, null]))));
  writeFileSync(join(folder, 'trades.csv'), `${lines.join('\n')}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A Node.js on this machine that is too old for the program, if there is one. */
const oldNode = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((path) => join(path, 'node'))
  .find(
    (path) =>
      existsSync(path) && !isAtLeast(spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.trim(), OLDEST_NODE),
  );

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string> = {}): Ran {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TICKWRIGHT_')));
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...inherited, ...env },
  });
  checkPrinted(args, stdout);
  return { status, stdout, stderr };
}

const SECRETS = { TICKWRIGHT_KEY: 'k-canary', TICKWRIGHT_SECRET: 's-canary', TICKWRIGHT_PASSPHRASE: 'p-canary' };

describe('mistakes', () => {
  const cases: { name: string; args: string[]; status: number; stderr: RegExp; env?: Record<string, string> }[] = [
    { name: 'no command', args: [], status: 2, stderr: /^Usage: tickwright/ },
    {
      name: 'unknown command',
      args: ['backtset'],
      status: 2,
      stderr: /^error: unknown command 'backtset'\n {2}did you mean "backtest"\?\n {2}code: command-line\n$/,
    },
    {
      name: 'unknown flag',
      args: ['backtest', '--tap', 'x'],
      status: 2,
      stderr: /^error: unknown option '--tap'\n {2}did you mean "--tape"\?\n {2}code: command-line\n$/,
    },
    {
      name: 'too many words',
      args: ['config', 'x'],
      status: 2,
      stderr: /^error: too many arguments.*\n {2}tickwright config --help shows what there is\n {2}code: command-line\n$/,
    },
    {
      name: 'a flag unlike any other',
      args: ['tape', 'synth', '--zzzzzz'],
      status: 2,
      stderr: /^error: unknown option '--zzzzzz'\n {2}tickwright tape synth --help shows what there is\n {2}code: command-line\n$/,
    },
    {
      name: 'a flag before the command',
      args: ['--zzzzzz', 'x'],
      status: 2,
      stderr: /\n {2}tickwright --help shows what there is\n {2}code: command-line\n$/,
    },
    { name: 'flag without its value', args: ['backtest', '--tape'], status: 2, stderr: /argument missing/ },
    { name: 'backtest without a tape', args: ['backtest'], status: 2, stderr: /^error: --tape FOLDER is missing\n/ },
    {
      name: 'a missing tape',
      args: ['backtest', '--tape', 'none'],
      status: 2,
      stderr: /^error: --tape: there is no tape none\n/,
    },
    {
      name: 'a folder where none can be made',
      args: ['tape', 'synth', '--out', process.platform === 'linux' ? '/proc/x' : 's.ts', '--duration', '1m'],
      status: 2,
      stderr: /^error: --out: expected a folder that can be made, found one in \/proc|found a file/,
    },
    {
      name: 'a report of which a part is not there',
      args: ['report', 'torn.json'],
      status: 2,
      stderr: /^error: torn\.json: expected a whole report, found a part that cannot be shown: .*\n {2}make one with/,
    },
    { name: 'a tape that is a file', args: ['backtest', '--tape', 's.ts'], status: 2, stderr: /found a file: s\.ts/ },
    { name: 'no strategy', args: ['backtest', '--tape', 'empty'], status: 2, stderr: /^error: no strategy was named/ },
    {
      name: 'a missing strategy',
      args: ['backtest', '--tape', 'empty', '-s', 'none.ts'],
      status: 2,
      stderr: /^error: --strategy: there is no file none\.ts/,
    },
    {
      name: 'a strategy of nearly that name',
      args: ['backtest', '--tape', 'empty', '-s', 'a.ts'],
      status: 2,
      stderr: /^error: --strategy: there is no file a\.ts\n {2}did you mean "s\.ts"\?/,
    },
    { name: '--param without =', args: ['backtest', '--param', 'fast'], status: 2, stderr: /Expected name=value/ },
    { name: '--param twice', args: ['backtest', '--param', 'a=1', '--param', 'a=2'], status: 2, stderr: /a is given twice/ },
    {
      name: '--param for two strategies',
      args: ['backtest', '--tape', 'empty', '-c', 'two.yaml', '-p', 'a=1'],
      status: 2,
      stderr: /one strategy with --param, found 2/,
    },
    { name: 'an invalid time', args: ['backtest', '--from', 'yesterday'], status: 2, stderr: /UTC time/ },
    {
      name: '--from after --to',
      args: ['backtest', '--tape', 'empty', '--from', '2024-01-02', '--to', '2024-01-01'],
      status: 2,
      stderr: /--from must be before --to/,
    },
    {
      name: '--bot-from after --to',
      args: ['backtest', '--tape', 'empty', '--bot-from', '2024-01-02', '--to', '2024-01-01'],
      status: 2,
      stderr: /--bot-from must be before --to/,
    },
    {
      name: 'a port out of range',
      args: ['exchange', '--synth', '--port', '65536'],
      status: 2,
      stderr: /whole number from 0 to 65535/,
    },
    { name: '--stretch without a tape', args: ['exchange', '--synth', '--stretch', '2h'], status: 2, stderr: /--stretch.*a tape/ },
    {
      name: '--stretch without a valid time',
      args: ['exchange', '--synth', '--stretch', '2 hours'],
      status: 2,
      stderr: /such as 500ms, 30s/,
    },
    { name: 'a speed out of range', args: ['exchange', '--synth', '--speed', '10001'], status: 2, stderr: /from 0.001 to 10000/ },
    {
      name: 'a live market without encryption',
      args: ['exchange', '--market-url', 'http://example.com'],
      status: 2,
      stderr: /expected https/,
    },
    {
      name: 'a live market and a tape',
      args: ['exchange', '--market-url', 'http://127.0.0.1:1', '--symbols', '3'],
      status: 2,
      stderr: /--symbols/,
    },
    { name: 'exchange without a market', args: ['exchange'], status: 2, stderr: /--tape FOLDER or --synth or --market-url URL/ },
    { name: 'exchange with two markets', args: ['exchange', '--synth', '--tape', 'empty'], status: 2, stderr: /cannot be used with/ },
    {
      name: 'a deposit that is not an amount',
      args: ['exchange', '--synth', '--deposit', 'USDT=lots'],
      status: 2,
      stderr: /^error: --deposit: expected an amount .*, found "lots"\n {2}such as USDT=1000\.5\n {2}code: flag-value\n$/,
    },
    {
      name: 'a deposit that is too large to be exact',
      args: ['exchange', '--synth', '--deposit', 'USDT=100000000'],
      status: 2,
      stderr: /^error: --deposit: expected an amount of at most 8 decimals, up to 45000000, found "100000000"/,
    },
    {
      name: 'a deposit of a coin that is not traded',
      args: ['exchange', '--synth', '--deposit', 'USD=5000'],
      status: 2,
      stderr: /^error: --deposit: expected a coin of this market, found "USD"\n {2}did you mean "USDT"\?\n {2}code: flag-value\n$/,
    },
    { name: 'a word outside a list', args: ['exchange', '--synth', '--error-status', '500'], status: 2, stderr: /400, 200/ },
    { name: 'run without a configuration', args: ['run'], status: 2, stderr: /^error: --config FILE is missing/ },
    {
      name: 'a missing configuration',
      args: ['run', '--config', 'none.yaml'],
      status: 2,
      stderr: /^error: none\.yaml: the configuration cannot be read: it does not exist/,
    },
    {
      name: 'an unknown key',
      args: ['run', '--config', 'bad.yaml'],
      status: 78,
      stderr: /^error: bad\.yaml:2:1: sed is not a key of the configuration\n {2}did you mean "seed"\?\n {2}code: config-invalid\n$/,
    },
    {
      name: 'an unknown key in a backtest',
      args: ['backtest', '--tape', 'empty', '--config', 'bad.yaml'],
      status: 78,
      stderr: /^error: bad\.yaml:2:1/,
    },
    {
      name: 'an unknown variable',
      args: ['backtest', '--tape', 'empty'],
      status: 78,
      stderr: /TICKWRIGHT_SED/,
      env: { TICKWRIGHT_SED: '1' },
    },
    {
      name: 'a wrong argument',
      args: ['settle', '1', 'nowhere'],
      status: 2,
      stderr: /^error: outcome: expected one of landed, not-landed, found 'nowhere'\n {2}code: command-line\n$/,
    },
    { name: 'a wrong --set', args: ['config', '--set', 'sed=1'], status: 2, stderr: /did you mean "seed"/ },
    { name: 'no address of a venue', args: ['run', '--config', 'plain.yaml'], status: 78, stderr: /venue\.baseUrl: expected the address/ },
    { name: 'no credentials', args: ['run', '--config', 'far.yaml'], status: 78, stderr: /expected credentials, found none/ },
    {
      name: 'a remote venue whose bars would be faster than real time',
      args: ['run', '--config', 'far.yaml', '--live', '--set', 'barSpeed=60'],
      status: 78,
      stderr: /barSpeed: expected 1 on a remote venue/,
      env: SECRETS,
    },
    { name: 'a remote venue without --live', args: ['run', '--config', 'far.yaml'], status: 2, stderr: /add --live/, env: SECRETS },
    {
      name: 'disabled certificate checks',
      args: ['run', '--config', 'far.yaml', '--live'],
      status: 78,
      stderr: /any certificate/,
      env: { ...SECRETS, NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    },
    { name: 'a folder that is not a tape', args: ['tape', 'info', 'empty'], status: 2, stderr: /tape\.json/ },
    {
      name: 'a missing recording',
      args: ['tape', 'import', 'none.csv', '--out', 'x'],
      status: 2,
      stderr: /there is no file none\.csv/,
    },
    {
      name: 'a recording without a row',
      args: ['tape', 'import', 'bare.csv', '--out', 'x'],
      status: 78,
      stderr:
        /^error: \S*bare\.csv: rows were expected below the header line, found none\n {2}fetch the file again\n {2}code: tape-empty\n$/,
    },
    {
      name: 'a recording in another format',
      args: ['tape', 'import', 's.ts', '--out', 'x'],
      status: 78,
      stderr: /^error: \S*s\.ts/,
    },
    {
      name: 'a state folder that is a file',
      args: ['exchange', '--synth', '--port', '0', '--state', 's.ts'],
      status: 2,
      stderr: /^error: --state: expected a folder, found a file: s\.ts\n {2}code: path-missing\n$/,
    },
  ];
  test.each(cases)('$name: exit code $status', ({ args, status, stderr, env }) => {
    const ran = run(args, env);
    expect(ran.stderr.replace(/^\(node:.*\n(\(Use .*\n)?/gm, '')).toMatch(stderr);
    expect(ran.status).toBe(status);
    expect(ran.stdout).toBe('');
    expect(ran.stderr).not.toMatch(/\n {4}at |canary/);
  });

  test('a stack trace only on request', () => {
    expect(run(['config', '--config', 'bad.yaml'], { TICKWRIGHT_DEBUG: '1' }).stderr).toMatch(/\n {4}at /);
  });
});

test('a limit in another coin than the market’s gives 78, because a restart does not help', () => {
  writeFileSync(
    join(folder, 'coin.yaml'),
    'risk: { maxNotionalOrder: "20000 USD" }\nstrategies: [{ file: noop.ts, symbols: [BTCUSDT] }]\n',
  );
  const venue = ['--set', 'venue.baseUrl=http://127.0.0.1:1'];
  const env = { TICKWRIGHT_KEY: 'k', TICKWRIGHT_SECRET: 's', TICKWRIGHT_PASSPHRASE: 'p' };
  const { status, stderr } = run(['run', '--config', 'coin.yaml', '--set', 'store.folder=coin', ...venue], env);
  expect(stderr).toContain('error: coin.yaml:1:27: risk.maxNotionalOrder: expected an amount in USDT, found "20000 USD"');
  expect(status).toBe(78);
});

test('an unknown symbol gives 2 from a flag and 78 from a configuration file', () => {
  expect(run(['tape', 'synth', '--out', 'one', '--symbol', 'BTCUSDT', '--duration', '72s']).status).toBe(0);
  const what = 'expected a symbol of this market, found';
  const flag = run(['backtest', '--strategy', 'noop.ts', '--tape', 'one', '--symbol', 'BTCUSD']);
  expect(flag).toMatchObject({ status: 2, stderr: `error: --symbol: ${what} "BTCUSD"\n  did you mean "BTCUSDT"?\n  code: symbol-flag\n` });
  const file = run(['backtest', '--config', 'other.yaml', '--tape', 'one']);
  expect(file.stderr).toContain(`${what} "ETHUSDT"`);
  expect(file.status).toBe(78);
});

test('the version is that of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

describe('read-only commands', () => {
  test('config shows value and source, and no secret', () => {
    const ran = run(['config', '--config', 'plain.yaml', '--set', 'seed=7'], SECRETS);
    expect(ran.status).toBe(0);
    expect(ran.stdout).toMatch(/^bot +a +plain\.yaml:1:6$/m);
    expect(ran.stdout).toMatch(/^seed +7 +--set$/m);
    expect(ran.stdout).toMatch(/^credentials: given$/m);
    expect(ran.stdout).not.toMatch(/canary/);
  });

  test('config --json is one object', () => {
    const { stdout } = run(['config', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ file: null, credentials: 'none', keys: { seed: { value: 1, source: 'default' } } });
  });

  test('doctor reports errors, also by its exit code', () => {
    const ran = run(['doctor', '--config', 'far.yaml', '--set', 'venue.baseUrl=http://127.0.0.1:1', '--json']);
    const { ok, findings } = JSON.parse(ran.stdout) as { ok: boolean; findings: { subject: string; status: string }[] };
    expect([ok, ran.status]).toEqual([false, 1]);
    expect(Object.fromEntries(findings.map((f) => [f.subject, f.status]))).toMatchObject({
      configuration: 'ok',
      instruments: 'ok',
      strategy: 'bad',
      store: 'ok',
      credentials: 'warning',
      venue: 'bad',
    });
  });

  test('doctor finds no error with the defaults', () => {
    expect(run(['doctor']).status).toBe(0);
  });

  test('assumptions prints the register', () => {
    expect(run(['assumptions']).stdout).toMatch(/^A01 {2}transport: /);
    expect((JSON.parse(run(['assumptions', '--json']).stdout) as { assumptions: unknown[] }).assumptions.length).toBeGreaterThan(10);
  });
});

describe('tapes', () => {
  test('are imported and described, as text and as one JSON object', () => {
    const imported = run(['tape', 'import', 'trades.csv', '--out', 'btc']);
    expect(imported).toMatchObject({ status: 0, stderr: '' });
    expect(imported.stdout).toMatch(/^2 rows are in .*btc$/m);
    expect(existsSync(join(folder, 'btc/tape.json'))).toBe(true);
    expect(JSON.parse(run(['tape', 'info', 'btc', '--json']).stdout)).toMatchObject({
      rows: 2,
      from: 1723161256322,
      to: 1723161266344,
      symbols: [{ symbol: 'BTCUSDT' }],
    });
    const { stdout } = run(['tape', 'info', 'btc']);
    expect(stdout).toMatch(/^span +10s$/m);
    expect(stdout).toMatch(/^blocks +1, checksums match$/m);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(' 1 over 5.0s, 10s in all, longest 10s from 2024-08-08T23:54:16.322Z');
  });

  test('with a changed byte are reported with file and block', () => {
    run(['tape', 'import', 'trades.csv', '--out', 'flipped']);
    const [file = ''] = readdirSync(join(folder, 'flipped')).filter((name) => name !== 'tape.json');
    const bytes = readFileSync(join(folder, 'flipped', file));
    bytes[bytes.length - 3]! ^= 1;
    writeFileSync(join(folder, 'flipped', file), bytes);
    const damage = new RegExp(`^error: .*/flipped/${file} before byte ${bytes.length}: block 0 is damaged: the checksum does not match\n`);
    expect(run(['tape', 'info', 'flipped'])).toEqual({ status: 78, stdout: '', stderr: expect.stringMatching(damage) as string });
  });

  test('are generated from a seed, equal for equal seeds', () => {
    const synth = (out: string, ...more: string[]): Ran => run(['tape', 'synth', '--out', out, '--duration', '36s', '--json', ...more]);
    const infos = [synth('s1'), synth('s2'), synth('s3', '--seed', '2'), synth('s4', '--symbol', 'ETHUSDT')].map(
      (ran) => JSON.parse(ran.stdout) as TapeInfo,
    );
    const checksums = infos.map((info) => info.streams.map((s) => s.checksum).join());
    expect(checksums[0]).toBe(checksums[1]);
    expect(checksums[0]).not.toBe(checksums[2]);
    expect(infos.map((info) => info.symbols.map((s) => s.symbol).join())).toEqual([
      'BTCUSDT,ETHUSDT',
      'BTCUSDT,ETHUSDT',
      'BTCUSDT,ETHUSDT',
      'ETHUSDT',
    ]);
    expect(run(['tape', 'synth', '--out', 's5', '--symbol', 'BTCUSD'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('did you mean "BTCUSDT"?'),
    });
  });

  test('that end before --from are reported with their time range', () => {
    run(['tape', 'import', 'trades.csv', '--out', 'short']);
    writeFileSync(
      join(folder, 'idle.ts'),
      "import { defineStrategy } from 'tickwright';\nexport default defineStrategy({ name: 'idle', create: () => ({}) });\n",
    );
    expect(run(['backtest', '--tape', 'short', '--strategy', 'idle.ts', '--from', '2025-01-01'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('the tape goes from 2024-08-08T23:54:16.322Z to 2024-08-08T23:54:26.344Z'),
    });
  });

  test('are not replaced without --force', () => {
    run(['tape', 'import', 'trades.csv', '--out', 'again']);
    expect(run(['tape', 'import', 'trades.csv', '--out', 'again']).status).toBe(2);
    expect(run(['tape', 'import', 'trades.csv', '--out', 'again', '--force']).status).toBe(0);
  });
});

describe('values of flags', () => {
  test.each([
    ['1723161256322', 1723161256322],
    ['2024-08-08', Date.UTC(2024, 7, 8)],
    ['2024-08-08T23:55', Date.UTC(2024, 7, 8, 23, 55)],
    ['2024-08-08 23:55:01.5Z', Date.UTC(2024, 7, 8, 23, 55, 1, 500)],
    ['2024-08-08T23:55+02:00', Date.UTC(2024, 7, 8, 21, 55)],
  ])('the time %s', (text, time) => {
    expect(moment(text)).toBe(time);
  });
  test.each(['', '2024', '2024-13-01', '08/08/2024', 'now', '-5'])('"%s" is not a time', (text) => {
    expect(() => moment(text)).toThrow();
  });
  test('whole numbers have bounds and one spelling', () => {
    const port = wholeNumber(0, 65_535);
    expect([port('0'), port('65535')]).toEqual([0, 65_535]);
    for (const text of ['65536', '-1', '1e3', '0x10', ' 1', '', '1.0']) expect(() => port(text), text).toThrow();
  });
  test('a value may contain an equals sign, a name may be __proto__', () => {
    expect(pair('a=b=c')).toEqual({ a: 'b=c' });
    expect(Object.keys(pair('__proto__=x'))).toEqual(['__proto__']);
  });
});

describe('the runtime', () => {
  test.each([
    ['20.20.2', 'bad'],
    ['22.18.0', 'bad'],
    ['22.19.0', 'warning'],
    ['22.23.4', 'ok'],
    ['23.11.0', 'warning'],
    ['24.0.0', 'warning'],
    ['24.22.0', 'warning'],
    ['24.22.1', 'ok'],
    ['25.9.0', 'warning'],
    ['26.12.0', 'warning'],
    ['26.12.1', 'ok'],
    ['27.0.0', 'ok'],
  ])('Node.js %s is %s', (version, status) => {
    expect(examineNode(version).status).toBe(status);
    expect(isPatchedNode(version)).toBe(status === 'ok');
  });

  test.each([
    [868, 2_048, 'ok'],
    [868, 1_000, 'warning'],
    [4_144, 4_096, 'warning'],
  ] as const)('a heap of %i MB in %i MB of memory: %s', (limit, memory, status) => {
    const found = heapFinding(limit, 'up to there', memory * 1_048_576);
    expect(found.status).toBe(status);
    if (status === 'warning') expect(found.finding).toContain(`--max-old-space-size=${memory / 2}`);
  });
  test.skipIf(oldNode === undefined)('an old Node.js gives a message and exit code 78 (skipped if none is installed)', () => {
    const { status, stderr } = spawnSync(oldNode ?? '', [BIN, '--help'], { encoding: 'utf8' });
    expect(stderr).toMatch(/^error: tickwright needs Node\.js 22\.19 or newer, found \d+\.\d+\.\d+ /);
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(status).toBe(78);
  });
  test('versions compare as numbers', () => {
    expect([isAtLeast('24.9.0', '24.10.0'), isAtLeast('24.10.0', '24.10.0'), isAtLeast('25.0.0', '24.22.1')]).toEqual([false, true, true]);
  });
});
