/** The unit of systemd that the package brings along. It was run by systemd 252 as PID 1: start, SIGKILL, stop. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const unit = readFileSync(new URL('../../../config/systemd/tickwright@.service', import.meta.url), 'utf8');
const value = (key: string): string[] => [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, found = '']) => found);
const isThere = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!isThere) console.warn('SKIPPED: the exposure of the unit needs systemd-analyze on PATH');

it('starts the bot with the keys from systemd, and waits for its watchdog longer than that waits for the bot', () => {
  expect(value('ExecStart')).toEqual([
    '/usr/bin/env node /opt/tickwright/node_modules/tickwright/dist/tickwright.js run --config /etc/tickwright/%i.yaml --live',
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

const folder = mkdtempSync(join(tmpdir(), 'tickwright-unit-'));
const file = join(folder, 'tickwright@.service');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('exposes at most 2.0 of 10, as systemd-analyze counts it', { skip: !isThere }, () => {
  writeFileSync(file, unit);
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--no-pager', file], { encoding: 'utf8' });
  expect(Number(/exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(2);
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
  expect([complaints(unit), complaints(wrong)]).toEqual(['', expect.stringContaining("Unknown key 'WatchdogSeconds'")]);
});
