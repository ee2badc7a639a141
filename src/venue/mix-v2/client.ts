/** Makes the requests of a client of the dialect mix-v2, and reads the answers. size: each command and query of one dialect, once. */
import { assert } from '../../base/failure/assert.ts';
import { findRow } from '../../contract/classify.ts';
import type { AnswerOf, RequestOf } from '../../contract/endpoints/endpoint.ts';
import * as codes from '../../domain/codes.ts';
import type { Command } from '../../domain/orders/command.ts';
import { formatLots, formatMoneyShort, formatTicks, parseLots, parseTicks, type Instrument } from '../../domain/instrument.ts';
import type { OrderReport, StatsReport } from '../../domain/report.ts';
import { onlyMakes } from '../../domain/orders/time-in-force.ts';
import type { DecimalString, Millis, Ticks } from '../../domain/amounts/units.ts';
import type { Query } from '../../ports/venue.ts';
import type { Called } from '../called.ts';
import {
  ask,
  outgoing,
  unasked,
  whole,
  type Answered,
  type Asking,
  type MapOutOptions,
  type NotAnswered,
  type Outgoing,
  type QueryContext,
  type Verdict,
} from '../dialect.ts';
import { mapAccount, mapPositions, mapTrades, unruledPositions } from '../interface/map-in.ts';
import { requestOf as interfaceRequest } from '../interface/map-out.ts';
import { answerQuery as interfaceAnswer } from '../interface/queries.ts';
import { answerOrders, PAGE_LIMIT, type Page } from '../pages.ts';
import type { QuoteRecord } from '../quote-diff.ts';
import { mapAll, mapEach, moneyOf, notNegative, numberOf, statusOf, priceOrNone } from '../records.ts';
import * as v2 from './endpoints.ts';

/** Of the futures that are margined and settled in USDT. */
const PRODUCT = { productType: 'USDT-FUTURES' } as const;

type OrderRecord = NonNullable<AnswerOf<typeof v2.pendingOrders>['entrustedList']>[number];
type TickerRecord = AnswerOf<typeof v2.bookTickers>[number];
type Named = RequestOf<typeof v2.cancelOrders>['orderIdList'][number];

const done: Verdict = { status: 'accepted', venueId: '' };
const placed = ({ orderId }: { readonly orderId: string }): Verdict => ({ status: 'accepted', venueId: orderId });

/** Builds the request for one command. @throws AssertionError if the command is incomplete, which is our own bug */
export function requestOf(command: Command, options: MapOutOptions): Outgoing {
  const instrument = options.instruments[command.instrument];
  assert(instrument !== undefined, `a command has the index of an instrument, found ${command.instrument}`);
  const { quoteCoin: marginCoin, symbol } = instrument;
  const at = { symbol, ...PRODUCT };
  switch (command.kind) {
    case codes.PLACE:
      return outgoing(
        v2.placeOrder,
        { ...at, marginCoin, ...orderOf(command, instrument, options), ...bracketFields(command, instrument) },
        placed,
      );
    case codes.PLACE_TRIGGER: {
      assert(command.trigger > 0, 'a trigger order has a trigger price');
      const { force: _, ...order } = orderOf({ ...command, type: command.price > 0 ? codes.LIMIT : codes.MARKET }, instrument, options);
      const trigger = {
        planType: 'normal_plan',
        triggerPrice: formatTicks(command.trigger, instrument),
        triggerType: command.triggerBy === codes.BY_MARK ? 'mark_price' : 'fill_price',
        stopSurplusTriggerPrice: priceOrNone(command.takeProfit, instrument),
        stopLossTriggerPrice: priceOrNone(command.stopLoss, instrument),
        stopSurplusExecutePrice: priceOrNone(command.takeProfitLimit, instrument),
        stopLossExecutePrice: priceOrNone(command.stopLossLimit, instrument),
      } as const;
      return outgoing(v2.placePlanOrder, { ...at, marginCoin, ...order, ...trigger }, placed);
    }
    case codes.MODIFY:
      // The answer does not name the new order: reads find it by its client id.
      return outgoing(v2.modifyOrder, { ...at, ...changesOf(command, instrument, options) }, () => done);
    case codes.CANCEL: {
      const item = named(command, options);
      return outgoing(v2.cancelOrders, { ...at, orderIdList: [item] }, (answer) => settleCancel(v2.cancelOrders, answer, item));
    }
    case codes.CANCEL_TRIGGER: {
      const item = named(command, options);
      const params = { planType: 'normal_plan', ...at, orderIdList: [item] } as const;
      return outgoing(v2.cancelPlanOrders, params, (answer) => settleCancel(v2.cancelPlanOrders, answer, item));
    }
    case codes.SET_MARGIN_MODE: {
      const marginMode = modeOf(command.marginMode);
      return outgoing(v2.setMarginMode, { ...at, marginCoin, marginMode }, (answer) =>
        answer.symbol === symbol && answer.marginMode === marginMode ? done : { status: 'unknown', cause: 'response-mixup' },
      );
    }
    case codes.ADJUST_MARGIN: {
      assert(command.amount !== 0, 'a margin change is not zero');
      const holdSide = command.side === codes.LONG ? 'long' : 'short';
      return outgoing(v2.setMargin, { ...at, marginCoin, holdSide, amount: formatMoneyShort(command.amount) }, () => done);
    }
    default: {
      const request = interfaceRequest(command, options);
      return { ...request, endpoint: command.kind === codes.PLACE_SPOT ? v2.placeSpotOrders : v2.cancelSpotOrders };
    }
  }
}

