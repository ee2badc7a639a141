/** Checks the fields of `ctx.twap`, `ctx.iceberg`, `ctx.peg`, `ctx.oco` and `ctx.grid`, and makes the plan. */
import { directionOf, type EffectName, type SideName, BUY, CLOSE, LONG, OPEN, SHORT } from '../../../domain/codes.ts';
import type { Instrument } from '../../../domain/instrument.ts';
import { ScaleError } from '../../../domain/amounts/scale.ts';
import type { IntentFault } from '../../../domain/orders/refusals.ts';
import type { ExecutionPlan, SavedBracket, SavedExecution, SavedLine } from './saved-execution.ts';
import { EXECUTION_FIELDS } from './fields.ts';
import { unknownField } from '../../intents/fields.ts';
import { gridLevels } from './executors/grid.ts';
import type { OcoLeg } from './executors/oco.ts';
import { priceTicks } from '../../intents/quantise.ts';
import type { GridFields, IcebergFields, OcoFields, OcoOrder, PegFields, TwapFields } from './execution-types.ts';
import type { Amount, BracketPrice, Market } from '../../intents/market-types.ts';

/** A mistake in the fields. */
export class ExecutionFault extends Error {
  readonly rule: IntentFault;

  constructor(detail: string, rule: IntentFault = 'bad-execution') {
    super(detail);
    this.rule = rule;
  }
}

export type ExecutionRequest =
  | { readonly kind: 'twap'; readonly fields: TwapFields }
  | { readonly kind: 'iceberg'; readonly fields: IcebergFields }
  | { readonly kind: 'peg'; readonly fields: PegFields }
  | { readonly kind: 'oco'; readonly fields: OcoFields }
  | { readonly kind: 'grid'; readonly fields: GridFields };

/** What the checks need to know. */
export interface FieldsContext {
  readonly now: number;
  readonly instrument: Instrument;
  /** A size in lots. @throws ScaleError */
  readonly lots: (size: Amount, side: SideName, effect: EffectName, priceTicks: number) => number;
}

/** Most slices of a TWAP and levels of a grid. */
const MOST_PARTS = 1_000;

/** @throws ExecutionFault, ScaleError */
export function executionOf(id: number, asked: ExecutionRequest, context: FieldsContext): SavedExecution {
  const { fields } = asked;
  const unknown = unknownField(fields, EXECUTION_FIELDS[asked.kind]);
  if (unknown !== '') throw new ExecutionFault(`ctx.${asked.kind}: ${unknown}`, 'unknown-field');
  const { lots, lines, plan } = partsOf(asked, context);
  const { now } = context;
  const expiresInMs = 'durationMs' in fields ? fields.durationMs : fields.expiresInMs;
  if (expiresInMs !== undefined) checkNumber('expiresInMs', expiresInMs, 1);
  return {
    id,
    symbol: fields.market.symbol,
    reason: fields.reason ?? '',
    startedAt: now,
    expiresAt: expiresInMs === undefined ? 0 : now + expiresInMs,
    lots,
    lines,
    plan,
    state: 'working',
    why: '',
    child: null,
    filled: 0,
    value: 0,
    priced: 0,
    bracketed: [],
    refusals: 0,
    retryAt: 0,
  };
}

type Made = Pick<SavedExecution, 'lots' | 'lines'> & { readonly plan: ExecutionPlan };

function partsOf(asked: ExecutionRequest, context: FieldsContext): Made {
  switch (asked.kind) {
    case 'twap':
      return twapOf(asked.fields, context);
    case 'iceberg':
      return icebergOf(asked.fields, context);
    case 'peg':
      return pegOf(asked.fields, context);
    case 'oco':
      return ocoOf(asked.fields, context);
    case 'grid':
      return gridOf(asked.fields, context);
  }
}

function twapOf(fields: TwapFields, context: FieldsContext): Made {
  const { durationMs, slices } = fields;
  checkNumber('durationMs', durationMs, 1);
  checkWhole('slices', slices, 1);
  const { now, instrument } = context;
  const line = lineOf(fields, false);
  const limit = fields.limit === undefined ? 0 : ticksOf(fields.limit, line, instrument);
  const lots = context.lots(fields.size, line.side, line.effect, limit);
  const minLots = Math.max(1, instrument.minSize);
  if (lots < slices * minLots) {
    throw new ExecutionFault(`a size of at least ${slices} × ${minLots} lots was expected for ${slices} slices, found ${lots} lots`);
  }
  return { lots, lines: [line], plan: { kind: 'twap', startsAt: now, endsAt: now + durationMs, slices, limit, minLots, used: 0 } };
}

function icebergOf(fields: IcebergFields, context: FieldsContext): Made {
  const { instrument } = context;
  const line = lineOf(fields, fields.postOnly === true);
  const limit = ticksOf(fields.limit, line, instrument);
  const lots = context.lots(fields.size, line.side, line.effect, limit);
  const show = context.lots(fields.show, line.side, line.effect, limit);
  const minLots = Math.max(1, instrument.minSize);
  if (show < minLots || show > lots) throw new ExecutionFault(`show is from ${minLots} lots to the size of ${lots}, found ${show}`);
  return { lots, lines: [line], plan: { kind: 'iceberg', limit, show, minLots } };
}

