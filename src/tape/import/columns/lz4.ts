/**
 * Unpacks LZ4 frames (https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md), as Arrow files have them. Their checksums are not read.
 */
const MAGIC = 0x184d2204;
const HAS_CHECKSUMS = 0x10;
const HAS_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
/** In the length of a block: its bytes are not packed. */
const IS_PLAIN = 0x80000000;
/** Shortest match; and in the two halves of a token: more bytes of the length follow. */
const MATCH_MIN = 4;
const MORE = 15;

/** `length` bytes. @throws RangeError if the frame is not whole, or unpacks to another length */
export function unpackLz4(frame: Uint8Array, length: number): Uint8Array {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.getUint32(0, true) !== MAGIC) throw new RangeError('no LZ4 frame');
  const flags = view.getUint8(4);
  // Descriptor: flags, largest block, then the checksum of the header.
  let at = 6 + ((flags & HAS_SIZE) === 0 ? 0 : 8) + ((flags & HAS_DICTIONARY) === 0 ? 0 : 4) + 1;
  // A byte makes 255 at most: a damaged length must not reserve memory.
  if (length > 255 * frame.length) throw new RangeError(`an LZ4 frame of ${frame.length} bytes that claims ${length}`);
  const out = new Uint8Array(length);
  let done = 0;
  for (;;) {
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const bytes = size & ~IS_PLAIN;
    if (at + bytes > frame.length) throw new RangeError('an LZ4 block that is not whole');
    if (size >= IS_PLAIN) {
      out.set(frame.subarray(at, at + bytes), done);
      done += bytes;
    } else done = unpackBlock(frame, at, at + bytes, out, done);
    at += bytes + ((flags & HAS_CHECKSUMS) === 0 ? 0 : 4);
  }
  if (done !== length) throw new RangeError(`${length} unpacked bytes were expected, found ${done}`);
  return out;
}

/** Sequences of literals, each followed by a match with what is unpacked already, that of earlier blocks included. Gives where `out` ends. */
function unpackBlock(block: Uint8Array, from: number, to: number, out: Uint8Array, start: number): number {
  let at = from;
  let done = start;
  const lengthOf = (half: number): number => {
    let length = half;
    if (half === MORE)
      for (let more = 255; more === 255;) {
        if (at >= to) throw new RangeError('an LZ4 length that is not whole');
        length += more = block[at++]!;
      }
    return length;
  };
  while (at < to) {
    const token = block[at++]!;
    const literals = lengthOf(token >> 4);
    if (at + literals > to || done + literals > out.length) throw new RangeError('LZ4 literals beyond the end');
    out.set(block.subarray(at, at + literals), done);
    at += literals;
    done += literals;
    // The last sequence has no match.
    if (at === to) return done;
    if (at + 2 > to) throw new RangeError('an LZ4 match that is not whole');
    const back = block[at]! | (block[at + 1]! << 8);
    at += 2;
    const end = done + lengthOf(token & MORE) + MATCH_MIN;
    if (back === 0 || back > done || end > out.length) throw new RangeError('an LZ4 match beyond what is unpacked');
    // Byte by byte: a match may overlap what it writes.
    for (; done < end; done++) out[done] = out[done - back]!;
  }
  return done;
}
