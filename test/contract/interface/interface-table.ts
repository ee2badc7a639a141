/**
 * The interface written out: every endpoint, parameter, response field and error row. The contract is compared with this table, so that an
 * error in either shows.
 */

/** Endpoints, code and message of every row of the error table, as listed there. */
export const ERROR_ROWS: readonly (readonly [endpoints: string, code: string, msg: string])[] = [
  ['E1', '40001', 'Parameter cannot be empty'],
  ['E1', '40001', 'Maximum 50 orders allowed'],
  ['E1', '40001', 'Symbol is required in single mode'],
  ['E1', '40001', 'Symbol is required in orderList for multiple mode'],
  ['E1', '40001', 'Missing required parameters (side, orderType, size)'],
  ['E1', '40002', 'Unauthorized'],
  ['E1', '43000', 'Invalid symbol format'],
  ['E2', '40001', 'Parameter cannot be empty'],
  ['E2', '40001', 'Maximum 50 orders allowed'],
  ['E2', '40001', 'Symbol is required in single mode'],
  ['E2', '40001', 'Symbol is required in orderList for multiple mode'],
  ['E2', '40001', 'Missing required parameter: orderId'],
  ['E2', '40002', 'Unauthorized'],
  ['E3', '40034', 'symbol does not exist'],
  ['E3', '50010', 'No symbols found'],
  ['E4', '40034', 'coin does not exist'],
  ['E4', '50010', 'No coins found'],
  ['E5', '40001', 'Invalid time format'],
  ['E5', '40002', 'Unauthorized'],
  ['E5', '43003', 'Coin not found'],
  ['E5', '50000', 'System error'],
  ['E6 E7 E20', '40034', 'symbol does not exist'],
  ['E6 E7 E20', '50010', 'Upstream response invalid'],
  ['E8', '40034', 'symbol does not exist'],
  ['E8', '40034', 'idLessThan and startTime/endTime cannot be sent together'],
  ['E8', '40034', 'startTime and endTime must be less than 1 hour'],
  ['E8', '50010', 'Upstream response invalid'],
  ['E9', '40034', 'symbol does not exist'],
  ['E10', '40034', 'symbol does not exist'],
  ['E10', '40001', 'marginMode mode is not supported'],
  ['E10', '40001', 'A different margin mode is not available than the position currently opened'],
  ['E11', '40034', 'symbol does not exist'],
  ['E11', '40001', 'Position not found'],
  ['E11', '40001', 'Cross margin is not supported'],
  ['E11', '40001', 'Amount is not a number'],
  ['E11', '40001', 'Insufficient balance'],
  ['E11', '40001', 'Insufficient position margin'],
  ['E12', '40001', 'symbol does not exist'],
  ['E12', '40010', 'No position to close'],
  ['E12', '40011', 'Custom ID already exists'],
  ['E12', '40012', 'Already ordering'],
  ['E12', '40013', 'A different margin mode is not available than the position currently opened'],
  ['E12', '40014', 'Open Size is too large'],
  ['E12', '40015', 'Open Size is too small'],
  ['E12', '40016', 'Open Size decimal precision is too high'],
  ['E12', '40017', 'Order price is required'],
  ['E12', '40018', 'Order price decimal precision is too high'],
  ['E12', '40019', 'Insufficient balance'],
  ['E12', '40020', 'Take Profit price decimal precision is too high'],
  ['E12', '40021', 'Take Profit execute price decimal precision is too high'],
  ['E12', '40022', 'Stop Loss price decimal precision is too high'],
  ['E12', '40023', 'Stop Loss execute price decimal precision is too high'],
  ['E12', '40024', 'Price is not the last price'],
  ['E12', '40025', 'Quantity is greater than the position quantity'],
  ['E13', '40034', 'symbol does not exist'],
  ['E13', '40001', 'Custom ID already exists'],
  ['E13', '40001', 'Already ordering'],
  ['E13', '40001', 'A different margin mode is not available than the position currently opened'],
  ['E13', '40001', 'Open Size is too large'],
  ['E13', '40001', 'Open Size is too small'],
  ['E13', '40001', 'Open Size decimal precision is too high'],
  ['E13', '40001', 'Order price is required'],
  ['E13', '40001', 'Order price decimal precision is too high'],
  ['E13', '40001', 'Trigger price is required'],
  ['E13', '40001', 'Trigger price decimal precision is too high'],
  ['E13', '40001', 'Insufficient balance'],
  ['E13', '40020', 'Take Profit price decimal precision is too high'],
  ['E13', '40021', 'Take Profit execute price decimal precision is too high'],
  ['E13', '40022', 'Stop Loss price decimal precision is too high'],
  ['E13', '40023', 'Stop Loss execute price decimal precision is too high'],
  ['E14', '40001', 'symbol does not exist'],
  ['E14', '40001', 'Order ID or client order ID is required'],
  ['E14', '40001', 'New client order ID is required'],
  ['E14', '40001', 'New size, price, preset take profit price, or preset stop loss price is required'],
  ['E14', '40001', 'Order not found'],
  ['E14', '40001', 'Invalid new Order price'],
  ['E14', '40001', 'New Size is too large'],
  ['E14', '40001', 'New Size is too small'],
  ['E14', '40001', 'New Size decimal precision is too high'],
  ['E14', '40001', 'New Take Profit price decimal precision is too high'],
  ['E14', '40001', 'New Stop Loss price decimal precision is too high'],
  ['E14', '40001', 'Insufficient balance'],
  ['E14', '40018', 'Order price decimal precision is too high'],
  ['E15 E16', '40001', 'Order not found'],
];

