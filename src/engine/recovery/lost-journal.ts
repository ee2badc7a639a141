/** A new journal on an account with which a bot of this name has traded, or which has a position: the store may have been lost. */
import { SIDES } from '../../domain/codes.ts';
import { formatLots, tradedName } from '../../domain/instrument.ts';
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { Portfolio } from '../state/account/portfolio.ts';

/** The shared state that this file uses. */
interface LostJournalCore extends Core {
  readonly halts: Halts;
  readonly portfolio: Portfolio;
  /** The first client id with our name that this journal never issued; "" for none. */
  readonly lostId: string;
}

/** Halts opens until a person confirms what the first reads have shown. Does nothing if they show neither a position nor an own order. */
export function haltIfLost(core: LostJournalCore): void {
  const { instruments, lostId, portfolio } = core;
  // Reads of a position that changes do not agree, and its size is not known yet.
  const legs = portfolio.legs
    .filter(({ total, shown }) => Math.max(total, shown) > 0)
    .map((leg) => {
      const instrument = instruments[leg.index >> 1]!;
      return `${tradedName(instrument)} ${SIDES[leg.index & 1]!} ${formatLots(Math.max(leg.total, leg.shown), instrument)}`;
    });
  const held = [...legs, ...portfolio.unruled.map(({ symbol, side, size }) => `${symbol} ${SIDES[side]!} ${size}`)];
  const shown = [
    ...(held.length === 0 ? [] : [`the account holds ${held.join(', ')}`]),
    ...(lostId === '' ? [] : [`the venue shows orders of this bot such as ${lostId}`]),
  ];
  if (shown.length === 0) return;
  const detail = `the journal is new, but ${shown.join(', and ')}: the store was lost, or this is another one`;
  core.halts.raise({ scope: { kind: 'bot' }, code: 'journal-lost', detail, by: 'bot' });
}
