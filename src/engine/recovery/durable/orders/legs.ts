/** Known legs; a leg that is not listed must be read first. */
import { assert } from '../../../../base/failure/assert.ts';
import { PLACE } from '../../../../domain/codes.ts';
import type { Leg } from '../../../state/records/leg.ts';
import type { SavedLeg } from '../../../state/records/saved.ts';
import { indexOf } from './saved-orders.ts';
import type { DurableKernel, DurablePart, Fold } from '../part.ts';

export const LEGS = {
  key: 'legs',
  fold(saved = []): Fold<readonly SavedLeg[]> {
    const keyOf = ({ symbol, side }: SavedLeg): string => `${symbol} ${side}`;
    const legs = new Map(saved.map((leg) => [keyOf(leg), leg]));
    return {
      apply({ kind, data }) {
        const leg = data as unknown as SavedLeg;
        if (kind === 'leg') legs.set(keyOf(leg), leg);
      },
      save: () => [...legs.values()],
    };
  },
  live(kernel) {
    const { core, positionReads } = kernel;
    /** Legs whose symbol has no instrument: kept as they are. */
    let unplaced: readonly SavedLeg[] = [];
    return {
      save() {
        const known = core.portfolio.legs.filter((leg) => positionReads.isKnown(leg));
        return [...known.map((leg) => savedLeg(leg, core.instruments[leg.index >> 1]!.symbol)), ...unplaced];
      },
      restore(saved) {
        unplaced = saved.filter((leg) => !restoreLeg(kernel, leg));
      },
    };
  },
} as const satisfies DurablePart<'legs', readonly SavedLeg[]>;

/** What is kept of a leg of this symbol. */
export function savedLeg(leg: Leg, symbol: string): SavedLeg {
  const { agreedUpTo, closedAhead, foreign, index, proven, provenAt, shownAt, unexplained, attributedWithoutRecord, attributedUntil } = leg;
  return {
    symbol,
    side: index & 1,
    total: proven,
    ...(proven > 0 ? { own: proven - foreign } : {}),
    provenAt: Math.max(0, provenAt, shownAt),
    ...(unexplained === 0 ? {} : { unexplained }),
    ...(agreedUpTo === 0 ? {} : { agreedUpTo }),
    ...(attributedWithoutRecord === 0 ? {} : { untraced: [attributedWithoutRecord, attributedUntil] as const }),
    ...(closedAhead.length === 0
      ? {}
      : { closedAhead: closedAhead.map((one) => ({ ...one, at: Number.isFinite(one.at) ? one.at : null })) }),
  };
}

/**
 * A later read must agree, or be repeated. A journal of an earlier version does not say which lots are own: then a leg is if a strategy
 * trades it. False if the symbol has no instrument.
 */
function restoreLeg({ core, flattener, positionReads }: DurableKernel, saved: SavedLeg): boolean {
  const { symbol, side, total, own, provenAt, unexplained = 0, agreedUpTo = 0, untraced = [0, 0], closedAhead = [] } = saved;
  const instrument = indexOf(core, symbol, PLACE);
  if (instrument < 0) return false;
  assert(own === undefined || own >= 0, 'own lots of a kept leg are at least 0', own);
  assert(own === undefined || own <= total, 'own lots of a kept leg are part of it', own);
  const leg = core.contexts[instrument]!.leg(side);
  leg.begin(total, own === undefined ? (flattener.scope.isTraded(instrument) ? 0 : total) : total - own);
  // An order of the leg may have ended as late as the journal did.
  if (leg.own > 0) leg.endedAt = core.journalEnd;
  leg.unexplained = unexplained;
  leg.tell(-unexplained);
  leg.provenAt = provenAt;
  leg.agreedUpTo = agreedUpTo;
  [leg.attributedWithoutRecord, leg.attributedUntil] = untraced;
  leg.closedAhead.push(...closedAhead.map((one) => ({ ...one, at: one.at ?? Infinity })));
  positionReads.restored(leg);
  return true;
}
