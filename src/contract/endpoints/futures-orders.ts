/** Endpoints to place an order (E12), place a trigger order (E13) and modify an order (E14). */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { decimal, id, optional, record, required, text, word } from './kinds.ts';
import { aboveZero, anyOf, requiredWhen } from './rules.ts';
import { marginMode } from './futures-account.ts';

const NO_SYMBOL = 'symbol does not exist';
const SMALL = 'Open Size is too small';
const NO_PRICE = 'Order price is required';
const NO_TRIGGER = 'Trigger price is required';
const MODE_CONFLICT = 'A different margin mode is not available than the position currently opened';
const NO_ID = 'Order ID or client order ID is required';
const NO_NEW_ID = 'New client order ID is required';
const NO_CHANGE = 'New size, price, preset take profit price, or preset stop loss price is required';
const BAD_PRICE = 'Invalid new Order price';
const NEW_SMALL = 'New Size is too small';

const bracketFields = {
  presetTakeProfitPrice: optional(decimal, 'Take-profit trigger price'),
  presetStopLossPrice: optional(decimal, 'Stop-loss trigger price'),
  presetTakeProfitExecutePrice: optional(decimal, 'Take-profit execution price'),
  presetStopLossExecutePrice: optional(decimal, 'Stop-loss execution price'),
};

const placed = record({
  orderId: required(id, 'Order ID'),
  clientOid: required(text, 'Client order ID'),
});

export const placeOrder = endpoint({
  id: 'E12',
  name: 'placeOrder',
  title: 'Place order',
  group: 'Futures orders',
  method: 'POST',
  path: '/api/v1/future/order/place-order',
  auth: true,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    marginMode: required(marginMode, 'Margin mode'),
    size: required(decimal, 'Order size'),
    side: required(word('LONG', 'SHORT'), 'Position side'),
    tradeSide: required(word('OPEN', 'CLOSE'), 'Whether the order opens or closes the position'),
    orderType: required(word('LIMIT', 'MARKET'), 'Order type'),
    price: optional(decimal, 'Required for `LIMIT`'),
    force: optional(word('POST_ONLY'), 'Time in force'),
    clientOid: optional(text, 'Client order ID'),
    ...bracketFields,
  },
  rules: [aboveZero('size', SMALL), requiredWhen('price', { field: 'orderType', is: 'LIMIT' }, NO_PRICE), aboveZero('price', NO_PRICE)],
  response: placed,
  notes: ['`side` is the position side: buying is `LONG` with `OPEN` or `SHORT` with `CLOSE`.'],
  errors: [
    row('40001', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40010', 'No position to close', 'no-position', 'stateful'),
    row('40011', 'Custom ID already exists', 'duplicate-client-id', 'duplicate'),
    row('40012', 'Already ordering', 'already-ordering', 'busy'),
    row('40013', MODE_CONFLICT, 'margin-mode-conflict', 'stateful'),
    row('40014', 'Open Size is too large', 'size-too-large', 'stateful'),
    row('40015', SMALL, 'size-too-small', 'static'),
    row('40016', 'Open Size decimal precision is too high', 'size-precision', 'static'),
    row('40017', NO_PRICE, 'price-required', 'static'),
    row('40018', 'Order price decimal precision is too high', 'price-precision', 'static'),
    row('40019', 'Insufficient balance', 'insufficient-balance', 'stateful'),
    row('40020', 'Take Profit price decimal precision is too high', 'take-profit-precision', 'static'),
    row('40021', 'Take Profit execute price decimal precision is too high', 'take-profit-limit-precision', 'static'),
    row('40022', 'Stop Loss price decimal precision is too high', 'stop-loss-precision', 'static'),
    row('40023', 'Stop Loss execute price decimal precision is too high', 'stop-loss-limit-precision', 'static'),
    row('40024', 'Price is not the last price', 'would-take', 'stateful'),
    row('40025', 'Quantity is greater than the position quantity', 'exceeds-position', 'stateful'),
  ],
  idempotency: { kind: 'client-id', field: 'clientOid', resolveBy: ['E18', 'E17'] },
  cost: COSTS.placeOrder,
});

