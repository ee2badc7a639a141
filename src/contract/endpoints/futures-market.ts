/** Public endpoints of futures market data: tickers (E6), book tickers (E7), trades (E8). */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { count, decimal, defaulted, digits, id, list, millis, oneOrMany, optional, record, required, text, word } from './kinds.ts';
import { exclusive, timeWindow } from './rules.ts';

const NO_SYMBOL = 'symbol does not exist';
const NOT_TOGETHER = 'idLessThan and startTime/endTime cannot be sent together';
const TOO_LONG = 'startTime and endTime must be less than 1 hour';
const UPSTREAM = row('50010', 'Upstream response invalid', 'upstream-invalid', 'ambiguous');

export const tickers = endpoint({
  id: 'E6',
  name: 'tickers',
  title: '24h ticker',
  group: 'Futures market',
  method: 'GET',
  path: '/api/v1/future/market/24h-ticker',
  auth: false,
  request: { symbol: optional(text, 'Trading pair symbol; all when left out') },
  rules: [],
  response: oneOrMany(
    record({
      symbol: required(id, 'Trading pair symbol'),
      priceChange: required(decimal, 'Absolute price change, 24h'),
      priceChangePercent: required(decimal, 'Percentage price change, 24h'),
      weightedAvgPrice: required(decimal, 'Weighted average price, 24h'),
      lastPrice: required(decimal, 'Most recent trade price'),
      lastQty: required(decimal, 'Most recent trade quantity'),
      openPrice: required(decimal, 'Price 24h ago'),
      highPrice: required(decimal, '24h high'),
      lowPrice: required(decimal, '24h low'),
      volume: required(decimal, 'Volume in base asset'),
      quoteVolume: required(decimal, 'Volume in quote asset'),
      openTime: required(millis, 'Open time, ms'),
      closeTime: required(millis, 'Close time, ms'),
      firstId: required(count(-1, Number.MAX_SAFE_INTEGER), 'First trade ID in the period'),
      lastId: required(count(-1, Number.MAX_SAFE_INTEGER), 'Last trade ID in the period'),
      count: required(count(0, Number.MAX_SAFE_INTEGER), 'Number of trades in the period'),
    }),
    'symbol',
  ),
  errors: [row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'), UPSTREAM],
  idempotency: { kind: 'safe' },
  cost: COSTS.tickers,
});

export const bookTickers = endpoint({
  id: 'E7',
  name: 'bookTickers',
  title: 'Order book ticker',
  group: 'Futures market',
  method: 'GET',
  path: '/api/v1/future/market/book-ticker',
  auth: false,
  request: { symbol: optional(text, 'Trading pair symbol; all when left out') },
  rules: [],
  response: oneOrMany(
    record({
      symbol: required(id, 'Trading pair symbol'),
      bidPrice: required(decimal, 'Best bid price'),
      bidQty: required(decimal, 'Quantity at best bid'),
      askPrice: required(decimal, 'Best ask price'),
      askQty: required(decimal, 'Quantity at best ask'),
      ts: required(millis, 'Data timestamp, ms'),
    }),
    'symbol',
  ),
  errors: [row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'), UPSTREAM],
  idempotency: { kind: 'safe' },
  cost: COSTS.bookTickers,
});

export const trades = endpoint({
  id: 'E8',
  name: 'trades',
  title: 'Historical trades',
  group: 'Futures market',
  method: 'GET',
  path: '/api/v1/future/market/fills-history',
  auth: false,
  request: {
    symbol: required(id, 'Trading pair symbol', { refusedWith: NO_SYMBOL }),
    limit: defaulted(count(1, 1000), 500, 'Trades to return, at most 1000'),
    idLessThan: optional(digits, 'Trades with ID less than this value'),
    startTime: optional(millis, 'Start, ms'),
    endTime: optional(millis, 'End, ms'),
  },
  rules: [
    exclusive(
      'idLessThan',
      ['startTime', 'endTime'],
      { idLessThan: '1000', startTime: '1700000000000', endTime: '1700000060000' },
      NOT_TOGETHER,
    ),
    timeWindow({ from: 'startTime', to: 'endTime', underMs: 3_600_000 }, TOO_LONG),
  ],
  response: list(
    record({
      symbol: required(id, 'Trading pair symbol'),
      tradeId: required(id, 'Unique trade ID'),
      price: required(decimal, 'Execution price'),
      size: required(decimal, 'Trade size'),
      side: required(word('BUY', 'SELL'), 'Side of the aggressor'),
      ts: required(millis, 'Trade time, ms'),
    }),
  ),
  errors: [
    row('40034', NO_SYMBOL, 'unknown-instrument', 'stateful'),
    row('40034', NOT_TOGETHER, 'invalid-request', 'static'),
    row('40034', TOO_LONG, 'invalid-time', 'static'),
    UPSTREAM,
  ],
  idempotency: { kind: 'safe' },
  cost: COSTS.trades,
});
