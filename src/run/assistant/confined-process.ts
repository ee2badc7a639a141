/**
 * Starts the process that tries a strategy for an assistant: an empty environment, the permission model of Node.js with the few files that
 * the trial reads, a limit of memory and of time, and a lower priority than the bot. One at a time.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../base/failure/failure.ts';
import { ownModule } from '../../base/own-module.ts';
import type { TrialAnswer, TrialJob } from './trial-job.ts';

const MEMORY_MB = 1_024;
const TRIAL_MOST_MS = 300_000;
/** Source files below the folder of a strategy. */
const SOURCES_MOST = 2_000;
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FIRST_FILE = fileURLToPath(new URL('../../thread.js', import.meta.url));
/** What a trial loads of this program. In the package the compiled program is in `dist`. */
const PROGRAM = ['src', 'dist', 'config', 'strategies', 'node_modules', 'package.json'];

let isBusy = false;

/** @throws Failure if another trial runs, if this one takes too long or too much memory, or with what it answered */
export async function tryConfined(job: TrialJob, signal: AbortSignal, mostMs = TRIAL_MOST_MS): Promise<object> {
  if (isBusy) throw new Failure('trial-failed', { what: 'another trial runs: one at a time' });
  isBusy = true;
  const temporary = mkdtempSync(join(realpathSync(tmpdir()), 'tickwright-trial-'));
  try {
    return await run(job, temporary, AbortSignal.any([signal, AbortSignal.timeout(mostMs)]));
  } finally {
    isBusy = false;
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function run(job: TrialJob, temporary: string, signal: AbortSignal): Promise<object> {
  const child = spawn(
    process.execPath,
    [...confinedFlags(job, temporary), FIRST_FILE, ownModule(new URL('./confined.ts', import.meta.url))],
    {
      cwd: temporary,
      env: { TMPDIR: temporary },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  const stop = (): void => void child.kill('SIGKILL');
  signal.addEventListener('abort', stop);
  child.on('error', stop);
  if (child.pid !== undefined && process.platform !== 'win32') setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  // A process that ended before it had read the job is judged by its output.
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(job));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  signal.removeEventListener('abort', stop);
  if (signal.aborted) throw new Failure('trial-failed', { what: `the trial was ended: it was given up, or took longer than its limit` });
  let answer: TrialAnswer;
  try {
    answer = JSON.parse(out) as TrialAnswer;
  } catch (cause) {
    const last = err.trim().split('\n').at(-1) ?? '';
    throw new Failure('trial-failed', { what: `the trial ended early (memory limit ${MEMORY_MB} MB): ${last.slice(0, 300)}` }, { cause });
  }
  if (!answer.ok) throw new Failure('trial-failed', { what: answer.message });
  return answer.data;
}

/** Nothing but the program, the source files of the strategy, and the data. */
export function confinedFlags({ choice, config, input }: TrialJob, temporary: string): readonly string[] {
  const strategy = realpathSync(choice.file);
  const { latency, funding } = config.simulation;
  const read = [
    ...PROGRAM.map((name) => join(ROOT, name)),
    ...[ROOT, dirname(strategy)].flatMap(packagesAbove),
    ...sourcesOf(dirname(strategy)),
    temporary,
    ...[input, latency.file, funding.file].filter((path) => path !== '').map((path) => realpathSync(path)),
  ].filter((path) => existsSync(path));
  return [
    '--permission',
    `--max-old-space-size=${MEMORY_MB}`,
    `--allow-fs-write=${temporary}`,
    ...read.map((path) => `--allow-fs-read=${path}`),
  ];
}

/** `node_modules` and `package.json` of a folder and of those above it. */
function packagesAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  const own = ['node_modules', 'package.json'].map((name) => join(folder, name));
  return above === folder ? own : [...own, ...packagesAbove(above)];
}

/** Code alone: a configuration, a file of keys or a state folder beside the strategy stays closed. */
function sourcesOf(folder: string): readonly string[] {
  const found = globSync('**/*.{ts,mts,js,mjs,cjs}', { cwd: folder, exclude: (name) => name === 'node_modules' || name === '.git' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  if (found.length > SOURCES_MOST)
    throw new Failure('trial-failed', {
      what: `there are more than ${SOURCES_MOST} source files below ${folder}: put the strategy in a folder of its own`,
    });
  return found;
}
