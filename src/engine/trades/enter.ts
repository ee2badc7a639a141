/** Checks the fields of `ctx.enter` and computes the entry order. */
import type { IntentFault } from '../../domain/orders/refusals.ts';
import type { BracketPrice } from '../intents/market-types.ts';
import type { OrderFields } from '../intents/intents.ts';
import type { SavedTrade, TargetPlan } from './saved-trade.ts';
import { ENTER_FIELDS, ENTER_TARGETS_FIELDS } from './trade-fields.ts';
import { unknownField } from '../intents/fields.ts';
import { awayProblem, trailingDistance, trailingProblem } from './distances.ts';
import { kellyFraction, riskSize, volatilityTarget } from './sizing.ts';
import type { EnterFields, SizeFields, Target } from './trade-types.ts';

/** Why an entry is refused. */
export interface EnterProblem {
  readonly rule: IntentFault;
  readonly detail: string;
}

export interface Entry {
  readonly order: OrderFields;
  readonly targets: readonly Target[];
  /** Trigger price of the stop-loss that the venue holds; 0 for none. */
  readonly venueStop: number;
}

export function entryFields(fields: EnterFields, equity: number): Entry | EnterProblem {
  const problem = problemOf(fields);
  if (problem !== '') return { rule: 'bad-trade', detail: problem };
  const { limit, postOnly, takeProfit, reason } = fields;
  const stopLoss = fields.stopLoss ?? firstTrailingStop(fields);
  const size = fields.size ?? sizeBy({ ...fields, stopLoss }, equity);
  if (typeof size === 'object') return size;
  const small = fields.size === undefined ? smallProblem(fields, Number(size)) : null;
  if (small !== null) return small;
  const isList = Array.isArray(takeProfit);
  const order: OrderFields = {
    size,
    limit,
    postOnly,
    stopLoss,
    reason,
    takeProfit: isList ? undefined : (takeProfit as BracketPrice | undefined),
  };
  return { order, targets: isList ? (takeProfit as readonly Target[]) : [], venueStop: triggerOf(stopLoss) };
}

/**
 * Size in base coin by value, percent, risk, Kelly or volatility, of which one must be given; worth at most `maxValue`. The entry price is the
 * limit, or the opposite quote.
 */
export function sizeBy(fields: SizeFields, equity: number): number | EnterProblem {
  const { side, risk, value, percent, kelly, volatility } = fields;
  const entry = entryPrice(fields);
  const stop = Number(risk?.stop ?? kelly?.stop ?? triggerOf(fields.stopLoss));
  const share = kelly === undefined ? (risk?.percent ?? 0) : 100 * kellyFraction(kelly) * (kelly.fraction ?? 0.5);
  const size =
    risk !== undefined || kelly !== undefined
      ? riskSize(equity, share, entry, stop, side)
      : (value ?? (percent === undefined ? valueByVolatility(volatility, equity) : (equity * percent) / 100)) / entry;
  if (!(size >= 0 && size < Infinity)) {
    const needed = risk !== undefined || kelly !== undefined ? `, and a stop on its losing side (${stop})` : '';
    return { rule: 'bad-amount', detail: `a size needs equity (${equity}), an entry price (${entry})${needed}` };
  }
  if (size === 0) return { rule: 'bad-amount', detail: 'the odds or the target give a size of 0' };
  return Math.min(size, (fields.maxValue ?? risk?.maxValue ?? Infinity) / entry);
}

/** Refuses a computed size that is below one lot in the words of the field that it comes from; null if it is not. */
function smallProblem(fields: EnterFields, size: number): EnterProblem | null {
  const { symbol, lot, minSize } = fields.market;
  if (size >= lot * (1 - 1e-9)) return null;
  const [name = ''] = SIZED_BY.filter((key) => fields[key] !== undefined);
  const stated = JSON.stringify(fields[name as keyof EnterFields]);
  const detail = `${name}: ${stated} gives ${Number(size.toPrecision(3))} of ${symbol}, below the smallest order of ${Math.max(lot, minSize)}`;
  return { rule: 'bad-amount', detail };
}

/** Fields of which a size is computed. */
const SIZED_BY = ['value', 'percent', 'risk', 'kelly', 'volatility'] as const;

function valueByVolatility(volatility: SizeFields['volatility'], equity: number): number {
  return volatility === undefined ? Number.NaN : volatilityTarget(equity, volatility.target, volatility.realised);
}

export function newTrade(id: number, fields: EnterFields, { order, targets, venueStop }: Entry, now: number): SavedTrade {
  const { market, side, reason = '', stop, trailing = null, breakEven, expiresInMs, maxHoldMs = 0 } = fields;
  return {
    id,
    symbol: market.symbol,
    side,
    reason,
    state: 'entering',
    opens: [id],
    enteredLots: 0,
    exitedLots: 0,
    entryValue: 0,
    pricedLots: 0,
    held: null,
    placedAt: now,
    entryTime: 0,
    best: 0,
    worst: 0,
    stop: 0,
    stopAway: stop === undefined ? null : { ...stop },
    venueStop,
    bracket: { stopLoss: order.stopLoss, takeProfit: order.takeProfit },
    trailing: trailing === null ? null : { ...trailing },
    breakEven: breakEven === undefined ? null : { after: breakEven.after, plus: breakEven.plus ?? 0 },
    targets: targets.map((target) => planOf(target, venueStop === 0)),
    reduces: [],
    reducedLots: 0,
    expiresAt: expiresInMs === undefined ? 0 : now + expiresInMs,
    maxHoldMs,
    closing: 0,
    why: '',
    exits: [],
  };
}