export interface Listed {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly auth: boolean;
  /** `name:type` in the listed order, with `?` after an optional name. */
  readonly request: string;
  readonly items?: string;
}

export const LISTED: readonly Listed[] = [
  {
    id: 'E1',
    method: 'POST',
    path: '/api/v1/spot/trade/batch-orders',
    auth: true,
    request: 'symbol?:string batchMode?:string orderList:array',
    items: 'symbol?:string side:string orderType:string price?:string size:string',
  },
  {
    id: 'E2',
    method: 'POST',
    path: '/api/v1/spot/trade/batch-cancel-orders',
    auth: true,
    request: 'symbol?:string batchMode?:string orderList:array',
    items: 'symbol?:string orderId:string',
  },
  { id: 'E3', method: 'GET', path: '/api/v1/spot/market/symbols', auth: false, request: 'symbol?:string' },
  { id: 'E4', method: 'GET', path: '/api/v1/spot/market/coins', auth: false, request: 'coin?:string' },
  {
    id: 'E5',
    method: 'GET',
    path: '/api/v1/spot/account/withdrawal-records',
    auth: true,
    request: 'startTime:string endTime:string coin?:string orderId?:string idLessThan?:string limit?:string',
  },
  { id: 'E6', method: 'GET', path: '/api/v1/future/market/24h-ticker', auth: false, request: 'symbol?:string' },
  { id: 'E7', method: 'GET', path: '/api/v1/future/market/book-ticker', auth: false, request: 'symbol?:string' },
  {
    id: 'E8',
    method: 'GET',
    path: '/api/v1/future/market/fills-history',
    auth: false,
    request: 'symbol:string limit?:number idLessThan?:number startTime?:number endTime?:number',
  },
  { id: 'E9', method: 'GET', path: '/api/v1/future/account', auth: true, request: 'symbol:string' },
  { id: 'E10', method: 'POST', path: '/api/v1/future/account/set-margin-mode', auth: true, request: 'symbol:string marginMode:string' },
  {
    id: 'E11',
    method: 'POST',
    path: '/api/v1/future/account/set-margin',
    auth: true,
    request: 'symbol:string holdSide:string amount:number',
  },
  {
    id: 'E12',
    method: 'POST',
    path: '/api/v1/future/order/place-order',
    auth: true,
    request: `
      symbol:string marginMode:string size:string side:string tradeSide:string orderType:string price?:string
      force?:string clientOid?:string presetTakeProfitPrice?:string presetStopLossPrice?:string
      presetTakeProfitExecutePrice?:string presetStopLossExecutePrice?:string`,
  },
  {
    id: 'E13',
    method: 'POST',
    path: '/api/v1/future/order/place-plan-order',
    auth: true,
    request: `
      symbol:string marginMode:string size:string side:string triggerPrice:string triggerPriceType:string
      price?:string clientOid?:string presetTakeProfitPrice?:string presetStopLossPrice?:string
      presetTakeProfitExecutePrice?:string presetStopLossExecutePrice?:string`,
  },
  {
    id: 'E14',
    method: 'POST',
    path: '/api/v1/future/order/modify-order',
    auth: true,
    request: `
      symbol:string newClientOid:string orderId?:string clientOid?:string newSize?:string newPrice?:string
      newPresetTakeProfitPrice?:string newPresetStopLossPrice?:string`,
  },
  {
    id: 'E15',
    method: 'POST',
    path: '/api/v1/future/order/batch-cancel-orders',
    auth: true,
    request: 'orderIdList:array',
    items: 'orderId?:string clientOid?:string',
  },
  {
    id: 'E16',
    method: 'POST',
    path: '/api/v1/future/order/cancel-plan-order',
    auth: true,
    request: 'symbol:string orderIdList:array',
    items: 'orderId?:string clientOid?:string',
  },
  {
    id: 'E17',
    method: 'GET',
    path: '/api/v1/future/order/orders-history',
    auth: true,
    request: `
      limit:number symbol?:string orderId?:string clientOid?:string orderSource?:string idLessThan?:number
      startTime?:number endTime?:number`,
  },
  {
    id: 'E18',
    method: 'GET',
    path: '/api/v1/future/order/orders-pending',
    auth: true,
    request: 'limit:number symbol?:string orderId?:string idLessThan?:number startTime?:number endTime?:number',
  },
  { id: 'E19', method: 'GET', path: '/api/v1/future/position/all-position', auth: true, request: '' },
  { id: 'E20', method: 'GET', path: '/api/v1/future/position/single-position', auth: true, request: 'symbol:string' },
];

