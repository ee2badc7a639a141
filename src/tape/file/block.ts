/**
 * The file of one stream: a short file header, then blocks, each a header and a zstd frame of column bytes. Every block's checksum
 * covers its header, its frame and the checksum before it, so nothing can be changed, lost or exchanged unseen.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { closeSync, openSync, readSync } from 'node:fs';
import { BLOCK_ROWS } from './codec.ts';
import { systemCode, TapeError } from './error.ts';
import { TAPE_KINDS, type StreamInfo, type TapeKind } from './manifest.ts';

export const FILE_HEADER_BYTES = 16;
const BLOCK_HEADER_BYTES = 48;
const CHECKSUM_AT = 44;
const MARK = 0x314b4254; // "TBK1"
const LEVEL = 1;
/** How blocks are laid out; the manifest has a version of its own. */
const BLOCKS_VERSION = 1;

export interface BlockHead {
  readonly rows: number;
  /** Bytes of the frame and of what it holds. */
  readonly packed: number;
  readonly raw: number;
  /** Decimals of the block's integers: a writer that meets finer values goes on at more decimals. */
  readonly priceDecimals: number;
  readonly sizeDecimals: number;
  readonly first: number;
  readonly last: number;
}

/** The first bytes of every stream file. */
export function fileHeader(kind: TapeKind): Buffer {
  const header = Buffer.alloc(FILE_HEADER_BYTES);
  header.write('TICKTAPE', 0, 'latin1');
  header.writeUInt8(BLOCKS_VERSION, 8);
  header.writeUInt8(TAPE_KINDS.indexOf(kind), 9);
  return header;
}

/** Header and frame of one block, and its checksum. */
export function packBlock(raw: Buffer, number: number, head: Omit<BlockHead, 'packed' | 'raw'>, previous: number): PackedBlock {
  const frame = zstdCompressSync(raw, {
    chunkSize: raw.length + 1024,
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
  });
  const header = Buffer.alloc(BLOCK_HEADER_BYTES);
  header.writeUInt32LE(MARK, 0);
  header.writeUInt32LE(number, 4);
  header.writeUInt32LE(head.rows, 8);
  header.writeUInt32LE(frame.length, 12);
  header.writeUInt32LE(raw.length, 16);
  header.writeUInt8(head.priceDecimals, 20);
  header.writeUInt8(head.sizeDecimals, 21);
  header.writeDoubleLE(head.first, 24);
  header.writeDoubleLE(head.last, 32);
  const checksum = crc32(frame, crc32(header.subarray(0, CHECKSUM_AT), previous));
  header.writeUInt32LE(checksum, CHECKSUM_AT);
  return { header, frame, checksum };
}

export interface PackedBlock {
  readonly header: Buffer;
  readonly frame: Buffer;
  readonly checksum: number;
}

const NOTHING = Buffer.alloc(0);

/** Size of the chunk a block is unpacked into: never so small that it comes out of memory shared with other buffers. */
function chunkBytes(raw: number): number {
  return Math.max(raw + 1024, 1 << 18);
}

/** Reads the blocks of one file, in order, into one reused buffer. */
export class BlockReader {
  readonly path: string;
  readonly #kind: TapeKind;
  /** What follows the bytes of the file. */
  readonly #tail: Uint8Array;
  readonly #fileBytes: number;
  readonly #header = Buffer.alloc(BLOCK_HEADER_BYTES);
  #frame: Buffer = NOTHING;
  #columns: Buffer = NOTHING;
  #file = -1;
  #isClosed = true;
  #at = 0;
  #block = 0;
  #checksum = 0;

  constructor(path: string, { kind, bytes, tail = NOTHING }: Pick<StreamInfo, 'kind' | 'bytes' | 'tail'>) {
    this.path = path;
    this.#kind = kind;
    this.#tail = tail;
    this.#fileBytes = bytes - tail.length;
  }

  /** Checksum of the last block that was read. */
  get checksum(): number {
    return this.#checksum;
  }

