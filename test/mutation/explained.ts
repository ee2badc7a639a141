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
    path: 'src/engine/positions/position-reads.ts',
    line: 'if (query.instrument >= 0 && leg.index >> 1 !== query.instrument) continue;',
    kind: 'one more',
    because: 'records of the first symbol have the legs of others judged once more, by what they were judged by before',
  },
  {
    path: 'src/engine/orders/triggered.ts',
    line: 'if (record.venueId !== report.venueId) this.#decided.push(record);',
    kind: 'always',
    because: 'the record that is being applied is applied once more before: its order has settled then, and a second time changes nothing',
  },
  {
    path: 'src/tape/import/lines/csv-lines.ts',
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
  {
    path: 'src/domain/time/hours.ts',
    line: 'this.#from = day + first * MINUTE_MS;',
    kind: 'no statement',
    because: 'where the kept answer begins: without it each question looks again, with the same answer',
  },
  {
    path: 'src/engine/intents/quantise.ts',
    line: "if (typeof size === 'number') {",
    kind: 'never',
    because: 'the quick way for sizes on the grid: the way after it gives the same lots',
  },
  {
    path: 'src/tape/import/columns/parquet.ts',
    line: 'if (decimals > this.#decimals && decimals <= 8) this.#decimals = decimals;',
    kind: '>',
    because: 'the decimals that are tried first: without them they are searched for, and found',
  },
  {
    path: 'src/tape/block-sources.ts',
    line: 'if (trades && this.#reading.hasIds && stream.id.length < block.rows)',
    kind: '&&',
    because: 'when the array of ids is made: a new one for each block holds the same ids',
  },
  {
    path: 'src/run/bot/outside/operate.ts',
    line: 'if (!isStarting || performance.now() > until) return called;',
    kind: '>',
    because: 'one more try at the very millisecond of the limit',
  },
  {
    path: 'src/tape/synth/busy-times.ts',
    line: 'while (time >= this.#turnAt) this.#turn();',
    kind: '>=',
    because: "turns are at real times: none falls on a row's time to the last bit",
  },
  {
    path: 'src/engine/polling/trade-feed.ts',
    line: 'if (compareTradeIds(tradeId, oldest) < 0) oldest = tradeId;',
    kind: 'one more',
    because: 'ids that compare as equal are the same text',
  },
  {
    path: 'src/engine/state/account/allocation.ts',
    line: 'this.#returns[k]!.push(before > 0 ? profit / before : 0);',
    kind: 'one more',
    because: 'a capital of 0.00000001 USDT has no return worth a share',
  },
  {
    path: 'src/tape/bars/bar-path.ts',
    line: 'below = 0;',
    kind: 'one more',
    because: 'written by the first bar before it is read',
  },
  {
    path: 'src/engine/market/activity-bars.ts',
    line: '#start = 0;',
    kind: 'one more',
    because: 'written by the first trade of each bar before it is read',
  },
  {
    path: 'src/engine/orders/executor.ts',
    line: "if (kind === MODIFY) this.backToWorking(order.replaced, 'unsent', cause);",
    kind: 'always',
    because: 'only a modify replaces an order: for all others there is none to return to its state',
  },
  {
    path: 'src/domain/orders/command-traits.ts',
    line: "unknown: { endpoint: 'E10', by: 'mode-read',",
    kind: 'boolean',
    because: 'a margin mode makes no order: whether one may be presumed is asked of orders alone',
  },
  {
    path: 'src/engine/positions/fired-brackets.ts',
    line: 'if (Number.isNaN(realised)) external.bookUnknownResult(leg, lots);',
    kind: 'never',
    because: 'only a venue that pushes fills shows no money of them, and there both ways book nothing: it has no check of the balance',
  },
  {
    path: 'src/tape/merge.ts',
    line: 'if (run.isBefore(first)) {',
    kind: 'always',
    because: 'which run stands first is decided by the stretch that follows: it compares the first with the least of the others',
  },
  {
    path: 'src/tape/file/encode.ts',
    line: 'votes += difference === candidate ? 1 : -1;',
    kind: '===',
    because: 'all votes with the other sign: only whether they are zero is asked',
  },
  {
    path: 'src/tape/read.ts',
    line: "const isWider = info.kind === 'quotes' && spreadFactor > 1;",
    kind: '&&',
    because: 'the source of wider quotes leaves trades, and quotes with the factor 1, as they are',
  },
  ...['&&', '>'].map((kind) => ({
    path: 'src/tape/synth/synth.ts',
    line: 'while (rows * symbols > 2_097_152 && rows > 256) rows /= 2;',
    kind,
    because: 'how many rows a block holds: the rows that are read are the same',
  })),
];
