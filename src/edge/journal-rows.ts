/**
 * The rows that the durable stores and the backup share: the row of a record, the hash that links it to the one before, and the sum of a
 * value.
 */
import { hash } from 'node:crypto';
import { linkText, type StoredRecord } from '../ports/store.ts';

/** A record as it is kept; `data` is JSON text. */
export interface Row {
  readonly position: number;
  readonly kind: string;
  readonly seq: number;
  readonly time: number;
  readonly data: string;
  readonly link: string;
}

/** Number of rows that one read takes. */
export const READ_ROWS = 1_000;
/** Number of record links that are verified at open. Older links are verified when they are read. */
export const VERIFIED_AT_OPEN = 10_000;

/** `link`: of the record before; `data`: JSON text. */
export function linkOf(link: string, position: number, seq: number, time: number, data: string, kind: string): string {
  return hash('sha256', linkText(link, position, seq, time, data, kind), 'base64url');
}

/** The sum that is kept beside a value. It shows damaged and swapped values. */
export function sumOf(key: string, value: string): string {
  return hash('sha256', `${JSON.stringify(key)}\n${value}`, 'base64url');
}

export function recordOf({ position, kind, seq, time, data }: Omit<Row, 'link'>): StoredRecord {
  return { position, kind, seq, time, data: JSON.parse(data) as Record<string, unknown> };
}
