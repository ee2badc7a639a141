/** An array as a column that is read in parts of `length` values. As in a file, a part is overwritten by the next. */
import type { PagedColumn } from '../../../src/statistics/samples/columns.ts';

export function pagedOf(values: Float64Array, length: number): PagedColumn {
  return {
    length: values.length,
    *parts() {
      const buffer = new Float64Array(length);
      for (let from = 0; from < values.length; from += length) {
        buffer.fill(Number.NaN);
        buffer.set(values.subarray(from, from + length));
        yield buffer.subarray(0, Math.min(length, values.length - from));
      }
    },
  };
}
