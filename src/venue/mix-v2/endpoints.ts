/**
 * The endpoints of the dialect mix-v2: the futures of the published API v2 of a sibling venue. Order records say how much has filled. A
 * code alone identifies an error, because the messages contain numbers. Every futures request names the product. size: one table of 19 endpoints.
 */
import { COSTS } from '../../contract/endpoints/costs.ts';
import { endpoint, errorRow as row, type Endpoint, type ErrorRow } from '../../contract/endpoints/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints/endpoints.ts';
import {
  count,
  decimal,
  decimalOrEmpty,
  defaulted,
  digits,
  id,
  list,
  millisText,
  nothing,
  nullableList,
  openWord,
  optional,
  record,
  required,
  text,
  word,
  wordAlso,
} from '../../contract/endpoints/kinds.ts';
import { aboveZero, anyOf, isAbsent, requiredWhen, type Rule } from '../../contract/endpoints/rules.ts';

export const PREFIX = '/api/v2';
/** Most records of one answer. */
const MOST = 100;

const SMALL = 'less than the minimum order quantity';
const NO_PRICE = 'the price cannot be empty';
const NO_ID = 'orderId or clientOid is required';
const NO_NEW_ID = 'modify price and size, please pass in newClientOid';
const NO_CHANGE = 'newSize and newPrice are required';

const noSymbol = row('40034', 'the symbol does not exist', 'unknown-instrument', 'stateful');
const signed = [row('40009', 'sign signature error', 'unauthorized', 'auth'), row('40006', 'invalid ACCESS_KEY', 'unauthorized', 'auth')];
const notFound: ErrorRow = { ...row('22001', 'no order to cancel', 'order-not-found', 'not-found'), entry: true };
const invalid = row('40808', 'parameter verification exception', 'invalid-request', 'static');

/** What an order with a size, prices and a margin mode is refused for. The first row of a code gives its reason. */
const ofOrders = [
  noSymbol,
  row('45112', 'more than the maximum order quantity', 'size-too-large', 'stateful'),
  row('45111', SMALL, 'size-too-small', 'static'),
  row('45114', 'the quantity should be a multiple of the size step', 'size-precision', 'static'),
  row('40019', NO_PRICE, 'price-required', 'static'),
  row('45115', 'the price should be a multiple of the price step', 'price-precision', 'static'),
  row('45115', 'the take-profit price should be a multiple of the price step', 'take-profit-precision', 'static'),
  row('45115', 'the take-profit execution price should be a multiple of the price step', 'take-profit-limit-precision', 'static'),
  row('45115', 'the stop-loss price should be a multiple of the price step', 'stop-loss-precision', 'static'),
  row('45115', 'the stop-loss execution price should be a multiple of the price step', 'stop-loss-limit-precision', 'static'),
  row('40762', 'the order amount exceeds the balance', 'insufficient-balance', 'stateful'),
  invalid,
  ...signed,
];
const ofNewOrders = [
  ...ofOrders,
  row('40786', 'duplicate clientOid', 'duplicate-client-id', 'duplicate'),
  row('40015', 'the order is being processed', 'already-ordering', 'busy'),
  row('45117', 'the margin mode cannot be adjusted while positions or orders exist', 'margin-mode-conflict', 'stateful'),
];

const productType = required(wordAlso(['USDT-FUTURES'], { 'usdt-futures': 'USDT-FUTURES' }), 'Product');
const marginCoin = required(id, 'Margin coin');
const symbol = required(id, 'Trading pair symbol');
const marginMode = word('crossed', 'isolated');
const direction = word('buy', 'sell');
const effect = word('open', 'close');
/** Also as npm ccxt spells it. */
const effectGiven = wordAlso(['open', 'close'], { Open: 'open', Close: 'close' });
const orderType = word('limit', 'market');
const bracketFields = {
  presetStopSurplusPrice: optional(decimal, 'Take-profit trigger price'),
  presetStopLossPrice: optional(decimal, 'Stop-loss trigger price'),
  presetStopSurplusExecutePrice: optional(decimal, 'Take-profit execution price'),
  presetStopLossExecutePrice: optional(decimal, 'Stop-loss execution price'),
};
const placed = record({ orderId: required(id, 'Order ID'), clientOid: required(text, 'Client order ID') });

