/** Decimal strings of a table as whole numbers at one scale. */
import { cellOf, type ColumnSpec } from '../../../report/tables/columns.ts';

export type { NumberForm } from '../../../tape/export/export-columns.ts';

/** Digits of a decimal of 64 bits. */
export const DIGITS = 18;

/** The most decimals that a column has. */
export function scaleOf(rows: readonly unknown[], spec: ColumnSpec<never>): number {
  return rows.reduce<number>((most, row) => Math.max(most, fractionOf(String(cellOf(row, spec) ?? '')).length), 0);
}

/** "1.5" at a scale of 3 is 1500. */
export function unscaled(text: string, scale: number): bigint {
  return BigInt(text.replace('.', '') + '0'.repeat(scale - fractionOf(text).length));
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? '';
}
