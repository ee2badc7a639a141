/** Answers for an exchange that speaks the dialect mix-v2: each endpoint in terms of the operations. */
import { plainDecimal } from '../../contract/decimal-text.ts';
import type { Endpoint, ParametersOf, ReplyOf } from '../../contract/endpoints/endpoint.ts';
import type { GivenTo, ReplyTo } from '../../contract/endpoints/endpoints.ts';
import type { DecimalString } from '../../domain/amounts/units.ts';
import { Refused, type Call, type Operations, type Serve } from '../operations.ts';
import { serveAliases } from './serve-aliases.ts';
import * as v2 from './endpoints.ts';

type Given<E extends Endpoint> = ParametersOf<E>;
type Listed = GivenTo<'orderHistory'> & GivenTo<'pendingOrders'>;
type Page = ReplyTo<'orderHistory'>;
type OrderRecord = NonNullable<Page['entrustedList']>[number];

export function serve(operations: Operations): Readonly<Record<string, Serve>> {
  const { filled } = operations;
  /** The answer of `reply` if the operation was not refused. */
  const keep = <T, R>(result: T | Refused, reply: (value: T) => R): R | Refused => (result instanceof Refused ? result : reply(result));

  const page = (result: Page | Refused, call: Call): ReplyOf<typeof v2.orderHistory> | Refused =>
    keep(result, ({ entrustedList, endId }) => ({
      entrustedList: (entrustedList ?? []).map((one) => orderRecord(one, filled(one.orderId, call))),
      endId,
    }));

  const answers = {
    bookTickers: (_: Given<typeof v2.bookTickers>, call: Call) => tickers(operations, call),
    trades: (given: Given<typeof v2.trades>, call: Call) =>
      keep(operations.trades(given, call), (records) =>
        records.map((one) => ({ ...one, side: one.side === 'BUY' ? ('buy' as const) : ('sell' as const), ts: String(one.ts) })),
      ),
    account: (given: Given<typeof v2.account>, call: Call) => keep(operations.account(given, call), accountRecord),
    setMarginMode: (given: Given<typeof v2.setMarginMode>, call: Call) =>
      keep(operations.setMarginMode({ symbol: given.symbol, marginMode: upper(given.marginMode) }, call), ({ symbol, marginMode }) => ({
        symbol,
        marginMode: marginMode === 'ISOLATED' ? 'isolated' : 'crossed',
      })),
    setMargin: (given: Given<typeof v2.setMargin>, call: Call) => {
      const amount = plainDecimal(given.amount);
      if (amount === null) return new Refused('amount-not-a-number');
      const holdSide = given.holdSide === 'long' ? 'LONG' : 'SHORT';
      return operations.setMargin({ symbol: given.symbol, holdSide, amount }, call);
    },
    placeOrder: (given: Given<typeof v2.placeOrder>, call: Call) => {
      const { marginMode, side, tradeSide, orderType, force, symbol, size, price, clientOid } = given;
      const order: GivenTo<'placeOrder'> = {
        symbol,
        size,
        price,
        clientOid,
        marginMode: upper(marginMode),
        side: side === 'buy' ? 'LONG' : 'SHORT',
        tradeSide: tradeSide === 'open' ? 'OPEN' : 'CLOSE',
        orderType: orderType === 'limit' ? 'LIMIT' : 'MARKET',
        force: force === 'post_only' ? 'POST_ONLY' : undefined,
        presetTakeProfitPrice: given.presetStopSurplusPrice,
        presetTakeProfitExecutePrice: given.presetStopSurplusExecutePrice,
        presetStopLossPrice: given.presetStopLossPrice,
        presetStopLossExecutePrice: given.presetStopLossExecutePrice,
      };
      return operations.placeOrder(order, call);
    },
    placePlanOrder: (given: Given<typeof v2.placePlanOrder>, call: Call) => {
      const { marginMode, side, triggerType, orderType, symbol, size, price, clientOid, triggerPrice } = given;
      if (given.tradeSide !== 'open') return new Refused('invalid-request');
      const order: GivenTo<'placePlanOrder'> = {
        symbol,
        size,
        price: orderType === 'limit' ? price : undefined,
        clientOid,
        triggerPrice,
        triggerPriceType: triggerType === 'mark_price' ? 'MARK' : 'LAST',
        marginMode: upper(marginMode),
        side: side === 'buy' ? 'LONG' : 'SHORT',
        presetTakeProfitPrice: given.stopSurplusTriggerPrice,
        presetTakeProfitExecutePrice: given.stopSurplusExecutePrice,
        presetStopLossPrice: given.stopLossTriggerPrice,
        presetStopLossExecutePrice: given.stopLossExecutePrice,
      };
      return operations.placePlanOrder(order, call);
    },
    modifyOrder: (given: Given<typeof v2.modifyOrder>, call: Call) => {
      const { newPresetStopSurplusPrice: newPresetTakeProfitPrice, ...same } = given;
      return keep(operations.modifyOrder({ ...same, newPresetTakeProfitPrice }, call), ({ clientOid }) => ({
        orderId: given.orderId ?? '',
        clientOid,
      }));
    },
    cancelOrders: ({ orderIdList }: Given<typeof v2.cancelOrders>, call: Call) =>
      cancelled(orderIdList, (entry) => operations.cancelOrders({ orderIdList: [entry] }, call)),
    cancelPlanOrders: ({ symbol, orderIdList }: Given<typeof v2.cancelPlanOrders>, call: Call) =>
      cancelled(orderIdList, (entry) => operations.cancelPlanOrders({ symbol, orderIdList: [entry] }, call)),
    orderHistory: (given: Given<typeof v2.orderHistory>, call: Call) => page(operations.orderHistory(listed(given), call), call),
    pendingOrders: ({ clientOid = '', ...given }: Given<typeof v2.pendingOrders>, call: Call) =>
      keep(page(operations.pendingOrders(listed(given), call), call), (value) =>
        clientOid === '' ? value : { ...value, entrustedList: (value.entrustedList ?? []).filter((one) => one.clientOid === clientOid) },
      ),
    positions: (_: Given<typeof v2.positions>, call: Call) => keep(operations.positions({}, call), (all) => all.map(positionRecord)),
    symbolPositions: (given: Given<typeof v2.symbolPositions>, call: Call) =>
      keep(operations.symbolPositions(given, call), (all) => all.map(positionRecord)),
  };
  const { placeSpotOrders, cancelSpotOrders, spotSymbols, coins, withdrawals } = operations;
  const own = { ...answers, placeSpotOrders, cancelSpotOrders, spotSymbols, coins, withdrawals };
  return { ...own, ...serveAliases(operations, own, { filterOf: listed, page }) };
}

