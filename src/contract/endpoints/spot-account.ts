/** Endpoint of withdrawal records (E5). The bot only reads them. */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { count, decimal, id, list, millisText, openWord, optional, record, required, text } from './kinds.ts';
import { timeWindow } from './rules.ts';

const BAD_TIME = 'Invalid time format';

export const withdrawals = endpoint({
  id: 'E5',
  name: 'withdrawals',
  title: 'Withdrawal records',
  group: 'Spot account',
  method: 'GET',
  path: '/api/v1/spot/account/withdrawal-records',
  auth: true,
  request: {
    startTime: required(millisText, 'Start time, ms', { refusedWith: BAD_TIME }),
    endTime: required(millisText, 'End time, ms', { refusedWith: BAD_TIME }),
    coin: optional(text, 'Coin filter'),
    orderId: optional(text, 'Specific withdrawal order'),
    idLessThan: optional(text, 'Records with ID less than this value'),
    limit: optional(count(1, 1_000), 'Number of records'),
  },
  rules: [timeWindow({ from: 'startTime', to: 'endTime', underMs: Infinity }, BAD_TIME)],
  response: list(
    record({
      orderId: required(id, 'Withdrawal order ID'),
      tradeId: required(text, 'Trade ID'),
      coin: required(id, 'Coin symbol'),
      type: required(openWord('withdraw'), 'Kind of record'),
      dest: required(openWord('on_chain'), 'Kind of destination'),
      size: required(decimal, 'Amount'),
      fee: required(decimal, 'Fee'),
      status: required(openWord('pending', 'completed', 'failed'), 'Status'),
      fromAddress: required(text, 'Source address'),
      toAddress: required(text, 'Destination address'),
      chain: required(text, 'Network'),
      tag: required(text, 'Destination tag or memo, may be empty'),
      cTime: required(millisText, 'Creation time, ms, as a string'),
      uTime: required(millisText, 'Last update time, ms, as a string'),
    }),
  ),
  errors: [
    row('40001', BAD_TIME, 'invalid-time', 'static'),
    row('40002', 'Unauthorized', 'unauthorized', 'auth'),
    row('43003', 'Coin not found', 'coin-not-found', 'stateful'),
    row('50000', 'System error', 'system-error', 'ambiguous'),
  ],
  idempotency: { kind: 'safe' },
  cost: COSTS.withdrawals,
});
