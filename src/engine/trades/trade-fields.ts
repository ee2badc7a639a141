/** The allowed fields of `ctx.enter` and of what changes a trade. */
import type { FromAverage, Trailing } from './saved-trade.ts';
import { BRACKET_PRICE, type FieldsOf } from '../intents/fields.ts';
import type { AddFields, EnterFields, ReduceFields, Rung, Target } from './trade-types.ts';

export const TRAILING_FIELDS: FieldsOf<Trailing> = { distance: true, percent: true, after: true };
export const AWAY_FIELDS: FieldsOf<FromAverage> = { distance: true, percent: true };
const TARGET: FieldsOf<Target> = { ...AWAY_FIELDS, at: true, share: true, resting: true };
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
  stop: AWAY_FIELDS,
  trailing: TRAILING_FIELDS,
  breakEven: BREAK_EVEN,
  maxHoldMs: true,
  ladder: RUNG,
  reason: true,
};
/** Of `ctx.enter` with a list of targets. */
export const ENTER_TARGETS_FIELDS: FieldsOf<EnterFields> = { ...ENTER_FIELDS, takeProfit: TARGET };

export const ADD_FIELDS: FieldsOf<AddFields> = { size: true, share: true, limit: true, postOnly: true, reason: true };
export const REDUCE_FIELDS: FieldsOf<ReduceFields> = { size: true, share: true, limit: true, reason: true };
