/** Endpoints to cancel futures orders (E15) and trigger orders (E16). */
import { COSTS } from './costs.ts';
import { endpoint, type ErrorRow } from './endpoint.ts';
import { id, list, optional, record, required, text, tolerated } from './kinds.ts';

const NOT_FOUND: ErrorRow = {
  code: '40001',
  msg: 'Order not found',
  reason: 'order-not-found',
  class: 'not-found',
  entry: true,
};

const orderIdList = required(
  list(
    record({
      orderId: optional(text, 'Order ID'),
      clientOid: optional(text, 'Client order ID'),
    }),
  ),
  'Orders to cancel; each entry gives orderId or clientOid',
);

const cancelled = record({
  orderId: required(id, 'Order ID'),
  clientOid: required(text, 'Client order ID'),
});

export const cancelOrders = endpoint({
  id: 'E15',
  name: 'cancelOrders',
  title: 'Batch cancel futures orders',
  group: 'Futures orders',
  method: 'POST',
  path: '/api/v1/future/order/batch-cancel-orders',
  auth: true,
  request: { orderIdList },
  rules: [],
  response: record({
    successList: required(list(cancelled), 'Entries that succeeded'),
    failureList: required(
      list(
        record({
          orderId: required(text, 'Order ID, empty when the entry failed'),
          clientOid: required(text, 'Client order ID'),
          errorMsg: required(text, 'Why the entry failed'),
          errorCode: required(text, 'Code of the error'),
        }),
      ),
      'Entries that failed',
    ),
  }),
  errors: [NOT_FOUND],
  idempotency: { kind: 'target-state', resolveBy: ['E18', 'E17'] },
  cost: COSTS.cancelOrders,
});

export const cancelPlanOrders = endpoint({
  id: 'E16',
  name: 'cancelPlanOrders',
  title: 'Cancel plan orders',
  group: 'Futures orders',
  method: 'POST',
  path: '/api/v1/future/order/cancel-plan-order',
  auth: true,
  request: { symbol: required(id, 'Trading pair symbol'), orderIdList },
  rules: [],
  response: record({
    successList: required(list(cancelled), 'Entries that succeeded'),
    failureList: required(
      list(
        record({
          orderId: required(text, 'Order ID'),
          clientOid: required(text, 'Client order ID'),
          errorMsg: tolerated(text, 'Why the entry failed'),
          errorCode: tolerated(text, 'Code of the error'),
        }),
      ),
      'Entries that failed',
    ),
  }),
  errors: [NOT_FOUND],
  idempotency: { kind: 'target-state' },
  cost: COSTS.cancelPlanOrders,
});
