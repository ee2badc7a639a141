/** Grid: one managed trade per level, entered below the market (LONG) or above it (SHORT) and closed one level further. */

/** A ladder of managed trades. */
export interface GridPlan {
  readonly kind: 'grid';
  readonly levels: readonly GridLevel[];
  /** Lots of each level. */
  readonly lots: number;
  /** Round trips after which a level rests; 0 for no end. */
  readonly rounds: number;
  /** As given. */
  readonly resting?: boolean | undefined;
}

/** Entry and target in ticks, the managed trade that is there now (0: none), and how many there have been. */
export interface GridLevel {
  readonly at: number;
  readonly target: number;
  readonly trade: number;
  readonly rounds: number;
}

/** Levels whose trade has ended are free again, after `rounds` for good. */
export function freedLevels(plan: GridPlan, isOpen: (trade: number) => boolean): GridPlan {
  if (plan.levels.every(({ trade }) => trade === 0 || isOpen(trade))) return plan;
  const freed = (level: GridLevel): GridLevel =>
    level.trade === 0 || isOpen(level.trade) ? level : { ...level, trade: 0, rounds: level.rounds + 1 };
  return { ...plan, levels: plan.levels.map(freed) };
}

/** The next level to enter: free, and its entry would rest. −1 for none. */
export function nextLevel({ levels, rounds }: GridPlan, isLong: boolean, bid: number, ask: number): number {
  if (bid <= 0 || ask <= 0) return -1;
  return levels.findIndex(
    (level) => level.trade === 0 && (rounds === 0 || level.rounds < rounds) && (isLong ? level.at < ask : level.at > bid),
  );
}

/** True if every level had its rounds. */
export function isOver({ levels, rounds }: GridPlan): boolean {
  return rounds > 0 && levels.every((level) => level.trade === 0 && level.rounds >= rounds);
}

/** Entries and targets in ticks: `count` levels from `from` (nearest to the market) to `to`, each with its target `step` further. */
export function gridLevels(from: number, to: number, count: number): GridLevel[] {
  const step = (from - to) / (count - 1);
  return Array.from({ length: count }, (_, k) => {
    const at = Math.round(from - k * step);
    return { at, target: Math.round(from - (k - 1) * step), trade: 0, rounds: 0 };
  });
}
