/** Answers account (E9), set margin mode (E10), adjust margin (E11), single position (E19) and all positions (E20). */
import type { ReplyTo } from '../../contract/endpoints/endpoints.ts';
import { CROSS, ISOLATED, LONG, MARGIN_MODES, SHORT } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks, type Instrument } from '../../domain/instrument.ts';
import { parseScaled, ScaleError } from '../../domain/amounts/scale.ts';
import { MONEY_DECIMALS, type Money, ONE } from '../../domain/amounts/units.ts';
import type { SimPosition } from '../state/types.ts';
import { refuse, type Answer, type EndpointContext } from './endpoint-context.ts';

type PositionRecord = ReplyTo<'positions'>[number];

/** A leverage as plain text: "20". */
function leverage(times: number): ReturnType<typeof formatMoneyShort> {
  return formatMoneyShort(times * ONE);
}

export const account: Answer<'account'> = (context, given, call) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const view = context.sim.account(call.account, instrument.index);
  return {
    marginCoin: instrument.quoteCoin,
    locked: formatMoneyShort(view.locked),
    available: formatMoneyShort(view.available),
    crossMaxAvailable: formatMoneyShort(view.crossMaxAvailable),
    isolatedMaxAvailable: formatMoneyShort(view.isolatedMaxAvailable),
    maxTransferOut: formatMoneyShort(view.maxTransferOut),
    accountEquity: formatMoneyShort(view.equity),
    longLever: leverage(view.longLeverage),
    shortLever: leverage(view.shortLeverage),
    marginMode: view.marginMode === ISOLATED ? 'isolated' : 'cross',
    unrealizedPL: formatMoneyShort(view.unrealised),
    coupon: formatMoneyShort(0),
  };
};

export const setMarginMode: Answer<'setMarginMode'> = (context, given, call) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const mode = given.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
  if (!context.sim.setMarginMode(call.account, instrument.index, mode, call.time)) return refuse(context.sim.refusal);
  const view = context.sim.account(call.account, instrument.index);
  return {
    symbol: instrument.symbol,
    marginCoin: instrument.quoteCoin,
    longLeverage: leverage(view.longLeverage),
    shortLeverage: leverage(view.shortLeverage),
    marginMode: MARGIN_MODES[view.marginMode] ?? 'CROSS',
  };
};

export const setMargin: Answer<'setMargin'> = (context, given, call) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const amount = amountFrom(given.amount);
  if (amount === null) return refuse('amount-not-a-number');
  const side = given.holdSide === 'LONG' ? LONG : SHORT;
  const isDone = context.sim.adjustMargin(call.account, instrument.index, side, amount, call.time);
  return isDone ? null : refuse(context.sim.refusal);
};

/** The amount of a margin change; null if it is zero or finer than 10⁻⁸. */
function amountFrom(text: string): Money | null {
  try {
    const amount = parseScaled(text, MONEY_DECIMALS);
    return amount === 0 ? null : (amount as Money);
  } catch (error) {
    if (error instanceof ScaleError) return null;
    throw error;
  }
}

export const positions: Answer<'positions'> = (context, _given, call) => {
  return context.sim.positions(call.account, -1).map((position) => recordOf(context, position));
};

export const symbolPositions: Answer<'symbolPositions'> = (context, given, call) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  return context.sim.positions(call.account, instrument.index).map((position) => recordOf(context, position));
};

/** A position record (interface §2.10). */
function recordOf(context: EndpointContext, position: SimPosition): PositionRecord {
  const instrument = context.instruments[position.instrument] as Instrument;
  return {
    marginCoin: instrument.quoteCoin,
    symbol: instrument.symbol,
    holdSide: position.side === LONG ? 'long' : 'short',
    openDelegateSize: formatLots(position.opening, instrument),
    marginSize: formatMoneyShort(position.margin),
    available: formatLots(position.available, instrument),
    locked: formatLots(position.locked, instrument),
    total: formatLots(position.total, instrument),
    leverage: leverage(position.leverage),
    achievedProfits: formatMoneyShort(position.realised),
    openPriceAvg: formatMoneyShort(position.entryPrice),
    marginMode: position.marginMode === ISOLATED ? 'isolated' : 'cross',
    unrealizedPL: formatMoneyShort(position.unrealised),
    liquidationPrice: formatMoneyShort(position.liquidationPrice),
    marginRate: formatMoneyShort(position.marginRate),
    keepMarginRate: formatMoneyShort(position.maintenanceRate),
    markPrice: formatTicks(position.markPrice, instrument),
    breakEvenPrice: formatMoneyShort(position.breakEvenPrice),
    totalFee: formatMoneyShort(position.funding),
    cTime: position.createdAt,
    uTime: position.updatedAt,
  };
}
