/** Reports a halt to the strategies that it concerns: all, those that trade its symbol, or the one that it names. */
import type { InstrumentContext } from '../../state/records/instrument-context.ts';
import type { Core } from '../../state/core.ts';
import type { Halts } from '../../state/halts.ts';
import type { Owner } from '../../state/records/owner.ts';
import type { StrategyRunner } from './strategy-runner.ts';
import type { SavedHalt } from '../../../domain/messages/saved-halt.ts';
import type { Subscribers } from './subscribers.ts';
import type { HaltEvent } from '../definition/types.ts';

/** The shared state that this file uses. */
export interface ReportHaltCore extends Core {
  readonly contexts: readonly InstrumentContext[];
  readonly halts: Halts;
  readonly owners: readonly Owner[];
}

/** The running strategies, and by instrument who trades it. */
interface Listeners {
  readonly isActive: boolean;
  readonly runners: readonly StrategyRunner[];
  readonly allSubscribers: readonly Subscribers[];
}

/** The halt began, or ended if `isEnd`. */
export function reportHalt({ isActive, runners, allSubscribers }: Listeners, core: ReportHaltCore, halt: SavedHalt, isEnd: boolean): void {
  if (!isActive) return;
  const { halts, contexts, owners } = core;
  const scope = halts.scopeOf(halt.scope);
  const side = scope !== null && scope.kind === 'leg' ? scope.side : 0;
  const event: HaltEvent = { scope: halt.scope, code: halt.code, message: halt.detail, isEnd };
  for (const [index, runner] of runners.entries()) {
    const trades = (context: InstrumentContext): boolean => allSubscribers[context.index]!.traders.includes(runner);
    if (scope === null || contexts.some((context) => trades(context) && halts.covers(scope, context, side, owners[index]!)))
      runner.halt(event);
  }
}
