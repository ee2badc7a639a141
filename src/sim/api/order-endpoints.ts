/**
 * Answers place order (E12), place plan order (E13) and modify order (E14). Checks run in this order. First the fields of the request:
 * size, price, trigger, bracket. Then the client id, so that a repeated request always gets the same answer. Last the sides of the bracket and
 * the account's state, which the simulator checks.
 */
import type { GivenTo } from '../../contract/endpoints/endpoints.ts';
import {
  BY_LAST,
  BY_MARK,
  CLOSE,
  CROSS,
  ISOLATED,
  LIMIT,
  LONG,
  MARKET,
  MODIFY,
  OPEN,
  PLACE,
  PLACE_TRIGGER,
  SHORT,
} from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { WORKING } from '../../domain/orders/order.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import { FUTURES, TRIGGER } from '../state/kinds.ts';
import { orderIdOf, orderNoOf } from '../state/ids/wire-ids.ts';
import {
  lotsFrom,
  newCommand,
  OUT_OF_RANGE,
  refuse,
  ticksFrom,
  TOO_PRECISE,
  type Answer,
  type EndpointContext,
} from './endpoint-context.ts';
import { forceOf } from '../../domain/orders/time-in-force.ts';

/** Longest client id, in characters. */
const CLIENT_ID_MAX = 64;
/** Characters that a client id must not contain. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

type Placement = GivenTo<'placeOrder'> | GivenTo<'placePlanOrder'>;

export const placeOrder: Answer<'placeOrder'> = (context, given, { account, time }) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const command = newCommand(PLACE, instrument, time);
  command.effect = given.tradeSide === 'OPEN' ? OPEN : CLOSE;
  command.type = given.orderType === 'LIMIT' ? LIMIT : MARKET;
  command.force = forceOf(given.force);
  const problem = fillIn(command, given, instrument) ?? clientIdProblem(context, account, given.clientOid ?? '');
  if (problem !== null) return refuse(problem);
  if (command.type === MARKET) command.price = 0;
  const clientOid = given.clientOid ?? '';
  const orderNo = made(context, account, clientOid, (tag) => context.sim.place(account, command, tag, time));
  return orderNo === 0 ? refuse(context.sim.refusal) : { orderId: orderIdOf(FUTURES, orderNo), clientOid };
};

export const placePlanOrder: Answer<'placePlanOrder'> = (context, given, { account, time }) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const command = newCommand(PLACE_TRIGGER, instrument, time);
  command.effect = OPEN;
  command.triggerBy = given.triggerPriceType === 'MARK' ? BY_MARK : BY_LAST;
  command.trigger = ticksFrom(given.triggerPrice, instrument);
  const problem =
    fillIn(command, given, instrument) ?? triggerProblem(command.trigger) ?? clientIdProblem(context, account, given.clientOid ?? '');
  if (problem !== null) return refuse(problem);
  command.type = command.price > 0 ? LIMIT : MARKET;
  const clientOid = given.clientOid ?? '';
  const orderNo = made(context, account, clientOid, (tag) => context.sim.placeTrigger(account, command, tag, time));
  return orderNo === 0 ? refuse(context.sim.refusal) : { orderId: orderIdOf(TRIGGER, orderNo), clientOid };
};

export const modifyOrder: Answer<'modifyOrder'> = (context, given, { account, time }) => {
  const instrument = context.futures.get(given.symbol);
  if (instrument === undefined) return refuse('unknown-instrument');
  const orderNo = findOrder(context, { account, kind: FUTURES, orderId: given.orderId ?? '', clientOid: given.clientOid ?? '' });
  const order = orderNo === 0 ? null : context.sim.order(orderNo);
  if (order === null || order.instrument !== instrument.index) return refuse('order-not-found');
  const command = newCommand(MODIFY, instrument, time);
  command.target = orderNo;
  const problem = fillInChanges(command, given, instrument);
  if (problem !== null) return refuse(problem);
  // The error table has no row for a used new id. "required" is the row that asks for another id.
  if (clientIdProblem(context, account, given.newClientOid) !== null) return refuse('new-client-id-required');
  const clientOid = given.newClientOid;
  const newNo = made(context, account, clientOid, (tag) => context.sim.modify(account, orderNo, command, tag, time));
  return newNo === 0 ? refuse(context.sim.refusal) : { orderId: orderIdOf(FUTURES, newNo), clientOid };
};

/** Creates an order with a client id ("" for none), which then cannot be used again. Returns its number, 0 if refused. */
function made(context: EndpointContext, account: number, clientOid: string, make: (tag: number) => number): number {
  const tag = context.ids.claim(clientOid);
  const orderNo = make(tag);
  if (orderNo === 0) context.ids.drop(tag);
  else context.ids.bind(account, clientOid, orderNo);
  return orderNo;
}

