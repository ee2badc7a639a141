/**
 * One bot per account on this machine, whatever its store folder or bot id. Two locks, both freed by the kernel when the process
 * ends: an exclusive SQLite lock on a file in a per-user state folder, and on Linux an abstract Unix socket. The file holds where
 * network namespaces differ (containers on one volume), the socket where the file was deleted or the user differs.
 */
import { hash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { replaceFile } from './replace-file.ts';

/** Names the folder of the locks. Two bots that name different folders do not see each other: for tests and containers. */
export const STATE_VARIABLE = 'TICKWRIGHT_STATE_HOME';

export interface AccountLockOptions {
  /** Scheme, host and port of the venue. */
  readonly origin: string;
  readonly isLoopback: boolean;
  /** Id of the API key, which stands for the account. Only its hash is written or shown. */
  readonly key: string;
  /** What the holder says about itself to a bot that is refused. */
  readonly holder: { readonly bot: string; readonly store: string };
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface AccountLock {
  /** Stands for the account: 32 hexadecimal digits of a hash. */
  readonly account: string;
  /** The latest epoch of client ids that a bot of this machine began on the account; 0 for none. */
  readonly lastEpoch: number;
  /** Remembers an epoch before any id of it is used, whatever becomes of the bot's store. */
  noteEpoch(epoch: number): void;
  release(): void;
}

/** Another process holds the account. */
export class AccountInUseError extends Error {
  override readonly name = 'AccountInUseError';
}

/** The account as a hash: every address of this machine counts as one, so that `localhost` is not another account. */
function accountOf(origin: string, isLoopback: boolean, key: string): string {
  const url = new URL(origin);
  const place = isLoopback ? `loopback:${url.port || url.protocol}` : url.origin;
  return hash('sha256', `${place}\n${key}`).slice(0, 32);
}

/** The per-user folder for what belongs to the machine and not to one bot's store. */
function stateFolder(env: AccountLockOptions['env']): string {
  const given = env[STATE_VARIABLE];
  if (given !== undefined && given !== '') return resolve(given);
  const xdg = env['XDG_STATE_HOME'];
  if (xdg !== undefined && xdg.startsWith('/')) return join(xdg, 'tickwright');
  const windows = env['LOCALAPPDATA'];
  if (process.platform === 'win32' && windows !== undefined) return join(windows, 'tickwright');
  return join(homedir(), '.local', 'state', 'tickwright');
}

/** Takes both locks or none. @throws AccountInUseError, or the file system's error when the state folder cannot be used */
export async function takeAccountLock(options: AccountLockOptions): Promise<AccountLock> {
  const { origin, isLoopback, key, env, holder } = options;
  const account = accountOf(origin, isLoopback, key);
  const folder = join(stateFolder(env), 'locks');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${account}.lock`);
  const note = join(folder, `${account}.json`);
  const database = lockFile(file);
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
  // Starts may race: each has a draft of its own.
  replaceFile(note, JSON.stringify({ pid: process.pid, ...holder }), `${note}.${process.pid}`);
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

/** A file that is missing or damaged says nothing: epochs then begin by the clock. */
function epochIn(path: string): number {
  try {
    const epoch = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(epoch) && epoch > 0 ? epoch : 0;
  } catch {
    return 0;
  }
}

/** null when another process has it. The file is never opened but by SQLite: closing it elsewhere would drop the lock. */
function lockFile(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    if (process.platform !== 'win32') chmodSync(file, 0o600);
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** SQLite's result codes for "another connection has it". */
function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : -1;
  return code === 5 || code === 6;
}

/** The folder is part of the name only when it was named on purpose. */
function socketName(account: string, env: AccountLockOptions['env']): string {
  const given = env[STATE_VARIABLE];
  const place = given === undefined || given === '' ? '' : hash('sha256', resolve(given)).slice(0, 16);
  return `\0tickwright-${account}${place}`;
}

/** null when another process listens there. Elsewhere than on Linux the file alone has to do. */
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
    // The holder has not written its note yet, or it runs with another state folder.
  }
  return `${who} trades on this account already: stop it first, two bots on one account would fight`;
}