const common = { prefix: PREFIX, isByCode: true, auth: true, rules: [] } as const;
const GET = { ...common, method: 'GET', idempotency: { kind: 'safe' } } as const;
const POST = { ...common, method: 'POST' } as const;

/** Best bid and ask, last price and the figures of 24 hours in one record. */
export const bookTickers = endpoint({
  ...GET,
  id: 'E7',
  name: 'bookTickers',
  title: 'All tickers',
  group: 'Futures market',
  path: '/api/v2/mix/market/tickers',
  auth: false,
  request: { productType },
  response: list(
    record({
      symbol: required(id, 'Trading pair symbol'),
      lastPr: required(decimalOrEmpty, 'Most recent trade price'),
      bidPr: required(decimal, 'Best bid price'),
      bidSz: required(decimal, 'Quantity at best bid'),
      askPr: required(decimal, 'Best ask price'),
      askSz: required(decimal, 'Quantity at best ask'),
      open24h: required(decimalOrEmpty, 'Price 24h ago'),
      high24h: required(decimalOrEmpty, '24h high'),
      low24h: required(decimalOrEmpty, '24h low'),
      baseVolume: required(decimalOrEmpty, 'Volume in base asset'),
      quoteVolume: required(decimalOrEmpty, 'Volume in quote asset'),
      ts: required(millisText, 'Data timestamp, ms'),
    }),
  ),
  errors: [noSymbol],
  cost: COSTS.bookTickers,
});

export const trades = endpoint({
  ...GET,
  id: 'E8',
  name: 'trades',
  title: 'Historical trades',
  group: 'Futures market',
  path: '/api/v2/mix/market/fills-history',
  auth: false,
  request: {
    symbol,
    productType,
    limit: defaulted(count(1, 1000), 500, 'Trades to return, at most 1000'),
    idLessThan: optional(digits, 'Trades with ID less than this value'),
  },
  response: list(
    record({
      symbol: required(id, 'Trading pair symbol'),
      tradeId: required(id, 'Unique trade ID'),
      price: required(decimal, 'Execution price'),
      size: required(decimal, 'Trade size'),
      side: required(direction, 'Side of the aggressor'),
      ts: required(millisText, 'Trade time, ms'),
    }),
  ),
  errors: [noSymbol],
  cost: COSTS.trades,
});

export const account = endpoint({
  ...GET,
  id: 'E9',
  name: 'account',
  title: 'Single account',
  group: 'Futures account',
  path: '/api/v2/mix/account/account',
  request: { symbol, productType, marginCoin },
  response: record({
    marginCoin: required(text, 'Margin coin'),
    locked: required(decimal, 'Locked balance'),
    available: required(decimal, 'Available balance'),
    accountEquity: required(decimal, 'Equity'),
    unrealizedPL: required(decimal, 'Unrealised profit'),
    crossedMarginLeverage: required(decimal, 'Leverage, cross mode'),
    isolatedLongLever: required(decimal, 'Long leverage, isolated mode'),
    isolatedShortLever: required(decimal, 'Short leverage, isolated mode'),
    marginMode: required(marginMode, 'Margin mode'),
  }),
  errors: [noSymbol, ...signed],
  cost: COSTS.account,
});

export const setMarginMode = endpoint({
  ...POST,
  id: 'E10',
  name: 'setMarginMode',
  title: 'Change margin mode',
  group: 'Futures account',
  path: '/api/v2/mix/account/set-margin-mode',
  request: { symbol, productType, marginCoin, marginMode: required(marginMode, 'Margin mode') },
  response: record({ symbol: required(id, 'Trading pair symbol'), marginMode: required(marginMode, 'Updated mode') }),
  errors: [
    noSymbol,
    row('45117', 'the margin mode cannot be adjusted while positions or orders exist', 'margin-mode-conflict', 'stateful'),
    ...signed,
  ],
  idempotency: { kind: 'target-state', resolveBy: ['E9'] },
  cost: COSTS.setMarginMode,
});

