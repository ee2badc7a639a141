/** Legs in snapshots and in the journal: what is kept of a leg, and how it is restored. */
import { PLACE } from '../../domain/codes.ts';
import type { Core } from '../state/core.ts';
import type { Leg } from '../state/records/leg.ts';
import type { SavedLeg } from '../state/records/saved.ts';
import type { KernelSnapshot } from './kernel-snapshot.ts';
import { indexOf } from './snapshot.ts';

/** What is kept of a leg of this symbol. */
export function savedLeg(leg: Leg, symbol: string): SavedLeg {
  const { agreedUpTo, foreign, index, proven, provenAt, shownAt, unexplained, untraced, untracedUntil } = leg;
  return {
    symbol,
    side: index & 1,
    total: proven,
    ...(proven > 0 ? { own: proven - foreign } : {}),
    provenAt: Math.max(0, provenAt, shownAt),
    ...(unexplained === 0 ? {} : { unexplained }),
    ...(agreedUpTo === 0 ? {} : { agreedUpTo }),
    ...(untraced === 0 ? {} : { untraced: [untraced, untracedUntil] as const }),
  };
}

/** Known legs for a snapshot. */
export function savedLegs(core: Core, isKnown: (leg: Leg) => boolean): SavedLeg[] {
  return core.portfolio.legs.filter(isKnown).map((leg) => savedLeg(leg, core.instruments[leg.index >> 1]!.symbol));
}

/**
 * Restores legs: a later read must agree, or be repeated. A journal of an earlier version does not say which lots are own: then a leg is if
 * a strategy trades it. Returns legs whose symbol has no instrument: they are kept untouched.
 */
export function restoreLegs(
  core: Core,
  { legs = [] }: KernelSnapshot,
  isTraded: (instrument: number) => boolean,
  restored: (leg: Leg) => void,
): SavedLeg[] {
  const unplaced: SavedLeg[] = [];
  for (const saved of legs) {
    const { symbol, side, total, own, provenAt, unexplained = 0, agreedUpTo = 0, untraced = [0, 0] } = saved;
    const instrument = indexOf(core, symbol, PLACE);
    if (instrument < 0) {
      unplaced.push(saved);
      continue;
    }
    const leg = core.contexts[instrument]!.leg(side);
    leg.begin(total, own === undefined ? (isTraded(instrument) ? 0 : total) : total - own);
    // An order of the leg may have ended as late as the journal did.
    if (leg.own > 0) leg.endedAt = core.journalEnd;
    leg.unexplained = unexplained;
    leg.tell(-unexplained);
    leg.provenAt = provenAt;
    leg.agreedUpTo = agreedUpTo;
    [leg.untraced, leg.untracedUntil] = untraced;
    restored(leg);
  }
  return unplaced;
}
