/** The snapshot of a kernel, saved to the store and read at the next start. */
import type { SavedAllocation } from '../state/account/allocation.ts';
import type { Bracket } from '../state/records/brackets.ts';
import type { SavedTrigger } from '../state/records/lost-triggers.ts';
import type { OwnMode } from '../state/records/own-mode.ts';
import type { SavedOrder, SavedLeg } from '../state/records/saved.ts';
import type { SavedMarginStep } from '../orders/margin/margins.ts';
import type { SavedHalt } from '../state/events/halt-codes.ts';
import type { SavedGuards } from '../risk/guards.ts';
import type { SavedLosses } from '../risk/loss-scope.ts';
import type { SavedTrade } from '../trades/saved-trade.ts';
import type { SavedExecution } from '../trades/saved-execution.ts';
import type { SavedSchedule } from '../strategy/durable/saved-schedule.ts';
import type { SavedState } from '../strategy/durable/saved-state.ts';
import type { SavedExplained } from '../positions/explained.ts';
import type { SavedWatch } from '../positions/watch.ts';

/** All state that a kernel needs after a restart. Plain JSON. */
export interface KernelSnapshot {
  readonly version: 1;
  readonly nextSeq: number;
  readonly orders: readonly SavedOrder[];
  /** Known legs; a leg that is not listed must be read first. */
  readonly legs?: readonly SavedLeg[] | undefined;
  readonly halts: readonly SavedHalt[];
  readonly marginSteps?: readonly SavedMarginStep[] | undefined;
  /** Brackets of own orders that the venue holds, or may hold once the orders fill. */
  readonly brackets?: readonly Bracket[] | undefined;
  /** Lots of the newest orders without our name that have explained changes of legs. */
  readonly explained?: SavedExplained | undefined;
  /** The same in earlier versions: the orders alone. */
  readonly toldIds?: readonly string[] | undefined;
  /** Trigger orders that ended without a known result. */
  readonly lostTriggers?: readonly SavedTrigger[] | undefined;
  /** By symbol of futures: the margin mode that own commands ask for. */
  readonly modes?: Readonly<Record<string, OwnMode>> | undefined;
  /** Leverage and margin modes, highest equity, withdrawals already reported. */
  readonly watch?: SavedWatch | undefined;
  /** Counters of the loss limits. Absent if there are none. */
  readonly losses?: SavedLosses | undefined;
  /** Shares of the equity by strategy. Absent if each sees the whole. */
  readonly allocation?: SavedAllocation | undefined;
  /** Counters of the event limits. Absent if there are none. */
  readonly guards?: SavedGuards | undefined;
  /** Result of each strategy's `save`. */
  readonly strategies: Readonly<Record<string, string>>;
  /** By strategy: the fields of `ctx.state`. */
  readonly state?: Readonly<Record<string, SavedState>> | undefined;
  /** By strategy: its calendar. */
  readonly schedules?: Readonly<Record<string, readonly SavedSchedule[]>> | undefined;
  /** By strategy: executions that have not ended. */
  readonly executions?: Readonly<Record<string, readonly SavedExecution[]>> | undefined;
  /** By strategy: managed trades that are not closed. */
  readonly trades?: Readonly<Record<string, readonly SavedTrade[]>> | undefined;
  /** By strategy: parameters that were set while the bot ran. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}
/** The snapshot of a new kernel. */
export const EMPTY_SNAPSHOT: KernelSnapshot = { version: 1, nextSeq: 1, orders: [], halts: [], strategies: {} };