type Order = Pick<
  RequestOf<typeof v2.placeOrder>,
  'marginMode' | 'size' | 'price' | 'side' | 'tradeSide' | 'orderType' | 'force' | 'clientOid'
>;

function orderOf(command: Command, instrument: Instrument, options: MapOutOptions): Order {
  assert(command.size > 0, 'an order has a size');
  const isLimit = command.type === codes.LIMIT;
  assert(!isLimit || command.price > 0, 'a limit order has a price');
  return {
    marginMode: modeOf(command.marginMode),
    size: formatLots(command.size, instrument),
    price: isLimit ? formatTicks(command.price, instrument) : undefined,
    // The side of the position, also for an order that closes it.
    side: command.side === codes.LONG ? 'buy' : 'sell',
    tradeSide: command.effect === codes.OPEN ? 'open' : 'close',
    orderType: isLimit ? 'limit' : 'market',
    force: onlyMakes(command.force) ? 'post_only' : 'gtc',
    clientOid: options.clientIdOf(command.seq),
  };
}

function bracketFields(command: Command, instrument: Instrument): Partial<RequestOf<typeof v2.placeOrder>> {
  if (command.takeProfit === 0 && command.stopLoss === 0) return {};
  return {
    presetStopSurplusPrice: priceOrNone(command.takeProfit, instrument),
    presetStopLossPrice: priceOrNone(command.stopLoss, instrument),
    presetStopSurplusExecutePrice: priceOrNone(command.takeProfitLimit, instrument),
    presetStopLossExecutePrice: priceOrNone(command.stopLossLimit, instrument),
  };
}

type Changes = Omit<RequestOf<typeof v2.modifyOrder>, 'symbol' | 'productType'>;

function changesOf(command: Command, instrument: Instrument, options: MapOutOptions): Changes {
  assert(command.size > 0 && command.price > 0, 'a modify states size and price');
  return {
    newClientOid: options.clientIdOf(command.seq),
    ...named(command, options, true),
    newSize: formatLots(command.size, instrument),
    newPrice: formatTicks(command.price, instrument),
    newPresetStopSurplusPrice: priceOrNone(command.takeProfit, instrument),
    newPresetStopLossPrice: priceOrNone(command.stopLoss, instrument),
  };
}

/** Names the order by client id, or by venue id if it is known and `byVenue`. An order of someone else has only a venue id. */
function named(command: Command, options: MapOutOptions, byVenue = false): Named {
  if (command.target > 0 && !(byVenue && command.targetVenueId !== '')) return { clientOid: options.clientIdOf(command.target) };
  assert(command.targetVenueId !== '', 'a command names its order');
  return { orderId: command.targetVenueId };
}

