/**
 * The files of a recorded session: a folder of segments, each a list of blocks. A block has a length, a checksum that also covers the
 * earlier blocks, and compressed packed entries. Reading ends before the first block that is incomplete or was changed.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Failure } from '../../base/failure/failure.ts';
import { Unpacker } from './pack.ts';

const MAGIC = Buffer.from('TWSESS1\n');
/** That of another version of these files. */
const OTHER_MAGIC = /^TWSESS(\d+)\n/;
/** Header: length of the body (4 bytes), checksum (4), form (1). */
const HEADER = 9;
const PLAIN = 0;
const ZSTD = 1;
/** Longest valid block; a larger length means damage. */
const BLOCK_MAX = 256 * 1_048_576;
const LEVEL = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** Blocks that are unpacked in one call, which costs more than most blocks. Older versions of Node.js unpack only the first of several. */
const BLOCKS_AT_ONCE = unpacksSeveral() ? 64 : 1;

/** Writes one session. Each call of `write` is one block, which a reader gets completely or not at all. */
export class SessionWriter {
  /** Bytes on disk so far. */
  bytes = 0;
  readonly folder: string;
  #segment = 0;
  #inSegment = 0;
  #file = -1;
  #sum = 0;

  /** Creates the folder. @throws Error of node:fs */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.nextSegment();
  }

  /** Bytes of the current segment. */
  get segmentBytes(): number {
    return this.#inSegment;
  }

  /** Continues in a new file, whose entries start a new stream of the packer. */
  nextSegment(): void {
    this.close();
    this.#segment++;
    this.#file = openSync(join(this.folder, segmentName(this.#segment)), 'wx', 0o600);
    this.#inSegment = 0;
    this.#append(MAGIC);
  }

  /** @throws Error of node:fs */
  write(entries: Buffer): void {
    const packed = zstdCompressSync(entries, LEVEL);
    const isSmaller = packed.length < entries.length;
    const body = isSmaller ? packed : entries;
    const block = Buffer.allocUnsafe(HEADER + body.length);
    block.writeUInt32LE(body.length, 0);
    block.writeUInt8(isSmaller ? ZSTD : PLAIN, 8);
    body.copy(block, HEADER);
    this.#sum = sumOf(block, this.#sum);
    block.writeUInt32LE(this.#sum, 4);
    this.#append(block);
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
  }

  #append(bytes: Buffer): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#file, bytes, at);
    this.bytes += bytes.length;
    this.#inSegment += bytes.length;
  }
}

/** The place where reading a session ended early. */
export interface Cut {
  readonly file: string;
  readonly offset: number;
  /** Number of bytes from there on that are ignored. */
  readonly bytes: number;
}

/** Reads a session from its beginning. */
export class SessionReader {
  readonly folder: string;
  /** After all entries were read: the ignored end, or null. */
  cut: Cut | null = null;

  /** @throws Failure session-missing */
  constructor(folder: string) {
    this.folder = folder;
    if (!isSession(folder))
      throw new Failure('session-missing', { what: 'expected the folder of a recorded session, found none', where: folder });
  }

  /** Yields the entries in order, up to the first damaged block. @throws Failure session-version */
  *entries(): Generator {
    let sum = 0;
    for (let segment = 1; ; segment++) {
      const path = join(this.folder, segmentName(segment));
      if (!existsSync(path)) return;
      const bytes = readFileSync(path);
      const unpacker = new Unpacker();
      let at = MAGIC.length;
      if (!bytes.subarray(0, at).equals(MAGIC)) {
        const other = OTHER_MAGIC.exec(bytes.subarray(0, 16).toString('latin1'))?.[1];
        if (other !== undefined) throw ofOtherVersion(this.folder, other);
        return this.#cut(path, 0, bytes.length);
      }
      while (at < bytes.length) {
        const blocks = blocksAt(bytes, at, sum);
        if (blocks === null) return this.#cut(path, at, bytes.length);
        sum = blocks.sum;
        unpacker.feed(blocks.entries);
        while (!unpacker.isAtEnd) yield unpacker.next();
        at = blocks.end;
      }
    }
  }

  #cut(file: string, offset: number, length: number): void {
    this.cut = { file, offset, bytes: length - offset };
  }
}

