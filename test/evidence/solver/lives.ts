/** When the orders of a leg lived, and how large they may be, as far as facts tell. */
import type { Fact, LegFacts, NotPending, OwnOrder } from './facts.ts';

/** When an order began and ended, as far as known. */
export interface Life {
  createdFrom: number;
  createdBy: number;
  endedFrom: number;
  endedBy: number;
  /** True if it is known that the venue had it. */
  isSure: boolean;
}

export function livesOf({ facts, lag, orders }: LegFacts): Life[] {
  const lives = orders.map(({ by, from, mayFail }): Life => {
    return { createdFrom: from, createdBy: by, endedFrom: -Infinity, endedBy: Infinity, isSure: by < Infinity && mayFail !== true };
  });
  for (const fact of facts) if ('order' in fact) live(lives[fact.order]!, fact, lag);
  for (const fact of facts) if (fact.kind === 'not-pending') absent(lives[fact.order]!, fact, lag);
  return lives;
}

function live(life: Life, fact: Fact, lag: number): void {
  if (fact.kind === 'not-ended') life.endedFrom = Math.max(life.endedFrom, fact.first - lag);
  if (fact.kind === 'cancelled') life.endedBy = Math.min(life.endedBy, fact.answered);
  if (fact.kind === 'order' || fact.kind === 'cancelled') life.isSure = true;
  if (fact.kind !== 'order') return;
  life.createdFrom = Math.max(life.createdFrom, fact.createdAt);
  life.createdBy = Math.min(life.createdBy, fact.createdAt === -Infinity ? fact.updatedAt : fact.createdAt);
  if (fact.status === 'new') life.endedFrom = Math.max(life.endedFrom, fact.updatedAt, fact.answered - lag);
  else {
    life.endedFrom = Math.max(life.endedFrom, fact.updatedAt);
    if (fact.status !== 'replaced') life.endedBy = Math.min(life.endedBy, fact.updatedAt);
  }
}

/** An order that was not pending at a moment had ended by then, or had not come to be. */
function absent(life: Life, { first, answered }: NotPending, lag: number): void {
  const since = first - lag;
  if (life.createdBy < since) life.endedBy = Math.min(life.endedBy, answered);
  if (life.endedFrom > answered) life.createdFrom = Math.max(life.createdFrom, since);
}

/** Most lots that the order may have: of the version that has traded, or of those that may come after what records show. */
export function sizeOf({ later = [], size }: OwnOrder, order: number, facts: readonly Fact[]): number {
  if (later.length === 0) return size;
  const sizes = [size, ...later.map((one) => one.size)];
  let shown = 0;
  for (const fact of facts) {
    if (fact.kind !== 'order' || fact.order !== order) continue;
    const { isTraded, status, version = 0 } = fact;
    // Only an order that has not traded can be modified.
    if (isTraded) return sizes[version]!;
    shown = Math.max(shown, status === 'replaced' ? version + 1 : version);
  }
  return Math.max(...sizes.slice(Math.min(shown, later.length)));
}
