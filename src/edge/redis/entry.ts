/** Converts between journal records and entries of the Redis stream. Each entry has a link hash that covers the previous one. */
import { linkOf as recordLink, sumOf, type Row } from '../journal-rows.ts';

/** A record waiting for its commit. */
export type Queued = Omit<Row, 'position' | 'link'>;

/** Reads an entry of an XRANGE reply: its fields are in the order in which COMMIT writes them. */
export function entryOf([id, fields]: [string, string[]]): Row {
  const [, data = '', , kind = '', , seq, , time, , link = ''] = fields;
  return { position: Number(id.split('-')[0]), data, kind, seq: Number(seq), time: Number(time), link };
}

/** Returns the link hash of a record at `position` after the record with `link`. */
export function linkOf(link: string, position: number, { seq, time, data, kind }: Queued): string {
  return recordLink(link, position, seq, time, data, kind);
}

const SUM_LENGTH = 43;

/** The stored form of a value: a hash of key and value, then the value. It reveals damaged and swapped values. */
export function summedValue(key: string, value: string): string {
  return `${sumOf(key, value)} ${value}`;
}

/** Returns the value of a stored text, or null if its hash does not match. */
export function checkedValue(key: string, kept: string): string | null {
  const value = kept.slice(SUM_LENGTH + 1);
  return kept === summedValue(key, value) ? value : null;
}
