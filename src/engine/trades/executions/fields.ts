/** The allowed fields of executions. */
import { BRACKET, BRACKET_PRICE, type FieldsOf } from '../../intents/fields.ts';
import type { GridFields, IcebergFields, OcoFields, OcoOrder, PegFields, TwapFields } from './execution-types.ts';

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
