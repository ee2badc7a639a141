/** Columns of a tape take the least bytes a row: at each limit of a lane, one value below it and one at it. */
import { expect, test } from 'vitest';
import { DESCRIPTOR_BYTES, ESCAPE_BYTES, PLAIN } from '../../../src/tape/file/codec.ts';
import { columnBound, encodeColumn } from '../../../src/tape/file/encode.ts';

const ROWS = 100;

/** Bytes of a column of a zero and then `value` alone, beside its descriptor. */
function bytesOf(value: number): number {
  const values = new Float64Array(ROWS).fill(value);
  values[0] = 0;
  return encodeColumn(Buffer.alloc(columnBound(ROWS)), 0, values, ROWS, 1, PLAIN) - DESCRIPTOR_BYTES;
}

test.each([
  [255, 1],
  [256, 2],
  [65_535, 2],
  [65_536, 3],
  [16_777_215, 3],
  [16_777_216, 4],
  [4_294_967_295, 4],
])('a column of %d takes %d bytes a row', (value, width) => {
  expect(bytesOf(value)).toBe(width * ROWS);
});

test('a column of values beyond four bytes has no lane and escapes alone', () => {
  expect(bytesOf(4_294_967_296)).toBe((ROWS - 1) * ESCAPE_BYTES);
});
