/**
 * Converts commands to requests of the wire: the only place that writes the wire's words and decimal strings. The result keeps no reference
 * to the command object, which its owner reuses.
 */
import { assert, never } from '../../base/failure/assert.ts';
import { ENDPOINTS, type RequestTo } from '../../contract/endpoints/endpoints.ts';
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { formatLots, formatMoneyShort, formatTicks, type Instrument } from '../../domain/instrument.ts';
import { outgoing, type MapOutOptions, type Outgoing, type Verdict } from '../dialect.ts';
import { settleCancel, settleSpotCancel, settleSpotPlace, type CancelItem } from './settle.ts';
import { TIMES_IN_FORCE, type ForceName } from '../../domain/orders/time-in-force.ts';
import { priceOrNone } from '../records.ts';

type CommandKind =
  | typeof codes.PLACE
  | typeof codes.MODIFY
  | typeof codes.CANCEL
  | typeof codes.PLACE_TRIGGER
  | typeof codes.CANCEL_TRIGGER
  | typeof codes.SET_MARGIN_MODE
  | typeof codes.ADJUST_MARGIN
  | typeof codes.PLACE_SPOT
  | typeof codes.CANCEL_SPOT;

/** Builds the request for one command. @throws AssertionError if the command is incomplete, which is our own bug */
export function requestOf(command: Command, options: MapOutOptions): Outgoing {
  const instrument = options.instruments[command.instrument];
  assert(instrument !== undefined, `a command has the index of an instrument, found ${command.instrument}`);
  const kind = command.kind as CommandKind;
  switch (kind) {
    case codes.PLACE:
      return outgoing(ENDPOINTS.placeOrder, placeParams(command, instrument, options), placed);
    case codes.PLACE_TRIGGER:
      return outgoing(ENDPOINTS.placePlanOrder, triggerParams(command, instrument, options), placed);
    case codes.MODIFY:
      return outgoing(ENDPOINTS.modifyOrder, modifyParams(command, instrument, options), placed);
    case codes.CANCEL: {
      const item = cancelItem(command, options);
      return outgoing(ENDPOINTS.cancelOrders, { orderIdList: [item] }, (a) => settleCancel(ENDPOINTS.cancelOrders, a, item));
    }
    case codes.CANCEL_TRIGGER: {
      const item = cancelItem(command, options);
      const params = { symbol: instrument.symbol, orderIdList: [item] };
      return outgoing(ENDPOINTS.cancelPlanOrders, params, (a) => settleCancel(ENDPOINTS.cancelPlanOrders, a, item));
    }
    case codes.SET_MARGIN_MODE:
      return marginModeRequest(instrument.symbol, command.marginMode, options);
    case codes.ADJUST_MARGIN:
      return outgoing(ENDPOINTS.setMargin, marginParams(command, instrument), () => done);
    case codes.PLACE_SPOT:
      return outgoing(ENDPOINTS.placeSpotOrders, spotParams(command, instrument), settleSpotPlace);
    case codes.CANCEL_SPOT: {
      const orderId = command.targetVenueId;
      assert(orderId !== '', 'a spot order is cancelled by its venue id');
      const params = { symbol: instrument.symbol, batchMode: 'single', orderList: [{ orderId }] } as const;
      return outgoing(ENDPOINTS.cancelSpotOrders, params, (answer) => settleSpotCancel(answer, orderId));
    }
    default:
      return never(kind, 'kind of command');
  }
}

const done: Verdict = { status: 'accepted', venueId: '' };

function placed(answer: { readonly orderId: string }): Verdict {
  return { status: 'accepted', venueId: answer.orderId };
}

type PlaceRequest = RequestTo<'placeOrder'>;

function placeParams(command: Command, instrument: Instrument, options: MapOutOptions): PlaceRequest {
  assert(command.size > 0, 'an order has a size');
  assert(command.type === codes.MARKET || command.price > 0, 'a limit order has a price');
  return {
    symbol: instrument.symbol,
    marginMode: modeWord(command.marginMode, options),
    size: formatLots(command.size, instrument),
    side: nameOf(codes.SIDES, command.side),
    tradeSide: nameOf(codes.EFFECTS, command.effect),
    orderType: nameOf(codes.ORDER_TYPES, command.type),
    price: command.type === codes.LIMIT ? formatTicks(command.price, instrument) : undefined,
    force: sentForce(command.force),
    clientOid: options.clientIdOf(command.seq),
    ...bracketFields(command, instrument),
  };
}

