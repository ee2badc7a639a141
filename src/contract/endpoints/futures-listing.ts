/** Endpoints to list orders: order history (E17) and pending orders (E18). */
import { COSTS } from './costs.ts';
import { endpoint } from './endpoint.ts';
import { count, decimal, decimalOrEmpty, id, millis, nullableList, openWord, optional, record, required, text, word } from './kinds.ts';
import { marginMode } from './futures-account.ts';

const order = record({
  symbol: required(id, 'Trading pair symbol'),
  size: required(decimal, 'Order size'),
  orderId: required(id, 'Order ID'),
  clientOid: required(text, 'Client order ID'),
  priceAvg: required(decimalOrEmpty, 'Average filled price'),
  fee: required(decimalOrEmpty, 'Trading fee'),
  price: required(decimalOrEmpty, 'Order price'),
  status: required(openWord('NEW', 'FILLED'), 'Order status'),
  side: required(word('BUY', 'SELL'), 'Direction'),
  force: required(openWord('GTC'), 'Time in force'),
  totalProfits: required(decimalOrEmpty, 'Total profits'),
  posSide: required(word('LONG', 'SHORT'), 'Position side'),
  marginCoin: required(text, 'Margin coin'),
  presetTakeProfitPrice: required(decimalOrEmpty, 'Take-profit trigger price'),
  presetTakeProfitExecutePrice: required(decimalOrEmpty, 'Take-profit execution price'),
  presetTakeProfitType: required(openWord('LIMIT'), 'Take-profit order type'),
  presetStopLossPrice: required(decimalOrEmpty, 'Stop-loss trigger price'),
  presetStopLossExecutePrice: required(decimalOrEmpty, 'Stop-loss execution price'),
  presetStopLossType: required(openWord('LIMIT'), 'Stop-loss order type'),
  orderType: required(word('LIMIT', 'MARKET'), 'Order type'),
  leverage: required(decimalOrEmpty, 'Leverage'),
  marginMode: required(marginMode, 'Margin mode'),
  tradeSide: required(word('OPEN', 'CLOSE'), 'Whether the order opens or closes the position'),
  cTime: required(millis, 'Creation time, ms'),
  uTime: required(millis, 'Last update time, ms'),
});

const page = record({
  entrustedList: required(nullableList(order), 'Order records'),
  endId: required(text, 'Last order ID, for pagination: the next page is asked with it as idLessThan'),
});

const limit = required(count(1, 1_000), 'Number of records');
const idLessThan = optional(text, 'Records with ID less than this value');
const startTime = optional(millis, 'Start, ms');
const endTime = optional(millis, 'End, ms');

export const orderHistory = endpoint({
  id: 'E17',
  name: 'orderHistory',
  title: 'Order history',
  group: 'Futures orders',
  method: 'GET',
  path: '/api/v1/future/order/orders-history',
  auth: true,
  request: {
    limit,
    symbol: optional(text, 'Trading pair symbol'),
    orderId: optional(text, 'Filter by order ID'),
    clientOid: optional(text, 'Filter by client order ID'),
    orderSource: optional(word('LIMIT', 'MARKET', 'POST_ONLY'), 'Filter by kind of order'),
    idLessThan,
    startTime,
    endTime,
  },
  rules: [],
  response: page,
  notes: ['An empty list is returned when there is no history.'],
  errors: [],
  idempotency: { kind: 'safe' },
  cost: COSTS.orderHistory,
});

export const pendingOrders = endpoint({
  id: 'E18',
  name: 'pendingOrders',
  title: 'Pending orders',
  group: 'Futures orders',
  method: 'GET',
  path: '/api/v1/future/order/orders-pending',
  auth: true,
  request: {
    limit,
    symbol: optional(text, 'Trading pair symbol'),
    orderId: optional(text, 'Filter by order ID'),
    idLessThan,
    startTime,
    endTime,
  },
  rules: [],
  response: page,
  notes: ['An empty list is returned when none are pending. There is no filter by client order ID.'],
  errors: [],
  idempotency: { kind: 'safe' },
  cost: COSTS.pendingOrders,
});
