/** What is counted of seeds that the solver went through beside a bot. */
import type { Plan } from '../../simulation/plan.ts';
import type { Level } from './leg-shadow.ts';

/** What kinds of seeds there are: each has what the ones before it may have as well. */
export function kindOf(plan: Plan): string {
  const { incidents } = plan;
  const has = (kind: string): boolean => incidents.some((one) => one.kind === kind);
  if (has('human')) return 'people';
  if (plan.strategy === 'trades' || plan.brackets) return 'brackets';
  if (plan.triggers !== 'none') return `triggers ${plan.triggers}`;
  return 'plain';
}

/** Counts of one kind of seeds. `wide` and `oldWrong`: the smallest seeds by cause. */
export interface Compared {
  seeds: number;
  /** Questions: a leg with undecided orders at a read. */
  reads: number;
  /** Questions by whose the orders are. */
  readonly levels: Record<Level, number>;
  /** Questions at which the solver named a range that the truth is outside of, and at which the bot did. */
  unsound: number;
  oldUnsound: number;
  /** The same while another party has traded what no list has shown: what is likely cannot know it. */
  hidden: number;
  oldHidden: number;
  /** Questions at which what is proven was asked for, at which the truth was outside of it, and at which it says more than records alone. */
  askedProven: number;
  provenUnsound: number;
  provenNarrower: number;
  /** Questions at which nothing explains the leg though nobody else has traded on it: opens on it would be refused. */
  falseHalts: number;
  oldFalseHalts: number;
  /** Questions at which no range is wider than the bot's, and one is narrower; the same; one is wider. */
  narrower: number;
  same: number;
  wider: number;
  /** Ranges that the search did not settle. */
  unsettled: number;
  /** Lots by how long after their fill they were known, in ms: to the bot, to the solver, and by records alone. */
  readonly told: number[];
  readonly known: number[];
  readonly proven: number[];
  /** Microseconds of each solution. */
  readonly micros: number[];
  /** Questions at which the solver knows less of a fill than it did before. */
  takenBack: number;
  /** Records prove more than filled. */
  provenWrong: number;
  /** Orders that ended, and whose fills are not known in the end: to the solver, and to the bot by its own words. */
  undecided: number;
  oldUndecided: number;
  /** Most facts of a leg at once, and terms of rows that one solution looked at. */
  mostFacts: number;
  mostWork: number;
  /** Solutions, and those of legs with too many undecided orders to search. */
  solved: number;
  capped: number;
  readonly notes: Map<string, Note>;
}

interface Note {
  count: number;
  readonly seeds: Set<number>;
  readonly first: string;
}

export function emptySum(): Compared {
  const counts = {
    seeds: 0,
    reads: 0,
    unsound: 0,
    oldUnsound: 0,
    hidden: 0,
    oldHidden: 0,
    askedProven: 0,
    provenUnsound: 0,
    provenNarrower: 0,
    falseHalts: 0,
    oldFalseHalts: 0,
    narrower: 0,
    same: 0,
    wider: 0,
    unsettled: 0,
  };
  const lists = { told: [], known: [], proven: [], micros: [] };
  return {
    ...counts,
    ...lists,
    mostFacts: 0,
    mostWork: 0,
    solved: 0,
    capped: 0,
    takenBack: 0,
    provenWrong: 0,
    undecided: 0,
    oldUndecided: 0,
    levels: { whole: 0, own: 0, late: 0, others: 0, unlisted: 0, records: 0 },
    notes: new Map(),
  };
}

/** The value below which this share of them is. */
export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0;
}
