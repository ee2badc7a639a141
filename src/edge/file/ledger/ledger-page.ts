/** Reads the ledger in pages, so that a reader does not hold up the exchange. */
export interface LedgerPage {
  /** Lines exactly as in the file: JSON objects. */
  readonly lines: readonly string[];
  /** Offset of the next page in bytes. */
  readonly next: number;
  /** Bytes that were skipped before the first line because their segments were deleted. */
  readonly missing: number;
  /** True if this page reaches the end of what was written. */
  readonly isEnd: boolean;
}

export interface PageQuery {
  readonly from: number;
  readonly limit: number;
  readonly wants: (kind: string) => boolean;
}

/** The kinds of ledger lines. */
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

/** Kinds of lines about requests that changed nothing. */
export type NoteKind = 'read' | 'counts' | 'refusal';
const NOTE_KINDS: readonly string[] = ['read', 'counts', 'refusal'] satisfies NoteKind[];

/** Most bytes scanned for one page. */
const BYTES_MAX = 1 << 20;
const KIND = /^\{"n":\d+,"request":\d+,"kind":"(\w+)"/;

/** Returns the kind of a ledger line, or "" if it is not one. */
export function kindOf(line: string): string {
  return KIND.exec(line)?.[1] ?? '';
}

/** True for a line that a replay of the inputs does not write. */
export function isNote(line: string): boolean {
  return NOTE_KINDS.includes(kindOf(line));
}

/** Returns the page of lines that starts at offset `from`. */
export function pageOf(from: Iterable<string>, query: PageQuery): Pick<LedgerPage, 'lines' | 'next'> {
  const { limit, wants } = query;
  const lines: string[] = [];
  let next = query.from;
  for (const line of from) {
    if (lines.length >= limit || next - query.from >= BYTES_MAX) break;
    next += Buffer.byteLength(line) + 1;
    if (wants(kindOf(line))) lines.push(line);
  }
  return { lines, next };
}