  /**
   * Reads block `number`: the one after the last, or 0 to begin again. `columns` is valid until `release`.
   * @throws TapeError missing | not-a-tape | truncated | corrupt
   */
  read(number: number): { readonly head: BlockHead; readonly columns: Buffer } {
    const head = this.skim(number);
    this.#columns = this.#unpack(number, this.#frame.subarray(0, head.packed), head.raw);
    return { head, columns: this.#columns };
  }

  /** Reads block `number` as `read` does, and checks it, but leaves it packed. */
  skim(number: number): BlockHead {
    if (this.#isClosed || number === 0) this.#begin();
    if (number !== this.#block) throw new RangeError(`block ${this.#block} was expected to be read, found ${number}`);
    const header = this.#header;
    this.#fill(header, BLOCK_HEADER_BYTES);
    const head = this.#head();
    if (this.#frame.length < head.packed) this.#frame = Buffer.allocUnsafeSlow(head.packed + (head.packed >>> 2));
    const frame = this.#frame.subarray(0, head.packed);
    this.#fill(frame, head.packed);
    const checksum = crc32(frame, crc32(header.subarray(0, CHECKSUM_AT), this.#checksum));
    if (checksum !== header.readUInt32LE(CHECKSUM_AT)) throw this.#corrupt('the checksum does not match');
    this.#checksum = checksum;
    this.#block++;
    return head;
  }

  /** Gives the last block's bytes back at once: left to the collector they pile up to tens of megabytes. */
  release(): void {
    const memory = this.#columns.buffer;
    if (memory instanceof ArrayBuffer && memory.byteLength === chunkBytes(this.#columns.length)) memory.transfer(0);
    this.#columns = NOTHING;
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file);
    this.#file = -1;
    this.#isClosed = true;
  }

  #begin(): void {
    try {
      if (this.#file < 0 && this.#fileBytes > 0) this.#file = openSync(this.path, 'r');
    } catch (error) {
      throw unreadable(this.path, error);
    }
    this.#isClosed = false;
    this.#at = 0;
    this.#block = 0;
    const expected = fileHeader(this.#kind);
    const found = Buffer.alloc(FILE_HEADER_BYTES);
    this.#fill(found, FILE_HEADER_BYTES);
    if (!found.equals(expected)) {
      throw new TapeError(
        'not-a-tape',
        `a file of ${this.#kind} of format ${BLOCKS_VERSION} was expected, found other bytes`,
        this.path,
        REDO,
      );
    }
    this.#checksum = crc32(expected);
  }

  #head(): BlockHead {
    const header = this.#header;
    const head = {
      rows: header.readUInt32LE(8),
      packed: header.readUInt32LE(12),
      raw: header.readUInt32LE(16),
      priceDecimals: header.readUInt8(20),
      sizeDecimals: header.readUInt8(21),
      first: header.readDoubleLE(24),
      last: header.readDoubleLE(32),
    };
    const sound = header.readUInt32LE(0) === MARK && header.readUInt32LE(4) === this.#block;
    if (!sound || head.rows === 0 || head.rows > BLOCK_ROWS || head.raw > RAW_BYTES_MAX || head.packed > RAW_BYTES_MAX) {
      throw this.#corrupt('no block begins here');
    }
    return head;
  }

  #unpack(number: number, frame: Buffer, raw: number): Buffer {
    let columns: Buffer;
    try {
      // One output chunk with room to spare: zlib then neither joins chunks nor asks for another.
      columns = zstdDecompressSync(frame, { chunkSize: chunkBytes(raw), maxOutputLength: chunkBytes(raw) });
    } catch (error) {
      throw this.#corrupt('its frame cannot be unpacked', number, error);
    }
    if (columns.length !== raw) throw this.#corrupt(`${raw} bytes were expected in it, found ${columns.length}`, number);
    return columns;
  }

  #fill(into: Buffer, bytes: number): void {
    let have = 0;
    while (have < bytes) {
      const got = this.#at < this.#fileBytes ? this.#readFile(into, have, bytes) : this.#readTail(into, have, bytes);
      if (got === 0) {
        throw new TapeError(
          'truncated',
          `block ${this.#block} was expected to go on, found the end of the file`,
          `${this.path} at byte ${this.#at}`,
          REDO,
        );
      }
      have += got;
      this.#at += got;
    }
  }

  #readFile(into: Buffer, have: number, bytes: number): number {
    return readSync(this.#file, into, have, Math.min(bytes - have, this.#fileBytes - this.#at), this.#at);
  }

  #readTail(into: Buffer, have: number, bytes: number): number {
    const from = this.#at - this.#fileBytes;
    const part = this.#tail.subarray(from, from + bytes - have);
    into.set(part, have);
    return part.length;
  }

  #corrupt(what: string, block = this.#block, cause?: unknown): TapeError {
    return new TapeError('corrupt', `block ${block} is damaged: ${what}`, `${this.path} before byte ${this.#at}`, REDO, { cause });
  }
}

/** More than any block can need: six columns of escapes. */
const RAW_BYTES_MAX = 2 * BLOCK_ROWS * 96;

export const REDO = 'restore the folder from a copy, or import the recording again';

/** A file or folder that could not be opened, in the words of a TapeError. */
export function unreadable(path: string, error: unknown): TapeError {
  const code = systemCode(error);
  if (code === 'ENOENT') return new TapeError('missing', 'a file was expected, found none', path, REDO, { cause: error });
  return new TapeError('missing', `a readable file was expected, found ${code || String(error)}`, path, 'check its permissions', {
    cause: error,
  });
}
