/** Says in words what is proven at the end of a flattening, and what is not. */
import { SIDES } from '../../../domain/codes.ts';
import { formatLots, tradedName } from '../../../domain/instrument.ts';
import type { Target } from './flat-scope.ts';

/** Said while the journal lacks orders of this bot. */
export const UNSEEN = 'a trigger order that the journal forgot may wait at the venue, and no list shows it';

/** What is proven when the flattening of a scope ends, and what is not. */
export function endText(others: readonly Target[], isForgetful: boolean): string {
  const held = others.map((one) => legText(one, one.leg.total)).join(', ');
  const left =
    held === ''
      ? 'no own order and no position is left'
      : `no own order and no own position is left; ${held} ${others.length === 1 ? 'is' : 'are'} not closed, because no order in the journal opened it`;
  return `flat: ${left}${isForgetful ? `; ${UNSEEN}` : ''}`;
}

/** "BTCUSDT LONG 0.300". */
export function legText({ context: { instrument }, leg }: Target, lots: number): string {
  return `${tradedName(instrument)} ${SIDES[leg.index & 1]!} ${formatLots(lots, instrument)}`;
}
