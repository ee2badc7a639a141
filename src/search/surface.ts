/** A figure over two parameters, from trials that lie anywhere: means of cells, a smooth surface, and its contour lines. */

/** Trials on the unit square: places from 0 to 1, and the figure of each. */
export interface Sample {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly values: readonly number[];
}

export interface Cell {
  /** Column and row from 0, the first row at y = 0. */
  readonly column: number;
  readonly row: number;
  /** Mean of the trials in it, and their number, at least 1. */
  readonly mean: number;
  readonly trials: number;
}

/** The cells of a grid of `columns` × `rows` in which a trial lies, by row, then column. */
export function cellsOf({ x, y, values }: Sample, columns: number, rows: number): readonly Cell[] {
  const sums = new Float64Array(columns * rows);
  const counts = new Uint32Array(columns * rows);
  const slot = (place: number, count: number): number => Math.min(count - 1, Math.max(0, Math.floor(place * count)));
  for (const [k, value] of values.entries()) {
    const at = slot(y[k]!, rows) * columns + slot(x[k]!, columns);
    sums[at]! += value;
    counts[at]!++;
  }
  return [...counts.keys()]
    .filter((at) => counts[at]! > 0)
    .map((at) => ({ column: at % columns, row: Math.floor(at / columns), mean: sums[at]! / counts[at]!, trials: counts[at]! }));
}

/** Values at the corners of a square grid of `size` × `size` points, row by row from y = 0; NaN where no trial is near. */
export interface Surface {
  readonly size: number;
  readonly values: Float64Array;
}

/** Standard deviation of a uniform place. */
const UNIFORM = Math.sqrt(1 / 12);
/** Further than this many bandwidths from every trial there is no surface. */
const NEAR = 2;

/**
 * Mean of the trials around each point, weighted by a normal kernel (Nadaraya 1964, Watson 1964) whose bandwidth follows Scott's rule for two
 * dimensions, n^(-1/6) (Scott, "Multivariate density estimation", 1992, 6.3), with the spread of uniform places.
 */
export function surfaceOf({ x, y, values }: Sample, size: number): Surface {
  const bandwidth = UNIFORM * values.length ** (-1 / 6);
  const surface = new Float64Array(size * size);
  for (let at = 0; at < surface.length; at++) {
    const [px, py] = [(at % size) / (size - 1), Math.floor(at / size) / (size - 1)];
    let sum = 0;
    let weights = 0;
    let nearest = Infinity;
    for (let k = 0; k < values.length; k++) {
      const squared = ((x[k]! - px) ** 2 + (y[k]! - py) ** 2) / bandwidth ** 2;
      nearest = Math.min(nearest, squared);
      const weight = Math.exp(-squared / 2);
      sum += weight * values[k]!;
      weights += weight;
    }
    surface[at] = nearest > NEAR ** 2 ? Number.NaN : sum / weights;
  }
  return { size, values: surface };
}

/** A piece of a contour line: x and y of its two ends, from 0 to 1. */
export type Segment = readonly [number, number, number, number];

/**
 * The line on which a surface has a value, in pieces that are each within one square of the grid ("marching squares"). A square with a corner
 * that is NaN has none; one whose corners are high and low in turn is divided by the mean of the four.
 */
export function contourOf({ size, values }: Surface, level: number): readonly Segment[] {
  const segments: Segment[] = [];
  const scale = 1 / (size - 1);
  for (let row = 0; row + 1 < size; row++) {
    for (let column = 0; column + 1 < size; column++) {
      const at = row * size + column;
      // Corners around the square, from the lower left one.
      const corners = [values[at]!, values[at + 1]!, values[at + size + 1]!, values[at + size]!];
      if (corners.some(Number.isNaN)) continue;
      const crossed = EDGES.filter(([a, b]) => corners[a]! > level !== corners[b]! > level).map(([a, b]) => {
        const share = (level - corners[a]!) / (corners[b]! - corners[a]!);
        const [ax, ay] = CORNERS[a];
        const [bx, by] = CORNERS[b];
        return [(column + ax + share * (bx - ax)) * scale, (row + ay + share * (by - ay)) * scale] as const;
      });
      const isTurned = crossed.length === 4 && corners.reduce((sum, one) => sum + one, 0) / 4 > level === corners[0]! > level;
      const order = isTurned ? [0, 1, 2, 3] : [3, 0, 1, 2];
      const ends = crossed.length === 4 ? order.map((k) => crossed[k]!) : crossed;
      for (let k = 0; k + 1 < ends.length; k += 2) segments.push([...ends[k]!, ...ends[k + 1]!]);
    }
  }
  return segments;
}

const CORNERS = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
] as const;
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 0],
] as const;