/** The ids by which a caller names an order. If both are given, orderId decides. */
export interface Named {
  readonly account: number;
  readonly kind: number;
  readonly orderId: string;
  readonly clientOid: string;
}

/** Number of the newest order with this client id, 0 for none. The order that a trigger order creates takes over its client id. */
export function orderBearing({ ids, sim }: EndpointContext, account: number, clientOid: string): number {
  const orderNo = ids.orderOf(account, clientOid);
  const order = orderNo === 0 ? null : sim.order(orderNo);
  if (orderNo === 0 || (order !== null && (order.kind !== TRIGGER || order.status === WORKING))) return orderNo;
  const tag = ids.tagOf(account, clientOid);
  for (const i of order === null ? sim.futures() : [order.instrument]) {
    const fired = sim.workingOf(account, i, tag) ?? sim.endedOf(account, i, tag).find((one) => one.kind === FUTURES);
    if (fired !== undefined) return fired.no;
  }
  return orderNo;
}

/** Number of a working order of this account and kind; 0 if there is none. */
export function findOrder(context: EndpointContext, { account, kind, orderId, clientOid }: Named): number {
  const orderNo = orderId === '' ? orderBearing(context, account, clientOid) : orderNoOf(kind, orderId);
  const order = orderNo === 0 ? null : context.sim.order(orderNo);
  if (order === null || order.account !== account || order.kind !== kind || order.status !== WORKING) return 0;
  return orderNo;
}

/** Fills in the fields that place order (E12) and place plan order (E13) share. */
function fillIn(command: Command, given: Placement, instrument: Instrument): Reason | null {
  command.side = given.side === 'LONG' ? LONG : SHORT;
  command.marginMode = given.marginMode === 'ISOLATED' ? ISOLATED : CROSS;
  command.size = lotsFrom(given.size, instrument);
  command.price = ticksFrom(given.price, instrument);
  command.takeProfit = ticksFrom(given.presetTakeProfitPrice, instrument);
  command.takeProfitLimit = ticksFrom(given.presetTakeProfitExecutePrice, instrument);
  command.stopLoss = ticksFrom(given.presetStopLossPrice, instrument);
  command.stopLossLimit = ticksFrom(given.presetStopLossExecutePrice, instrument);
  return sizeProblem(command.size) ?? priceProblem(command.price) ?? bracketProblem(command);
}

function fillInChanges(command: Command, given: GivenTo<'modifyOrder'>, instrument: Instrument): Reason | null {
  command.size = lotsFrom(given.newSize, instrument);
  command.price = ticksFrom(given.newPrice, instrument);
  command.takeProfit = ticksFrom(given.newPresetTakeProfitPrice, instrument);
  command.stopLoss = ticksFrom(given.newPresetStopLossPrice, instrument);
  return sizeProblem(command.size) ?? priceProblem(command.price) ?? bracketProblem(command);
}

function sizeProblem(lots: number): Reason | null {
  if (lots === TOO_PRECISE) return 'size-precision';
  return lots === OUT_OF_RANGE ? 'size-too-large' : null;
}

function priceProblem(ticks: number): Reason | null {
  if (ticks === TOO_PRECISE) return 'price-precision';
  return ticks === OUT_OF_RANGE ? 'price-invalid' : null;
}

function triggerProblem(ticks: number): Reason | null {
  if (ticks === TOO_PRECISE) return 'trigger-precision';
  return ticks <= 0 ? 'trigger-required' : null;
}

function bracketProblem(command: Command): Reason | null {
  if (command.takeProfit === TOO_PRECISE) return 'take-profit-precision';
  if (command.takeProfitLimit === TOO_PRECISE) return 'take-profit-limit-precision';
  if (command.stopLoss === TOO_PRECISE) return 'stop-loss-precision';
  if (command.stopLossLimit === TOO_PRECISE) return 'stop-loss-limit-precision';
  const least = Math.min(command.takeProfit, command.takeProfitLimit, command.stopLoss, command.stopLossLimit);
  return least === OUT_OF_RANGE ? 'price-invalid' : null;
}

function clientIdProblem(context: EndpointContext, account: number, clientId: string): Reason | null {
  if (clientId === '') return null;
  if (clientId.length > CLIENT_ID_MAX || CONTROL.test(clientId)) return 'invalid-request';
  if (context.ids.isSweepDue) context.ids.sweep(context.sim.tags());
  const orderNo = orderBearing(context, account, clientId);
  const isTaken =
    context.switches.clientOidScope === 'forever'
      ? orderNo > 0 || context.ids.isSpent(account, clientId)
      : orderNo > 0 && context.sim.order(orderNo)?.status === WORKING;
  return isTaken ? 'duplicate-client-id' : null;
}