function upper(marginMode: 'crossed' | 'isolated'): 'CROSS' | 'ISOLATED' {
  return marginMode === 'isolated' ? 'ISOLATED' : 'CROSS';
}

type BookRecord = Extract<ReplyTo<'bookTickers'>, { readonly symbol: string }>;
type TickerRecord = Extract<ReplyTo<'tickers'>, { readonly symbol: string }>;

/** The book of every symbol that has one, with the figures of 24 hours if it has traded. */
function tickers(operations: Operations, call: Call): ReplyOf<typeof v2.bookTickers> | Refused {
  const books = operations.bookTickers({}, call);
  if (books instanceof Refused) return books;
  const traded = operations.tickers({}, call) as readonly TickerRecord[];
  return (books as readonly BookRecord[]).map((book) => {
    const day = traded.find(({ symbol }) => symbol === book.symbol);
    return {
      symbol: book.symbol,
      lastPr: day?.lastPrice ?? '',
      bidPr: book.bidPrice,
      bidSz: book.bidQty,
      askPr: book.askPrice,
      askSz: book.askQty,
      open24h: day?.openPrice ?? '',
      high24h: day?.highPrice ?? '',
      low24h: day?.lowPrice ?? '',
      baseVolume: day?.volume ?? '',
      quoteVolume: day?.quoteVolume ?? '',
      ts: String(book.ts),
    };
  });
}

