/** A live bot without any loss limit is warned about. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tickwright-losses-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): { status: number | null; stdout: string; stderr: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, TICKWRIGHT_STATE_HOME: folder, ...more };
  return spawnSync(process.execPath, [join(ROOT, 'src/tickwright.js'), ...args], { cwd: folder, env, encoding: 'utf8' });
}

test('run --live without a loss limit warns, and doctor has a line; the template has limits', () => {
  const env = { TICKWRIGHT_KEY: 'k', TICKWRIGHT_SECRET: 's', TICKWRIGHT_PASSPHRASE: 'p' };
  // A strategy that is not there ends the process before anything is opened.
  writeFileSync(join(folder, 'far.yaml'), 'venue: { baseUrl: "https://api.example.com" }\nstrategies: [{ file: absent.ts }]\n');
  writeFileSync(join(folder, 'lossy.yaml'), 'strategies: [{ file: absent.ts, symbols: [BTCUSDT] }]\n');
  const lossy = ['--config', 'lossy.yaml', '--set', 'store.folder=lossy', '--set', 'venue.baseUrl=http://127.0.0.1:1'];
  const warned = (...set: readonly string[]): boolean => {
    const { stderr, status } = run(['run', ...lossy, ...set.flatMap((one) => (one === '--live' ? [one] : ['--set', one]))], env);
    expect(status).toBe(78);
    return stderr.includes('warning: no loss limit');
  };
  expect([warned('--live'), warned('--live', 'risk.maxOpenOrders=4'), warned('--live', 'risk.maxDailyLoss=off')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([warned(), warned('--live', 'risk.maxDailyLoss=2%'), warned('--live', 'risk.minEquity=900 USDT')]).toEqual([false, false, false]);

  const line = (...args: readonly string[]): object | undefined => {
    const { findings } = JSON.parse(run(['doctor', ...args, '--json']).stdout) as { findings: { subject: string }[] };
    return findings.find(({ subject }) => subject === 'loss limits');
  };
  expect(line('--config', 'far.yaml')).toMatchObject({ status: 'warning', finding: expect.stringContaining('risk.maxDailyLoss') });
  expect(line('--config', 'far.yaml', '--set', 'risk.maxDrawdown=10%')).toMatchObject({ status: 'ok', finding: 'maxDrawdown 10%' });
  expect(line('--config', 'far.yaml', '--set', 'venue.baseUrl=http://127.0.0.1:1')).toMatchObject({ status: 'ok' });
  const template = ['--set', 'venue.credentials=', '--set', 'venue.baseUrl=https://api.example.com'];
  expect(line('--config', join(ROOT, 'config/live.example.yaml'), ...template)).toMatchObject({
    status: 'ok',
    finding: 'maxDailyLoss 2%, maxDrawdown 10%',
  });
});
