/** The orders of a recorded session whose fate decides a later command: the session cancels them, and nothing cancels an order that has not landed. */
import { CANCEL } from '../../../src/domain/codes.ts';
import { ACCEPTED } from '../../../src/ports/venue-event.ts';
import { openSession } from '../../../src/run/replay/replay.ts';
import { COMMAND, type Entry } from '../../../src/run/session/entries.ts';

/** Numbers of the orders that were accepted and cancelled after that, by the time of the cancel. */
export function cancelledOrders(folder: string): readonly number[] {
  const accepted = new Set<number>();
  const cancelled = new Set<number>();
  for (const entry of openSession(folder).entries as Iterable<Entry>) {
    if (entry.kind === ACCEPTED && 'seq' in entry) accepted.add(entry.seq);
    if (entry.kind !== COMMAND || !('body' in entry)) continue;
    const { kind, target } = entry.body as { readonly kind: number; readonly target: number };
    if (kind === CANCEL && accepted.has(target)) cancelled.add(target);
  }
  return [...cancelled];
}
