/** Trials of a study, what they are judged by, and the text forms of objectives and constraints. */
import type { Point } from './space.ts';

/** A figure that a search makes as large or as small as it can. */
export interface Objective {
  /** A metric, or an expression of metrics. */
  readonly figure: string;
  readonly direction: 'max' | 'min';
}

/** A condition on a figure. A trial that breaks one ranks below all trials that break none. */
export interface Constraint {
  readonly figure: string;
  readonly operator: '<' | '<=' | '>' | '>=';
  readonly bound: number;
}

/** Figures by name; null if a figure does not exist, such as the Sharpe ratio of a run without trades. */
export type Figures = Readonly<Record<string, number | null>>;

/** What a run with the parameters of one trial gave. */
export interface Outcome {
  readonly figures: Figures;
  /** Hash of the report. */
  readonly hash: string;
  /** Set if the run failed: the error, in one line. */
  readonly error?: string;
  /** Return of each of some equal spans of the run, as shares of the equity before. */
  readonly returns?: readonly number[];
}

/** `running`: no result yet. `pruned`: stopped after a share of the tape. `failed`: an error, or an objective that does not exist. */
export type TrialState = 'running' | 'done' | 'pruned' | 'failed';

export interface Trial {
  readonly number: number;
  readonly point: Point;
  /** Place in the unit cube that the sampler chose. */
  readonly place: readonly number[];
  readonly state: TrialState;
  /** Number of shares of the tape that it ran on; see halving.ts. */
  readonly rungs: number;
  /** Of the longest run so far. */
  readonly outcome: Outcome | null;
  /** Objectives as numbers to make small, in their order. Empty without an outcome. */
  readonly costs: readonly number[];
  /** Sum of how far each constraint is missed; 0 if all are met. */
  readonly violation: number;
}

/** Objectives as numbers to make small; null if one does not exist. */
export function costsOf(figures: Figures, objectives: readonly Objective[]): readonly number[] | null {
  const costs: number[] = [];
  for (const { figure, direction } of objectives) {
    const value = figures[figure] ?? null;
    if (value === null || Number.isNaN(value)) return null;
    costs.push(direction === 'max' ? -value : value);
  }
  return costs;
}

/** Sum of how far each constraint is missed. A figure that does not exist misses by Infinity. */
export function violationOf(figures: Figures, constraints: readonly Constraint[]): number {
  let sum = 0;
  for (const { figure, operator, bound } of constraints) {
    const value = figures[figure] ?? null;
    if (value === null || Number.isNaN(value)) return Infinity;
    const miss = operator.startsWith('<') ? value - bound : bound - value;
    if (miss > 0) sum += miss;
    else if (miss === 0 && operator.length === 1) sum += Number.MIN_VALUE;
  }
  return sum;
}

/** "maxDrawdown<0.2", "trades >= 30" or "totalReturn / maxDrawdown > 2"; a bound may be a percentage. Null if the text is no constraint. */
export function parseConstraint(text: string): Constraint | null {
  const match = /^\s*([^<>=]*[^<>=\s])\s*(<=|>=|<|>)\s*(-?\d+(?:\.\d+)?)(%?)\s*$/.exec(text);
  if (match === null) return null;
  const [, figure = '', operator = '<', bound = '', percent = ''] = match;
  return { figure, operator: operator as Constraint['operator'], bound: Number(bound) / (percent === '' ? 1 : 100) };
}

/** "largest sharpe". */
export function directionText({ figure, direction }: Objective): string {
  return `${direction === 'max' ? 'largest' : 'smallest'} ${figure}`;
}

/** "maxDrawdown<0.2". */
export function constraintText({ figure, operator, bound }: Constraint): string {
  return `${figure}${operator}${bound}`;
}
