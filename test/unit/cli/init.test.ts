/** `init` and `new strategy`: what they write, what they refuse, and that nothing half-written stays. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { main } from '../../../src/cli/run-command-line.ts';
import { galleryName, galleryNames, TOOLS } from '../../../src/cli/setup/project-files.ts';
import { READY_MADE_RISK } from '../../../src/config/ready-made.ts';
import { READY_MADE } from '../../../src/domain/ready-made.ts';
import { loadStrategy } from '../../../src/run/setup/strategy/load-strategy.ts';
import { loadConfig } from '../../../src/config/load.ts';

const ROOT = join(import.meta.dirname, '../../..');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'init-'));
  return () => undefined;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: readonly string[]): Promise<{ readonly status: number; readonly out: string; readonly err: string }> {
  let out = '';
  let err = '';
  const live = { update: () => undefined, write: () => undefined, end: () => undefined };
  const stderr = { write: (text: string) => void (err += text) };
  const status = await main(args, { stdout: { write: (text: string) => void (out += text) }, stderr, isTty: false, live });
  return { status, out, err };
}

const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');

test('init writes a project and names the next three commands', async () => {
  const { status, out } = await run(['init', join(folder, 'My Bot')]);
  expect(status).toBe(0);
  expect(out).toMatch(/npm install\n {2}npm test\n {2}npm start\n$/);
  const files = readdirSync(join(folder, 'My Bot'), { recursive: true, encoding: 'utf8' }).sort();
  expect(files).toEqual([
    '.env.example',
    '.gitignore',
    'README.md',
    'config',
    'config/paper.yaml',
    'ecosystem.config.cjs',
    'package.json',
    'strategies',
    'strategies/first.test.ts',
    'strategies/first.ts',
    'tsconfig.json',
  ]);
  const manifest = JSON.parse(read('My Bot', 'package.json')) as Record<string, unknown>;
  expect(manifest).toMatchObject({
    name: 'my-bot',
    type: 'module',
    private: true,
    scripts: { start: 'tickwright start --config config/paper.yaml', tickwright: 'tickwright' },
  });
  expect(read('My Bot', 'strategies', 'first.ts')).toContain("name: 'first'");
  expect(read('My Bot', 'strategies', 'first.test.ts')).toContain("from './first.ts'");
});

test('the configuration names its schema first, and is valid', async () => {
  await run(['init', join(folder, 'bot')]);
  expect(read('bot', 'config', 'paper.yaml')).toMatch(
    /^# yaml-language-server: \$schema=\.\.\/node_modules\/tickwright\/docs\/reference\/config\.schema\.json\n/,
  );
  mkdirSync(join(folder, 'bot/node_modules/tickwright/config'), { recursive: true });
  writeFileSync(join(folder, 'bot/node_modules/tickwright/config/limits.paper.json'), readFileSync(join(ROOT, 'config/limits.paper.json')));
  const { config } = loadConfig({ file: join(folder, 'bot/config/paper.yaml'), env: {}, set: [] });
  expect(config.strategies.map(({ file }) => file)).toEqual([join(folder, 'bot/strategies/first.ts')]);
  expect(config.limits['private']).toBe(100);
});

test.each(READY_MADE)('init --bot %s makes a project without code, whose configuration is valid and has every parameter', async (bot) => {
  const { status, out } = await run(['init', join(folder, 'bot'), '--bot', bot]);
  expect(status).toBe(0);
  expect(out).toMatch(/npm install\n {2}npm start\n$/);
  expect(readdirSync(join(folder, 'bot')).sort()).toEqual([
    '.env.example',
    '.gitignore',
    'README.md',
    'config',
    'ecosystem.config.cjs',
    'package.json',
  ]);
  mkdirSync(join(folder, 'bot/node_modules/tickwright/config'), { recursive: true });
  copyFileSync(join(ROOT, 'config/limits.paper.json'), join(folder, 'bot/node_modules/tickwright/config/limits.paper.json'));
  const [entry] = loadConfig({ file: join(folder, 'bot/config/paper.yaml'), env: {}, set: [] }).config.strategies;
  const { params } = await loadStrategy(entry!.file);
  expect(entry).toMatchObject({ file: join(ROOT, `strategies/${bot}.ts`), risk: READY_MADE_RISK });
  expect(Object.keys(entry!.params)).toEqual(Object.keys(params));
  for (const [name, text] of Object.entries(entry!.params)) expect(() => params[name]!.parse(text)).not.toThrow();
});

test('a file that is there is not replaced, and then nothing is written', async () => {
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config/paper.yaml'), 'mine');
  const { status, err } = await run(['init', folder]);
  expect(status).toBe(2);
  expect(err).toContain(`${join(folder, 'config/paper.yaml')}: expected no such file yet, found one; nothing was written`);
  expect(err).toContain('code: files-exist');
  expect(readdirSync(folder)).toEqual(['config']);
  expect(read('config', 'paper.yaml')).toBe('mine');
});

test('a package.json that is there keeps its lines', async () => {
  writeFileSync(
    join(folder, 'package.json'),
    '{ "name": "mine", "scripts": { "test": "vitest" }, "dependencies": { "tickwright": "file:../t.tgz" } }',
  );
  expect((await run(['init', folder])).status).toBe(0);
  expect(JSON.parse(read('package.json'))).toMatchObject({
    name: 'mine',
    type: 'module',
    scripts: { test: 'vitest', check: 'tsc' },
    dependencies: { tickwright: 'file:../t.tgz' },
  });
});

test('a CommonJS package and a broken package.json are refused', async () => {
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
  expect((await run(['init', folder])).err).toContain('expected "type": "module", found "commonjs"');
  writeFileSync(join(folder, 'package.json'), '{ "type": ');
  expect((await run(['init', folder])).err).toContain('expected JSON, found none');
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('new strategy copies every strategy of the gallery with its test', async () => {
  for (const like of galleryNames()) {
    const { status, err } = await run(['new', 'strategy', `my-${like}`, '--like', like, '--folder', folder]);
    expect(status, err).toBe(0);
    expect(read(`my-${like}.ts`)).toBe(
      readFileSync(join(ROOT, `strategies/${like}.ts`), 'utf8').replace(`name: '${like}'`, `name: 'my-${like}'`),
    );
    expect(read(`my-${like}.ts`)).toContain(`name: 'my-${like}'`);
    expect(read(`my-${like}.test.ts`)).toContain(`from './my-${like}.ts'`);
  }
});

test('new strategy refuses a name in use, a bad name and an unknown model', async () => {
  const args = (name: string, like: string): string[] => ['new', 'strategy', name, '--like', like, '--folder', folder];
  expect((await run(args('one', 'rsi'))).status).toBe(0);
  expect(await run(args('one', 'rsi'))).toMatchObject({ status: 2, err: expect.stringContaining('expected no such file yet') as string });
  expect(await run(args('One', 'rsi'))).toMatchObject({ status: 2, err: expect.stringContaining('lower-case letters') as string });
  expect(await run(args('two', 'rsy-atr'))).toMatchObject({ status: 2, err: expect.stringContaining('did you mean "rsi-atr"?') as string });
  expect(await run(['new', 'strategy', 'two'])).toMatchObject({
    status: 2,
    err: expect.stringContaining('--like NAME is missing') as string,
  });
  expect(existsSync(join(folder, 'two.ts'))).toBe(false);
});

test('a part of a name is enough when it is unique', () => {
  expect(galleryName('rsi')).toBe('rsi-atr');
  expect(() => galleryName('nothing')).toThrow('expected a strategy of the gallery, found "nothing"');
});

test('a project is checked with the tools of this repository', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
  expect(devDependencies).toMatchObject(TOOLS);
});
