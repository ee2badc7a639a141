/**
 * The unit of systemd that the package brings along, and docs/systemd.md. Both were run by systemd 252 as PID 1: start, SIGKILL, stop, commands, keystore.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { HEAP_FLAG, HEAP_MB } from '../../../src/base/heap-limit.ts';
import { loadConfig } from '../../../src/config/load.ts';

const root = new URL('../../../', import.meta.url);
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const unit = textOf('config/systemd/tickwright@.service');
const dropIn = textOf('config/systemd/tickwright.keystore.conf');
const page = textOf('docs/systemd.md');
const value = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, found = '']) => found);
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!isThere) console.warn('SKIPPED: the exposure of the unit needs systemd-analyze on PATH');

it('starts the bot with the keys from systemd, and waits for its watchdog longer than that waits for the bot', () => {
  expect(value('ExecStart')).toEqual([
    `/usr/bin/env node ${HEAP_FLAG}=${HEAP_MB} /opt/tickwright/node_modules/tickwright/dist/tickwright.js run --config /etc/tickwright/%i.yaml --live`,
  ]);
  expect(value('Environment').join()).toContain('TICKWRIGHT_VENUE_CREDENTIALS=%d/venue');
  expect(value('LoadCredential')).toEqual(['venue:/etc/tickwright/%i.credentials.yaml']);
  expect([value('Type'), value('NotifyAccess'), value('KillMode'), value('WatchdogSignal')].flat()).toEqual([
    'notify',
    'all',
    'process',
    'SIGKILL',
  ]);
  // Seconds; watchdog.silenceMs is 30 s by default.
  expect(Number(value('WatchdogSec'))).toBeGreaterThan(60);
});

it('has twice as much memory as the heap of the bot, as docs/reference/exit-codes.md asks for', () => {
  expect(value('MemoryMax')).toEqual([`${2 * HEAP_MB}M`]);
});

it('is told by the drop-in to take the keystore of the configuration, and no plain keys', () => {
  const lines = dropIn.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines).toEqual([
    '[Service]',
    'LoadCredential=',
    'LoadCredential=tickwright-keystore:/etc/tickwright/%i.passphrase',
    'UnsetEnvironment=TICKWRIGHT_VENUE_CREDENTIALS',
  ]);
});

it('is installed by the page with every file beside it', () => {
  const named = [...page.matchAll(/\$FILES\/systemd\/(\S+)/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(new Set(readdirSync(new URL('config/systemd/', root))));
});

it('has the same state folder as commands with the configuration of the page, whatever their environment', () => {
  const [yaml = ''] = [...page.matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text]) => text!);
  for (const name of ['limits.json', 'instruments.json']) cpSync(new URL(`config/${name}`, root), join(folder, name));
  writeFileSync(join(folder, 'alerts.yaml'), 'channels: []\n', { mode: 0o600 });
  const config = join(folder, 'live.yaml');
  writeFileSync(config, yaml);
  const { store, monitor, credentials } = loadConfig({ file: config, env: {}, set: [] }).config;
  expect([store.folder, credentials]).toEqual([`/var/lib/${value('StateDirectory').join()}/live`, null]);
  expect(page).toContain(`ssh -f -N -L ${monitor.port}:127.0.0.1:${monitor.port} HOST`);
  expect(value('Environment').join()).not.toContain('TICKWRIGHT_STORE');
  const sealed = /`venue: (\{ credentials: .*? \})`/.exec(page)?.[1];
  writeFileSync(config, yaml.replace(/^venue: .*$/m, `venue: ${sealed}`));
  expect(loadConfig({ file: config, env: {}, set: [] }).config.keystore).toEqual({
    file: '/var/lib/tickwright/keystore.json',
    name: 'live',
  });
});

const folder = mkdtempSync(join(tmpdir(), 'tickwright-unit-'));
const file = join(folder, 'tickwright@.service');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('exposes at most 1.5 of 10, as the page says and systemd-analyze counts it', { skip: !isThere }, () => {
  writeFileSync(file, unit);
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', file], { encoding: 'utf8' });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(1.5);
  expect(page).toContain('says at most 1.5 of 10');
});

it('has no line that systemd does not know', { skip: !isThere }, () => {
  const complaints = (text: string): string => {
    // The program is not where the unit says.
    writeFileSync(file, text.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`));
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    return stderr
      .split('\n')
      .filter((line) => line.includes('tickwright@'))
      .join('\n');
  };
  const wrong = unit.replace('WatchdogSec=', 'WatchdogSeconds=');
  expect([complaints(unit), complaints(unit + dropIn), complaints(wrong)]).toEqual([
    '',
    '',
    expect.stringContaining("Unknown key 'WatchdogSeconds'"),
  ]);
});