/** Records by the number of their section: field and type. */
export const RECORDS: Readonly<Record<string, string>> = {
  '2.3': `
      symbol:string baseCoin:string quoteCoin:string minTradeAmount:string maxTradeAmount:string
      takerFeeRate:string makerFeeRate:string pricePrecision:string quantityPrecision:string
      quotePrecision:string status:string minTradeUSDT:string`,
  '2.5': `
      orderId:string tradeId:string coin:string type:string dest:string size:string fee:string status:string
      fromAddress:string toAddress:string chain:string tag:string cTime:string uTime:string`,
  '2.6': `
      symbol:string priceChange:string priceChangePercent:string weightedAvgPrice:string lastPrice:string
      lastQty:string openPrice:string highPrice:string lowPrice:string volume:string quoteVolume:string
      openTime:number closeTime:number firstId:number lastId:number count:number`,
  '2.7': 'symbol:string bidPrice:string bidQty:string askPrice:string askQty:string ts:number',
  '2.8': 'symbol:string tradeId:string price:string size:string side:string ts:number',
  '2.9': `
      symbol:string size:string orderId:string clientOid:string priceAvg:string fee:string price:string
      status:string side:string force:string totalProfits:string posSide:string marginCoin:string
      presetTakeProfitPrice:string presetTakeProfitExecutePrice:string presetTakeProfitType:string
      presetStopLossPrice:string presetStopLossExecutePrice:string presetStopLossType:string orderType:string
      leverage:string marginMode:string tradeSide:string cTime:number uTime:number`,
  '2.10': `
      marginCoin:string symbol:string holdSide:string openDelegateSize:string marginSize:string
      available:string locked:string total:string leverage:string achievedProfits:string openPriceAvg:string
      marginMode:string unrealizedPL:string liquidationPrice:string marginRate:string keepMarginRate:string
      markPrice:string breakEvenPrice:string totalFee:string cTime:number uTime:number`,
  '2.11': `
      marginCoin:string locked:string available:string crossMaxAvailable:string isolatedMaxAvailable:string
      maxTransferOut:string accountEquity:string longLever:string shortLever:string marginMode:string
      unrealizedPL:string coupon:string`,
  '2.12': 'symbol:string marginCoin:string longLeverage:string shortLeverage:string marginMode:string',
  '2.4': 'coinId:string coin:string transfer:string chains:array',
  '2.4 chain': `
      chain:string needTag:string withdrawable:string rechargeable:string withdrawFee:string
      extraWithdrawFee:string depositConfirm:string withdrawConfirm:string minDepositAmount:string
      minWithdrawAmount:string browserUrl:string contractAddress:string withdrawStep:string
      withdrawMinScale:string congestion:string`,
};
