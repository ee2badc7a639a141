/** The hash that links a journal record to the one before it, the same in every store and in backups. */
import { hash } from 'node:crypto';
import { linkText } from '../ports/store.ts';

/** `link`: of the record before; `data`: JSON text. */
export function linkOf(link: string, position: number, seq: number, time: number, data: string, kind: string): string {
  return hash('sha256', linkText(link, position, seq, time, data, kind), 'base64url');
}
