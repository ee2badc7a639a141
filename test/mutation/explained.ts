/** Changes that no test can find because they have no observable effect, each with its reason. */
export interface Explained {
  readonly path: string;
  /** Part of the changed line. */
  readonly line: string;
  readonly kind: string;
  readonly because: string;
}

export const EXPLAINED: readonly Explained[] = [
  {
    path: 'src/tape/import/csv-lines.ts',
    line: 'const sign = start < end ? bytes[start] : 0;',
    kind: 'one more',
    because: 'only compared with the bytes of + and -',
  },
  ...['+', 'one more'].map((kind) => ({
    path: 'src/tape/import/stream-import.ts',
    line: 'this.#fit(row, FIRST, FIRST + 4);',
    kind,
    because: 'the other prices of the bar are fitted with the same size right after it',
  })),
  {
    path: 'src/run/bot/preflight.ts',
    line: 'const ID_WATCH_MS = 10_000;',
    kind: 'one more',
    because: 'how often the history is searched is no promise: a millisecond more finds the same orders',
  },
];
