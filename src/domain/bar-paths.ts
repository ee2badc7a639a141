/**
 * The paths that prices may have taken through a bar: lists of turning points, each from the open to the close by way of high and low. Two
 * straight ways alone are no bounds: after an entry inside the bar, prices may turn to either extreme, and may shake out a trailing stop
 * before they go on. So each order that may open, and each trailing stop, adds paths. Prices in ticks.
 */

/** The prices of a bar. */
export interface BarRange {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A stop that stays `distance` behind the best price of a leg. */
export interface TrailInRange {
  readonly distance: number;
  readonly isLong: boolean;
  /** Price at which the leg is opened inside the bar; null for one that is held already. */
  readonly entry: number | null;
}

/** Most opening prices that are tried in one bar, and most trailing stops. */
const PATHS_MOST = 8;

/**
 * `entries` are the prices at which own orders open once the path has reached them: the trigger of a stop, and one tick beyond a limit.
 * First the path by the low, then the one by the high, then two for each entry, the lowest first, then one for each trailing stop: to where
 * the stop reaches the far extreme, then there.
 */
export function barPaths({ open, high, low, close }: BarRange, entries: readonly number[], trails: readonly TrailInRange[]): number[][] {
  const paths: number[][] = [];
  const add = (...path: number[]): void => {
    if (!paths.some((one) => one.length === path.length && one.every((price, k) => price === path[k]))) paths.push(path);
  };
  const isReached = (price: number): boolean => price >= low && price <= high;
  add(open, low, high, close);
  add(open, high, low, close);
  for (const at of entries
    .filter(isReached)
    .toSorted((a, b) => a - b)
    .slice(0, PATHS_MOST)) {
    add(open, at, low, high, close);
    add(open, at, high, low, close);
  }
  for (const { distance, isLong, entry } of trails.slice(0, PATHS_MOST)) {
    const turn = isLong ? low + distance : high - distance;
    if (!isReached(turn) || (entry !== null && !isReached(entry))) continue;
    const start = entry === null ? [open] : [open, entry];
    const [far, near] = isLong ? [low, high] : [high, low];
    add(...start, turn, far, near, close);
  }
  return paths;
}
