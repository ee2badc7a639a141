/** A halt is told to the strategies that it concerns: all, those that trade its symbol, or the one that it names. */
import type { Desk } from '../state/instrument-context.ts';
import type { Core } from '../state/core.ts';
import type { Dispatch } from './dispatch.ts';
import type { SavedHalt } from '../state/halt-codes.ts';
import type { HaltEvent } from './types.ts';

/** The halt began, or ended. */
export function tellHalt({ isTelling, hosts, audiences }: Dispatch, core: Core, halt: SavedHalt, isEnd: boolean): void {
  if (!isTelling) return;
  const { halts, desks, owners } = core;
  const scope = halts.scopeOf(halt.scope);
  const side = scope !== null && scope.kind === 'leg' ? scope.side : 0;
  const event: HaltEvent = { scope: halt.scope, code: halt.code, detail: halt.detail, isEnd };
  for (const [index, host] of hosts.entries()) {
    const trades = (desk: Desk): boolean => audiences[desk.index]!.traders.includes(host);
    if (scope === null || desks.some((desk) => trades(desk) && halts.covers(scope, desk, side, owners[index]!))) host.halt(event);
  }
}