/** The result of the one entry. Entries carry both ids. */
function settleCancel(endpoint: typeof v2.cancelOrders, answer: AnswerOf<typeof v2.cancelOrders>, item: Named): Verdict {
  const isOurs = (entry: { readonly orderId: string; readonly clientOid: string }): boolean =>
    item.clientOid === undefined ? entry.orderId === item.orderId : entry.clientOid === item.clientOid;
  const { successList, failureList } = answer;
  const count = successList.length + failureList.length;
  if (count !== 1) return { status: 'unknown', cause: count === 0 ? 'entry-missing' : 'response-mixup' };
  const success = successList.find(isOurs);
  if (success !== undefined) return { status: 'accepted', venueId: success.orderId };
  const failed = failureList.find(isOurs);
  if (failed === undefined) return { status: 'unknown', cause: 'response-mixup' };
  const { errorCode: code, errorMsg: message } = failed;
  const reason = findRow(endpoint, code, message)?.reason;
  return reason === undefined ? { status: 'unknown', cause: 'unknown-code' } : { status: 'rejected', rejection: { reason, code, message } };
}

function modeOf(marginMode: number): 'crossed' | 'isolated' {
  return marginMode === codes.CROSS ? 'crossed' : 'isolated';
}

/** Executes one query. @throws ScaleError if an order, position or account does not fit its instrument */
export function* answerTo(query: Query, context: QueryContext): Asking<Answered | NotAnswered> {
  const { symbols, drops } = context;
  const instrument = context.instruments[query.instrument];
  const symbol = instrument?.symbol;
  const orders = (records: readonly OrderRecord[]): OrderReport[] => ordersOf(records, context);
  switch (query.kind) {
    case 'quotes':
      return whole(yield* ask(v2.bookTickers, PRODUCT), (value) => ({
        kind: 'quotes',
        quotes: context.quotes.map(value.filter(isOf(symbol)).map(quoteRecord)),
      }));
    case 'stats':
      return whole(yield* ask(v2.bookTickers, PRODUCT), (value) => ({
        kind: 'stats',
        stats: mapEach(value.filter(isOf(symbol)).filter(hasTraded), symbols, drops, statsOf),
      }));
    case 'trades': {
      const idLessThan = query.before === '' ? undefined : query.before;
      const called = yield* ask(v2.trades, { symbol: symbol ?? '', ...PRODUCT, limit: query.limit, idLessThan });
      return whole(called, (value) => {
        const records = value.map((one) => ({ ...one, side: one.side === 'buy' ? 'BUY' : 'SELL', ts: Number(one.ts) }) as const);
        return { kind: 'trades', trades: mapTrades(records, symbols, drops) };
      });
    }
    case 'account': {
      if (instrument === undefined) return unasked('an account query has the index of an instrument');
      const called = yield* ask(v2.account, { symbol: instrument.symbol, ...PRODUCT, marginCoin: instrument.quoteCoin });
      return whole(called, (value) => ({ kind: 'account', account: mapAccount(accountRecord(value), instrument) }));
    }
    case 'positions': {
      const called =
        instrument === undefined
          ? yield* ask(v2.positions, PRODUCT)
          : yield* ask(v2.symbolPositions, { symbol: instrument.symbol, ...PRODUCT, marginCoin: instrument.quoteCoin });
      return whole(called, (value) => {
        const records = value.map(positionRecord);
        const unruled = unruledPositions(records, symbols);
        return { kind: 'positions', positions: mapPositions(records, symbols, drops), ...(unruled.length === 0 ? {} : { unruled }) };
      });
    }
    case 'pending': {
      const read = (before: string): Asking<Called<Page<OrderRecord>>> =>
        ask(v2.pendingOrders, { ...PRODUCT, symbol, idLessThan: before || undefined, limit: PAGE_LIMIT });
      return yield* answerOrders(query, read, orders);
    }
    case 'history': {
      // An order is asked for by its client id alone, which has at most one page.
      const filter = { symbol, clientOid: query.clientId || undefined, startTime: query.since > 0 ? String(query.since) : undefined };
      const read = (before: string): Asking<Called<Page<OrderRecord>>> =>
        ask(v2.orderHistory, { ...PRODUCT, ...filter, idLessThan: before || undefined, limit: PAGE_LIMIT });
      return yield* answerOrders(query, read, orders);
    }
    default:
      return yield* spotAnswer(query, context);
  }
}

