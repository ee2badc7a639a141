/** Decides whether reads of the account can still show the bot anything new while nothing changes at the venue. */
import type { Core } from '../state/core.ts';
import type { PendingQueries } from '../polling/queries.ts';
import type { PositionReads } from './position-reads.ts';
import type { Unexplained } from './unexplained.ts';
import { isKnown } from './watch.ts';

interface Reads {
  readonly core: Core;
  readonly queries: PendingQueries;
  readonly positionReads: PositionReads;
  readonly unexplained: Unexplained;
}

/** True if no command and no question is under way, every order and leg is as the last reads show it, and nothing is being flattened. */
export function isSettled({ core, queries, positionReads, unexplained }: Reads): boolean {
  const { halts, inFlight, orders, tradingState } = core;
  return (
    tradingState.phase === 'armed' &&
    inFlight.count === 0 &&
    queries.count === 0 &&
    unexplained.count === 0 &&
    positionReads.isAgreed &&
    orders.of.every((list) => list.known().every(isKnown)) &&
    !halts.all().some(({ code }) => code === 'flatten')
  );
}
