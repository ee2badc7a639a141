/** Rows of columns chosen by a condition. `filter` and `reduce` of a typed array make an object of every value, which long runs have millions of. */

/** Numbers that are too many for the memory, read part by part in order. A part may be overwritten when the next one is asked for. */
export interface PagedColumn {
  readonly length: number;
  parts(): Iterable<Float64Array>;
}

/** Columns of the same rows are all of one kind, and their parts have the same lengths. */
export type Column = Float64Array | PagedColumn;

/** `by` is the value of the row in the column that decides. */
type Test = (by: number, value: number) => boolean;

/** The parts of a column; an array is the only part of its own. */
export function partsOf<Numbers extends ArrayLike<number>>(column: Numbers | PagedColumn): Iterable<Numbers | Float64Array> {
  return 'parts' in column ? column.parts() : [column];
}

function* pairsOf(column: Column, by: Column): Generator<readonly [values: Float64Array, by: Float64Array]> {
  if (column === by) {
    for (const part of partsOf(column)) yield [part, part];
    return;
  }
  const others = partsOf(by)[Symbol.iterator]();
  for (const part of partsOf(column)) yield [part, others.next().value as Float64Array];
}

/** The column as an array, itself if it is one. */
export function joined(column: Column): Float64Array {
  if (column instanceof Float64Array) return column;
  const out = new Float64Array(column.length);
  let at = 0;
  for (const part of column.parts()) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The rows of `column` that pass the test by their value in `by`, as a column of the same kind: an array, or parts that are read again each time. */
export function columnWhere(column: Column, test: Test, by: Column = column): Column {
  const length = countWhere(column, test, by);
  const chosen = function* (): Generator<Float64Array> {
    for (const [values, keys] of pairsOf(column, by)) {
      const out = new Float64Array(values.length);
      let count = 0;
      for (let k = 0; k < values.length; k++) if (test(keys[k]!, values[k]!)) out[count++] = values[k]!;
      yield out.subarray(0, count);
    }
  };
  const paged: PagedColumn = { length, parts: chosen };
  return column instanceof Float64Array ? joined(paged) : paged;
}

/** Number of the rows of `column` that pass the test by their value in `by`, which is the column itself by default. */
export function countWhere(column: Column, test: Test, by: Column = column): number {
  let count = 0;
  for (const [values, keys] of pairsOf(column, by)) for (let k = 0; k < values.length; k++) if (test(keys[k]!, values[k]!)) count++;
  return count;
}

/** The sum of those rows. */
export function sumWhere(column: Column, test: Test, by: Column = column): number {
  let sum = 0;
  for (const [values, keys] of pairsOf(column, by)) {
    for (let k = 0; k < values.length; k++) if (test(keys[k]!, values[k]!)) sum += values[k]!;
  }
  return sum;
}

/** Their mean; NaN if there are none. */
export function meanWhere(column: Column, test: Test, by: Column = column): number {
  return sumWhere(column, test, by) / countWhere(column, test, by);
}

/** The largest value, at least 0. */
export function largest(column: Column): number {
  let most = 0;
  for (const part of partsOf(column)) for (let k = 0; k < part.length; k++) if (part[k]! > most) most = part[k]!;
  return most;
}

/** The smallest value, at most 0. */
export function smallest(column: Column): number {
  let least = 0;
  for (const part of partsOf(column)) for (let k = 0; k < part.length; k++) if (part[k]! < least) least = part[k]!;
  return least;
}
