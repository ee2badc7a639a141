/** The subject that `why` is asked about, and the shape of its answer. */
import type { Risk } from '../risk/risk.ts';
import type { ReadFailure } from '../polling/read-failures.ts';
import type { KernelState } from '../state/kernel-state.ts';
import type { SavedHalt } from '../../domain/messages/saved-halt.ts';
import type { RuleVerdict } from '../../domain/messages/why.ts';
import type { Activity } from '../state/activity/activity.ts';
import type { InstrumentContext } from '../state/records/instrument-context.ts';
import type { Order } from '../state/records/order.ts';
import type { Owner } from '../state/records/owner.ts';
import type { SetupUniverse } from '../strategy/definition/universe.ts';
import type { StrategyRunner } from '../strategy/runner/strategy-runner.ts';

/** What only the process around the kernel knows; null in a replay. */
export interface OutsideFacts {
  /** Commands that wait for the rate budget: how many, since when, and when the next may leave. */
  readonly throttle: { readonly waiting: number; readonly since: number; readonly nextDue: number };
  /** Requests that fail now. */
  readonly troubles: readonly {
    readonly of: 'signed' | 'public';
    readonly cause: string;
    readonly status: number;
    readonly since: number;
    readonly failures: number;
  }[];
}

/** The moment that is asked about. */
export interface Moment {
  readonly now: number;
  /** When the process ended that is looked at; 0 while it runs. */
  readonly endedAt: number;
  readonly outside: OutsideFacts | null;
  /** A symbol that is looked at also if it is only a candidate of a universe. */
  readonly symbol?: string | undefined;
}

/** One strategy in one market, at one moment. */
export interface Subject extends Moment {
  readonly core: KernelState;
  readonly risk: Risk;
  readonly runner: StrategyRunner;
  readonly owner: Owner;
  readonly context: InstrumentContext;
  readonly activity: Activity;
  /** Halts that cover opens of it, oldest first. */
  readonly haltsHere: readonly SavedHalt[];
  /** Its live orders in the market, oldest first, and those of any owner there whose outcome is unknown. */
  readonly ordersHere: readonly Order[];
  readonly unknownHere: readonly Order[];
  /** What it lacks of bars; "" if nothing. */
  readonly warmingUp: string;
  readonly lastNote: string;
  /** How its symbols are chosen; null if they are configured. */
  readonly chooses: { readonly universe: SetupUniverse; readonly nextAt: number; readonly reading: string } | null;
  /** What each rule says now of its last intent, or of the smallest order. */
  readonly verdicts: readonly RuleVerdict[];
  /** By kind: reads that fail. */
  readonly failing: ReadonlyMap<string, ReadFailure>;
}
