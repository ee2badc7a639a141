/** Says in words what is closed of each leg, what stays, and why. */
import { formatLots, tradedName } from '../../../domain/instrument.ts';
import { legText, UNSEEN } from './end-text.ts';
import type { FlatScope, Target } from './flat-scope.ts';

/** What a flatten, or a kill, closes and leaves: a sentence for each leg that is not simply closed. */
export function partsText(
  legs: readonly Target[],
  others: readonly Target[],
  scope: FlatScope,
  now: number,
  isKill = scope.isKill,
): string[] {
  const shared = legs.filter(({ leg }) => leg.own < leg.total);
  const left = others.map((one) => `not closed, because no order of this bot opened it: ${legText(one, one.leg.total)}`);
  const refused = legs.flatMap((one) => {
    const why = stayText(one, now);
    return why === '' ? [] : [legText(one, scope.lots(one.leg, isKill)) + why];
  });
  const parts = shared.map((one) => partText(one, scope.stays(one.leg, isKill) === 0));
  return [...refused, ...parts, ...left, ...(scope.isForgetful ? [UNSEEN] : [])];
}

/** Why the leg is not closed for now: the venue does not know its symbol. Empty if it is closed. */
export function stayText({ context: { closeCircuit, instrument, isOffline } }: Target, now: number): string {
  if (!isOffline && closeCircuit.count === 0) return '';
  const why = `: the venue refuses ${tradedName(instrument)} (unknown-instrument), the position stays`;
  return `${why}; the next close follows in ${Math.ceil(Math.max(0, closeCircuit.probeAt - now) / 1_000)} s`;
}

/** A leg of which others opened a part. */
function partText(target: Target, isWhole: boolean): string {
  const { leg } = target;
  const { instrument } = target.context;
  const [own, others] = [formatLots(leg.own, instrument), formatLots(leg.total - leg.own, instrument)];
  const end = isWhole ? 'all of it is closed' : `${own} are closed, ${others} stay`;
  return `${legText(target, leg.total)}: ${own} of it are of this bot, ${others} of others; ${end}`;
}
