/** The ledger piece by piece, for a reader that must not hold up the exchange. */
import type { LineFile } from './line-file.ts';

export interface LedgerPage {
  /** Lines as they stand in the file: JSON objects. */
  readonly lines: readonly string[];
  /** Where the next page begins, in bytes. */
  readonly next: number;
  /** Whether all that was written is told. */
  readonly isEnd: boolean;
}

export interface PageWish {
  readonly from: number;
  readonly limit: number;
  readonly wants: (kind: string) => boolean;
}

/** What lines are about. */
export const LEDGER_KINDS: readonly string[] = [
  'request',
  'command',
  'order',
  'end',
  'fill',
  'cash',
  'step',
  'fault',
  'read',
  'counts',
  'refusal',
];

/** Lines of requests that changed nothing. */
export type NoteKind = 'read' | 'counts' | 'refusal';
const NOTE_KINDS: readonly string[] = ['read', 'counts', 'refusal'] satisfies NoteKind[];

/** Bytes looked through for one page. */
const BYTES_MAX = 1 << 20;
const KIND = /^\{"n":\d+,"request":\d+,"kind":"(\w+)"/;

/** What a line is about, "" for one that is none. */
export function kindOf(line: string): string {
  return KIND.exec(line)?.[1] ?? '';
}

/** Whether a replay of the inputs does not make this line. */
export function isNote(line: string): boolean {
  return NOTE_KINDS.includes(kindOf(line));
}

/** The page of `file` that begins at byte `from`, which must be the start of a line. */
export function pageOf(file: LineFile, { from, limit, wants }: PageWish): LedgerPage {
  const lines: string[] = [];
  let next = from;
  for (const line of file.lines(from)) {
    if (lines.length >= limit || next - from >= BYTES_MAX) break;
    next += Buffer.byteLength(line) + 1;
    if (wants(kindOf(line))) lines.push(line);
  }
  return { lines, next, isEnd: next >= file.size };
}
