/**
 * The paths that prices may have taken through a bar: lists of turning points, each from the open to the close by way of high and low. Two
 * straight ways alone are no bounds: after an entry inside the bar, prices may turn to either extreme, and may shake out a trailing stop
 * before they go on. So each order that may open, and each trailing stop, adds paths. Where a LONG and a SHORT have exits, prices may reach
 * one of each before they go on to either extreme. Prices in ticks.
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

/** Exits at which a path may turn: on the lower side of the open those of one leg, on the upper side those of the other. */
export interface TurnsInRange {
  readonly below: readonly number[];
  readonly above: readonly number[];
}

/** Most opening prices that are tried in one bar, and most trailing stops. */
const PATHS_MOST = 8;
/** Most exits on either side of the open at which paths turn, the nearest ones: 20 paths. */
const TURNS_MOST = 2;

/**
 * `entries` are the prices at which own orders open once the path has reached them: the trigger of a stop, and one tick beyond a limit.
 * First the two straight paths, the one by the high first if `isHighFirst`, then two for each entry, the lowest first, then one for each trailing stop: to where
 * the stop reaches the far extreme, then there. Last, if there are exits on both sides of the open, every order in which a path may come to
 * them and to the extremes.
 */
export function barPaths(
  { open, high, low, close }: BarRange,
  entries: readonly number[],
  trails: readonly TrailInRange[],
  turns: TurnsInRange,
  isHighFirst: boolean,
): number[][] {
  const paths: number[][] = [];
  const add = (...path: number[]): void => {
    if (!paths.some((one) => one.length === path.length && one.every((price, k) => price === path[k]))) paths.push(path);
  };
  const isReached = (price: number): boolean => price >= low && price <= high;
  for (const isFirst of [isHighFirst, !isHighFirst]) add(open, ...(isFirst ? [high, low] : [low, high]), close);
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
  const below = nearest(turns.below.filter((price) => price >= low && price < open).map((price) => open - price)).map((far) => open - far);
  const above = nearest(turns.above.filter((price) => price <= high && price > open).map((price) => price - open)).map((far) => open + far);
  if (below.length === 0 || above.length === 0) return paths;
  for (const way of waysOver([...new Set([...below, low])], [...new Set([...above, high])])) add(open, ...way, close);
  return paths;
}

function nearest(distances: readonly number[]): number[] {
  return [...new Set(distances)].sort((a, b) => a - b).slice(0, TURNS_MOST);
}

/** All orders in which new lows and new highs may come: of each way the prices at which it turns. */
function waysOver(lows: readonly number[], highs: readonly number[]): number[][] {
  if (lows.length === 0 || highs.length === 0) return [[...lows.slice(-1), ...highs.slice(-1)]];
  const [nextLow, nextHigh] = [lows[0]!, highs[0]!];
  const down = waysOver(lows.slice(1), highs).map((way) => (way[0]! < nextLow ? way : [nextLow, ...way]));
  const up = waysOver(lows, highs.slice(1)).map((way) => (way[0]! > nextHigh ? way : [nextHigh, ...way]));
  return [...down, ...up];
}
