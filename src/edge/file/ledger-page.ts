/** The ledger piece by piece, for a reader that must not hold up the exchange. */
export interface LedgerPage {
  /** Lines as they stand in the file: JSON objects. */
  readonly lines: readonly string[];
  /** Where the next page begins, in bytes. */
  readonly next: number;
  /** Bytes before the first line that are no longer there: the segments that held them were taken away. */
  readonly missing: number;
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

/** The page of lines from byte `from` on. */
export function pageOf(from: Iterable<string>, wish: PageWish): Pick<LedgerPage, 'lines' | 'next'> {
  const { limit, wants } = wish;
  const lines: string[] = [];
  let next = wish.from;
  for (const line of from) {
    if (lines.length >= limit || next - wish.from >= BYTES_MAX) break;
    next += Buffer.byteLength(line) + 1;
    if (wants(kindOf(line))) lines.push(line);
  }
  return { lines, next };
}
