/** The allowed fields of each intent. A misspelt `stoploss` must not become an order without a stop. @hot */
import { didYouMean } from '../../base/suggest.ts';
import type { Trailing } from '../state/saved-trade.ts';
import type { GridFields, IcebergFields, OcoFields, OcoOrder, PegFields, TwapFields } from './execution-types.ts';
import type { EnterFields, Rung, Target } from './trade-types.ts';
import type { BracketPrice, LimitFields, ModifyFields, PlaceIntent, QuoteFields, TriggerIntent, SpotIntent } from './types.ts';

/** Allowed fields; those of an object, or of each entry of a list, have a table of their own. */
interface Known {
  readonly [name: string]: true | Known;
}

/** Every key of `T`, so that a new field cannot be forgotten here. */
type FieldsOf<T> = Readonly<Record<keyof T, true | Known>>;

const BRACKET_PRICE: FieldsOf<Extract<BracketPrice, object>> = { trigger: true, limit: true };
const BRACKET = { takeProfit: BRACKET_PRICE, stopLoss: BRACKET_PRICE } as const;
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

export const TRAILING_FIELDS: FieldsOf<Trailing> = { distance: true, percent: true, after: true };
const TARGET: FieldsOf<Target> = { at: true, share: true, resting: true };
const RUNG: FieldsOf<Rung> = { at: true, size: true };
const RISK: FieldsOf<NonNullable<EnterFields['risk']>> = { percent: true, stop: true, maxValue: true };
const KELLY: FieldsOf<NonNullable<EnterFields['kelly']>> = { winRate: true, payoff: true, fraction: true, stop: true };
const VOLATILITY: FieldsOf<NonNullable<EnterFields['volatility']>> = { target: true, realised: true };
const BREAK_EVEN: FieldsOf<NonNullable<EnterFields['breakEven']>> = { after: true, plus: true };

export const ENTER_FIELDS: FieldsOf<EnterFields> = {
  market: true,
  side: true,
  size: true,
  value: true,
  percent: true,
  risk: RISK,
  kelly: KELLY,
  volatility: VOLATILITY,
  maxValue: true,
  limit: true,
  postOnly: true,
  expiresInMs: true,
  stopLoss: BRACKET_PRICE,
  takeProfit: BRACKET_PRICE,
  trailing: TRAILING_FIELDS,
  breakEven: BREAK_EVEN,
  maxHoldMs: true,
  ladder: RUNG,
  reason: true,
};
/** Of `ctx.enter` with a list of targets. */
export const ENTER_TARGETS_FIELDS: FieldsOf<EnterFields> = { ...ENTER_FIELDS, takeProfit: TARGET };

const PARENT = { ...BRACKET, market: true, side: true, effect: true, size: true, reason: true } as const;
const TWAP: FieldsOf<TwapFields> = { ...PARENT, durationMs: true, slices: true, limit: true };
const ICEBERG: FieldsOf<IcebergFields> = { ...PARENT, expiresInMs: true, limit: true, show: true, postOnly: true };
const PEG: FieldsOf<PegFields> = {
  ...PARENT,
  expiresInMs: true,
  to: true,
  offset: true,
  limit: true,
  step: true,
  everyMs: true,
  postOnly: true,
};
const OCO_ORDER: FieldsOf<OcoOrder> = { ...BRACKET, side: true, effect: true, limit: true, trigger: true };
const OCO: FieldsOf<OcoFields> = { market: true, size: true, orders: OCO_ORDER, expiresInMs: true, reason: true };
const GRID: FieldsOf<GridFields> = {
  market: true,
  side: true,
  from: true,
  to: true,
  levels: true,
  size: true,
  stopLoss: BRACKET_PRICE,
  resting: true,
  rounds: true,
  expiresInMs: true,
  reason: true,
};
export const EXECUTION_FIELDS = { twap: TWAP, iceberg: ICEBERG, peg: PEG, oco: OCO, grid: GRID } as const;

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
  const near = didYouMean(name, Object.keys(known));
  const where = within === '' ? '' : ' in ' + within;
  return 'there is no "' + name + '"' + where + (near === undefined ? '' : ' (' + near + ')');
}
