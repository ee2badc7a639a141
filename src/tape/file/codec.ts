/**
 * Turns a column's bytes back into numbers. A lane is `width` byte planes of n bytes each (all low bytes first), so that zstd
 * sees like with like and one loop reads every width. @hot
 */
import type { Column } from './stream.ts';

/** Rows of a full block. */
export const BLOCK_ROWS = 65_536;
/** A column's descriptor: coding u8, width u8, near u8, a zero byte, escapes u32, then step, base and bias as f64. */
export const DESCRIPTOR_BYTES = 32;
/** Descriptor codings: each value from the one before, or from the block's least value. */
export const DELTA = 0;
export const PLAIN = 1;
/** An escape is a row number (u32) and its value in steps (f64). */
export const ESCAPE_BYTES = 12;

const codes = new Int32Array(BLOCK_ROWS);

/** Bytes of the column that starts at `at`: descriptor, lane and escapes. */
export function columnBytes(view: DataView, at: number, rows: number): number {
  return DESCRIPTOR_BYTES + view.getUint8(at + 1) * rows + view.getUint32(at + 4, true) * ESCAPE_BYTES;
}

/**
 * Decodes the column at `at` into `out[0 … rows)`, every step counting as `factor`. The caller knows that all values fit `out`.
 * `view` and `bytes` are of the same memory.
 */
export function decodeColumn(view: DataView, bytes: Uint8Array, at: number, rows: number, out: Column, factor: number): void {
  const width = view.getUint8(at + 1);
  const escapes = view.getUint32(at + 4, true);
  const base = view.getFloat64(at + 16, true) * factor;
  const bias = view.getFloat64(at + 24, true);
  const lane = at + DESCRIPTOR_BYTES;
  unpack(bytes, lane, rows, width);
  const plain = view.getUint8(at) === PLAIN;
  if (view.getUint8(at + 2) === 1 && out instanceof Float64Array) {
    if (width === 0) rampDoubles(out, rows, base, bias * factor);
    else nearDoubles(out, rows, base, factor, bias | 0);
    return;
  }
  let value = base;
  let from = 0;
  if (!plain) out[from++] = base;
  const rowsAt = lane + width * rows;
  const valuesAt = rowsAt + escapes * 4;
  for (let e = 0; e < escapes; e++) {
    const row = view.getUint32(rowsAt + e * 4, true);
    value = segment(out, from, row, value, factor, bias, plain);
    const wide = view.getFloat64(valuesAt + e * 8, true) * factor;
    out[row] = wide;
    if (!plain) value = wide;
    from = row + 1;
  }
  segment(out, from, rows, value, factor, bias, plain);
}

/** Bits to bytes of 0 or 1, lowest bit first. */
export function decodeBits(bytes: Uint8Array, at: number, rows: number, out: Uint8Array): void {
  const whole = rows >>> 3;
  let row = 0;
  for (let i = 0; i < whole; i++) {
    const b = bytes[at + i]!;
    out[row] = b & 1;
    out[row + 1] = (b >>> 1) & 1;
    out[row + 2] = (b >>> 2) & 1;
    out[row + 3] = (b >>> 3) & 1;
    out[row + 4] = (b >>> 4) & 1;
    out[row + 5] = (b >>> 5) & 1;
    out[row + 6] = (b >>> 6) & 1;
    out[row + 7] = b >>> 7;
    row += 8;
  }
  for (; row < rows; row++) out[row] = (bytes[at + (row >>> 3)]! >>> (row & 7)) & 1;
}

function unpack(bytes: Uint8Array, at: number, rows: number, width: number): void {
  const b = at + rows;
  const c = b + rows;
  const d = c + rows;
  if (width === 0) codes.fill(0, 0, rows);
  else if (width === 1) codes.set(bytes.subarray(at, b));
  else if (width === 2) for (let i = 0; i < rows; i++) codes[i] = bytes[at + i]! | (bytes[b + i]! << 8);
  else if (width === 3) for (let i = 0; i < rows; i++) codes[i] = bytes[at + i]! | (bytes[b + i]! << 8) | (bytes[c + i]! << 16);
  else {
    for (let i = 0; i < rows; i++) {
      codes[i] = bytes[at + i]! | (bytes[b + i]! << 8) | (bytes[c + i]! << 16) | (bytes[d + i]! << 24);
    }
  }
}

/** Decodes the rows between two escapes and gives the last value, from which a delta goes on. */
function segment(out: Column, from: number, to: number, value: number, step: number, bias: number, plain: boolean): number {
  if (from >= to) return value;
  if (out instanceof Int32Array) {
    if (plain) return plainIntegers(out, from, to, value, step);
    return deltaIntegers(out, from, to, value | 0, step | 0, bias | 0);
  }
  return plain ? plainDoubles(out, from, to, value, step) : deltaDoubles(out, from, to, value, step, bias);
}

/** Sums wrap at 32 bits, which is exact, because every result is known to fit. */
function deltaIntegers(out: Int32Array, from: number, to: number, start: number, step: number, bias: number): number {
  let value = start;
  for (let i = from; i < to; i++) {
    const code = codes[i]!;
    value = (value + Math.imul(((code >>> 1) ^ -(code & 1)) + bias, step)) | 0;
    out[i] = value;
  }
  return value;
}

function deltaDoubles(out: Float64Array, from: number, to: number, start: number, step: number, bias: number): number {
  let value = start;
  for (let i = from; i < to; i++) {
    const code = codes[i]!;
    value += (((code >>> 1) ^ -(code & 1)) + bias) * step;
    out[i] = value;
  }
  return value;
}

/** As deltaDoubles for a block whose values stay within 2^31 steps of its first: the sum is an integer, which is faster. */
function nearDoubles(out: Float64Array, rows: number, base: number, step: number, bias: number): void {
  let steps = 0;
  out[0] = base;
  for (let i = 1; i < rows; i++) {
    const code = codes[i]!;
    steps = (steps + ((code >>> 1) ^ -(code & 1)) + bias) | 0;
    out[i] = base + steps * step;
  }
}

/** Values that rise by the same from row to row. */
function rampDoubles(out: Float64Array, rows: number, base: number, rise: number): void {
  for (let i = 0; i < rows; i++) out[i] = base + i * rise;
}

function plainIntegers(out: Int32Array, from: number, to: number, base: number, step: number): number {
  const start = base | 0;
  const factor = step | 0;
  for (let i = from; i < to; i++) out[i] = start + Math.imul(codes[i]!, factor);
  return base;
}

function plainDoubles(out: Float64Array, from: number, to: number, base: number, step: number): number {
  for (let i = from; i < to; i++) out[i] = base + (codes[i]! >>> 0) * step;
  return base;
}
