/** Endpoints to read all positions (E19) and those of one symbol (E20). One record per position side. */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { decimal, decimalOrEmpty, id, list, millis, record, required, text, word } from './kinds.ts';
import { marginModeLower } from './futures-account.ts';

const NO_SYMBOL = 'symbol does not exist';

const position = record({
  marginCoin: required(text, 'Margin coin'),
  symbol: required(id, 'Trading pair symbol'),
  holdSide: required(word('long', 'short'), 'Position side, lower case'),
  openDelegateSize: required(decimal, 'Amount still to be filled of the current order, base coin'),
  marginSize: required(decimal, 'Margin amount, margin coin'),
  available: required(decimal, 'Available position amount, base currency'),
  locked: required(decimal, 'Frozen position amount, base currency'),
  total: required(decimal, 'available + locked'),
  leverage: required(decimal, 'Leverage multiplier'),
  achievedProfits: required(decimal, 'Realized PnL, excluding funding and transaction fees'),
  openPriceAvg: required(decimal, 'Average entry price'),
  marginMode: required(marginModeLower, 'Margin mode, lower case'),
  unrealizedPL: required(decimal, 'Unrealized PnL'),
  liquidationPrice: required(decimalOrEmpty, 'Estimated liquidation price; a value <= 0 means low risk and no liquidation price'),
  marginRate: required(decimalOrEmpty, 'Margin rate'),
  keepMarginRate: required(decimalOrEmpty, 'Tiered maintenance margin rate'),
  markPrice: required(decimal, 'Current mark price'),
  breakEvenPrice: required(decimalOrEmpty, 'Breakeven price'),
  totalFee: required(decimalOrEmpty, 'Accumulated funding fee during the position'),
  cTime: required(millis, 'Creation time, ms'),
  uTime: required(millis, 'Last update time, ms'),
});

export const positions = endpoint({
  id: 'E19',
  name: 'positions',
  title: 'All positions',
  group: 'Futures positions',
  method: 'GET',
  path: '/api/v1/future/position/all-position',
  auth: true,
  request: {},
  rules: [],
  response: list(position),
  errors: [],
  idempotency: { kind: 'safe' },
  cost: COSTS.positions,
});

export const symbolPositions = endpoint({
  id: 'E20',
  name: 'symbolPositions',
  title: 'Single position',
  group: 'Futures positions',
  method: 'GET',
  path: '/api/v1/future/position/single-position',
  auth: true,
  request: { symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }) },
  rules: [],
  response: list(position),
  notes: ['Always an array.'],
  errors: [
    row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('50010', 'Upstream response invalid', 'upstream-invalid', 'ambiguous'),
  ],
  idempotency: { kind: 'safe' },
  cost: COSTS.symbolPositions,
});
