/** Security rules that a command line, a reply or the lock file could violate. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInspector } from '../../../src/cli/bot/start/inspector.ts';
import { parseStrict } from '../../../src/edge/strict-json.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DEMO = { TICKWRIGHT_KEY: 'demo-key', TICKWRIGHT_SECRET: 'demo-secret', TICKWRIGHT_PASSPHRASE: 'demo-pass' };

let folder = '';
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'tickwright-rules-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  node: readonly string[] = [],
): { status: number | null; stderr: string } {
  const config = join(ROOT, 'config/paper.yaml');
  const all = { PATH: process.env['PATH'] ?? '', ...env };
  const line = [...node, join(ROOT, 'src/tickwright.js'), 'run', '--config', config, ...args];
  return spawnSync(process.execPath, line, { cwd: folder, env: all, encoding: 'utf8', timeout: 240_000 });
}

describe('settings that would give others access are refused at start [security 4]', () => {
  it.each([
    ['an inspector open to every machine', [], DEMO, ['--inspect=0.0.0.0:0'], /--inspect on 0\.0\.0\.0 would let other machines/],
    ['the same through NODE_OPTIONS', [], { ...DEMO, NODE_OPTIONS: '--inspect-port=[::]:0' }, [], /--inspect on \[::\] would let/],
    ['disabled certificate checks', [], { ...DEMO, NODE_TLS_REJECT_UNAUTHORIZED: '0' }, [], /would accept any certificate/],
    [
      'a venue without encryption',
      ['--set', 'venue.baseUrl=http://api.example.com'],
      DEMO,
      [],
      /https \(http is for loopback addresses only\)/,
    ],
    [
      'a private address',
      ['--live', '--set', 'venue.baseUrl=https://192.168.0.9'],
      DEMO,
      [],
      /expected a public address, found the private 192/,
    ],
  ] as const)('%s', (_what, args, env, node, says) => {
    const ran = run(args, env, node);
    expect(ran.stderr).toMatch(says);
    expect(ran.stderr).not.toMatch(/demo-(secret|pass)/);
    expect([2, 78]).toContain(ran.status);
  });

  it('an inspector on loopback is allowed', () => {
    const none = ['--inspect', '--inspect=9229', '--inspect=127.0.0.1:9229', '--inspect-brk=localhost', '--inspect=[::1]:0', '--trace-gc'];
    expect(none.map((option) => openInspector([option]))).toEqual(none.map(() => null));
    const open = ['--inspect=10.0.0.1', '--inspect-brk=:::1', '--inspect-wait=example.com:9229', '--debug-port=0.0.0.0:1'];
    expect(open.filter((option) => openInspector([option]) === null)).toEqual([]);
    expect(openInspector(['--inspect-port', '0.0.0.0:9229'])).toBe('0.0.0.0');
  });
});

it('a credentials file that others can read is refused [security 1]', () => {
  const file = join(folder, 'credentials.yaml');
  writeFileSync(file, 'key: "k"\nsecret: "s-canary"\npassphrase: "p"\n', { mode: 0o600 });
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(file, mode);
    const { status, stderr } = run(['--set', `venue.credentials=${file}`], {});
    expect(stderr).toContain(`found mode 0${mode.toString(8)}`);
    expect(stderr).not.toContain('s-canary');
    expect(status).toBe(78);
  }
});

describe('replies [security 6]', () => {
  it('with a duplicate key are unreadable', () => {
    expect(parseStrict('{"code":"40011","code":"00000"}')).toEqual({ error: 'duplicate-key' });
    expect(parseStrict('{"data":{"a":1,"\\u0061":2}}')).toEqual({ error: 'duplicate-key' });
  });

  it('cannot reach the prototype of other objects: the program has no __proto__', () => {
    const script = `
      process.argv[2] = 'none';
      await import(${JSON.stringify(join(ROOT, 'src/tickwright.js'))});
      const given = JSON.parse('{"__proto__":{"polluted":true}}');
      const copy = {};
      for (const key of Object.keys(given)) copy[key] = given[key];
      console.log('__proto__' in Object.prototype, copy.polluted, {}.polluted);`;
    writeFileSync(join(folder, 'proto.mjs'), script);
    const { stdout } = spawnSync(process.execPath, [join(folder, 'proto.mjs')], { encoding: 'utf8' });
    expect(stdout).toContain('false undefined undefined');
  });
});

/** All packages that a user installs. A new name here is a decision: its purpose, its maintainer, whether it has an install script. */
const SHIPPED =
  `@ioredis/commands @modelcontextprotocol/core @modelcontextprotocol/server @pinojs/redact @uwdata/flechette atomic-sleep bottleneck cluster-key-slot commander debug decimal.js denque fancy-canvas fzstd hyparquet
hyparquet-compressors hyparquet-writer hysnappy ioredis is-network-error lightweight-charts ms node-cron
on-exit-leak-free p-retry pino pino-abstract-transport pino-std-serializers preact process-warning quick-format-unescaped real-require redis-errors
safe-stable-stringify sonic-boom split2 standard-as-callback thread-stream undici uplot yaml zod`.split(/\s+/);

describe('packages [security 8]', () => {
  interface Locked {
    readonly version?: string;
    readonly integrity?: string;
    readonly dev?: true;
    readonly optional?: true;
    readonly hasInstallScript?: true;
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

  it('are pinned to a version and an integrity hash', () => {
    for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[group] ?? {})) expect(version, name).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
    }
    expect(packages.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('of a user are the listed ones, at most 42, and none has an install script', () => {
    const shipped = packages.filter(
      ([path, { dev, optional }]) => dev !== true && optional !== true && !/\/node-(bin-)?(linux|darwin|win)-/.test(path),
    );
    expect(shipped.map(([path]) => path.replace(/^.*node_modules\//, '')).toSorted()).toEqual(SHIPPED.toSorted());
    expect(shipped.length).toBeLessThanOrEqual(42);
    expect(packages.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true)).toEqual([]);
  });
});
