/** The lines of a file, plain or gzipped, as bytes in a reused buffer. */
import { createReadStream, openSync, readSync, closeSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { systemCode, TapeError } from '../error.ts';

const CHUNK_BYTES = 1 << 18;
const LINE_BYTES_MAX = 1 << 16;
const NEWLINE = 10;

/** Gets all whole lines there are: bytes [start, end), each line with its "\n". The bytes are overwritten afterwards. false to stop. */
export type TakeLines = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Hands the file's lines over in large pieces. The last line gets a "\n" when it has none. @throws TapeError missing | malformed */
export async function readLines(file: string, take: TakeLines): Promise<void> {
  let bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES * 2 + LINE_BYTES_MAX);
  let kept = 0;
  try {
    for await (const chunk of open(file)) {
      const piece = chunk as Buffer;
      if (kept + piece.length + 1 > bytes.length) {
        const larger = Buffer.allocUnsafeSlow(kept + piece.length + 1);
        bytes.copy(larger, 0, 0, kept);
        bytes = larger;
      }
      piece.copy(bytes, kept);
      const length = kept + piece.length;
      const end = bytes.lastIndexOf(NEWLINE, length - 1) + 1;
      if (end > 0 && !take(bytes, 0, end)) return;
      bytes.copyWithin(0, end, length);
      kept = length - end;
      if (kept > LINE_BYTES_MAX)
        throw new TapeError('malformed', `lines of at most ${LINE_BYTES_MAX} bytes were expected, found a longer one`, file);
    }
  } catch (error) {
    throw error instanceof TapeError ? error : unreadableFile(file, error);
  }
  if (kept === 0) return;
  bytes[kept] = NEWLINE;
  take(bytes, 0, kept + 1);
}

function open(file: string): Readable {
  const packed = isGzip(file);
  const plain = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  if (!packed) return plain;
  const unpacked = createGunzip({ chunkSize: CHUNK_BYTES });
  plain.on('error', (error) => unpacked.destroy(error));
  unpacked.on('close', () => plain.destroy());
  return plain.pipe(unpacked);
}

/** By its first two bytes, whatever its name. */
function isGzip(file: string): boolean {
  const head = Buffer.alloc(2);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, head, 0, 2, 0);
  } finally {
    closeSync(handle);
  }
  return head[0] === 0x1f && head[1] === 0x8b;
}

function unreadableFile(file: string, cause: unknown): TapeError {
  const code = systemCode(cause);
  if (code === 'ENOENT') return new TapeError('missing', 'a file was expected, found none', file, 'check the path', { cause });
  if (code.startsWith('Z_'))
    return new TapeError('malformed', `a whole gzip file was expected, found ${code}`, file, 'fetch the file again', { cause });
  if (code === '') throw cause;
  return new TapeError('missing', `a readable file was expected, found ${code}`, file, 'check the path and its permissions', { cause });
}
