/** `restart`: lets PM2 start the bot again, if its configuration is right. A bot with a wrong one goes on as it is. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { exitCode } from '../../../base/failure/exit-codes.ts';
import { Failure } from '../../../base/failure/failure.ts';
import type { CliContext } from '../../shell/cli-context.ts';
import { safeText } from '../../terminal/terminal.ts';

/** How PM2 starts a program. */
interface App {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function runRestart(_flags: object, context: CliContext, what: string): Promise<void> {
  const { stdout, stderr } = context.io;
  requireDaemon(context.env);
  const app = existsSync(what) ? await appIn(resolve(what)) : appOf(what, context.env);
  const checked = spawnSync(app.file, [...app.args, '--check'], { cwd: app.cwd, env: app.env, encoding: 'utf8' });
  stdout.write(safeText(checked.stdout));
  stderr.write(safeText(checked.stderr));
  if (checked.status !== 0) {
    stderr.write(`error: nothing was restarted: the checks of ${safeText(app.name)} failed. What runs goes on.\n`);
    return context.exit(exitCode.configuration);
  }
  const reloaded = pm2(['reload', what], context.env);
  stdout.write(safeText(reloaded.stdout + reloaded.stderr));
  context.exit(reloaded.status === 0 ? exitCode.done : exitCode.failed);
}

/** The first program of an ecosystem file. @throws Failure */
async function appIn(path: string): Promise<App> {
  const loaded = (await import(pathToFileURL(path).href)) as { readonly default?: unknown; readonly apps?: unknown };
  const apps = loaded.apps ?? (loaded.default as { readonly apps?: unknown } | undefined)?.apps;
  const [first] = Array.isArray(apps) ? (apps as Record<string, unknown>[]) : [];
  if (first === undefined) throw notOurs(`${path} has no programs of PM2`);
  return appFrom({ ...first, pm_exec_path: first['script'], pm_cwd: first['cwd'] ?? dirname(path) });
}

/** A program that PM2 has. @throws Failure */
function appOf(name: string, env: CliContext['env']): App {
  const { stdout } = pm2(['jlist', '--silent'], env);
  const list = JSON.parse(stdout.slice(stdout.indexOf('['), stdout.lastIndexOf(']') + 1) || '[]') as {
    readonly name: string;
    readonly pm2_env: Record<string, unknown>;
  }[];
  const found = list.find((one) => one.name === name);
  if (found === undefined) {
    const names = list.map((one) => one.name).join(', ');
    throw notOurs(`PM2 has no program "${name}"${names === '' ? '' : `: it has ${names}`}`);
  }
  return appFrom(found.pm2_env);
}

/** @throws Failure if it is not a bot */
function appFrom(given: Readonly<Record<string, unknown>>): App {
  const { name, args, pm_exec_path: file, pm_cwd: cwd, env } = given;
  const words = Array.isArray(args) ? args.map(String) : [];
  if (typeof file !== 'string' || typeof cwd !== 'string' || !words.includes('run'))
    throw notOurs(`the program ${JSON.stringify(name)} does not run a bot: its arguments are ${JSON.stringify(args ?? null)}`);
  return { name: String(name), file, args: words, cwd, env: env as Record<string, string> };
}

function notOurs(what: string): Failure {
  return new Failure('command-line', { what, hint: 'docs/pm2.md shows how to start a bot under PM2' });
}

/** Any command of PM2 starts its daemon, which stays. @throws Failure if no daemon runs */
function requireDaemon(env: CliContext['env']): void {
  const home = env['PM2_HOME'] ?? join(env['HOME'] ?? homedir(), '.pm2');
  try {
    process.kill(Number.parseInt(readFileSync(join(home, 'pm2.pid'), 'utf8'), 10), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') return;
    throw notOurs(`PM2 runs nothing here: no daemon of it belongs to ${home}`);
  }
}

/** @throws Failure if PM2 is not on PATH */
function pm2(
  args: readonly string[],
  env: CliContext['env'],
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const ran = spawnSync('pm2', args, { encoding: 'utf8', env, maxBuffer: 1 << 26, shell: process.platform === 'win32' });
  if (ran.error !== undefined) throw notOurs(`pm2 cannot be run: ${ran.error.message}`);
  return ran;
}
