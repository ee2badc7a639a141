/** Legs in snapshots and in the journal: what is kept of a leg, and how it is restored. */
import { PLACE } from '../../domain/codes.ts';
import type { Core } from '../state/core.ts';
import type { Leg } from '../state/leg.ts';
import type { SavedLeg } from '../state/saved.ts';
import type { KernelSnapshot } from './kernel-snapshot.ts';
import { indexOf } from './snapshot.ts';

/** What is kept of a leg of this symbol. */
export function savedLeg(leg: Leg, symbol: string): SavedLeg {
  const { agreedUpTo, index, proven, provenAt, shownAt, unexplained, untraced, untracedUntil } = leg;
  return {
    symbol,
    side: index & 1,
    total: proven,
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

/** Restores legs: a later read must agree, or be repeated. */
export function restoreLegs(core: Core, { legs = [] }: KernelSnapshot, restored: (leg: Leg) => void): void {
  for (const { symbol, side, total, provenAt, unexplained = 0, agreedUpTo = 0, untraced = [0, 0] } of legs) {
    const instrument = indexOf(core, symbol, PLACE);
    if (instrument < 0) continue;
    const leg = core.contexts[instrument]!.leg(side);
    leg.begin(total);
    leg.unexplained = unexplained;
    leg.tell(-unexplained);
    leg.provenAt = provenAt;
    leg.agreedUpTo = agreedUpTo;
    [leg.untraced, leg.untracedUntil] = untraced;
    restored(leg);
  }
}
