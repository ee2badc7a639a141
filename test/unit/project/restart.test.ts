/** `restart` where PM2 runs nothing: any command of PM2 would start its daemon. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tickwright-restart-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['bot', null],
  [join(ROOT, 'ecosystem.config.cjs'), null],
  ['bot', ''],
])('%s, with %j for the pid of the daemon: PM2 is not asked, so it leaves no daemon behind', (what, pid) => {
  if (pid !== null) {
    mkdirSync(join(folder, 'home'));
    writeFileSync(join(folder, 'home', 'pm2.pid'), pid);
  }
  const asked = join(folder, 'asked');
  writeFileSync(join(folder, 'pm2'), `#!/bin/sh\ntouch '${asked}'\necho '[]'\n`, { mode: 0o755 });
  const env = { ...process.env, PM2_HOME: join(folder, 'home'), PATH: `${folder}${delimiter}${process.env['PATH']}` };
  const { status, stderr } = spawnSync(process.execPath, ['src/tickwright.js', 'restart', what], { cwd: ROOT, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/PM2 runs nothing here: no daemon of it belongs to .*home/)]);
  expect(existsSync(asked)).toBe(false);
});

test('PM2 writes the name of the file with the passphrase of a keystore to disk, and no secret of the shell', () => {
  const own = { TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE: '/keys/passphrase', TICKWRIGHT_SECRET: 'CANARY', TICKWRIGHT_PASSPHRASE: 'CANARY' };
  const code = "JSON.stringify(require('./ecosystem.config.cjs').apps)";
  const env = { PATH: process.env['PATH'], ...own };
  const apps = execFileSync(process.execPath, ['-p', code], { cwd: ROOT, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(apps).toContain('"TICKWRIGHT_KEYSTORE_PASSPHRASE_FILE":"/keys/passphrase"');
  expect(apps).not.toContain('CANARY');
});

test('with WATCHDOG the file has a second program: the watchdog of the same configuration', () => {
  const text = readFileSync(join(ROOT, 'ecosystem.config.cjs'), 'utf8');
  const file = join(folder, 'with-watchdog.cjs');
  writeFileSync(file, text.replace('const WATCHDOG = false;', 'const WATCHDOG = true;').replace("CONFIG = '", "CONFIG = 'my-"));
  const code = `JSON.stringify(require(${JSON.stringify(file)}).apps.map(({ name, args }) => [name, ...args.slice(-3)]))`;
  const shown = execFileSync(process.execPath, ['-p', code], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  expect(JSON.parse(shown)).toEqual([
    ['tickwright', 'run', '--config', 'my-config/paper.yaml'],
    ['tickwright-watchdog', 'watchdog', '--config', 'my-config/paper.yaml'],
  ]);
});
