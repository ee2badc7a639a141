/**
 * The entries of a zip archive, read one after the other in constant memory: stored and deflated ones, archives beyond 4 GB included. What
 * an archive of recordings never is (encrypted, of several volumes) is refused.
 */
import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { TapeError } from '../../file/error.ts';

export interface ZipEntry {
  readonly name: string;
  readonly bytes: number;
  open(): Readable;
}

const END_MARK = 0x06054b50;
const END64_MARK = 0x06064b50;
const END64_PLACE_MARK = 0x07064b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const COMMENT_MAX = 65_535;
const LARGE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

/** All entries that are files, in the archive's order. @throws TapeError malformed | unsupported */
export function zipEntries(file: string): ZipEntry[] {
  const handle = openSync(file, 'r');
  try {
    const size = statSync(file).size;
    const { count, at, bytes } = directoryOf(handle, size, file);
    const directory = readAt(handle, at, bytes, file);
    const entries: ZipEntry[] = [];
    for (let n = 0, from = 0; n < count; n++) {
      const { entry, next } = entryAt(directory, from, handle, file);
      if (!entry.name.endsWith('/')) entries.push(entry);
      from = next;
    }
    return entries;
  } finally {
    closeSync(handle);
  }
}

interface Directory {
  readonly count: number;
  readonly at: number;
  readonly bytes: number;
}

function directoryOf(handle: number, size: number, file: string): Directory {
  const tailBytes = Math.min(size, END_BYTES + COMMENT_MAX);
  const tail = readAt(handle, size - tailBytes, tailBytes, file);
  let end = tail.length - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_MARK) end--;
  if (end < 0) throw broken(file, 'its directory is missing');
  const found = { count: tail.readUInt16LE(end + 10), bytes: tail.readUInt32LE(end + 12), at: tail.readUInt32LE(end + 16) };
  if (found.at !== LARGE && found.count !== 0xffff) return found;
  const place = end - 20;
  if (place < 0 || tail.readUInt32LE(place) !== END64_PLACE_MARK) throw broken(file, 'its directory is missing');
  const wide = readAt(handle, Number(tail.readBigUInt64LE(place + 8)), 56, file);
  if (wide.readUInt32LE(0) !== END64_MARK) throw broken(file, 'its directory is missing');
  return { count: Number(wide.readBigUInt64LE(32)), bytes: Number(wide.readBigUInt64LE(40)), at: Number(wide.readBigUInt64LE(48)) };
}

function entryAt(directory: Buffer, at: number, handle: number, file: string): { entry: ZipEntry; next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_MARK) throw broken(file, 'its directory ends too early');
  const flags = directory.readUInt16LE(at + 8);
  const method = directory.readUInt16LE(at + 10);
  const nameBytes = directory.readUInt16LE(at + 28);
  const extraBytes = directory.readUInt16LE(at + 30);
  const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
  const extra = directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
  const sizes = wideSizes(extra, directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42));
  const next = at + 46 + nameBytes + extraBytes + directory.readUInt16LE(at + 32);
  if ((flags & 1) !== 0)
    throw new TapeError('unsupported', `an archive without a password was expected, found ${name} encrypted`, file, 'unpack it first');
  if (method !== STORED && method !== DEFLATED) {
    throw new TapeError(
      'unsupported',
      `entries that are stored or deflated were expected, found method ${method}`,
      `${file}!${name}`,
      'unpack it first',
    );
  }
  const local = readAt(handle, sizes.at, 30, file);
  if (local.readUInt32LE(0) !== LOCAL_MARK) throw broken(file, `no entry begins where ${name} should`);
  const start = sizes.at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  return {
    entry: {
      name,
      bytes: sizes.raw,
      open: () => checked(openEntry(file, start, sizes.packed, method), directory.readUInt32LE(at + 16), `${file}!${name}`),
    },
    next,
  };
}

/** Sizes of an entry; those that do not fit 32 bits follow in its extra field, in this order. */
function wideSizes(extra: Buffer, raw: number, packed: number, at: number): { raw: number; packed: number; at: number } {
  for (let from = 0; from + 4 <= extra.length; from += 4 + extra.readUInt16LE(from + 2)) {
    if (extra.readUInt16LE(from) !== 1) continue;
    let field = from + 4;
    const take = (narrow: number): number => {
      if (narrow !== LARGE || field + 8 > extra.length) return narrow;
      const value = Number(extra.readBigUInt64LE(field));
      field += 8;
      return value;
    };
    return { raw: take(raw), packed: take(packed), at: take(at) };
  }
  return { raw, packed, at };
}

function openEntry(file: string, start: number, bytes: number, method: number): Readable {
  const packed = createReadStream(file, { start, end: start + Math.max(0, bytes - 1), highWaterMark: 1 << 18 });
  if (method === STORED) return packed;
  const unpacked = createInflateRaw({ chunkSize: 1 << 18 });
  packed.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => packed.destroy());
  return packed.pipe(unpacked);
}

/** The bytes of an entry, whose checksum is compared at the end. */
function checked(entry: Readable, checksum: number, name: string): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    let sum = 0;
    for await (const piece of entry as AsyncIterable<Buffer>) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== checksum) throw broken(name, 'the checksum of its bytes is another');
  }
  return Readable.from(bytes(), { objectMode: false });
}

function readAt(handle: number, at: number, bytes: number, file: string): Buffer {
  // A damaged length must not reserve memory.
  if (bytes > fstatSync(handle).size - at) throw broken(file, 'it ends too early');
  const buffer = Buffer.alloc(bytes);
  for (let have = 0; have < bytes;) {
    const got = readSync(handle, buffer, have, bytes - have, at + have);
    if (got === 0) throw broken(file, 'it ends too early');
    have += got;
  }
  return buffer;
}

function broken(file: string, what: string): TapeError {
  return new TapeError('malformed', `a whole zip archive was expected: ${what}`, file, 'fetch the file again');
}
