/**
 * Answers order history (E17) and pending orders (E18), newest first, in pages. `endId` is the last id of a page; as `idLessThan` it gives
 * the next page without a gap. Trigger orders are not listed, or only as pending if the switch says so.
 */
import type { ReplyTo } from '../../contract/endpoints/endpoints.ts';
import { CLOSE, DIRECTIONS, EFFECTS, MARGIN_MODES, MARKET, ORDER_TYPES, SIDES, TRIGGERS_BY } from '../../domain/codes.ts';
import { formatLots, formatMoneyShort, formatTicks, type Instrument } from '../../domain/instrument.ts';
import { FILLED, WORKING } from '../../domain/orders/order.ts';
import { FUTURES, TRIGGER } from '../state/kinds.ts';
import type { SimOrder } from '../state/types.ts';
import { bareNoOf, orderIdOf, orderNoOf } from '../state/ids/wire-ids.ts';
import type { Waiting } from '../../venue/operations.ts';
import { type Answer, type EndpointContext } from './endpoint-context.ts';
import { orderBearing } from './order-endpoints.ts';
import { ONE } from '../../domain/amounts/units.ts';
import { onlyMakes, TIMES_IN_FORCE } from '../../domain/orders/time-in-force.ts';

type OrderRecord = NonNullable<ReplyTo<'orderHistory'>['entrustedList']>[number];

