/** The allowed fields of each intent. A misspelt `stoploss` must not become an order without a stop. @hot */
import { didYouMean } from '../../base/suggest.ts';
import type { ModifyFields, PlaceIntent, PlanIntent, SpotIntent } from './types.ts';

/** Every key of `T`, so that a new field cannot be forgotten here. */
type Terms<T> = Readonly<Record<keyof T, true>>;

const EXITS = { takeProfit: true, stopLoss: true } as const;
const ORDER = { market: true, size: true, limit: true, reason: true } as const;

export const PLACE_FIELDS: Terms<PlaceIntent> = { ...ORDER, ...EXITS, side: true, effect: true, postOnly: true, marginMode: true };
export const PLAN_FIELDS: Terms<PlanIntent> = { ...ORDER, ...EXITS, side: true, trigger: true, triggerBy: true, marginMode: true };
export const SPOT_FIELDS: Terms<SpotIntent> = { ...ORDER, direction: true };
export const MODIFY_FIELDS: Terms<ModifyFields> = { ...EXITS, size: true, limit: true, reason: true };

/** Describes the first unknown field of `terms`; "" if all fields are in `known`. */
export function unknownField(terms: object | undefined, known: Readonly<Record<string, true>>): string {
  for (const name in terms) {
    if (known[name] === true) continue;
    const near = didYouMean(name, Object.keys(known));
    return 'there is no "' + name + '"' + (near === undefined ? '' : ' (' + near + ')');
  }
  return '';
}
