/**
 * The account lock: at most one bot per account on this machine, whatever its store folder or bot id. It consists of two locks, both
 * released by the kernel when the process ends. One is an exclusive SQLite lock on a file in a per-user state folder. The other, on Linux
 * only, is an abstract Unix socket. The file works across network namespaces (containers on one volume). The socket works if the file was
 * deleted or the user differs.
 */
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { holdFile, isFileHeld } from './exclusive-file.ts';
import { replaceFile } from './replace-file.ts';

/** Environment variable with the folder of the locks. Bots with different folders do not see each other; meant for tests and containers. */
export const STATE_VARIABLE = 'TICKWRIGHT_STATE_HOME';
/** What `stateHome` reads of the environment. */
export const STATE_HOME_VARIABLES: readonly string[] = [STATE_VARIABLE, 'XDG_STATE_HOME', 'LOCALAPPDATA'];

export interface AccountLockOptions {
  /** Scheme, host and port of the venue. */
  readonly origin: string;
  readonly isLoopback: boolean;
  /** Id of the API key, which identifies the account. Only its hash is written or shown. */
  readonly key: string;
  /** Description of this bot, shown to a bot that is refused. */
  readonly holder: { readonly bot: string; readonly store: string; readonly folder: string };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AccountLock {
  /** Identifies the account: 32 hexadecimal digits of a hash. */
  readonly account: string;
  /** The latest epoch of client ids that any bot on this machine used for the account; 0 if none. */
  readonly lastEpoch: number;
  /** Saves an epoch before any id of it is used. It survives the loss of the bot's store. */
  noteEpoch(epoch: number): void;
  release(): void;
}

/** Another process holds the lock of the account. */
export class AccountInUseError extends Error {
  override readonly name = 'AccountInUseError';
}

/** Hash of the account. All loopback addresses count as one, so that `localhost` and 127.0.0.1 give the same account. */
function accountOf(origin: string, isLoopback: boolean, key: string): string {
  const url = new URL(origin);
  const place = isLoopback ? `loopback:${url.port || url.protocol}` : url.origin;
  return hash('sha256', `${place}\n${key}`).slice(0, 32);
}

/** The per-user folder for data of the machine as opposed to one bot's store. */
export function stateHome(env: AccountLockOptions['env']): string {
  const given = env[STATE_VARIABLE];
  if (given !== undefined && given !== '') return resolve(given);
  const xdg = env['XDG_STATE_HOME'];
  if (xdg !== undefined && xdg.startsWith('/')) return join(xdg, 'tickwright');
  const windows = env['LOCALAPPDATA'];
  if (process.platform === 'win32' && windows !== undefined) return join(windows, 'tickwright');
  return join(homedir(), '.local', 'state', 'tickwright');
}

/** The folder of the locks of this user. */
export function lockFolder(env: AccountLockOptions['env']): string {
  return join(stateHome(env), 'locks');
}

/** What a bot notes beside its account lock. A note that is damaged, or of an older version, says less. */
export interface LockNote {
  readonly path: string;
  /** 0 if it is unknown. */
  readonly pid: number;
  /** Name of the bot; "" if it is unknown. */
  readonly bot: string;
  /** Its state folder; "" if it is unknown. */
  readonly folder: string;
}

/** Notes of the bots of this user that have an account lock, or were killed while they had one. */
export function lockNotes(env: AccountLockOptions['env']): readonly LockNote[] {
  const folder = lockFolder(env);
  const names = namesIn(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => noteIn(join(folder, name)));
}

/** True if the bot of the note runs. */
export function isLockHeld({ path }: LockNote): boolean {
  return isFileHeld(path.replace(/json$/, 'lock'));
}

function noteIn(path: string): LockNote {
  try {
    const { pid, bot, folder } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    const text = (word: unknown): string => (typeof word === 'string' ? word : '');
    return { path, pid: typeof pid === 'number' ? pid : 0, bot: text(bot), folder: text(folder) };
  } catch {
    return { path, pid: 0, bot: '', folder: '' };
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Takes both locks or none. @throws AccountInUseError, or the file system's error if the state folder cannot be used */
export async function takeAccountLock(options: AccountLockOptions): Promise<AccountLock> {
  const { origin, isLoopback, key, env, holder } = options;
  const account = accountOf(origin, isLoopback, key);
  const folder = lockFolder(env);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${account}.lock`);
  const note = join(folder, `${account}.json`);
  const database = holdFile(file);
  if (database === null) throw new AccountInUseError(inUse(note));
  let server: Server | null;
  try {
    server = await lockSocket(socketName(account, env));
  } catch (error) {
    database.close();
    throw error;
  }
  if (server === null) {
    database.close();
    throw new AccountInUseError(inUse(note));
  }
  // Two starts may race, so each process writes its own draft.
  replaceFile(note, JSON.stringify({ pid: process.pid, ...holder }), { draft: `${note}.${process.pid}` });
  const epochs = join(folder, `${account}.epoch`);
  return {
    account,
    lastEpoch: epochIn(epochs),
    noteEpoch: (epoch) => replaceFile(epochs, `${epoch}\n`),
    release: () => {
      rmSync(note, { force: true });
      server.close();
      if (database.isOpen) database.close();
    },
  };
}

/**
 * The latest epoch of client ids that any bot on this machine used, for whatever account; 0 if none. It needs no key: a stopped bot may be
 * operated by someone who has none.
 */
export function latestEpoch(env: AccountLockOptions['env']): number {
  const folder = lockFolder(env);
  return Math.max(
    0,
    ...namesIn(folder)
      .filter((name) => name.endsWith('.epoch'))
      .map((name) => epochIn(join(folder, name))),
  );
}

/** Returns 0 for a missing or damaged file; the epochs then start from the clock. */
function epochIn(path: string): number {
  try {
    const epoch = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(epoch) && epoch > 0 ? epoch : 0;
  } catch {
    return 0;
  }
}

/** Name of the abstract socket. It contains the folder only if STATE_VARIABLE is set. */
function socketName(account: string, env: AccountLockOptions['env']): string {
  const given = env[STATE_VARIABLE];
  const place = given === undefined || given === '' ? '' : hash('sha256', resolve(given)).slice(0, 16);
  return `\0tickwright-${account}${place}`;
}

/** Returns null if another process listens on the socket. Outside Linux only the file lock is used. */
function lockSocket(name: string): Promise<Server | null> {
  const server = createServer((socket) => socket.destroy());
  server.unref();
  if (process.platform !== 'linux') return Promise.resolve(server);
  return new Promise((done, fail) => {
    server.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)));
    server.listen({ path: name }, () => done(server));
  });
}

function inUse(note: string): string {
  let who = 'another process';
  try {
    const { pid, bot, store } = JSON.parse(readFileSync(note, 'utf8')) as Record<string, unknown>;
    who = `process ${String(pid)} (bot ${String(bot)}, store ${String(store)})`;
  } catch {
    // The holder has not written its note yet, or uses another state folder.
  }
  return `${who} already trades on this account: stop it first, because two bots on one account would work against each other`;
}
