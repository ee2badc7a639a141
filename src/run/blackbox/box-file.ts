/**
 * The file of a black box: one JSON object a line. The first says what the box is and has the texts of the strategies, the second is the head of the
 * session, the others are its entries. A person can read it before it is sent.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Failure } from '../../base/failure/failure.ts';
import { isRecord } from '../../base/fields.ts';
import { Packer } from '../../edge/file/pack.ts';
import { SessionWriter } from '../../edge/file/session-file.ts';
import type { SourceFile } from '../../engine/strategy/definition/source.ts';
import type { Entry, Head } from '../session/entries.ts';

export interface BoxTop {
  readonly blackbox: 1;
  /** What it holds, a sentence each. */
  readonly holds: readonly string[];
  readonly replays: boolean;
  /** Files of the strategies; paths are relative, and those of the head as well. */
  readonly files: readonly SourceFile[];
}

/** Ending of a file that is compressed by zstd. */
const PACKED = '.zst';
/** Bytes of packed entries in a block. */
const BLOCK = 262_144;

/** Numbers that JSON does not have. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === 'number' && (!Number.isFinite(one) || Object.is(one, -0)) ? { $number: Object.is(one, -0) ? '-0' : String(one) } : one,
  );
}

export function ofJson(line: string): unknown {
  return JSON.parse(line, (_key, one: unknown) => (isRecord(one) && typeof one['$number'] === 'string' ? Number(one['$number']) : one));
}

/** @throws Failure (report-unwritable) */
export function writeBox(file: string, top: BoxTop, head: Head, entries: Iterable<Entry>): void {
  try {
    const lines: Buffer[] = [top, head].map((one) => Buffer.from(`${toJson(one)}\n`));
    for (const entry of entries) lines.push(Buffer.from(`${toJson(entry)}\n`));
    const whole = Buffer.concat(lines);
    writeFileSync(file, file.endsWith(PACKED) ? zstdCompressSync(whole) : whole, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new Failure(
      'report-unwritable',
      { what: `the black box cannot be written: ${(cause as Error).message}`, where: file },
      { cause },
    );
  }
}

/** True for a file: a session is a folder. */
export function isBox(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function textOf(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith(PACKED) ? zstdDecompressSync(bytes) : bytes).toString('utf8');
}

/** Makes a session of a black box in a new folder `into`, and returns the folder of the session. @throws Failure */
export function openBox(file: string, into: string): { readonly top: BoxTop; readonly session: string } {
  let top: BoxTop;
  let head: Head;
  let rest: readonly string[];
  try {
    const [first = '', second = '', ...others] = textOf(file).split('\n');
    rest = others;
    top = ofJson(first) as BoxTop;
    head = ofJson(second) as Head;
    if (top.blackbox !== 1) throw new RangeError(`expected a black box of version 1, found ${first.slice(0, 40)}`);
  } catch (cause) {
    throw new Failure('session-unreadable', { what: 'the black box is not whole', where: file }, { cause });
  }
  const session = join(into, 'session');
  for (const one of top.files) writeSource(into, one);
  const writer = new SessionWriter(session);
  const packer = new Packer();
  // Its strategies are those of somebody else: they run guarded, whatever the setting of their bot was.
  const config = { ...head.config, strategyGuard: 'on' };
  packer.put({ ...head, config, strategies: head.strategies.map((choice) => ({ ...choice, file: placeIn(into, choice.file) })) });
  for (const line of rest) {
    if (line !== '') packer.put(ofJson(line));
    if (packer.length > BLOCK) writer.write(packer.take());
  }
  writer.write(packer.take());
  writer.close();
  return { top, session };
}

/** Calls `use` with the session of a black box, in a folder that is gone afterwards. @throws Failure, or what `use` throws */
export async function withBox<T>(file: string, use: (session: string, top: BoxTop) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'tickwright-blackbox-'));
  try {
    const { session, top } = openBox(file, folder);
    return await use(session, top);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Failure */
export function writeSource(into: string, { file, text }: SourceFile): void {
  const path = placeIn(into, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o600 });
}

/** A box comes from somebody else: no file outside of its folder is written, or run as a strategy. @throws Failure */
function placeIn(folder: string, file: string): string {
  const path = resolve(folder, file);
  if (!path.startsWith(resolve(folder) + sep))
    throw new Failure('session-unreadable', { what: `the black box has a file outside of its folder: ${file}` });
  return path;
}