export const setMargin = endpoint({
  ...POST,
  id: 'E11',
  name: 'setMargin',
  title: 'Adjust position margin',
  group: 'Futures account',
  path: '/api/v2/mix/account/set-margin',
  request: {
    symbol,
    productType,
    marginCoin,
    holdSide: required(word('long', 'short'), 'Position side'),
    amount: required(text, 'Positive adds margin, negative reduces it'),
  },
  response: nothing,
  errors: [
    noSymbol,
    row('22002', 'no position', 'no-position', 'stateful'),
    row('45118', 'the margin of a crossed position cannot be adjusted', 'cross-margin-unsupported', 'static'),
    row('40808', 'the amount is not a number', 'amount-not-a-number', 'static'),
    row('40762', 'the amount exceeds the balance', 'insufficient-balance', 'stateful'),
    row('40764', 'the margin of the position is not enough', 'insufficient-position-margin', 'stateful'),
    ...signed,
  ],
  idempotency: { kind: 'never' },
  cost: COSTS.setMargin,
});

export const placeOrder = endpoint({
  ...POST,
  id: 'E12',
  name: 'placeOrder',
  title: 'Place order',
  group: 'Futures orders',
  path: '/api/v2/mix/order/place-order',
  request: {
    symbol,
    productType,
    marginMode: required(marginMode, 'Margin mode'),
    marginCoin,
    size: required(decimal, 'Order size'),
    price: optional(decimal, 'Required for limit orders'),
    side: required(direction, 'buy for the long side of the position, sell for the short side, also when it closes'),
    tradeSide: required(effectGiven, 'Whether the order opens or closes the position'),
    orderType: required(orderType, 'Order type'),
    force: optional(wordAlso(['gtc', 'post_only'], { GTC: 'gtc', PO: 'post_only' }), 'Time in force'),
    clientOid: optional(text, 'Client order ID'),
    ...bracketFields,
  },
  rules: [aboveZero('size', SMALL), requiredWhen('price', { field: 'orderType', is: 'limit' }, NO_PRICE), aboveZero('price', NO_PRICE)],
  response: placed,
  errors: [
    ...ofNewOrders,
    row('22002', 'no position to close', 'no-position', 'stateful'),
    row('40757', 'not enough position is available', 'exceeds-position', 'stateful'),
    row('43008', 'the price of a post-only order would trade at once', 'would-take', 'stateful'),
  ],
  idempotency: { kind: 'client-id', field: 'clientOid', resolveBy: ['E18', 'E17'] },
  cost: COSTS.placeOrder,
});

export const placePlanOrder = endpoint({
  ...POST,
  id: 'E13',
  name: 'placePlanOrder',
  title: 'Place trigger order',
  group: 'Futures orders',
  path: '/api/v2/mix/order/place-plan-order',
  request: {
    planType: required(word('normal_plan'), 'Kind of trigger order'),
    symbol,
    productType,
    marginMode: required(marginMode, 'Margin mode'),
    marginCoin,
    size: required(decimal, 'Order size'),
    price: optional(decimal, 'Required for limit orders'),
    triggerPrice: required(decimal, 'Trigger price'),
    triggerType: required(word('fill_price', 'mark_price'), 'Which price triggers'),
    side: required(direction, 'Side of the position'),
    tradeSide: required(effectGiven, 'Whether the order opens or closes the position'),
    orderType: required(orderType, 'Type of the order that it becomes'),
    clientOid: optional(text, 'Client order ID'),
    stopSurplusTriggerPrice: optional(decimal, 'Take-profit trigger price'),
    stopLossTriggerPrice: optional(decimal, 'Stop-loss trigger price'),
    stopSurplusExecutePrice: optional(decimal, 'Take-profit execution price'),
    stopLossExecutePrice: optional(decimal, 'Stop-loss execution price'),
  },
  rules: [aboveZero('size', SMALL), requiredWhen('price', { field: 'orderType', is: 'limit' }, NO_PRICE), aboveZero('price', NO_PRICE)],
  response: placed,
  errors: [
    ...ofNewOrders,
    row('40808', 'the trigger price is required', 'trigger-required', 'static'),
    row('45115', 'the trigger price should be a multiple of the price step', 'trigger-precision', 'static'),
  ],
  idempotency: { kind: 'client-id', field: 'clientOid', resolveBy: [] },
  cost: COSTS.placePlanOrder,
});

/** A change of size or price states both. */
const together: Rule = {
  says: '`newSize` and `newPrice` are stated together',
  refusedWith: NO_CHANGE,
  isBroken: ({ newSize, newPrice }) => isAbsent(newSize) !== isAbsent(newPrice),
  violate: (valid) => ({ ...valid, newSize: undefined }),
};

