/** Endpoints of the futures account: get account (E9), set margin mode (E10), set margin (E11). */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { decimal, decimalNumber, id, nothing, record, required, text, word, wordAlso } from './kinds.ts';

const NO_SYMBOL = 'symbol does not exist';
const NO_MODE = 'marginMode mode is not supported';
const NO_NUMBER = 'Amount is not a number';

/** Margin mode in the spelling of requests and order records. */
export const marginMode = wordAlso(['CROSS', 'ISOLATED'], { CROSSED: 'CROSS' });
/** Margin mode in the spelling of account and position records. */
export const marginModeLower = wordAlso(['cross', 'isolated'], { CROSSED: 'cross' });

export const account = endpoint({
  id: 'E9',
  name: 'account',
  title: 'Get account',
  group: 'Futures account',
  method: 'GET',
  path: '/api/v1/future/account',
  auth: true,
  request: { symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }) },
  rules: [],
  response: record({
    marginCoin: required(text, 'Margin coin'),
    locked: required(decimal, 'Locked balance, used in orders'),
    available: required(decimal, 'Available balance'),
    crossMaxAvailable: required(decimal, 'Maximum available balance, cross mode'),
    isolatedMaxAvailable: required(decimal, 'Maximum available balance, isolated mode'),
    maxTransferOut: required(decimal, 'Maximum amount transferable out'),
    accountEquity: required(decimal, 'available + locked + unrealizedPL'),
    longLever: required(decimal, 'Long leverage'),
    shortLever: required(decimal, 'Short leverage'),
    marginMode: required(marginModeLower, 'Margin mode, lower case'),
    unrealizedPL: required(decimal, 'Unrealized PnL'),
    coupon: required(decimal, 'Available coupon balance'),
  }),
  errors: [row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful')],
  idempotency: { kind: 'safe' },
  cost: COSTS.account,
});

export const setMarginMode = endpoint({
  id: 'E10',
  name: 'setMarginMode',
  title: 'Set margin mode',
  group: 'Futures account',
  method: 'POST',
  path: '/api/v1/future/account/set-margin-mode',
  auth: true,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    marginMode: required(marginMode, 'Margin mode', { refusedWith: NO_MODE }),
  },
  rules: [],
  response: record({
    symbol: required(id, 'Trading pair symbol'),
    marginCoin: required(text, 'Margin coin'),
    longLeverage: required(decimal, 'Current long leverage'),
    shortLeverage: required(decimal, 'Current short leverage'),
    marginMode: required(marginMode, 'Updated mode'),
  }),
  notes: ['Not allowed while the symbol has an open position.'],
  errors: [
    row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40001', NO_MODE, 'margin-mode-unsupported', 'static'),
    row('40001', 'A different margin mode is not available than the position currently opened', 'margin-mode-conflict', 'stateful'),
  ],
  idempotency: { kind: 'target-state', resolveBy: ['E9'] },
  cost: COSTS.setMarginMode,
});

export const setMargin = endpoint({
  id: 'E11',
  name: 'setMargin',
  title: 'Set margin',
  group: 'Futures account',
  method: 'POST',
  path: '/api/v1/future/account/set-margin',
  auth: true,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    holdSide: required(word('LONG', 'SHORT'), 'Position side'),
    amount: required(decimalNumber, 'Positive adds margin, negative reduces it', { refusedWith: NO_NUMBER }),
  },
  rules: [],
  response: nothing,
  notes: ['Applies to isolated margin mode only. `amount` is a change, not a target: a repeated request adds twice.'],
  errors: [
    row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40001', 'Position not found', 'no-position', 'stateful'),
    row('40001', 'Cross margin is not supported', 'cross-margin-unsupported', 'static'),
    row('40001', NO_NUMBER, 'amount-not-a-number', 'static'),
    row('40001', 'Insufficient balance', 'insufficient-balance', 'stateful'),
    row('40001', 'Insufficient position margin', 'insufficient-position-margin', 'stateful'),
  ],
  idempotency: { kind: 'never' },
  cost: COSTS.setMargin,
});
