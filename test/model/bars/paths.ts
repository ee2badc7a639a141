/** The candidate paths of a bar: every one visits open, high, low and close. Which of them count depends on the own orders in range. */
export interface PathBar {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** A trailing stop, or one that an entry brings: how far it stays behind, on which leg, and the price of that entry if it is not open yet. */
export interface Trail {
  readonly distance: number;
  readonly isLong: boolean;
  readonly entry: number | null;
}

/** An exit that may make a path turn: the stop of a leg, or in the other reading its target. */
export interface Turn {
  readonly price: number;
  /** True if it acts when prices fall. */
  readonly isBelow: boolean;
}

/** `entries`: prices at which own orders may open, taken from the lowest. The low comes first in the first path, unless `isHighFirst`. */
export function candidatePaths(
  { open, high, low, close }: PathBar,
  entries: readonly number[],
  trails: readonly Trail[],
  turns: readonly Turn[],
  isHighFirst: boolean,
): number[][] {
  const straight = [
    [open, low, high, close],
    [open, high, low, close],
  ];
  const paths = isHighFirst ? straight.toReversed() : straight;
  const isReached = (price: number): boolean => price >= low && price <= high;
  for (const at of entries.filter(isReached).toSorted((a, b) => a - b))
    paths.push([open, at, low, high, close], [open, at, high, low, close]);
  for (const { distance, isLong, entry } of trails) {
    const turn = isLong ? low + distance : high - distance;
    const way = entry === null ? [open, turn] : [open, entry, turn];
    if (way.every(isReached)) paths.push([...way, ...(isLong ? [low, high] : [high, low]), close]);
  }
  const pick = (isBelow: boolean): number[] =>
    turns
      .filter((one) => one.isBelow === isBelow && isReached(one.price) && (isBelow ? one.price < open : one.price > open))
      .map(({ price }) => price)
      .toSorted((a, b) => (isBelow ? b - a : a - b))
      .filter((price, k, all) => price !== all[k - 1])
      .slice(0, 2);
  const [below, above] = [pick(true), pick(false)];
  if (below.length === 0 || above.length === 0) return paths;
  const [lows, highs] = [
    [...below.filter((price) => price > low), low],
    [...above.filter((price) => price < high), high],
  ];
  // Every word of so many letters D and U, in the order of the alphabet: each letter is the next new low or the next new high.
  const words = (downs: number, ups: number): string[] =>
    downs + ups === 0
      ? ['']
      : [
          ...(downs > 0 ? words(downs - 1, ups).map((rest) => `D${rest}`) : []),
          ...(ups > 0 ? words(downs, ups - 1).map((rest) => `U${rest}`) : []),
        ];
  for (const word of words(lows.length, highs.length)) {
    let [down, up] = [0, 0];
    paths.push([open, ...[...word].map((letter) => (letter === 'D' ? lows[down++]! : highs[up++]!)), close]);
  }
  return paths;
}
