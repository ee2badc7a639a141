/** Public endpoints of spot market data: symbols with their rules (E3), and coins with their chains (E4). */
import { COSTS } from './costs.ts';
import { endpoint, errorRow as row } from './endpoint.ts';
import { boolText, decimal, id, list, oneOrMany, openWord, optional, record, required, text } from './kinds.ts';

const spotSymbol = record({
  symbol: required(id, 'Trading pair symbol'),
  baseCoin: required(text, 'Base currency'),
  quoteCoin: required(text, 'Quote currency'),
  minTradeAmount: required(decimal, 'Minimum trade amount, base currency'),
  maxTradeAmount: required(decimal, 'Maximum trade amount, base currency'),
  takerFeeRate: required(decimal, 'Taker fee rate, decimal'),
  makerFeeRate: required(decimal, 'Maker fee rate, decimal'),
  pricePrecision: required(decimal, 'Price decimal places'),
  quantityPrecision: required(decimal, 'Quantity decimal places'),
  quotePrecision: required(decimal, 'Quote currency decimal places'),
  status: required(openWord('online', 'offline'), 'Trading status'),
  minTradeUSDT: required(decimal, 'Minimum trade amount in USDT equivalent'),
});

const chain = record({
  chain: required(id, 'Network name'),
  needTag: required(boolText, 'Memo or tag required'),
  withdrawable: required(boolText, 'Withdrawal enabled'),
  rechargeable: required(boolText, 'Deposit enabled'),
  withdrawFee: required(decimal, 'Withdrawal fee'),
  extraWithdrawFee: required(decimal, 'Additional withdrawal fee'),
  depositConfirm: required(decimal, 'Confirmations required for deposit'),
  withdrawConfirm: required(decimal, 'Confirmations required for withdrawal'),
  minDepositAmount: required(decimal, 'Minimum deposit'),
  minWithdrawAmount: required(decimal, 'Minimum withdrawal'),
  browserUrl: required(text, 'Block explorer URL'),
  contractAddress: required(text, 'Token contract address, may be empty'),
  withdrawStep: required(decimal, 'Withdrawal amount step'),
  withdrawMinScale: required(decimal, 'Minimum decimal places for withdrawal'),
  congestion: required(openWord('normal', 'high'), 'Network congestion status'),
});

export const spotSymbols = endpoint({
  id: 'E3',
  name: 'spotSymbols',
  title: 'Spot symbols information',
  group: 'Spot market',
  method: 'GET',
  path: '/api/v1/spot/market/symbols',
  auth: false,
  request: { symbol: optional(text, 'Trading pair symbol; all when left out') },
  rules: [],
  response: oneOrMany(spotSymbol, 'symbol'),
  errors: [
    row('40034', 'symbol does not exist', 'unknown-instrument', 'stateful'),
    row('50010', 'No symbols found', 'no-records', 'ambiguous'),
  ],
  idempotency: { kind: 'safe' },
  cost: COSTS.spotSymbols,
});

export const coins = endpoint({
  id: 'E4',
  name: 'coins',
  title: 'Coins information',
  group: 'Spot market',
  method: 'GET',
  path: '/api/v1/spot/market/coins',
  auth: false,
  request: { coin: optional(text, 'Coin symbol; all when left out') },
  rules: [],
  response: oneOrMany(
    record({
      coinId: required(id, 'Unique coin identifier'),
      coin: required(id, 'Coin symbol'),
      transfer: required(boolText, 'Transfer enabled'),
      chains: required(list(chain), 'Chain records'),
    }),
    'coin',
  ),
  errors: [row('40034', 'coin does not exist', 'coin-not-found', 'stateful'), row('50010', 'No coins found', 'no-records', 'ambiguous')],
  idempotency: { kind: 'safe' },
  cost: COSTS.coins,
});
