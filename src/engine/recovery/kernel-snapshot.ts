/** The snapshot of a kernel: what is written to the store and read at the next start. */
import type { Bracket } from '../state/brackets.ts';
import type { SavedTrigger } from '../state/lost-triggers.ts';
import type { SavedOrder, SavedLeg } from '../state/saved.ts';
import type { SavedMarginStep } from '../orders/margins.ts';
import type { SavedHalt } from '../state/halt-codes.ts';
import type { SavedGuards } from '../risk/guards.ts';
import type { SavedLosses } from '../risk/loss-scope.ts';
import type { SavedWatch } from '../positions/watch.ts';

/** All that a kernel must know again after a restart. Plain JSON. */
export interface KernelSnapshot {
  readonly version: 1;
  readonly nextSeq: number;
  readonly orders: readonly SavedOrder[];
  /** Legs that are known; one that is not listed has to be read. */
  readonly legs?: readonly SavedLeg[] | undefined;
  readonly halts: readonly SavedHalt[];
  readonly marginSteps?: readonly SavedMarginStep[] | undefined;
  /** Preset exits of own orders that live at the venue, or may come to. */
  readonly brackets?: readonly Bracket[] | undefined;
  /** The newest orders of others at the venue that have been told of. */
  readonly toldIds?: readonly string[] | undefined;
  /** Trigger orders of which nobody knows what they became. */
  readonly lostTriggers?: readonly SavedTrigger[] | undefined;
  /** Terms of the symbols, highest equity, withdrawals that were seen. */
  readonly watch?: SavedWatch | undefined;
  /** What the limits of loss count over time. Absent where there are none. */
  readonly losses?: SavedLosses | undefined;
  /** What the limits that count events have counted. Absent where there are none. */
  readonly guards?: SavedGuards | undefined;
  /** What each strategy's `save` gave. */
  readonly strategies: Readonly<Record<string, string>>;
  /** By strategy: parameters that were set while the bot ran. */
  readonly params?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
}
/** Of a kernel that knows nothing yet. */
export const EMPTY_SNAPSHOT: KernelSnapshot = { version: 1, nextSeq: 1, orders: [], halts: [], strategies: {} };