/** The files or their head have another version than 1; `program` is the version of Tickwright that recorded them, "" if it is not known. */
export function ofOtherVersion(folder: string, version: string, program = ''): Failure {
  const by = program === '' ? 'another version of Tickwright' : `Tickwright ${program}`;
  const what = `the recording was made by ${by}: its format is ${version}, and this version reads format 1`;
  return new Failure('session-version', { what, where: folder, hint: 'nothing was changed: read it with the version that recorded it' });
}

interface Block {
  readonly form: number;
  readonly body: Buffer;
  readonly sum: number;
  readonly end: number;
}

interface Blocks extends Pick<Block, 'sum' | 'end'> {
  readonly entries: Buffer;
}

/** The next blocks of one form; null if the first is incomplete or was changed. */
function blocksAt(bytes: Buffer, at: number, before: number): Blocks | null {
  const first = blockAt(bytes, at, before);
  if (first === null) return null;
  const bodies = [first.body];
  let last = first;
  while (bodies.length < BLOCKS_AT_ONCE) {
    const next = blockAt(bytes, last.end, last.sum);
    if (next?.form !== first.form) break;
    bodies.push(next.body);
    last = next;
  }
  const body = bodies.length === 1 ? first.body : Buffer.concat(bodies);
  return { entries: first.form === ZSTD ? zstdDecompressSync(body) : body, sum: last.sum, end: last.end };
}

function blockAt(bytes: Buffer, at: number, before: number): Block | null {
  if (at + HEADER > bytes.length) return null;
  const length = bytes.readUInt32LE(at);
  const end = at + HEADER + length;
  if (length > BLOCK_MAX || end > bytes.length) return null;
  const block = bytes.subarray(at, end);
  const sum = sumOf(block, before);
  return sum === block.readUInt32LE(4) ? { form: block.readUInt8(8), body: block.subarray(HEADER), sum, end } : null;
}

function unpacksSeveral(): boolean {
  const one = zstdCompressSync(Buffer.alloc(1));
  return zstdDecompressSync(Buffer.concat([one, one])).length === 2;
}

/** Covers the whole block except the checksum itself. */
function sumOf(block: Buffer, before: number): number {
  return crc32(block.subarray(8), crc32(block.subarray(0, 4), before));
}

function segmentName(number: number): string {
  return `${String(number).padStart(6, '0')}.seg`;
}

function isSession(folder: string): boolean {
  return existsSync(join(folder, segmentName(1)));
}

/** Returns the session folders at `path`, the oldest first: `path` itself, or the sessions inside it. */
export function sessionsIn(path: string): string[] {
  if (!existsSync(path) || !statSync(path).isDirectory()) return [];
  if (isSession(path)) return [path];
  return readdirSync(path)
    .sort()
    .map((name) => join(path, name))
    .filter((folder) => statSync(folder).isDirectory() && isSession(folder));
}

export interface SessionBounds {
  /** Limit in bytes for all sessions together. */
  readonly maxBytes: number;
  /** Removes sessions whose last block is older than this, in milliseconds since 1970. */
  readonly notBefore: number;
  /** Folder of the session being written, which is never removed. */
  readonly running: string;
}

/** Removes sessions, the oldest first, until the rest is within the bounds. Returns the bytes that are left. @throws Error of node:fs */
export function pruneSessions(folder: string, { maxBytes, notBefore, running }: SessionBounds): number {
  const sessions = sessionsIn(folder).map((path) => ({ path, ...usageOf(path) }));
  let total = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes, writtenAt } of sessions) {
    if (path === running || (total <= maxBytes && writtenAt >= notBefore)) continue;
    rmSync(path, { recursive: true, force: true });
    total -= bytes;
  }
  return total;
}

/** When a session began, by the name of its folder, which is that time; null for a folder with another name. */
export function startOf(session: string): number | null {
  const found = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)-(\d{3}Z)$/.exec(session);
  return found === null ? null : Date.parse(`${found[1]}:${found[2]}:${found[3]}.${found[4]}`);
}

/** How large a session is, and when it was last written. */
export function usageOf(session: string): { readonly bytes: number; readonly writtenAt: number } {
  const files = readdirSync(session, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(session, name)))
    .filter((one) => one.isFile());
  return { bytes: files.reduce((sum, { size }) => sum + size, 0), writtenAt: Math.max(0, ...files.map(({ mtimeMs }) => mtimeMs)) };
}
