/** Answers place spot orders (E1) and cancel spot orders (E2). A processed batch is a success; each entry succeeds or fails alone. */
import type { ErrorRow } from '../../contract/endpoints/endpoint.ts';
import { listedRow, row, type GivenTo } from '../../contract/endpoints/endpoints.ts';
import { BUY, LIMIT, MARKET, OPEN, PLACE_SPOT, SELL } from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Reason } from '../../domain/orders/outcome.ts';
import type { Call } from '../../venue/operations.ts';
import { SPOT } from '../state/kinds.ts';
import { orderIdOf } from '../state/ids/wire-ids.ts';
import {
  lotsFrom,
  moneyFrom,
  newCommand,
  OUT_OF_RANGE,
  refuse,
  ticksFrom,
  TOO_PRECISE,
  type Answer,
  type EndpointContext,
} from './endpoint-context.ts';
import { findOrder } from './order-endpoints.ts';

type Entry = GivenTo<'placeSpotOrders'>['orderList'][number];

export const placeSpotOrders: Answer<'placeSpotOrders'> = (context, given, call) => {
  const isSingle = given.batchMode === 'single';
  if (isSingle && !context.spot.has(given.symbol ?? '')) return refuse('unknown-instrument');
  const successList: { orderId: string }[] = [];
  const failureList: { errorMsg: string; errorCode: string }[] = [];
  for (const entry of given.orderList) {
    const instrument = context.spot.get((isSingle ? given.symbol : entry.symbol) ?? '');
    const result = instrument === undefined ? 'unknown-instrument' : placeOne(context, entry, instrument, call);
    if (typeof result === 'number') {
      successList.push({ orderId: orderIdOf(SPOT, result) });
      continue;
    }
    const { code, msg } = entryRow(result);
    failureList.push({ errorMsg: msg, errorCode: code });
  }
  return { successList, failureList };
};

/** The error row of an entry. Reasons that the table of place spot orders (E1) lacks use the rows of place order (E12). */
function entryRow(reason: Reason): ErrorRow {
  return listedRow('placeSpotOrders', reason) ?? row('placeOrder', reason);
}

/** Returns the order's number, or the reason of the refusal. */
function placeOne(context: EndpointContext, entry: Entry, instrument: Instrument, { account, time }: Call): number | Reason {
  if (!isTrading(context, instrument)) return 'symbol-not-trading';
  const command = newCommand(PLACE_SPOT, instrument, time);
  command.side = entry.side === 'buy' ? BUY : SELL;
  command.effect = OPEN;
  command.type = entry.orderType === 'limit' ? LIMIT : MARKET;
  command.size = isInQuoteCoin(context, command) ? lotsFor(context, entry.size, instrument) : lotsFrom(entry.size, instrument);
  command.price = command.type === LIMIT ? ticksFrom(entry.price, instrument) : 0;
  if (command.size === TOO_PRECISE) return 'size-precision';
  if (command.size === OUT_OF_RANGE) return entry.size.startsWith('-') ? 'size-too-small' : 'size-too-large';
  if (command.price === TOO_PRECISE) return 'price-precision';
  if (command.price === OUT_OF_RANGE) return 'price-invalid';
  if (command.type === LIMIT && command.price === 0) return 'price-required';
  return context.sim.placeSpot(account, command, 0, time) || context.sim.refusal;
}

function isTrading({ reference }: EndpointContext, { symbol }: Instrument): boolean {
  return reference.symbols.find((record) => record.symbol === symbol)?.status === 'online';
}

function isInQuoteCoin({ switches }: EndpointContext, { side, type }: Command): boolean {
  return switches.marketBuySize === 'quote' && side === BUY && type === MARKET;
}

/** Lots that an amount of the quote coin buys at the best ask, rounded down. Without a market too few for an order. */
function lotsFor({ sim }: EndpointContext, text: string, instrument: Instrument): number {
  const amount = moneyFrom(text);
  const ask = sim.bookTicker(instrument.index)?.ask ?? 0;
  return amount < 0 || ask === 0 ? Math.min(amount, 0) : Math.floor(amount / (ask * instrument.unitValue));
}

export const cancelSpotOrders: Answer<'cancelSpotOrders'> = (context, given, { account, time }) => {
  const isSingle = given.batchMode === 'single';
  const { code, msg } = row('cancelOrders', 'order-not-found');
  const successList: { orderId: string }[] = [];
  const failureList: { orderId: string; errorMsg: string; errorCode: string }[] = [];
  for (const entry of given.orderList) {
    const instrument = context.spot.get((isSingle ? given.symbol : entry.symbol) ?? '');
    const orderNo = findOrder(context, { account, kind: SPOT, orderId: entry.orderId, clientOid: '' });
    const isOfSymbol = orderNo > 0 && context.sim.order(orderNo)?.instrument === instrument?.index;
    if (isOfSymbol && context.sim.cancelSpot(account, orderNo, time)) successList.push({ orderId: entry.orderId });
    else failureList.push({ orderId: entry.orderId, errorMsg: msg, errorCode: code });
  }
  return { successList, failureList };
};
