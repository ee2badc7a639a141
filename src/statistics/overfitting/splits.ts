/**
 * Ways to cut time into parts that choose and parts that judge. `purge` periods before a judging part and `embargo` periods after it belong to
 * neither, so that nothing of a trade that reaches over the edge is on both sides (López de Prado, "Advances in financial machine learning",
 * 2018, chapters 7 and 12). Parts are half-open ranges of periods: [from, to).
 */

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Split {
  readonly train: readonly Range[];
  readonly test: readonly Range[];
}

export interface WalkForwardOptions {
  /** Number of periods in all. */
  readonly periods: number;
  /** Number of judging parts. */
  readonly folds: number;
  /** Length of the first part that chooses. */
  readonly train: number;
  /** `anchored`: it begins at 0 and grows. `rolling`: it keeps its length. */
  readonly kind: 'anchored' | 'rolling';
  readonly purge: number;
}

/**
 * The folds of a walk-forward: each chooses on the past and is judged on what follows.
 * @throws RangeError when a part would be empty
 */
export function walkForwardSplits({
  periods,
  folds,
  train,
  kind,
  purge,
}: WalkForwardOptions): readonly (Split & { readonly test: readonly [Range] })[] {
  const judged = periods - train;
  if (folds < 1 || judged < folds || train - purge < 1) {
    throw new RangeError(
      `expected ${folds} folds of at least 1 period after ${train} periods to choose on (${purge} of them purged), found ${periods} periods`,
    );
  }
  return Array.from({ length: folds }, (_, fold) => {
    const from = train + Math.round((judged * fold) / folds);
    const to = train + Math.round((judged * (fold + 1)) / folds);
    return { train: [{ from: kind === 'anchored' ? 0 : from - train, to: from - purge }], test: [{ from, to }] };
  });
}

export interface PurgedOptions {
  readonly periods: number;
  /** Number of groups that time is cut into. */
  readonly groups: number;
  /** How many of them judge at a time. */
  readonly judging: number;
  readonly purge: number;
  readonly embargo: number;
}

/**
 * Combinatorial purged cross-validation: all choices of `judging` groups out of `groups`, in lexical order.
 * @throws RangeError when a part would be empty
 */
export function purgedSplits({ periods, groups, judging, purge, embargo }: PurgedOptions): readonly Split[] {
  if (judging < 1 || judging >= groups || periods < groups) {
    throw new RangeError(`expected 1 to ${groups - 1} judging groups and at least ${groups} periods, found ${judging} and ${periods}`);
  }
  const edge = (group: number): number => Math.round((periods * group) / groups);
  return combinations(groups, judging).map((chosen) => {
    const test = joined(chosen.map((group) => ({ from: edge(group), to: edge(group + 1) })));
    let train: Range[] = [{ from: 0, to: periods }];
    for (const part of test) train = without(train, { from: part.from - purge, to: part.to + embargo });
    return { train, test };
  });
}

/** How many whole paths through time the judging parts of `purgedSplits` make up: each group is judged this often. */
export const pathCount = (groups: number, judging: number): number => combinations(groups - 1, judging - 1).length;

/** All choices of `size` of the numbers below `count`. */
function combinations(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  const all: number[][] = [];
  for (let first = 0; first <= count - size; first++) {
    for (const rest of combinations(count - first - 1, size - 1)) all.push([first, ...rest.map((value) => value + first + 1)]);
  }
  return all;
}

function joined(parts: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last !== undefined && last.to === part.from) all[all.length - 1] = { from: last.from, to: part.to };
    else all.push(part);
  }
  return all;
}

function without(parts: readonly Range[], hole: Range): Range[] {
  return parts
    .flatMap(({ from, to }) => [
      { from, to: Math.min(to, hole.from) },
      { from: Math.max(from, hole.to), to },
    ])
    .filter(({ from, to }) => from < to);
}