export const placePlanOrder = endpoint({
  id: 'E13',
  name: 'placePlanOrder',
  title: 'Place plan (trigger) order',
  group: 'Futures orders',
  method: 'POST',
  path: '/api/v1/future/order/place-plan-order',
  auth: true,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    marginMode: required(marginMode, 'Margin mode'),
    size: required(decimal, 'Order size'),
    side: required(word('LONG', 'SHORT'), 'Position side'),
    triggerPrice: required(decimal, 'Trigger price', { refusedWith: NO_TRIGGER }),
    triggerPriceType: required(word('LAST', 'MARK'), 'Which price triggers'),
    price: optional(decimal, 'Required for LIMIT orders'),
    clientOid: optional(text, 'Client order ID'),
    ...bracketFields,
  },
  rules: [
    aboveZero('size', SMALL),
    requiredWhen('price', { field: 'orderType', is: 'LIMIT' }, NO_PRICE),
    aboveZero('price', NO_PRICE),
    aboveZero('triggerPrice', NO_TRIGGER),
  ],
  response: placed,
  notes: ['There is no order type: with `price` the resulting order is a limit order, without it a market order (assumption A19).'],
  errors: [
    row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40001', 'Custom ID already exists', 'duplicate-client-id', 'duplicate'),
    row('40001', 'Already ordering', 'already-ordering', 'busy'),
    row('40001', MODE_CONFLICT, 'margin-mode-conflict', 'stateful'),
    row('40001', 'Open Size is too large', 'size-too-large', 'stateful'),
    row('40001', SMALL, 'size-too-small', 'static'),
    row('40001', 'Open Size decimal precision is too high', 'size-precision', 'static'),
    row('40001', NO_PRICE, 'price-required', 'static'),
    row('40001', 'Order price decimal precision is too high', 'price-precision', 'static'),
    row('40001', NO_TRIGGER, 'trigger-required', 'static'),
    row('40001', 'Trigger price decimal precision is too high', 'trigger-precision', 'static'),
    row('40001', 'Insufficient balance', 'insufficient-balance', 'stateful'),
    row('40020', 'Take Profit price decimal precision is too high', 'take-profit-precision', 'static'),
    row('40021', 'Take Profit execute price decimal precision is too high', 'take-profit-limit-precision', 'static'),
    row('40022', 'Stop Loss price decimal precision is too high', 'stop-loss-precision', 'static'),
    row('40023', 'Stop Loss execute price decimal precision is too high', 'stop-loss-limit-precision', 'static'),
  ],
  idempotency: { kind: 'client-id', field: 'clientOid', resolveBy: [] },
  cost: COSTS.placePlanOrder,
});

export const modifyOrder = endpoint({
  id: 'E14',
  name: 'modifyOrder',
  title: 'Modify order',
  group: 'Futures orders',
  method: 'POST',
  path: '/api/v1/future/order/modify-order',
  auth: true,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    newClientOid: required(id, 'New client order ID for the modified order', { refusedWith: NO_NEW_ID }),
    orderId: optional(text, 'Identify the order by this or by clientOid'),
    clientOid: optional(text, 'Identify the order by this or by orderId'),
    newSize: optional(decimal, 'New size'),
    newPrice: optional(decimal, 'New price', { refusedWith: BAD_PRICE }),
    newPresetTakeProfitPrice: optional(decimal, 'New take-profit trigger price'),
    newPresetStopLossPrice: optional(decimal, 'New stop-loss trigger price'),
  },
  rules: [
    anyOf(['orderId', 'clientOid'], NO_ID),
    anyOf(['newSize', 'newPrice', 'newPresetTakeProfitPrice', 'newPresetStopLossPrice'], NO_CHANGE),
    aboveZero('newPrice', BAD_PRICE),
    aboveZero('newSize', NEW_SMALL),
  ],
  response: record({
    orderId: required(id, 'The new order ID after modification'),
    clientOid: required(text, 'The new client order ID'),
  }),
  errors: [
    row('40001', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40001', NO_ID, 'order-id-required', 'static'),
    row('40001', NO_NEW_ID, 'new-client-id-required', 'static'),
    row('40001', NO_CHANGE, 'nothing-to-modify', 'static'),
    row('40001', 'Order not found', 'order-not-found', 'not-found'),
    row('40001', BAD_PRICE, 'price-invalid', 'stateful'),
    row('40001', 'New Size is too large', 'size-too-large', 'stateful'),
    row('40001', NEW_SMALL, 'size-too-small', 'static'),
    row('40001', 'New Size decimal precision is too high', 'size-precision', 'static'),
    row('40001', 'New Take Profit price decimal precision is too high', 'take-profit-precision', 'static'),
    row('40001', 'New Stop Loss price decimal precision is too high', 'stop-loss-precision', 'static'),
    row('40001', 'Insufficient balance', 'insufficient-balance', 'stateful'),
    row('40018', 'Order price decimal precision is too high', 'price-precision', 'static'),
  ],
  idempotency: { kind: 'client-id', field: 'newClientOid', resolveBy: ['E18', 'E17'] },
  cost: COSTS.modifyOrder,
});
