/** Finds the bots of a folder, and those that a person may have meant. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { shellWord } from '../../setup/shell-word.ts';
import { Failure } from '../../../base/failure/failure.ts';
import { isLockHeld, lockNotes, type LockNote } from '../../../edge/file/account-lock.ts';
import { beside } from '../../../edge/file/beside/beside.ts';
import { runningIn } from './reach.ts';

/** Files that a bot leaves in its state folder and beside it. */
const INSIDE = ['bot.lock', 'store.sqlite'];
const BESIDE = ['.halts.json', '.halt-requests'];

/** True if the folder is the state folder of a bot: one runs there, or did. */
export function isBotFolder(folder: string): boolean {
  return INSIDE.some((name) => existsSync(join(folder, name))) || BESIDE.some((ending) => existsSync(beside(folder, ending)));
}

/** The state folder that `--state` names: the folder itself, or that of the bot in the folder of `start`. @throws Failure (bot-missing) */
export function botFolder(given: string): string {
  const folder = resolve(given);
  const inner = join(folder, 'bot');
  try {
    return !isBotFolder(folder) && isBotFolder(inner) ? inner : folder;
  } catch (cause) {
    // Only its user may read the folder of a bot.
    const { code = '' } = cause as NodeJS.ErrnoException;
    throw new Failure(
      'bot-missing',
      { what: `the folder cannot be read by this user (${code})`, where: folder, hint: 'type the command as the user of the bot' },
      { cause },
    );
  }
}

/** Bots that run below the folder, or were started in this one: what a person may have meant. Null without any. */
export function runningHint(folder: string, cwd = process.cwd()): string | null {
  const places = new Set([...foldersIn(resolve(folder), 2), ...foldersIn(resolve(cwd, 'var'), 2)]);
  const found = [...places].filter((one) => one !== resolve(folder) && runningIn(one) !== null).map((one) => relative(cwd, one));
  return found.length === 0 ? null : `a bot runs in ${found.join(' and in ')}: name it with --state`;
}

/** A bot of this user. */
interface FoundBot {
  /** Its state folder. */
  readonly folder: string;
  /** True if the person named it. */
  readonly isNamed: boolean;
}

/** All bots of a user. */
interface AllBots {
  readonly found: readonly FoundBot[];
  /** Bots that run, and whose state folder their lock does not name, or names as another machine or container sees it. */
  readonly lost: readonly LockNote[];
}

/** All bots that run or were killed: those that took the lock of an account, those that were started in this folder, and those that are named. */
export function findAllBots(cwd: string, env: Readonly<Record<string, string | undefined>>, named: readonly string[]): AllBots {
  const wanted = new Set(named.map(botFolder));
  const notes = lockNotes(env);
  const noted = new Set(notes.flatMap(({ folder }) => (folder !== '' && isBotFolder(folder) ? [folder] : [])));
  const { folders, isRunning } = findBots(cwd);
  const others = [...wanted, ...(isRunning ? folders : [])].filter((folder) => !noted.has(folder));
  const all = [...new Set([...noted, ...others])].sort();
  const lost = notes.filter((note) => !noted.has(note.folder) && isLockHeld(note));
  return { found: all.map((folder) => ({ folder, isNamed: wanted.has(folder) })), lost: without(lost, [...new Set(others)]) };
}

/** Leaves out those that run in the folders. Two containers may have processes with the same number: a folder stands for one. */
function without(lost: readonly LockNote[], folders: readonly string[]): readonly LockNote[] {
  if (lost.length === 0) return lost;
  const pids = folders.map((folder) => runningIn(folder)?.pid ?? 0).filter((pid) => pid > 0);
  return lost.filter(({ pid }) => {
    const k = pids.indexOf(pid);
    if (k >= 0) pids.splice(k, 1);
    return k < 0;
  });
}

/** State folders of bots that were started in this folder: running bots, or if there are none, those with a store. */
function findBots(cwd: string): { readonly folders: readonly string[]; readonly isRunning: boolean } {
  const candidates = foldersIn(resolve(cwd, 'var'), 2);
  const running = candidates.filter((folder) => runningIn(folder) !== null);
  if (running.length > 0) return { folders: running, isRunning: true };
  return { folders: candidates.filter((folder) => existsSync(join(folder, 'store.sqlite'))), isRunning: false };
}

function foldersIn(folder: string, depth: number): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  } catch {
    return [];
  }
  const inner = names.map((name) => join(folder, name));
  return [...inner, ...(depth > 1 ? inner.flatMap((one) => foldersIn(one, depth - 1)) : [])].sort();
}

/** The state folder of the only bot. @throws Failure: absent if there is none, usage if there are several */
export function theBot(cwd: string, acts: boolean): string {
  const { folders, isRunning } = findBots(cwd);
  const [first, ...others] = folders;
  if (first === undefined) {
    throw new Failure('bot-missing', {
      what: `no bot runs in this folder, and none has left a store below ${join(relative('.', cwd), 'var')}`,
      hint: 'name it: --state FOLDER, or --config FILE of the bot; a stopped bot with its store in Redis is found only by --config',
    });
  }
  if (others.length === 0) return first;
  const names = folders.map((folder) => relative(cwd, folder));
  if (isRunning || acts) {
    const what = isRunning ? 'more than one bot runs in this folder' : 'more than one bot has a store in this folder, and none runs';
    throw new Failure('bot-ambiguous', { what: `${what}: ${names.join(', ')}`, hint: `name one: --state ${shellWord(names[0]!)}` });
  }
  return [...folders].sort((a, b) => changedAt(b) - changedAt(a))[0]!;
}

function changedAt(folder: string): number {
  return Math.max(
    ...['store.sqlite', 'store.sqlite-wal'].map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0),
  );
}