interface Filter {
  readonly limit: number;
  readonly symbol?: string | undefined;
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
  readonly orderSource?: 'LIMIT' | 'MARKET' | 'POST_ONLY' | undefined;
  readonly idLessThan?: string | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

export const orderHistory: Answer<'orderHistory'> = (context, given, { account }) => {
  return page(context, account, given, {
    isListed: (order) => order.kind === FUTURES && order.status !== WORKING,
    some: (instrument, below, count) => context.sim.history(account, instrument, below, count),
  });
};

export const pendingOrders: Answer<'pendingOrders'> = (context, given, { account }) => {
  const { plansInPending } = context.switches;
  return page(context, account, given, {
    isListed: (order) => order.status === WORKING && (order.kind === FUTURES || (order.kind === TRIGGER && plansInPending)),
    some: (instrument, below, count) => context.sim.pending(account, instrument, below, count),
  });
};

/** Working trigger orders, and what each of them waits for. */
export function pendingTriggers(
  context: EndpointContext,
  given: Filter,
  account: number,
): ReplyTo<'pendingOrders'> & { readonly waits: readonly Waiting[] } {
  const waits: Waiting[] = [];
  const { orders, ...listed } = pageOf(context, account, given, {
    isListed: (order) => order.kind === TRIGGER && order.status === WORKING,
    some: (instrument, below, count) => context.sim.pending(account, instrument, below, count),
  });
  for (const order of orders) {
    const instrument = context.instruments[order.instrument] as Instrument;
    waits.push({ triggerPrice: formatTicks(order.trigger, instrument), triggerPriceType: TRIGGERS_BY[order.triggerBy] ?? 'LAST' });
  }
  return { ...listed, waits };
}

interface Source {
  isListed(order: SimOrder): boolean;
  /** Orders with numbers below `below`, newest first, at least `count` of them if that many exist. `instrument` −1: every symbol. */
  some(instrument: number, below: number, count: number): readonly SimOrder[];
}

function page(context: EndpointContext, account: number, given: Filter, source: Source): ReplyTo<'orderHistory'> {
  const { entrustedList, endId } = pageOf(context, account, given, source);
  return { entrustedList, endId };
}

/** A page, and the orders of its records. */
function pageOf(
  context: EndpointContext,
  account: number,
  given: Filter,
  source: Source,
): ReplyTo<'orderHistory'> & { readonly orders: readonly SimOrder[] } {
  const filter: Filter = { ...given, limit: Math.min(given.limit, context.switches.pageLimit) };
  const instrument = isGiven(filter.symbol) ? (context.futures.get(filter.symbol)?.index ?? null) : -1;
  if (instrument === null) return { entrustedList: [], endId: '', orders: [] };
  const isMatch = (order: SimOrder): boolean => source.isListed(order) && isWanted(context, account, instrument, order, filter);
  const one = named(context, account, filter);
  const matching = one === null ? search(source, instrument, filter, isMatch) : one.filter(isMatch);
  const entrustedList = matching.map((order) => recordOf(context, order));
  return { entrustedList, endId: entrustedList[entrustedList.length - 1]?.orderId ?? '', orders: matching };
}

/** The first matching orders, newest first. Reads the list in growing pieces, so that the cost depends on the page, not on the history. */
function search(source: Source, instrument: number, filter: Filter, isMatch: (order: SimOrder) => boolean): SimOrder[] {
  const matching: SimOrder[] = [];
  let below = isGiven(filter.idLessThan) ? bareNoOf(filter.idLessThan) : Infinity;
  for (let count = filter.limit; ; count *= 8) {
    const piece = source.some(instrument, below, count);
    for (const order of piece) {
      if (isMatch(order) && matching.push(order) === filter.limit) return matching;
    }
    const last = piece[piece.length - 1];
    if (last === undefined || piece.length < count) return matching;
    below = last.no;
  }
}

/** The order that the filter names by id, without a search; null if it names none, or an id that several orders may have. */
function named(context: EndpointContext, account: number, filter: Filter): SimOrder[] | null {
  let orderNo = -1;
  if (isGiven(filter.orderId)) orderNo = listedNoOf(filter.orderId);
  else if (isGiven(filter.clientOid) && context.switches.clientOidScope === 'forever')
    orderNo = orderBearing(context, account, filter.clientOid);
  if (orderNo === -1) return null;
  const order = orderNo === 0 ? null : context.sim.order(orderNo);
  return order === null ? [] : [order];
}

/** The order number in an id of a listed kind; 0 if it is not one. */
function listedNoOf(id: string): number {
  return orderNoOf(FUTURES, id) || orderNoOf(TRIGGER, id);
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== '';
}

function isWanted(context: EndpointContext, account: number, instrument: number, order: SimOrder, filter: Filter): boolean {
  if (order.account !== account) return false;
  if (instrument !== -1 && order.instrument !== instrument) return false;
  if (isGiven(filter.orderId) && orderIdOf(order.kind, order.no) !== filter.orderId) return false;
  if (isGiven(filter.clientOid) && context.ids.idOf(order.tag) !== filter.clientOid) return false;
  if (isGiven(filter.idLessThan) && order.no >= bareNoOf(filter.idLessThan)) return false;
  if (filter.startTime !== undefined && order.createdAt < filter.startTime) return false;
  if (filter.endTime !== undefined && order.createdAt > filter.endTime) return false;
  return filter.orderSource === undefined || sourceOf(order) === filter.orderSource;
}

function sourceOf(order: SimOrder): 'LIMIT' | 'MARKET' | 'POST_ONLY' {
  if (order.type === MARKET) return 'MARKET';
  return onlyMakes(order.force) ? 'POST_ONLY' : 'LIMIT';
}

/** NEW, PARTIALLY_FILLED, FILLED or CANCELED. A replaced order is CANCELED; its successor has a new id. */
function statusOf(order: SimOrder): string {
  if (order.status === FILLED) return 'FILLED';
  if (order.status !== WORKING) return 'CANCELED';
  return order.filled > 0 ? 'PARTIALLY_FILLED' : 'NEW';
}

/** An order record (interface §2.9). */
function recordOf(context: EndpointContext, order: SimOrder): OrderRecord {
  const instrument = context.instruments[order.instrument] as Instrument;
  const price = (ticks: number): OrderRecord['price'] => (ticks === 0 ? '' : formatTicks(ticks, instrument));
  const exit = (trigger: number, limit: number): string => (trigger === 0 ? '' : limit === 0 ? 'MARKET' : 'LIMIT');
  return {
    symbol: instrument.symbol,
    size: formatLots(order.size, instrument),
    orderId: orderIdOf(order.kind, order.no),
    clientOid: context.ids.idOf(order.tag),
    priceAvg: formatMoneyShort(order.averagePrice),
    fee: formatMoneyShort(order.fee),
    price: order.type === MARKET ? formatMoneyShort(0) : formatTicks(order.price, instrument),
    status: statusOf(order),
    side: DIRECTIONS[order.direction] ?? 'BUY',
    force: TIMES_IN_FORCE[order.force]!.name,
    totalProfits: formatMoneyShort(order.effect === CLOSE ? order.realised : 0),
    posSide: SIDES[order.side] ?? 'LONG',
    marginCoin: instrument.quoteCoin,
    presetTakeProfitPrice: price(order.takeProfit),
    presetTakeProfitExecutePrice: price(order.takeProfitLimit),
    presetTakeProfitType: exit(order.takeProfit, order.takeProfitLimit),
    presetStopLossPrice: price(order.stopLoss),
    presetStopLossExecutePrice: price(order.stopLossLimit),
    presetStopLossType: exit(order.stopLoss, order.stopLossLimit),
    orderType: ORDER_TYPES[order.type] ?? 'LIMIT',
    leverage: formatMoneyShort(order.leverage * ONE),
    marginMode: MARGIN_MODES[order.marginMode] ?? 'CROSS',
    tradeSide: EFFECTS[order.effect] ?? 'OPEN',
    cTime: order.createdAt,
    uTime: order.updatedAt,
  };
}