function pegOf(fields: PegFields, context: FieldsContext): Made {
  const { to, offset = 0, step, everyMs = 1_000, postOnly = false } = fields;
  const { instrument } = context;
  if (to !== 'bid' && to !== 'ask' && to !== 'mid') throw new ExecutionFault(`to is 'bid', 'ask' or 'mid', found ${String(to)}`);
  if (!Number.isFinite(offset)) throw new ExecutionFault(`offset is a number in quote coin, found ${offset}`);
  checkNumber('everyMs', everyMs, 1);
  const line = lineOf(fields, postOnly);
  const limit = fields.limit === undefined ? 0 : ticksOf(fields.limit, line, instrument);
  const lots = context.lots(fields.size, line.side, line.effect, limit);
  const inTicks = (price: number): number => Math.round((price * instrument.priceScale) / instrument.tickStep);
  const isBuy = isBuying(line);
  return {
    lots,
    lines: [line],
    plan: {
      kind: 'peg',
      to,
      offset: inTicks(offset),
      limit,
      isBuy,
      isPostOnly: postOnly,
      step: Math.max(1, inTicks(step ?? 0)),
      everyMs,
      movedAt: -1,
    },
  };
}

function ocoOf(fields: OcoFields, context: FieldsContext): Made {
  const { market, orders } = fields;
  if (!Array.isArray(orders) || orders.length !== 2)
    throw new ExecutionFault('orders are two, such as [{ side, limit }, { side, trigger }]');
  const lines = orders.map((order) => lineOf(order, false));
  const legs = orders.map((order, k) => ocoLegOf(order, lines[k]!, market, context.instrument)) as [OcoLeg, OcoLeg];
  const isShared = lines[0]!.side === lines[1]!.side && lines[0]!.effect === lines[1]!.effect;
  const sizes = lines.map((line, k) => context.lots(fields.size, line.side, line.effect, legs[k]!.limit || legs[k]!.trigger));
  return { lots: Math.min(...sizes), lines, plan: { kind: 'oco', legs, isShared, chosen: -1 } };
}

function ocoLegOf({ limit, trigger }: OcoOrder, line: SavedLine, market: Market, instrument: Instrument): OcoLeg {
  if (limit === undefined && trigger === undefined) throw new ExecutionFault('each order of an OCO has a limit, a trigger, or both');
  const isBuy = isBuying(line);
  const triggerTicks = trigger === undefined ? 0 : ticksOf(trigger, line, instrument);
  if (trigger !== undefined && !market.hasQuote) throw new ExecutionFault('a trigger needs a quote of the market');
  const isAbove = 2 * triggerTicks > market.bidTicks + market.askTicks;
  return { limit: limit === undefined ? 0 : ticksOf(limit, line, instrument), trigger: triggerTicks, isAbove, isBuy };
}

function gridOf(fields: GridFields, context: FieldsContext): Made {
  const { levels: count, rounds = 0, resting } = fields;
  const { instrument } = context;
  checkWhole('levels', count, 2);
  if (rounds !== 0) checkWhole('rounds', rounds, 1);
  const line = lineOf(fields, false);
  const [from, to] = [ticksOf(fields.from, line, instrument), ticksOf(fields.to, line, instrument)];
  const away = line.side === 'LONG' ? from - to : to - from;
  if (away < count - 1) throw new ExecutionFault('a grid goes from its nearest level to its farthest: down for LONG, up for SHORT');
  const lots = context.lots(fields.size, line.side, 'OPEN', from);
  const levels = gridLevels(from, to, count);
  return { lots: lots * count, lines: [line], plan: { kind: 'grid', levels, lots, rounds, resting } };
}

interface LineFields {
  readonly side: SideName;
  readonly effect?: EffectName | undefined;
  readonly stopLoss?: BracketPrice | undefined;
  readonly takeProfit?: BracketPrice | undefined;
}

function lineOf({ side, effect = 'OPEN', stopLoss, takeProfit }: LineFields, postOnly: boolean): SavedLine {
  if ((side !== 'LONG' && side !== 'SHORT') || (effect !== 'OPEN' && effect !== 'CLOSE'))
    throw new ExecutionFault(`LONG or SHORT and OPEN or CLOSE were expected, found ${side} and ${effect}`, 'bad-side');
  if (effect === 'CLOSE' && (stopLoss !== undefined || takeProfit !== undefined))
    throw new ExecutionFault('stopLoss and takeProfit belong to orders that open');
  return { side, effect, postOnly, stopLoss: bracketOf(stopLoss), takeProfit: bracketOf(takeProfit) };
}

function bracketOf(price: BracketPrice | undefined): SavedBracket | null {
  if (price === undefined) return null;
  const given = typeof price === 'object' ? price : { trigger: price };
  return { trigger: String(given.trigger), limit: given.limit === undefined ? '' : String(given.limit) };
}

function directionOfLine({ side, effect }: SavedLine): number {
  return directionOf(side === 'LONG' ? LONG : SHORT, effect === 'OPEN' ? OPEN : CLOSE);
}

function isBuying(line: SavedLine): boolean {
  return directionOfLine(line) === BUY;
}

function ticksOf(price: Amount, line: SavedLine, instrument: Instrument): number {
  if (typeof price !== 'number' && typeof price !== 'string')
    throw new ScaleError('syntax', `a price was expected, found ${String(price)}`);
  return priceTicks(price, instrument, directionOfLine(line));
}

function checkNumber(name: string, value: number, least: number): void {
  if (!(Number.isFinite(value) && value >= least)) throw new ExecutionFault(`${name} is at least ${least}, found ${value}`);
}

function checkWhole(name: string, value: number, least: number): void {
  if (!(Number.isSafeInteger(value) && value >= least && value <= MOST_PARTS))
    throw new ExecutionFault(`${name} is a whole number from ${least} to ${MOST_PARTS}, found ${value}`);
}
