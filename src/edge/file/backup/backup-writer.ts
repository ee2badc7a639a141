/** Writes a backup beside its name, and gives it the name once it is complete and synced: whatever happens, no half file has the name. */
import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Failure } from '../../../base/failure/failure.ts';
import { syncFolder } from '../sync-folder.ts';
import type { BackupEnd, BackupHead, RecordLine, ValueLine } from './backup-format.ts';

/** Text of one member of the file. */
const MEMBER_CHARACTERS = 1 << 18;
const LEVEL = { level: 3 };

export class BackupWriter {
  readonly path: string;
  /** The file until it is published. */
  readonly draft: string;
  readonly #sum = createHash('sha256');
  #lines: string[] = [];
  #characters = 0;
  #file: number;
  #values = 0;
  #records = 0;

  /** @throws Failure backup-exists, or the error of node:fs */
  constructor(path: string, head: BackupHead) {
    this.path = path;
    if (existsSync(path)) throw exists(path);
    this.draft = `${path}.${process.pid}.part`;
    removeLeft(path);
    this.#file = openSync(this.draft, 'wx', 0o600);
    this.#put(head);
  }

  value(key: string, text: string): void {
    this.#values++;
    this.#put(['value', key, text] satisfies ValueLine);
  }

  record(position: number, seq: number, time: number, data: Readonly<Record<string, unknown>>, kind: string): void {
    this.#records++;
    this.#put(['record', position, seq, time, data, kind] satisfies RecordLine);
  }

  /** Writes the sums. The file is complete and synced then, and has not its name yet. */
  end(): void {
    this.#write();
    const end: BackupEnd = { end: true, values: this.#values, records: this.#records, sha256: this.#sum.digest('hex') };
    this.#out(`${JSON.stringify(end)}\n`);
    fsyncSync(this.#file);
    this.#close();
  }

  /** Gives the file its name. @throws Failure backup-exists */
  publish(): void {
    try {
      linkSync(this.draft, this.path);
      rmSync(this.draft);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST' || existsSync(this.path)) throw exists(this.path);
      // A file system without links.
      renameSync(this.draft, this.path);
    }
    syncFolder(dirname(this.path));
  }

  /** Leaves nothing. */
  discard(): void {
    this.#close();
    rmSync(this.draft, { force: true });
  }

  #put(line: unknown): void {
    const text = `${JSON.stringify(line)}\n`;
    this.#sum.update(text);
    this.#lines.push(text);
    this.#characters += text.length;
    if (this.#characters >= MEMBER_CHARACTERS) this.#write();
  }

  #write(): void {
    if (this.#lines.length === 0) return;
    this.#out(this.#lines.join(''));
    this.#lines = [];
    this.#characters = 0;
  }

  #out(text: string): void {
    const bytes = gzipSync(text, LEVEL);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
  }

  #close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
  }
}

function exists(path: string): Failure {
  return new Failure('backup-exists', { what: `there is a file ${path} already`, hint: 'name another file, or move it away' });
}

/** Removes what killed backups of the same name left. */
function removeLeft(path: string): void {
  const name = `${basename(path)}.`;
  for (const found of readdirSync(dirname(path))) {
    const pid = found.startsWith(name) ? /^(\d+)\.part$/.exec(found.slice(name.length))?.[1] : undefined;
    if (pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid)))) rmSync(join(dirname(path), found), { force: true });
  }
}

/** True if a process has this number and has not ended. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
