/**
 * Checks a page that is packed with Snappy (https://github.com/google/snappy/blob/main/format_description.txt) before it is unpacked: the
 * library unpacks without looking back, and damaged lengths make it run forever.
 */

/** @throws RangeError if the page does not unpack to `length` bytes */
export function checkSnappy(page: Uint8Array, length: number): void {
  const whole = page.length;
  let at = 0;
  // The length of what is unpacked, 7 bits a byte.
  while (at < whole && page[at++]! >= 128);
  let done = 0;
  while (at < whole) {
    const tag = page[at++]!;
    const kind = tag & 3;
    let bytes = (tag >>> 2) + 1;
    if (kind === LITERAL) {
      if (bytes > SHORT_LITERAL) {
        const more = bytes - SHORT_LITERAL;
        bytes = numberAt(page, at, more) + 1;
        at += more;
      }
      at += bytes;
    } else {
      if (kind === NEAR_COPY) bytes = ((tag >>> 2) & 7) + 4;
      const more = COPY_BYTES[kind]!;
      const back = kind === NEAR_COPY ? numberAt(page, at, 1) + ((tag >>> 5) << 8) : numberAt(page, at, more);
      if (back === 0 || back > done) throw new RangeError('a Snappy copy from before the beginning');
      at += more;
    }
    done += bytes;
    if (at > whole || done > length) throw new RangeError('a Snappy page that is not whole');
  }
  if (done !== length) throw new RangeError(`${length} unpacked bytes were expected, found ${done}`);
}

const LITERAL = 0;
const NEAR_COPY = 1;
/** A longer literal has the bytes of its length after its tag: as many as its tag is beyond this. */
const SHORT_LITERAL = 60;
/** Bytes of the distance, by kind of element. */
const COPY_BYTES = [0, 1, 2, 4];

/** A number of so many bytes, the lowest first. */
function numberAt(page: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > page.length) throw new RangeError('a Snappy page that is not whole');
  let value = 0;
  for (let k = bytes - 1; k >= 0; k--) value = value * 256 + page[at + k]!;
  return value;
}
