/** Numbers with rounding errors of floating point, such as 0.30000000000000004. */

/** "0.30000000000000004" → "0.3": at 15 significant digits, which any double has. Its decimals may follow a comma. */
export function withoutNoise(bytes: Uint8Array, start: number, end: number): Uint8Array {
  const text = Buffer.from(bytes.subarray(start, end)).toString('latin1');
  return Buffer.from(String(Number(Number(text.replace(',', '.')).toPrecision(15))));
}
