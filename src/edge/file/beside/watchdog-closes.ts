/**
 * The closes of a watchdog: a file beside the store. Each close is on the disk before it leaves. While the file is there, the bot sends no
 * close of its own. A bot that lives again takes the file away by renaming it, and the watchdog looks for it right before the bytes of each
 * close leave: so one of the two closes, and the bot knows of all that may have left.
 */
import { closeSync, constants, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CloseFate, CloseFill, NamedLeg, WatchdogClose } from '../../../domain/messages/watchdog.ts';
import { syncFolder } from '../sync-folder.ts';
import { beside } from './beside.ts';

/** The positions of a silent bot are closed from here on. */
export interface ClosingAct {
  /** Epoch of the client ids of the silent bot. */
  readonly epoch: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly legs: readonly NamedLeg[];
  /** By leg: how many client ids of its closes were used before, in this epoch. */
  readonly used: readonly (readonly [leg: number, count: number])[];
}

/** A close with what became of it, undefined while that is not known, and with its fill once it ended. */
export interface NotedClose extends WatchdogClose {
  readonly fate: CloseFate | undefined;
  readonly fill?: CloseFill | undefined;
}

export interface NotedCloses {
  /** The newest; null if none can be read. */
  readonly act: ClosingAct | null;
  readonly closes: readonly NotedClose[];
}

type Line =
  | { readonly act: ClosingAct }
  | { readonly close: WatchdogClose }
  | { readonly fate: CloseFate; readonly of: string; readonly fill?: CloseFill };

export class WatchdogCloses {
  readonly path: string;
  readonly #taken: string;
  readonly #done: string;

  /** Takes the state folder. The files lie beside it, so that deleting the folder keeps them. */
  constructor(folder: string) {
    this.path = beside(folder, '.watchdog-closes');
    this.#taken = `${this.path}.taken`;
    this.#done = `${this.path}.done`;
  }

  /** True while the watchdog may close. One look at the file system. */
  get isThere(): boolean {
    return isThere(this.path, false);
  }

  /** True while the bot must not close: the watchdog may, or the bot does not have all its closes in the journal. */
  get isHeld(): boolean {
    return isThere(this.path, true) || isThere(this.#taken, true);
  }

  /** Files with closes that the bot's journal does not have yet. */
  get held(): readonly string[] {
    return [this.path, this.#taken].filter((path) => isThere(path, false));
  }

  /** On the disk on return. @throws Error of node:fs */
  begin(act: ClosingAct): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#add({ act }, constants.O_CREAT);
    syncFolder(dirname(this.path));
  }

  /** Notes a close before it leaves: on the disk on return. @throws Error of node:fs, also if the bot has taken the file */
  close(close: WatchdogClose): void {
    this.#add({ close });
  }

  /** Notes what became of a close. @throws Error of node:fs */
  became(of: string, fate: CloseFate, fill?: CloseFill): void {
    this.#add(fill === undefined ? { of, fate } : { of, fate, fill });
  }

  /** What the watchdog noted and no bot has taken. */
  read(): NotedCloses {
    return notedIn([this.path]);
  }

  /** The same with what bots have taken: their client ids are used. */
  readAll(): NotedCloses {
    return notedIn([this.#done, this.#taken, this.path]);
  }

  /** Of the bot: takes the file. The watchdog closes nothing more by it. Null if there is none. @throws Error of node:fs */
  take(): NotedCloses | null {
    if (!isThere(this.#taken, false)) {
      if (!isThere(this.path, false)) return null;
      renameSync(this.path, this.#taken);
      syncFolder(dirname(this.path));
    }
    return notedIn([this.#taken]);
  }

  /** Of the bot: its journal has what was taken. The numbers in it are used, so it is kept. @throws Error of node:fs */
  imported(): void {
    renameSync(this.#taken, this.#done);
  }

  #add(line: Line, also = 0): void {
    const file = openSync(this.path, constants.O_WRONLY | constants.O_APPEND | also, 0o600);
    try {
      // A line that was cut off by the end of its writer must not take this one with it.
      writeSync(file, `\n${JSON.stringify(line)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/** `unclear`: the answer if the file system does not say. */
function isThere(path: string, unclear: boolean): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return unclear;
  }
}

function notedIn(paths: readonly string[]): NotedCloses {
  let act: ClosingAct | null = null;
  const closes = new Map<string, NotedClose>();
  for (const line of paths.flatMap(linesIn)) {
    if ('act' in line) act = line.act;
    else if ('close' in line) closes.set(line.close.clientId, { ...line.close, fate: undefined });
    else {
      const close = closes.get(line.of);
      if (close !== undefined) closes.set(line.of, { ...close, fate: line.fate, fill: line.fill });
    }
  }
  return { act, closes: [...closes.values()] };
}

/** Without lines that were not written to their end: nothing has left by them. */
function linesIn(path: string): Line[] {
  return textOf(path)
    .split('\n')
    .flatMap((text) => {
      try {
        const line = JSON.parse(text) as Partial<Record<'act' | 'close' | 'of', unknown>> | null;
        const isLine = typeof line?.act === 'object' || typeof line?.close === 'object' || typeof line?.of === 'string';
        return isLine ? [line as Line] : [];
      } catch {
        return [];
      }
    });
}

/** "" if there is no such file. @throws Error of node:fs */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