function triggerParams(command: Command, instrument: Instrument, options: MapOutOptions): RequestTo<'placePlanOrder'> {
  assert(command.size > 0, 'an order has a size');
  assert(command.trigger > 0, 'a trigger order has a trigger price');
  return {
    symbol: instrument.symbol,
    marginMode: modeWord(command.marginMode, options),
    size: formatLots(command.size, instrument),
    side: nameOf(codes.SIDES, command.side),
    triggerPrice: formatTicks(command.trigger, instrument),
    triggerPriceType: nameOf(codes.TRIGGERS_BY, command.triggerBy),
    price: priceOrNone(command.price, instrument),
    clientOid: options.clientIdOf(command.seq),
    ...bracketFields(command, instrument),
  };
}

/** Names the old order by its venue id if that is known. A modify replaces the order, so only one of two modifies can succeed. */
function modifyParams(command: Command, instrument: Instrument, options: MapOutOptions): RequestTo<'modifyOrder'> {
  assert(command.target > 0 || command.targetVenueId !== '', 'a modify names its order');
  const isNamed = command.targetVenueId !== '';
  return {
    symbol: instrument.symbol,
    newClientOid: options.clientIdOf(command.seq),
    orderId: isNamed ? command.targetVenueId : undefined,
    clientOid: isNamed ? undefined : options.clientIdOf(command.target),
    newSize: command.size > 0 ? formatLots(command.size, instrument) : undefined,
    newPrice: priceOrNone(command.price, instrument),
    newPresetTakeProfitPrice: priceOrNone(command.takeProfit, instrument),
    newPresetStopLossPrice: priceOrNone(command.stopLoss, instrument),
  };
}

/**
 * Names the order by client id, because the answer for a failed entry may lack the order id. An order of someone else has only a venue id.
 */
function cancelItem(command: Command, options: MapOutOptions): CancelItem {
  if (command.target > 0) return { clientOid: options.clientIdOf(command.target) };
  assert(command.targetVenueId !== '', 'a cancel names its order');
  return { orderId: command.targetVenueId };
}

function marginModeRequest(symbol: string, mode: number, options: MapOutOptions): Outgoing {
  const asked = nameOf(codes.MARGIN_MODES, mode);
  return outgoing(ENDPOINTS.setMarginMode, { symbol, marginMode: modeWord(mode, options) }, (answer) =>
    answer.symbol === symbol && answer.marginMode === asked ? done : { status: 'unknown', cause: 'response-mixup' },
  );
}

function marginParams(command: Command, instrument: Instrument): RequestTo<'setMargin'> {
  assert(command.amount !== 0, 'a margin change is not zero');
  const amount = formatMoneyShort(command.amount);
  return { symbol: instrument.symbol, holdSide: nameOf(codes.SIDES, command.side), amount };
}

function spotParams(command: Command, instrument: Instrument): RequestTo<'placeSpotOrders'> {
  assert(command.size > 0, 'an order has a size');
  assert(command.type === codes.MARKET || command.price > 0, 'a limit order has a price');
  const isLimit = command.type === codes.LIMIT;
  const order = {
    side: command.side === codes.BUY ? 'buy' : 'sell',
    orderType: isLimit ? 'limit' : 'market',
    price: isLimit ? formatTicks(command.price, instrument) : undefined,
    size: formatLots(command.size, instrument),
  } as const;
  return { symbol: instrument.symbol, batchMode: 'single', orderList: [order] };
}

function bracketFields(command: Command, instrument: Instrument): Partial<PlaceRequest> {
  if (command.takeProfit === 0 && command.stopLoss === 0) return {};
  return {
    presetTakeProfitPrice: priceOrNone(command.takeProfit, instrument),
    presetStopLossPrice: priceOrNone(command.stopLoss, instrument),
    presetTakeProfitExecutePrice: priceOrNone(command.takeProfitLimit, instrument),
    presetStopLossExecutePrice: priceOrNone(command.stopLossLimit, instrument),
  };
}

function modeWord(marginMode: number, options: MapOutOptions): 'CROSS' | 'CROSSED' | 'ISOLATED' {
  return marginMode === codes.CROSS ? options.crossWord : nameOf(codes.MARGIN_MODES, marginMode);
}

function nameOf<const N extends string>(names: readonly N[], code: number): N {
  const name = names[code];
  assert(name !== undefined, `a code is the index of one of ${names.join(', ')}, found ${code}`);
  return name;
}

/** The word of a time in force that a request must name; undefined for one that is left out. */
function sentForce(force: number): Extract<ForceName, PlaceRequest['force']> | undefined {
  const row = TIMES_IN_FORCE[force]!;
  return row.isSent ? row.name : undefined;
}
