/** The allowed fields of each intent. A misspelt `stoploss` must not become an order without a stop. @hot */
import { didYouMean } from '../../base/suggest.ts';
import type { LimitFields, ModifyFields, PlaceIntent, QuoteFields, TriggerIntent, SpotIntent } from './types.ts';

/** Every key of `T`, so that a new field cannot be forgotten here. */
type FieldsOf<T> = Readonly<Record<keyof T, true>>;

const BRACKET = { takeProfit: true, stopLoss: true } as const;
const ORDER = { market: true, size: true, limit: true, reason: true } as const;

export const PLACE_FIELDS: FieldsOf<PlaceIntent> = { ...ORDER, ...BRACKET, side: true, effect: true, postOnly: true, marginMode: true };
export const TRIGGER_FIELDS: FieldsOf<TriggerIntent> = {
  ...ORDER,
  ...BRACKET,
  side: true,
  trigger: true,
  triggerBy: true,
  marginMode: true,
};
export const SPOT_FIELDS: FieldsOf<SpotIntent> = { ...ORDER, direction: true };
const LINE = { market: true, price: true, size: true, postOnly: true, reason: true } as const;
export const LIMIT_FIELDS: FieldsOf<LimitFields> = { ...LINE, side: true, effect: true };
export const QUOTE_FIELDS: FieldsOf<QuoteFields> = { ...LINE, direction: true };
export const MODIFY_FIELDS: FieldsOf<ModifyFields> = { ...BRACKET, size: true, limit: true, reason: true };

/** Describes the first unknown field of `terms`; "" if all fields are in `known`. */
export function unknownField(fields: object | undefined, known: Readonly<Record<string, true>>): string {
  for (const name in fields) {
    if (known[name] === true) continue;
    const near = didYouMean(name, Object.keys(known));
    return 'there is no "' + name + '"' + (near === undefined ? '' : ' (' + near + ')');
  }
  return '';
}