export const modifyOrder = endpoint({
  ...POST,
  id: 'E14',
  name: 'modifyOrder',
  title: 'Modify order',
  group: 'Futures orders',
  path: '/api/v2/mix/order/modify-order',
  request: {
    symbol,
    productType,
    newClientOid: required(id, 'Client order ID of the order that replaces this one', { refusedWith: NO_NEW_ID }),
    orderId: optional(text, 'Identify the order by this or by clientOid'),
    clientOid: optional(text, 'Identify the order by this or by orderId'),
    newSize: optional(decimal, 'New size; stated together with the price'),
    newPrice: optional(decimal, 'New price; stated together with the size'),
    newPresetStopSurplusPrice: optional(decimal, 'New take-profit trigger price'),
    newPresetStopLossPrice: optional(decimal, 'New stop-loss trigger price'),
  },
  rules: [anyOf(['orderId', 'clientOid'], NO_ID), together, aboveZero('newPrice', NO_PRICE), aboveZero('newSize', SMALL)],
  response: record({
    orderId: required(text, 'The old order ID: the venue makes the new order later, and newClientOid finds it'),
    clientOid: required(text, 'The new client order ID'),
  }),
  errors: [
    ...ofOrders,
    row('40768', 'the order does not exist', 'order-not-found', 'not-found'),
    row('22003', NO_NEW_ID, 'new-client-id-required', 'static'),
    row('40808', NO_ID, 'order-id-required', 'static'),
    row('40808', NO_CHANGE, 'nothing-to-modify', 'static'),
    row('40808', 'the new price is invalid', 'price-invalid', 'stateful'),
  ],
  idempotency: { kind: 'client-id', field: 'newClientOid', resolveBy: ['E18', 'E17'] },
  cost: COSTS.modifyOrder,
});

const orderIdList = required(
  list(record({ orderId: optional(text, 'Order ID'), clientOid: optional(text, 'Client order ID') })),
  'Orders to cancel; each entry gives orderId or clientOid',
);
const cancelled = record({
  successList: required(list(placed), 'Entries that succeeded'),
  failureList: required(
    list(
      record({
        orderId: required(text, 'Order ID'),
        clientOid: required(text, 'Client order ID'),
        errorMsg: required(text, 'Why the entry failed'),
        errorCode: required(text, 'Code of the error'),
      }),
    ),
    'Entries that failed',
  ),
});

export const cancelOrders = endpoint({
  ...POST,
  id: 'E15',
  name: 'cancelOrders',
  title: 'Cancel orders',
  group: 'Futures orders',
  path: '/api/v2/mix/order/batch-cancel-orders',
  request: { symbol, productType, orderIdList },
  response: cancelled,
  errors: [notFound, ...signed],
  idempotency: { kind: 'target-state', resolveBy: ['E18', 'E17'] },
  cost: COSTS.cancelOrders,
});

export const cancelPlanOrders = endpoint({
  ...POST,
  id: 'E16',
  name: 'cancelPlanOrders',
  title: 'Cancel trigger orders',
  group: 'Futures orders',
  path: '/api/v2/mix/order/cancel-plan-order',
  request: { planType: required(word('normal_plan'), 'Kind of trigger order'), symbol, productType, orderIdList },
  response: cancelled,
  errors: [notFound, ...signed],
  idempotency: { kind: 'target-state' },
  cost: COSTS.cancelPlanOrders,
});