function planOf({ at, distance, percent, share, resting }: Target, rests: boolean): TargetPlan {
  const away = at === undefined ? { distance, percent } : null;
  return { at: at === undefined ? 0 : Number(at), away, share, resting: resting ?? rests, order: 0, lots: 0, filled: 0 };
}

/** Describes the first field that `ctx.enter` does not have; "" if all are known. */
export function unknownEnterField(fields: SizeFields): string {
  const { takeProfit } = fields as EnterFields;
  return unknownField(fields, Array.isArray(takeProfit) ? ENTER_TARGETS_FIELDS : ENTER_FIELDS);
}

function problemOf(fields: EnterFields): string {
  const unknown = unknownEnterField(fields);
  if (unknown !== '') return unknown;
  const none = Object.entries(fields).find(([, value]) => value === null);
  if (none !== undefined) return `${none[0]} is null: leave it out`;
  const { size, value, percent, risk, kelly, volatility } = fields;
  const { takeProfit, stop, trailing, breakEven, expiresInMs, maxHoldMs, maxValue, ladder } = fields;
  const given = [size, value, percent, risk, kelly, volatility].filter((one) => one !== undefined);
  if (given.length !== 1) return 'give size, value, percent, risk, kelly or volatility, one of them';
  if (risk !== undefined && !(risk.percent > 0 && risk.percent <= 100))
    return `risk.percent is above 0 and at most 100, found ${risk.percent}`;
  if (stop !== undefined) {
    const stopFault = awayProblem(stop, 'stop');
    if (stopFault !== '') return stopFault;
  }
  if (Array.isArray(takeProfit)) {
    const shares = (takeProfit as readonly Target[]).map(({ share }) => share);
    const sum = shares.reduce((total, share) => total + share, 0);
    if (!shares.every((share) => Number.isFinite(share) && share > 0) || sum > 1 + 1e-9)
      return `shares of targets are above 0 and at most 1 together, found ${shares.map(String).join(', ')}`;
    for (const target of takeProfit as readonly Target[]) {
      const targetFault = targetProblem(target);
      if (targetFault !== '') return targetFault;
    }
  }
  if (trailing !== undefined) {
    const trailingFault = trailingProblem(trailing);
    if (trailingFault !== '') return trailingFault;
    if (trailing.after !== undefined && fields.stopLoss === undefined)
      return 'trailing with "after" needs a stopLoss: until then nothing protects the position';
  }
  if (breakEven !== undefined && !(breakEven.after > 0)) return `breakEven.after is a percent above 0, found ${breakEven.after}`;
  if (breakEven?.plus !== undefined && !Number.isFinite(breakEven.plus)) return `breakEven.plus is a percent, found ${breakEven.plus}`;
  if (maxValue !== undefined && !(maxValue > 0)) return `maxValue is a value in quote coin above 0, found ${maxValue}`;
  if (ladder !== undefined && !Array.isArray(ladder)) return `ladder is a list of { at, size }, found ${JSON.stringify(ladder)}`;
  const rung = ladder?.find(({ at }) => !(Number(at) > 0));
  if (rung !== undefined) return `an order of the ladder is at a price above 0, found ${JSON.stringify(rung.at)}`;
  for (const [name, ms] of Object.entries({ expiresInMs, maxHoldMs })) {
    if (ms !== undefined && !(Number.isFinite(ms) && ms >= 1))
      return `${name} is a number of milliseconds, at least 1, found ${JSON.stringify(ms)}`;
  }
  return '';
}

function targetProblem({ at, distance, percent }: Target): string {
  if (at === undefined && (distance !== undefined || percent !== undefined)) return awayProblem({ distance, percent }, 'a target');
  if (distance !== undefined || percent !== undefined) return 'a target has at, distance or percent, one of them';
  return Number(at) > 0 ? '' : `a target is at a price above 0, found ${JSON.stringify(at)}`;
}

/** Where a trailing stop begins: the venue's stop-loss, if none is given. */
function firstTrailingStop(fields: EnterFields): number | undefined {
  const { side, trailing } = fields;
  if (trailing === undefined) return undefined;
  const entry = entryPrice(fields);
  const away = trailingDistance(trailing, entry);
  return side === 'LONG' ? entry - away : entry + away;
}

/** The limit, or the opposite quote. */
function entryPrice({ market, side, limit }: SizeFields): number {
  if (limit !== undefined) return Number(limit);
  return side === 'LONG' ? market.ask : market.bid;
}

function triggerOf(stopLoss: BracketPrice | undefined): number {
  if (stopLoss === undefined) return 0;
  return Number(typeof stopLoss === 'object' ? stopLoss.trigger : stopLoss);
}
