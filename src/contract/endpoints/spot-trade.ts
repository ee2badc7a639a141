/** Endpoints to place (E1) and cancel (E2) batches of spot orders. */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { decimal, defaulted, id, list, optional, record, required, text, word, wordAlso } from './kinds.ts';
import { maxItems, notEmpty, requiredInItems, requiredInItemsWhen, requiredWhen, symbolFormat } from './rules.ts';

const EMPTY = 'Parameter cannot be empty';
const TOO_MANY = 'Maximum 50 orders allowed';
const SINGLE = 'Symbol is required in single mode';
const MULTIPLE = 'Symbol is required in orderList for multiple mode';
const INCOMPLETE = 'Missing required parameters (side, orderType, size)';
const NO_ID = 'Missing required parameter: orderId';
const BAD_SYMBOL = 'Invalid symbol format';

const batchMode = defaulted(
  word('single', 'multiple'),
  'single',
  '`single`: all entries have one symbol; `multiple`: each entry has its own',
);
const inSingle = { field: 'batchMode', is: 'single', byDefault: true };
const inMultiple = { field: 'batchMode', is: 'multiple' };

export const placeSpotOrders = endpoint({
  id: 'E1',
  name: 'placeSpotOrders',
  title: 'Batch place spot orders',
  group: 'Spot trade',
  method: 'POST',
  path: '/api/v1/spot/trade/batch-orders',
  auth: true,
  request: {
    symbol: optional(text, 'Required when batchMode is `single`'),
    batchMode,
    orderList: required(
      list(
        record({
          symbol: optional(text, 'Required when batchMode is `multiple`'),
          side: required(wordAlso(['buy', 'sell'], { BUY: 'buy', SELL: 'sell' }), 'Direction', { refusedWith: INCOMPLETE }),
          orderType: required(wordAlso(['limit', 'market'], { LIMIT: 'limit', MARKET: 'market' }), 'Order type', {
            refusedWith: INCOMPLETE,
          }),
          price: optional(decimal, 'Required when orderType is `limit`'),
          size: required(decimal, 'Order size', { refusedWith: INCOMPLETE }),
        }),
      ),
      'Orders to place, at most 50',
      { refusedWith: EMPTY },
    ),
  },
  rules: [
    notEmpty('orderList', EMPTY),
    maxItems('orderList', 50, TOO_MANY),
    requiredWhen('symbol', inSingle, SINGLE),
    requiredInItemsWhen('orderList', 'symbol', inMultiple, MULTIPLE),
    requiredInItems('orderList', 'price', { field: 'orderType', is: 'limit' }, EMPTY),
    symbolFormat('orderList', BAD_SYMBOL),
  ],
  response: record({
    successList: required(list(record({ orderId: required(id, 'Order ID') })), 'Entries that succeeded'),
    failureList: required(
      list(
        record({
          errorMsg: required(text, 'Why the entry failed'),
          errorCode: required(text, 'Code of the error'),
        }),
      ),
      'Entries that failed; they have no order ID',
    ),
  }),
  notes: ['A processed batch is answered with success even if entries fail.'],
  errors: [
    row('40001', EMPTY, 'invalid-request', 'static'),
    row('40001', TOO_MANY, 'too-many-orders', 'static'),
    row('40001', SINGLE, 'invalid-request', 'static'),
    row('40001', MULTIPLE, 'invalid-request', 'static'),
    row('40001', INCOMPLETE, 'invalid-request', 'static'),
    row('40002', 'Unauthorized', 'unauthorized', 'auth'),
    row('43000', BAD_SYMBOL, 'unknown-instrument', 'static'),
  ],
  idempotency: { kind: 'never' },
  cost: COSTS.placeSpotOrders,
});

export const cancelSpotOrders = endpoint({
  id: 'E2',
  name: 'cancelSpotOrders',
  title: 'Batch cancel spot orders',
  group: 'Spot trade',
  method: 'POST',
  path: '/api/v1/spot/trade/batch-cancel-orders',
  auth: true,
  request: {
    symbol: optional(text, 'Required when batchMode is `single`'),
    batchMode,
    orderList: required(
      list(
        record({
          symbol: optional(text, 'Required when batchMode is `multiple`'),
          orderId: required(id, 'Order to cancel', { refusedWith: NO_ID }),
        }),
      ),
      'Orders to cancel, at most 50',
      { refusedWith: EMPTY },
    ),
  },
  rules: [
    notEmpty('orderList', EMPTY),
    maxItems('orderList', 50, TOO_MANY),
    requiredWhen('symbol', inSingle, SINGLE),
    requiredInItemsWhen('orderList', 'symbol', inMultiple, MULTIPLE),
  ],
  response: record({
    successList: required(list(record({ orderId: required(id, 'Order ID') })), 'Entries that succeeded'),
    failureList: required(
      list(
        record({
          orderId: required(text, 'Order ID'),
          errorMsg: required(text, 'Why the entry failed'),
          errorCode: required(text, 'Code of the error'),
        }),
      ),
      'Entries that failed',
    ),
  }),
  notes: ['A processed batch is answered with success even if entries fail.'],
  errors: [
    row('40001', EMPTY, 'invalid-request', 'static'),
    row('40001', TOO_MANY, 'too-many-orders', 'static'),
    row('40001', SINGLE, 'invalid-request', 'static'),
    row('40001', MULTIPLE, 'invalid-request', 'static'),
    row('40001', NO_ID, 'order-id-required', 'static'),
    row('40002', 'Unauthorized', 'unauthorized', 'auth'),
  ],
  idempotency: { kind: 'target-state' },
  cost: COSTS.cancelSpotOrders,
});