/** An order in a list. */
export const ORDER_FIELDS = {
  symbol: required(id, 'Trading pair symbol'),
  size: required(decimal, 'Order size'),
  orderId: required(id, 'Order ID'),
  clientOid: required(text, 'Client order ID'),
  baseVolume: required(decimal, 'Filled size'),
  priceAvg: required(decimalOrEmpty, 'Average filled price'),
  fee: required(decimalOrEmpty, 'Fee; negative when it was paid'),
  price: required(decimalOrEmpty, 'Order price'),
  status: required(openWord('live', 'partially_filled', 'filled', 'canceled'), 'Order status'),
  side: required(direction, 'Direction of the trade'),
  force: required(openWord('gtc', 'post_only'), 'Time in force'),
  totalProfits: required(decimalOrEmpty, 'Total profits'),
  posSide: required(word('long', 'short'), 'Position side'),
  marginCoin: required(text, 'Margin coin'),
  orderType: required(orderType, 'Order type'),
  leverage: required(decimalOrEmpty, 'Leverage'),
  marginMode: required(marginMode, 'Margin mode'),
  tradeSide: required(effect, 'Whether the order opens or closes the position'),
  cTime: required(millisText, 'Creation time, ms'),
  uTime: required(millisText, 'Last update time, ms'),
} as const;
const page = record({
  entrustedList: required(nullableList(record(ORDER_FIELDS)), 'Order records, newest first'),
  endId: required(text, 'The cursor of the next page, passed as idLessThan'),
});
const listing = {
  productType,
  symbol: optional(text, 'Trading pair symbol'),
  orderId: optional(text, 'Filter by order ID'),
  clientOid: optional(text, 'Filter by client order ID'),
  idLessThan: optional(text, 'The cursor of the page before'),
  startTime: optional(millisText, 'Start, ms'),
  endTime: optional(millisText, 'End, ms'),
  limit: defaulted(count(1, MOST), MOST, 'Number of records'),
};

export const orderHistory = endpoint({
  ...GET,
  id: 'E17',
  name: 'orderHistory',
  title: 'Order history',
  group: 'Futures orders',
  path: '/api/v2/mix/order/orders-history',
  request: listing,
  response: page,
  errors: signed,
  cost: COSTS.orderHistory,
});

export const pendingOrders = endpoint({
  ...GET,
  id: 'E18',
  name: 'pendingOrders',
  title: 'Pending orders',
  group: 'Futures orders',
  path: '/api/v2/mix/order/orders-pending',
  request: listing,
  response: page,
  errors: signed,
  cost: COSTS.pendingOrders,
});

const position = record({
  symbol: required(id, 'Trading pair symbol'),
  marginCoin: required(text, 'Margin coin'),
  holdSide: required(word('long', 'short'), 'Position side'),
  openDelegateSize: required(decimal, 'Size of open orders'),
  marginSize: required(decimal, 'Margin'),
  available: required(decimal, 'Size that can be closed'),
  locked: required(decimal, 'Size locked by closing orders'),
  total: required(decimal, 'available + locked'),
  leverage: required(decimal, 'Leverage'),
  achievedProfits: required(decimal, 'Realised profit'),
  openPriceAvg: required(decimal, 'Average entry price'),
  marginMode: required(marginMode, 'Margin mode'),
  unrealizedPL: required(decimal, 'Unrealised profit'),
  liquidationPrice: required(decimalOrEmpty, 'Estimated liquidation price'),
  markPrice: required(decimal, 'Mark price'),
  totalFee: required(decimalOrEmpty, 'Accumulated funding'),
  cTime: required(millisText, 'Creation time, ms'),
  uTime: required(millisText, 'Last update time, ms'),
});

export const positions = endpoint({
  ...GET,
  id: 'E19',
  name: 'positions',
  title: 'All positions',
  group: 'Futures positions',
  path: '/api/v2/mix/position/all-position',
  request: { productType },
  response: list(position),
  errors: signed,
  cost: COSTS.positions,
});

export const symbolPositions = endpoint({
  ...GET,
  id: 'E20',
  name: 'symbolPositions',
  title: 'Single position',
  group: 'Futures positions',
  path: '/api/v2/mix/position/single-position',
  request: { symbol, productType, marginCoin },
  response: list(position),
  errors: [noSymbol, ...signed],
  cost: COSTS.symbolPositions,
});

/** Spot endpoints have the fields of the interface under other paths. Their error codes are those of the interface: not published apart. */
function spot<E extends Endpoint>(of: E, path: string): E {
  return { ...of, prefix: PREFIX, path };
}
export const placeSpotOrders = spot(ENDPOINTS.placeSpotOrders, '/api/v2/spot/trade/batch-orders');
export const cancelSpotOrders = spot(ENDPOINTS.cancelSpotOrders, '/api/v2/spot/trade/batch-cancel-order');
export const spotSymbols = spot(ENDPOINTS.spotSymbols, '/api/v2/spot/public/symbols');
export const coins = spot(ENDPOINTS.coins, '/api/v2/spot/public/coins');
export const withdrawals = spot(ENDPOINTS.withdrawals, '/api/v2/spot/wallet/withdrawal-records');
