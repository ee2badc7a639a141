/** A journal record as an entry of the Redis stream, chained to the one before it. */
import { hash } from 'node:crypto';
import { linkText } from '../../ports/store.ts';

/** A record that waits for its commit; `data` is JSON text. */
export interface Queued {
  readonly kind: string;
  readonly seq: number;
  readonly time: number;
  readonly data: string;
}

export interface Entry extends Queued {
  readonly position: number;
  readonly link: string;
}

/** An entry as XRANGE gives it: fields in the order in which COMMIT writes them. */
export function entryOf([id, fields]: [string, string[]]): Entry {
  const [, data = '', , kind = '', , seq, , time, , link = ''] = fields;
  return { position: Number(id.split('-')[0]), data, kind, seq: Number(seq), time: Number(time), link };
}

/** The link of a record at `position` that follows the one with `link`. */
export function linkOf(link: string, position: number, { seq, time, data, kind }: Queued): string {
  return hash('sha256', linkText(link, position, seq, time, data, kind), 'base64url');
}

const SUM_LENGTH = 43;

/** A value as it is kept: behind a hash of its key and itself, so that a damaged or exchanged one is found. */
export function summedValue(key: string, value: string): string {
  return `${sumOf(key, value)} ${value}`;
}

/** The value in what was kept; null when it is not the one that was written. */
export function provenValue(key: string, kept: string): string | null {
  const value = kept.slice(SUM_LENGTH + 1);
  return kept === summedValue(key, value) ? value : null;
}

function sumOf(key: string, value: string): string {
  return hash('sha256', `${JSON.stringify(key)}\n${value}`, 'base64url');
}
