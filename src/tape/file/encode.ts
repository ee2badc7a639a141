/** Turns columns of numbers into the bytes that codec.ts reads: the smallest of a few simple codings, escapes for what does not fit. */
import { greatestCommonDivisor } from '../../domain/amounts/scale.ts';
import { BLOCK_ROWS, DELTA, DESCRIPTOR_BYTES, ESCAPE_BYTES, PLAIN } from './codec.ts';

const steps = new Float64Array(BLOCK_ROWS);
const codes = new Float64Array(BLOCK_ROWS);
/** Sums of steps up to this are exact in 32-bit integers. */
const FAR = 2 ** 31;

/** Most bytes that a column of `rows` can need. */
export function columnBound(rows: number): number {
  return DESCRIPTOR_BYTES + rows * (4 + ESCAPE_BYTES);
}

/** Greatest integer that divides every value, 0 when all are zero; −1 − row for the first row that is no safe integer ≥ 0. */
export function commonStep(values: Float64Array, rows: number): number {
  let step = 0;
  for (let i = 0; i < rows; i++) {
    const value = values[i]!;
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value)) return -1 - i;
    if (step !== 1 && !divides(step, value)) step = greatestCommonDivisor(step, value);
  }
  return step;
}

/**
 * Writes `values[0 … rows)`, all multiples of `step`, at `at` and gives the place after it.
 * `coding` is DELTA for what moves and PLAIN for what jumps about.
 */
export function encodeColumn(out: Buffer, at: number, values: Float64Array, rows: number, step: number, coding: number): number {
  if (step <= 1) for (let i = 0; i < rows; i++) steps[i] = values[i]!;
  else for (let i = 0; i < rows; i++) steps[i] = values[i]! / step;
  const delta = coding === DELTA;
  const base = delta ? steps[0]! : least(rows);
  const bias = delta ? usualDifference(rows) : 0;
  if (delta) codeDifferences(rows, bias);
  else for (let i = 0; i < rows; i++) codes[i] = steps[i]! - base;
  const width = cheapestWidth(rows);
  const limit = 256 ** width;
  const lane = at + DESCRIPTOR_BYTES;
  let escapes = 0;
  for (let i = 0; i < rows; i++) if (codes[i]! >= limit) escapes++;
  out[at] = delta ? DELTA : PLAIN;
  out[at + 1] = width;
  out[at + 2] = delta && escapes === 0 && staysNear(rows, base) ? 1 : 0;
  out[at + 3] = 0;
  out.writeUInt32LE(escapes, at + 4);
  out.writeDoubleLE(step, at + 8);
  out.writeDoubleLE(base, at + 16);
  out.writeDoubleLE(bias, at + 24);
  writePlanes(out, lane, rows, width, limit);
  return writeEscapes(out, lane + width * rows, rows, limit, escapes);
}

/** Writes bytes of 0 or 1 as bits and gives the place after them. */
export function encodeBits(out: Buffer, at: number, values: Uint8Array, rows: number): number {
  const bytes = (rows + 7) >>> 3;
  out.fill(0, at, at + bytes);
  for (let i = 0; i < rows; i++) if (values[i] === 1) out[at + (i >>> 3)]! |= 1 << (i & 7);
  return at + bytes;
}

function divides(step: number, value: number): boolean {
  if (value === 0) return true;
  if (step === 0) return false;
  return step <= 0x7fffffff && value <= 0x7fffffff ? (value | 0) % (step | 0) === 0 : value % step === 0;
}

/** True if every row is within 2^31 steps of the first. */
function staysNear(rows: number, base: number): boolean {
  for (let i = 1; i < rows; i++) if (Math.abs(steps[i]! - base) >= FAR) return false;
  return true;
}

function least(rows: number): number {
  let value = steps[0]!;
  for (let i = 1; i < rows; i++) if (steps[i]! < value) value = steps[i]!;
  return value;
}

/** The difference that more than half of the rows have (Boyer and Moore's vote), else 0. */
function usualDifference(rows: number): number {
  let candidate = 0;
  let votes = 0;
  for (let i = 1; i < rows; i++) {
    const difference = steps[i]! - steps[i - 1]!;
    if (votes === 0) candidate = difference;
    votes += difference === candidate ? 1 : -1;
  }
  if (Math.abs(candidate) >= FAR) return 0;
  let count = 0;
  for (let i = 1; i < rows; i++) if (steps[i]! - steps[i - 1]! === candidate) count++;
  return count * 2 > rows - 1 ? candidate : 0;
}

/** Distances from the usual difference as 0, −1, 1, −2, … → 0, 1, 2, 3, …. Those beyond 2^53 are not exact, and escapes anyway. */
function codeDifferences(rows: number, bias: number): void {
  codes[0] = 0;
  for (let i = 1; i < rows; i++) {
    const distance = steps[i]! - steps[i - 1]! - bias;
    codes[i] = distance >= 0 ? 2 * distance : -2 * distance - 1;
  }
}

/** Bytes per row for the lane, so that lane and escapes together are smallest. */
function cheapestWidth(rows: number): number {
  let none = 0;
  let one = 0;
  let two = 0;
  let three = 0;
  let four = 0;
  for (let i = 0; i < rows; i++) {
    const code = codes[i]!;
    if (code < 256) {
      if (code === 0) none++;
      else one++;
    } else if (code < 65_536) two++;
    else if (code < 16_777_216) three++;
    else if (code < 4_294_967_296) four++;
  }
  let fit = 0;
  let width = 0;
  let cheapest = Infinity;
  for (const [bytes, count] of [none, one, two, three, four].entries()) {
    fit += count;
    const cost = bytes * rows + (rows - fit) * ESCAPE_BYTES;
    if (cost < cheapest) {
      cheapest = cost;
      width = bytes;
    }
  }
  return width;
}

function writePlanes(out: Buffer, at: number, rows: number, width: number, limit: number): void {
  for (let plane = 0; plane < width; plane++) {
    const start = at + plane * rows;
    const shift = plane * 8;
    for (let i = 0; i < rows; i++) {
      const code = codes[i]!;
      out[start + i] = code < limit ? code >>> shift : 0;
    }
  }
}

function writeEscapes(out: Buffer, at: number, rows: number, limit: number, escapes: number): number {
  let rowAt = at;
  let valueAt = at + escapes * 4;
  for (let i = 0; i < rows; i++) {
    if (codes[i]! < limit) continue;
    rowAt = out.writeUInt32LE(i, rowAt);
    valueAt = out.writeDoubleLE(steps[i]!, valueAt);
  }
  return valueAt;
}
