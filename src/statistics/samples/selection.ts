/** The value at a rank of a column that is too long to be sorted in memory: read several times, each time for fewer candidates. */
import type { PagedColumn } from './columns.ts';

/** So many candidates are sorted. */
const SORTED_MOST = 65_536;
const BUCKETS = 4_096;

/** The value at `rank` (0 is the smallest) of the column sorted upwards. The column has no NaN and only finite values. */
export function ranked(column: PagedColumn, rank: number): number {
  let low = -Infinity;
  let high = Infinity;
  // Values below the candidates, and the candidates: those from `low` to `high`.
  let below = 0;
  let count = column.length;
  while (count > SORTED_MOST && low !== high) {
    const range = spanOf(column, low, high);
    const sums = countsOf(column, range);
    let bucket = 0;
    while (below + sums.count[bucket]! <= rank) below += sums.count[bucket++]!;
    count = sums.count[bucket]!;
    low = sums.low[bucket]!;
    high = sums.high[bucket]!;
  }
  if (low === high) return low;
  const found = new Float64Array(count);
  let at = 0;
  for (const part of column.parts()) for (let k = 0; k < part.length; k++) if (part[k]! >= low && part[k]! <= high) found[at++] = part[k]!;
  return found.sort()[rank - below]!;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** The smallest and the largest of the candidates; they are known after the first reading. */
function spanOf(column: PagedColumn, from: number, to: number): Range {
  if (Number.isFinite(from) && Number.isFinite(to)) return { low: from, high: to };
  let low = Infinity;
  let high = -Infinity;
  for (const part of column.parts()) {
    for (let k = 0; k < part.length; k++) {
      if (part[k]! < low) low = part[k]!;
      if (part[k]! > high) high = part[k]!;
    }
  }
  return { low, high };
}

/** Buckets of equal width between `low` and `high`, each with its number of values, its smallest and its largest. */
function countsOf(column: PagedColumn, { low: from, high: to }: Range): { count: Float64Array; low: Float64Array; high: Float64Array } {
  const count = new Float64Array(BUCKETS);
  const low = new Float64Array(BUCKETS).fill(Infinity);
  const high = new Float64Array(BUCKETS).fill(-Infinity);
  // The smallest is in the first bucket and the largest in the last, so each reading leaves fewer candidates.
  const perUnit = to > from ? (BUCKETS - 1) / (to - from) : 0;
  for (const part of column.parts()) {
    for (let k = 0; k < part.length; k++) {
      const value = part[k]!;
      if (value < from || value > to) continue;
      const bucket = Math.floor((value - from) * perUnit);
      count[bucket]!++;
      if (value < low[bucket]!) low[bucket] = value;
      if (value > high[bucket]!) high[bucket] = value;
    }
  }
  return { count, low, high };
}
