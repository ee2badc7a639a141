/**
 * Further paths of the published API v2 that an exchange of this dialect serves to other clients: their named methods use them. The bot does
 * not. An alias has the id of the endpoint whose work it does, by which requests are counted and faults chosen.
 */
import { endpoint, errorRow as row } from '../../contract/endpoints/endpoint.ts';
import {
  count,
  decimal,
  defaulted,
  id,
  list,
  millisText,
  nullableList,
  optional,
  record,
  required,
  text,
  word,
} from '../../contract/endpoints/kinds.ts';
import * as v2 from './endpoints.ts';

const { symbol, productType } = v2.trades.request;
const { marginCoin } = v2.account.request;
const notFound = row('40109', 'the order cannot be found', 'order-not-found', 'not-found');

export const serverTime = endpoint({
  ...v2.bookTickers,
  name: 'serverTime',
  title: 'Server time',
  path: '/api/v2/public/time',
  request: {},
  response: record({ serverTime: required(millisText, 'Time of the venue, ms') }),
});

export const contracts = endpoint({
  ...v2.bookTickers,
  name: 'contracts',
  title: 'Rules of the futures',
  path: '/api/v2/mix/market/contracts',
  request: { productType: required(text, 'Product'), symbol: optional(text, 'Trading pair symbol') },
  response: list(
    record({
      symbol: required(id, 'Trading pair symbol'),
      baseCoin: required(text, 'Base coin'),
      quoteCoin: required(text, 'Quote coin'),
      supportMarginCoins: required(list(text), 'Margin coins'),
      makerFeeRate: required(decimal, 'Maker fee rate'),
      takerFeeRate: required(decimal, 'Taker fee rate'),
      minTradeNum: required(decimal, 'Smallest size'),
      maxMarketOrderQty: required(decimal, 'Largest size'),
      maxOrderQty: required(decimal, 'Largest size'),
      sizeMultiplier: required(decimal, 'Sizes are multiples of it'),
      volumePlace: required(text, 'Decimals of a size'),
      pricePlace: required(text, 'Decimals of a price'),
      priceEndStep: required(text, 'Prices are multiples of it, in units of the last decimal'),
      maxLever: required(text, 'Largest leverage'),
      minLever: required(text, 'Smallest leverage'),
      symbolType: required(word('perpetual'), 'Kind of contract'),
      symbolStatus: required(word('normal'), 'Status'),
    }),
  ),
});

export const ticker = endpoint({
  ...v2.bookTickers,
  name: 'ticker',
  title: 'One ticker',
  path: '/api/v2/mix/market/ticker',
  request: { symbol, productType },
});

const level = list(decimal);
export const mergeDepth = endpoint({
  ...v2.bookTickers,
  name: 'mergeDepth',
  title: 'Order book, of which the best prices are known',
  path: '/api/v2/mix/market/merge-depth',
  request: { symbol, productType, limit: optional(text, 'Levels'), precision: optional(text, 'Levels merged') },
  response: record({
    asks: required(list(level), 'Price and size'),
    bids: required(list(level), 'Price and size'),
    ts: required(millisText, 'Time, ms'),
  }),
});

export const fills = endpoint({
  ...v2.trades,
  name: 'fills',
  title: 'Recent trades',
  path: '/api/v2/mix/market/fills',
  request: { symbol, productType, limit: defaulted(count(1, 100), 100, 'Trades to return') },
});

export const accounts = endpoint({
  ...v2.account,
  name: 'accounts',
  title: 'Accounts of a product',
  path: '/api/v2/mix/account/accounts',
  request: { productType },
  response: list(v2.account.response),
});

export const orderDetail = endpoint({
  ...v2.orderHistory,
  name: 'orderDetail',
  title: 'One order',
  path: '/api/v2/mix/order/detail',
  request: { symbol, productType, orderId: optional(text, 'Order ID'), clientOid: optional(text, 'Client order ID') },
  response: record(v2.ORDER_FIELDS),
  errors: [notFound, ...v2.orderHistory.errors],
});

export const pendingPlans = endpoint({
  ...v2.pendingOrders,
  name: 'pendingPlans',
  title: 'Pending trigger orders',
  path: '/api/v2/mix/order/orders-plan-pending',
  request: { ...v2.pendingOrders.request, planType: required(word('normal_plan'), 'Kind of trigger order') },
  response: record({
    entrustedList: required(
      nullableList(
        record({
          ...v2.ORDER_FIELDS,
          planType: required(word('normal_plan'), 'Kind of trigger order'),
          planStatus: required(word('live'), 'Status'),
          triggerPrice: required(decimal, 'Trigger price'),
          triggerType: required(word('fill_price', 'mark_price'), 'Which price triggers'),
        }),
      ),
      'Trigger orders, newest first',
    ),
    endId: required(text, 'The cursor of the next page'),
  }),
});

export const cancelOrder = endpoint({
  ...v2.cancelOrders,
  name: 'cancelOrder',
  title: 'Cancel one order',
  path: '/api/v2/mix/order/cancel-order',
  request: {
    symbol,
    productType,
    marginCoin: optional(marginCoin.kind, marginCoin.doc),
    orderId: optional(text, 'Order ID'),
    clientOid: optional(text, 'Client order ID'),
  },
  response: record({ orderId: required(text, 'Order ID'), clientOid: required(text, 'Client order ID') }),
  errors: [row('22001', 'no order to cancel', 'order-not-found', 'not-found'), ...v2.orderHistory.errors],
});