/** Spot symbols and withdrawals: the requests of the interface under the paths of this dialect. */
function* spotAnswer(query: Query, context: QueryContext): Asking<Answered | NotAnswered> {
  const endpoint = query.kind === 'withdrawals' ? v2.withdrawals : v2.spotSymbols;
  const asking = interfaceAnswer(query, context);
  let step = asking.next();
  while (step.done !== true) step = asking.next(yield { ...step.value, endpoint });
  return step.value;
}

function isOf(symbol: string | undefined): (record: TickerRecord) => boolean {
  return (record) => symbol === undefined || record.symbol === symbol;
}

function quoteRecord({ symbol, bidPr, bidSz, askPr, askSz, ts }: TickerRecord): QuoteRecord {
  return { symbol, bidPrice: bidPr, bidQty: bidSz, askPrice: askPr, askQty: askSz, ts: Number(ts) };
}

/** False before the first trade of a symbol, of which no figures exist. */
function hasTraded({ lastPr }: TickerRecord): boolean {
  return lastPr !== '';
}

function statsOf(record: TickerRecord, instrument: Instrument): StatsReport {
  return {
    instrument: instrument.index,
    last: parseTicks(record.lastPr, instrument),
    open: parseTicks(record.open24h, instrument),
    high: parseTicks(record.high24h, instrument),
    low: parseTicks(record.low24h, instrument),
    volume: Number(record.baseVolume),
    venueTime: Number(record.ts) as Millis,
  };
}

type AccountRecord = Parameters<typeof mapAccount>[0];
function accountRecord(record: AnswerOf<typeof v2.account>): AccountRecord {
  const { crossedMarginLeverage, isolatedLongLever, isolatedShortLever, available, marginMode, ...same } = record;
  const isCrossed = marginMode === 'crossed';
  return {
    ...same,
    available,
    crossMaxAvailable: available,
    isolatedMaxAvailable: available,
    maxTransferOut: available,
    longLever: isCrossed ? crossedMarginLeverage : isolatedLongLever,
    shortLever: isCrossed ? crossedMarginLeverage : isolatedShortLever,
    marginMode: isCrossed ? 'cross' : 'isolated',
    coupon: '0' as DecimalString,
  };
}

type PositionRecord = Parameters<typeof mapPositions>[0][number];
function positionRecord(record: AnswerOf<typeof v2.positions>[number]): PositionRecord {
  return {
    ...record,
    marginMode: record.marginMode === 'crossed' ? 'cross' : 'isolated',
    marginRate: '',
    keepMarginRate: '',
    breakEvenPrice: '',
    cTime: Number(record.cTime),
    uTime: Number(record.uTime),
  };
}

function ordersOf(records: readonly OrderRecord[], { symbols, drops }: QueryContext): OrderReport[] {
  return mapAll(records, symbols, drops, (record, instrument) => ({
    instrument: instrument.index,
    venueId: record.orderId,
    clientId: record.clientOid,
    side: record.posSide === 'long' ? codes.LONG : codes.SHORT,
    effect: record.tradeSide === 'open' ? codes.OPEN : codes.CLOSE,
    type: record.orderType === 'limit' ? codes.LIMIT : codes.MARKET,
    price: record.price === '' || record.orderType === 'market' ? (0 as Ticks) : notNegative(parseTicks(record.price, instrument)),
    size: notNegative(parseLots(record.size, instrument)),
    status: statusOf(record.status),
    filled: notNegative(parseLots(record.baseVolume, instrument)),
    averagePrice: numberOf(record.priceAvg),
    // A fee that was paid is negative here, and positive in the interface.
    fee: (0 - moneyOf(record.fee)) as OrderReport['fee'],
    realised: moneyOf(record.totalProfits),
    createdAt: Number(record.cTime) as Millis,
    updatedAt: Number(record.uTime) as Millis,
  }));
}
