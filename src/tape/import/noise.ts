/** Numbers with rounding errors of floating point, such as 0.30000000000000004. */

/** "0.30000000000000004" → "0.3": at 15 significant digits, which any double has. */
export function withoutNoise(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return Buffer.from(String(Number(Number(text).toPrecision(15))));
}
