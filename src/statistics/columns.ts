/** Rows of columns chosen by a condition. `filter` and `reduce` of a typed array make an object of every value, which long runs have millions of. */

type Test = (value: number) => boolean;

/** The rows of `column` whose value in `by`, which is the column itself by default, passes the test. */
export function where(column: Float64Array, test: Test, by: Float64Array = column): Float64Array {
  const found = new Float64Array(countWhere(by, test));
  let at = 0;
  for (let k = 0; k < column.length; k++) if (test(by[k]!)) found[at++] = column[k]!;
  return found;
}

export function countWhere(column: Float64Array, test: Test): number {
  let count = 0;
  for (let k = 0; k < column.length; k++) if (test(column[k]!)) count++;
  return count;
}

/** The sum of the rows that `where` would choose, without a copy of them. */
export function sumWhere(column: Float64Array, test: Test, by: Float64Array = column): number {
  let sum = 0;
  for (let k = 0; k < column.length; k++) if (test(by[k]!)) sum += column[k]!;
  return sum;
}

/** Their mean; NaN if there are none. */
export function meanWhere(column: Float64Array, test: Test, by: Float64Array = column): number {
  return sumWhere(column, test, by) / countWhere(by, test);
}

/** The largest value, at least 0. */
export function largest(column: Float64Array): number {
  let most = 0;
  for (let k = 0; k < column.length; k++) if (column[k]! > most) most = column[k]!;
  return most;
}

/** The smallest value, at most 0. */
export function smallest(column: Float64Array): number {
  let least = 0;
  for (let k = 0; k < column.length; k++) if (column[k]! < least) least = column[k]!;
  return least;
}
