/** The lines of a recording as bytes in a reused buffer. */
import { TapeError } from '../../file/error.ts';
import { CHUNK_BYTES, unreadableFile, type Input } from '../files/inputs.ts';

const LINE_BYTES_MAX = 1 << 16;
const NEWLINE = 10;

/** Gets all whole lines there are: bytes [start, end), each line with its "\n". The bytes are overwritten afterwards. false to stop. */
export type TakeLines = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Hands the lines over in large pieces. The last line gets a "\n" when it has none. @throws TapeError missing | malformed */
export async function readLines(input: Input, take: TakeLines): Promise<void> {
  let bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES * 2 + LINE_BYTES_MAX);
  let kept = 0;
  const stream = input.open();
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const piece = chunk;
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
        throw new TapeError('malformed', `lines of at most ${LINE_BYTES_MAX} bytes were expected, found a longer one`, input.name);
    }
  } catch (error) {
    throw unreadableFile(input.name, error);
  }
  if (kept === 0) return;
  bytes[kept] = NEWLINE;
  take(bytes, 0, kept + 1);
}
