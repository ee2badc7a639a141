/** The allowed fields of each intent. A misspelt `stoploss` must not become an order without a stop. @hot */
import { didYouMean } from '../../base/text/suggest.ts';
import type { BracketPrice } from './market-types.ts';
import type { LimitFields, ModifyFields, PlaceIntent, QuoteFields, TriggerIntent, SpotIntent } from './intents.ts';

/** Allowed fields; those of an object, or of each entry of a list, have a table of their own. */
export interface Known {
  readonly [name: string]: true | Known;
}

/** Every key of `T`, so that a new field cannot be forgotten here. */
export type FieldsOf<T> = Readonly<Record<keyof T, true | Known>>;

export const BRACKET_PRICE: FieldsOf<Extract<BracketPrice, object>> = { trigger: true, limit: true };
export const BRACKET = { takeProfit: BRACKET_PRICE, stopLoss: BRACKET_PRICE } as const;
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

/** Describes the first unknown field of `fields`, or of an object or a list in it; "" if all fields are in `known`. */
export function unknownField(fields: object | undefined, known: Known, within = ''): string {
  for (const name in fields) {
    const table = known[name];
    if (table === true) continue;
    if (typeof table !== 'object') return describe(name, known, within);
    const problem = unknownInside(fields[name as keyof typeof fields], table, name);
    if (problem !== '') return problem;
  }
  return '';
}

/** The same of the value of a field: an object, or a list of them. */
function unknownInside(value: unknown, known: Known, within: string): string {
  if (typeof value !== 'object' || value === null) return '';
  if (!Array.isArray(value)) return unknownField(value, known, within);
  for (const one of value) {
    const problem = unknownInside(one, known, within);
    if (problem !== '') return problem;
  }
  return '';
}

function describe(name: string, known: Known, within: string): string {
  const near = didYouMean(name === 'price' && 'limit' in known ? 'limit' : name, Object.keys(known));
  const where = within === '' ? '' : ' in ' + within;
  return 'there is no "' + name + '"' + where + (near === undefined ? '' : ' (' + near + ')');
}
