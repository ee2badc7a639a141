/**
 * Builds the image of config/container from the packed package with docker or podman, and tries what docs/container.md says of it: user, disk,
 * health of a bot that lives and of one that hangs, `kill -9`, a stop. `npm run container` or `node bench/container.ts [engine] [--node VERSION]
 * [--network host] [-- arguments of run]`. The engine needs the base image; --node names the version of one that is there. --network is that of the
 * build, for an engine without a bridge.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { npm, packedPackages } from '../test/support/processes/packed.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { node: { type: 'string' }, network: { type: 'string' } } });
const isEngine = (word: string | undefined): boolean => word === 'docker' || word === 'podman';
const engine = isEngine(positionals[0]) ? positionals[0]! : 'docker';
const more = positionals.slice(isEngine(positionals[0]) ? 1 : 0);
const name = `tickwright-try-${process.pid}`;
const HARDENED = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--network', 'none'];

interface Ran {
  readonly code: number | null;
  readonly text: string;
}

function call(...args: string[]): Ran {
  const { status, stdout, stderr, error } = spawnSync(engine, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (error !== undefined) throw error;
  return { code: status, text: `${stdout}${stderr}` };
}

function must(...args: string[]): string {
  const { code, text } = call(...args);
  if (code !== 0) throw new Error(`${engine} ${args.join(' ')} ended with ${code}:\n${text}`);
  return text;
}

const inside = (...words: string[]): Ran => call('exec', name, ...words);
const check = (what: string, isSo: boolean, found: string): void => {
  if (!isSo) throw new Error(`${what}: found ${found}`);
  console.log(`ok  ${what}`);
};

async function until(what: string, test: () => boolean): Promise<void> {
  for (const end = performance.now() + 60_000; !test(); await sleep(200))
    if (performance.now() > end) throw new Error(`not within 60 s: ${what}\n${call('logs', '--tail', '20', name).text}`);
}

/** The number of the bot's process in the container, as its status says it. */
const processOf = (): string => /\(process (\d+)\)/.exec(inside('tickwright', 'status').text)?.[1] ?? '';
const health = (): Ran => inside('tickwright', 'status');
const state = (): string => must('inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', name).trim();
const fills = (): number => Number(/([\d,]+) fills/.exec(health().text)?.[1]?.replaceAll(',', '') ?? 0);

function build(): void {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-image-'));
  try {
    const { tickwright } = packedPackages();
    copyFileSync(tickwright, join(folder, basename(tickwright)));
    npm(['init', '-y'], folder);
    npm(['install', '--package-lock-only', '--no-audit', '--no-fund', `./${basename(tickwright)}`], folder);
    cpSync(new URL('../config/container', import.meta.url), join(folder, 'container'), { recursive: true });
    const format = engine === 'podman' ? ['--format', 'docker'] : [];
    const node = values.node === undefined ? [] : ['--build-arg', `NODE=${values.node}`];
    const network = values.network === undefined ? [] : ['--network', values.network];
    must('build', ...format, ...node, ...network, '-f', join(folder, 'container/Dockerfile'), '-t', 'tickwright-try', folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function walk(): Promise<void> {
  // Without a timer of its own: the check is called by hand.
  const timer = ['--health-interval', engine === 'podman' ? 'disable' : '1h'];
  must('run', '-d', '--name', name, ...timer, ...HARDENED, ...more, '-v', `${name}:/srv/bot/var`, 'tickwright-try');
  await until('the bot is armed', () => / is armed since/.test(health().text));
  check('it runs as the user 10001', inside('id', '-u').text.trim() === '10001', inside('id', '-u').text);
  for (const path of ['/x', '/srv/bot/x', '/srv/bot/node_modules/x'])
    check(`nobody can write ${path}`, inside('touch', path).code !== 0, 'a file');
  check('there is no npm', inside('npm', '--version').code !== 0, 'npm');
  check('tini is process 1', inside('cat', '/proc/1/comm').text.trim() === 'tini', inside('cat', '/proc/1/comm').text);
  check('the health check of a bot that lives gives 0', health().code === 0, health().text);
  await until('it has filled orders', () => fills() > 0);
  const pid = processOf();
  inside('sh', '-c', `kill -STOP ${pid}`);
  await sleep(5_000);
  check('that of a bot that hangs gives 8', health().code === 8, health().text);
  inside('sh', '-c', `kill -CONT ${pid}`);
  await until('it lives again', () => health().code === 0);
  const before = fills();
  inside('sh', '-c', `kill -9 ${pid}`);
  await until('the container ends with its bot', () => state() === 'exited 137');
  must('start', name);
  await until('it is armed again', () => / is armed since/.test(health().text));
  check('after kill -9 it has its fills', fills() >= before, String(fills()));
  const began = performance.now();
  must('stop', '-t', '60', name);
  const took = `${((performance.now() - began) / 1_000).toFixed(1)} s`;
  check(`a stop ends it cleanly within ${took}`, /^exited (0|3)$/.test(state()), `${state()} after ${took}`);
}

try {
  build();
  console.log(`built with ${must('--version').trim()}`);
  await walk();
} finally {
  call('rm', '-f', name);
  call('volume', 'rm', name);
}
