/**
 * Halts that a person asked for and no bot has taken yet: one file per request in a folder beside the store. While the folder exists, a
 * running bot sends no opening order. The bot takes each request as a command and removes its file once the halt is durable, and the folder
 * with the last one. So a request counts from the moment it is written, whatever becomes of the control socket.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileFaultOf } from '../../../base/failure/file-fault.ts';
import { beside } from './beside.ts';
import { SpareRoom } from './spare-room.ts';
import { syncFolder } from '../sync-folder.ts';

export interface HaltRequest {
  readonly id: string;
  readonly name: 'halt' | 'kill';
  /** A symbol, a leg or a strategy as it was typed; "" for the whole bot. */
  readonly scope: string;
  readonly by: string;
  readonly why: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /**
   * Set if it is about a process, not about the bot: one that issues client ids of this epoch or an earlier one opens nothing, and ends. A later
   * one forgets it.
   */
  readonly epoch?: number | undefined;
  /**
   * True if whoever asks cancels the opening orders at the venue itself. The bot then cancels them too, which shows it what has become of those
   * that no read shows.
   */
  readonly cancelsOpens?: boolean | undefined;
}

/** How often a request is written again after a bot removed the empty folder under it. */
const TRIES = 1_000;

export class HaltRequests {
  readonly path: string;
  readonly #spare: SpareRoom;

  /** Takes the state folder. The requests lie beside it, so that deleting it keeps them. */
  constructor(folder: string) {
    this.path = beside(folder, '.halt-requests');
    this.#spare = new SpareRoom(folder);
  }

  /** One look at the file system, about a microsecond. A folder that cannot be looked at counts as a request. */
  get isEmpty(): boolean {
    try {
      return statSync(this.path, MAY_BE_MISSING) === undefined;
    } catch {
      return false;
    }
  }

  /** On the disk on return. @throws Failure disk-full, or the error of node:fs */
  add(request: HaltRequest): void {
    try {
      for (let left = TRIES; !this.#isWritten(request, left); left--);
    } catch (error) {
      this.#tidyQuietly();
      throw error;
    }
    for (const folder of [this.path, dirname(this.path)]) syncIfThere(folder);
  }

  /** True if the request waits for a bot. */
  has(id: string): boolean {
    return statSync(this.#file(id), MAY_BE_MISSING) !== undefined;
  }

  /** The oldest first. A file that cannot be read counts as a halt of the whole bot. */
  read(): readonly HaltRequest[] {
    return namesIn(this.path)
      .map((name) => this.#requestIn(name))
      .sort((a, b) => a.time - b.time);
  }

  /** Forgets a request, and lets the bot open again if it was the last. @throws Error of node:fs */
  remove(id: string): void {
    rmSync(this.#file(id), { force: true });
    this.tidy();
  }

  /** Removes the folder if it is empty. */
  tidy(): void {
    try {
      rmdirSync(this.path);
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].some((code) => isErrno(error, code))) throw error;
    }
  }

  #tidyQuietly(): void {
    try {
      this.tidy();
    } catch {
      // Why the request could not be written is told: that says more.
    }
  }

  /** False if a bot removed the empty folder meanwhile. */
  #isWritten(request: HaltRequest, left: number): boolean {
    this.#makeFolder();
    try {
      this.#spare.replace(this.#file(request.id), `${JSON.stringify(request)}\n`, `${this.path}.${request.id}`);
      return true;
    } catch (error) {
      if (left > 0 && isErrno(error, 'ENOENT')) return false;
      throw error;
    }
  }

  #makeFolder(): void {
    const make = (): void => void mkdirSync(this.path, { recursive: true, mode: 0o700 });
    try {
      make();
    } catch (error) {
      if (fileFaultOf(error) !== 'full') throw error;
      this.#spare.free();
      make();
    }
    this.#spare.give(this.path);
  }

  #requestIn(name: string): HaltRequest {
    const id = name.slice(0, -ENDING.length);
    let problem: unknown = 'it is not a request';
    try {
      const request: unknown = JSON.parse(readFileSync(join(this.path, name), 'utf8'));
      if (isRequest(request)) return { ...request, id };
    } catch (error) {
      problem = error;
    }
    return { id, name: 'halt', scope: '', by: 'unknown', why: `${join(this.path, name)} cannot be read: ${String(problem)}`, time: 0 };
  }

  #file(id: string): string {
    return join(this.path, `${id}${ENDING}`);
  }
}

const ENDING = '.json';
const MAY_BE_MISSING = { throwIfNoEntry: false } as const;

function namesIn(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => name.endsWith(ENDING));
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return [];
    throw error;
  }
}

function isRequest(value: unknown): value is HaltRequest {
  if (typeof value !== 'object' || value === null) return false;
  const { name, scope, by, why, time, epoch = 0, cancelsOpens = false } = value as Partial<Record<keyof HaltRequest, unknown>>;
  const isText = [scope, by, why].every((text) => typeof text === 'string');
  return (
    isText &&
    (name === 'halt' || name === 'kill') &&
    typeof time === 'number' &&
    typeof epoch === 'number' &&
    typeof cancelsOpens === 'boolean'
  );
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code;
}

/** The folder may be gone already: a bot took the request at once. */
function syncIfThere(folder: string): void {
  try {
    syncFolder(folder);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}
