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

/** `entries`: prices at which own orders may open, taken from the lowest. The low comes first in the first path. */
export function candidatePaths({ open, high, low, close }: PathBar, entries: readonly number[], trails: readonly Trail[]): number[][] {
  const paths = [
    [open, low, high, close],
    [open, high, low, close],
  ];
  const isReached = (price: number): boolean => price >= low && price <= high;
  for (const at of entries.filter(isReached).toSorted((a, b) => a - b))
    paths.push([open, at, low, high, close], [open, at, high, low, close]);
  for (const { distance, isLong, entry } of trails) {
    const turn = isLong ? low + distance : high - distance;
    const way = entry === null ? [open, turn] : [open, entry, turn];
    if (way.every(isReached)) paths.push([...way, ...(isLong ? [low, high] : [high, low]), close]);
  }
  return paths;
}