function accountRecord(record: ReplyTo<'account'>): ReplyOf<typeof v2.account> {
  const { marginCoin, locked, available, accountEquity, unrealizedPL, longLever, shortLever, marginMode } = record;
  return {
    marginCoin,
    locked,
    available,
    accountEquity,
    unrealizedPL,
    crossedMarginLeverage: longLever,
    isolatedLongLever: longLever,
    isolatedShortLever: shortLever,
    marginMode: marginMode === 'isolated' ? 'isolated' : 'crossed',
  };
}

interface Entry {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
}

type Cancelled = ReplyOf<typeof v2.cancelOrders>;

/** Cancels entry by entry: every entry of the answer has the ids that it was named by. */
function cancelled(entries: readonly Entry[], cancel: (entry: Entry) => ReplyTo<'cancelPlanOrders'> | Refused): Cancelled | Refused {
  const successList: Cancelled['successList'][number][] = [];
  const failureList: Cancelled['failureList'][number][] = [];
  const [notFound] = v2.cancelOrders.errors;
  for (const entry of entries) {
    const result = cancel(entry);
    if (result instanceof Refused) return result;
    const clientOid = entry.clientOid ?? '';
    const [done] = result.successList;
    if (done !== undefined) successList.push({ orderId: done.orderId, clientOid });
    else failureList.push({ orderId: entry.orderId ?? '', clientOid, errorMsg: notFound!.msg, errorCode: notFound!.code });
  }
  return { successList, failureList };
}

/** The filter of the interface, with times as numbers. */
function listed(given: Given<typeof v2.orderHistory>): Listed {
  return { ...given, startTime: timeOf(given.startTime), endTime: timeOf(given.endTime) };
}

function timeOf(text: string | undefined): number | undefined {
  return text === undefined || text === '' ? undefined : Number(text);
}

const STATUSES: Readonly<Record<string, string>> = {
  NEW: 'live',
  PARTIALLY_FILLED: 'partially_filled',
  FILLED: 'filled',
  CANCELED: 'canceled',
};

function orderRecord(order: OrderRecord, baseVolume: DecimalString): NonNullable<ReplyOf<typeof v2.orderHistory>['entrustedList']>[number] {
  const { symbol, size, orderId, clientOid, priceAvg, fee, price, totalProfits, marginCoin, leverage } = order;
  return {
    symbol,
    size,
    orderId,
    clientOid,
    baseVolume,
    priceAvg,
    fee: negated(fee),
    price,
    status: STATUSES[order.status] ?? order.status,
    side: order.side === 'BUY' ? 'buy' : 'sell',
    force: order.force.toLowerCase(),
    totalProfits,
    posSide: order.posSide === 'LONG' ? 'long' : 'short',
    marginCoin,
    orderType: order.orderType === 'LIMIT' ? 'limit' : 'market',
    leverage,
    marginMode: order.marginMode === 'ISOLATED' ? 'isolated' : 'crossed',
    tradeSide: order.tradeSide === 'OPEN' ? 'open' : 'close',
    cTime: String(order.cTime),
    uTime: String(order.uTime),
  };
}

/** The same amount with the other sign. */
function negated(text: DecimalString | ''): DecimalString | '' {
  if (text === '' || /^-?[0.]*$/.test(text)) return text;
  return (text.startsWith('-') ? text.slice(1) : `-${text}`) as DecimalString;
}

function positionRecord(record: ReplyTo<'positions'>[number]): ReplyOf<typeof v2.positions>[number] {
  const { marginRate: _rate, keepMarginRate: _keep, breakEvenPrice: _price, marginMode, cTime, uTime, ...same } = record;
  return { ...same, marginMode: marginMode === 'isolated' ? 'isolated' : 'crossed', cTime: String(cTime), uTime: String(uTime) };
}
