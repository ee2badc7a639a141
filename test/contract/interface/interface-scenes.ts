/** Scenes that show the records of sections 2.1 to 2.8 over HTTP, with the value of each field computed by hand. */
import { SELL, BUY } from '../../../src/domain/codes.ts';
import type { InstrumentSpec } from '../../../src/domain/instrument.ts';
import { BOB } from '../../support/exchange/exchange-client.ts';
import { limitOrder, SPECS, START, type KitOptions, type TestExchange } from '../../support/exchange/exchange-kit.ts';
import { RECORDS } from './interface-table.ts';

export type Rec = Readonly<Record<string, unknown>>;

export interface Scene {
  readonly options?: KitOptions;
  /** Returns the record as received. */
  readonly shown: (x: TestExchange) => Promise<Rec>;
  readonly computed: (x: TestExchange) => Rec;
}

export interface Section {
  /** `name:type` of each field, as listed in the interface. */
  readonly fields: string;
  readonly scenes: readonly Scene[];
  /** Fields with a fixed value in the interface. */
  readonly fixed?: readonly string[];
}

const data = async (reply: Promise<{ body: { data: any } }>): Promise<any> => (await reply).body.data;

const ETH_SPOT: InstrumentSpec = {
  symbol: 'ETHBTC',
  product: 'spot',
  baseCoin: 'ETH',
  quoteCoin: 'BTC',
  tickSize: '0.0001',
  lotSize: '0.01',
  minSize: '0.05',
  maxSize: '300',
  minNotional: '0.002',
  makerFeeRate: '0.0007',
  takerFeeRate: '0.0012',
};
const TWO_PAIRS: KitOptions = {
  specs: [...SPECS, ETH_SPOT],
  venueApi: { symbols: [{ symbol: 'ETHBTC', status: 'offline', quotePrecision: '6' as never }] },
};

const CHAIN = {
  chain: 'BITCOIN',
  needTag: 'true',
  withdrawable: 'true',
  rechargeable: 'true',
  withdrawFee: '0.0004',
  extraWithdrawFee: '0.0001',
  depositConfirm: '2',
  withdrawConfirm: '3',
  minDepositAmount: '0.001',
  minWithdrawAmount: '0.002',
  browserUrl: 'https://explorer.example/tx/',
  contractAddress: '0xabc',
  withdrawStep: '0.01',
  withdrawMinScale: '4',
  congestion: 'high',
} as const;
const TOLD_COINS: KitOptions = { venueApi: { coins: [{ coin: 'BTC', coinId: '41', transfer: 'false', chains: [CHAIN as never] }] } };
const MADE_CHAIN = {
  chain: 'USDT-PAPER',
  needTag: 'false',
  withdrawable: 'false',
  rechargeable: 'false',
  withdrawFee: '0.00000000',
  extraWithdrawFee: '0.00000000',
  depositConfirm: '1',
  withdrawConfirm: '1',
  minDepositAmount: '0.00000001',
  minWithdrawAmount: '0.00000001',
  browserUrl: '',
  contractAddress: '',
  withdrawStep: '0.00000001',
  withdrawMinScale: '8',
  congestion: 'normal',
};

const span = { startTime: String(START - 60_000), endTime: String(START + 60_000) };
/** The operator enters a withdrawal and updates it later; withdrawals (E5) show it. */
const withdrawal = (given: Rec, then: Rec, waitMs: number) => async (x: TestExchange) => {
  x.venueApi.operator.run('withdrawal', given, x.time);
  x.time += waitMs;
  x.venueApi.operator.run('withdrawal', then, x.time);
  return (await data(x.call('withdrawals', span, given['account'] === 'bob' ? { as: BOB } : {})))[0];
};

const batch =
  (side: 'successList' | 'failureList', name: Parameters<TestExchange['call']>[0], params: (x: TestExchange) => Promise<Rec>) =>
  async (x: TestExchange) =>
    (await data(x.call(name, await params(x))))[side][0];
const spot = (extra: Rec = {}): Rec => ({
  symbol: 'BTCUSDT',
  orderList: [{ side: 'buy', orderType: 'limit', price: '50000.00', size: '0.001', ...extra }],
});
const futures = (clientOid: string): Rec => limitOrder({ clientOid });
const plan = (clientOid: string): Rec => ({
  symbol: 'BTCUSDT',
  marginMode: 'CROSS',
  size: '0.010',
  side: 'LONG',
  triggerPrice: '61000.0',
  triggerPriceType: 'LAST',
  clientOid,
});
const cancelOf = (list: readonly Rec[]): Rec => ({ symbol: 'BTCUSDT', orderIdList: list });
/** Places one order per client id and cancels those in `list`. */
const after = (name: 'placeOrder' | 'placePlanOrder', clientOids: readonly string[], list: readonly Rec[]) => async (x: TestExchange) => {
  for (const id of clientOids) await x.call(name, name === 'placeOrder' ? futures(id) : plan(id));
  return cancelOf(list);
};

export const SECTIONS: Readonly<Record<string, Section>> = {
  '2.1': {
    fields: 'code:string msg:string requestTime:number data:object',
    scenes: [
      {
        shown: async (x) => (await x.call('bookTickers', { symbol: 'ETHUSDT' })).body,
        computed: () => ({
          code: '00000',
          msg: 'success',
          requestTime: START,
          data: { symbol: 'ETHUSDT', bidPrice: '2399.99', bidQty: '50.00', askPrice: '2400.01', askQty: '50.00', ts: START },
        }),
      },
      {
        shown: async (x) => {
          x.time += 7;
          return (await x.call('bookTickers', { symbol: 'XYZUSDT' })).body;
        },
        computed: () => ({ code: '40034', msg: 'symbol does not exist', requestTime: START + 7, data: null }),
      },
    ],
  },
  '2.2 E1 successList': {
    fields: 'orderId:string',
    scenes: [
      { shown: batch('successList', 'placeSpotOrders', async () => spot()), computed: () => ({ orderId: '1' }) },
      {
        shown: batch('successList', 'placeSpotOrders', async (x) => (await x.call('placeSpotOrders', spot()), spot())),
        computed: () => ({ orderId: '2' }),
      },
    ],
  },
  '2.2 E1 failureList': {
    fields: 'errorMsg:string errorCode:string',
    scenes: [
      {
        shown: batch('failureList', 'placeSpotOrders', async () => spot({ size: '10' })),
        computed: () => ({ errorMsg: 'Insufficient balance', errorCode: '40019' }),
      },
      {
        shown: batch('failureList', 'placeSpotOrders', async () => spot({ size: '0.00001' })),
        computed: () => ({ errorMsg: 'Open Size is too small', errorCode: '40015' }),
      },
    ],
  },
  '2.2 E2 successList': {
    fields: 'orderId:string',
    scenes: ['1', '2'].map((orderId) => ({
      shown: batch('successList', 'cancelSpotOrders', async (x) => {
        for (let k = 0; k < Number(orderId); k++) await x.call('placeSpotOrders', spot());
        return { symbol: 'BTCUSDT', orderList: [{ orderId }] };
      }),
      computed: () => ({ orderId }),
    })),
  },
  '2.2 E2 failureList': {
    fields: 'orderId:string errorMsg:string errorCode:string',
    fixed: ['errorMsg', 'errorCode'],
    scenes: ['7', 'none'].map((orderId) => ({
      shown: batch('failureList', 'cancelSpotOrders', async () => ({ symbol: 'BTCUSDT', orderList: [{ orderId }] })),
      computed: () => ({ orderId, errorMsg: 'Order not found', errorCode: '40001' }),
    })),
  },
  '2.2 E15 successList': {
    fields: 'orderId:string clientOid:string',
    scenes: [
      {
        shown: batch('successList', 'cancelOrders', after('placeOrder', ['a'], [{ clientOid: 'a' }])),
        computed: () => ({ orderId: 'fu-1', clientOid: 'a' }),
      },
      {
        shown: batch('successList', 'cancelOrders', after('placeOrder', ['a', 'b'], [{ clientOid: 'b' }])),
        computed: () => ({ orderId: 'fu-2', clientOid: 'b' }),
      },
    ],
  },
  '2.2 E15 failureList': {
    fields: 'orderId:string clientOid:string errorMsg:string errorCode:string',
    // "Empty when the entry failed", and one row is listed.
    fixed: ['orderId', 'errorMsg', 'errorCode'],
    scenes: ['x', 'y'].map((clientOid) => ({
      shown: batch('failureList', 'cancelOrders', async () => cancelOf([{ clientOid }])),
      computed: () => ({ orderId: '', clientOid, errorMsg: 'Order not found', errorCode: '40001' }),
    })),
  },
  '2.2 E16 successList': {
    fields: 'orderId:string clientOid:string',
    scenes: [
      {
        shown: batch('successList', 'cancelPlanOrders', after('placePlanOrder', ['a'], [{ clientOid: 'a' }])),
        computed: () => ({ orderId: 'fu-plan-1', clientOid: 'a' }),
      },
      {
        shown: batch('successList', 'cancelPlanOrders', after('placePlanOrder', ['a', 'b'], [{ clientOid: 'b' }])),
        computed: () => ({ orderId: 'fu-plan-2', clientOid: 'b' }),
      },
    ],
  },
  '2.2 E16 failureList': {
    fields: 'orderId:string clientOid:string',
    scenes: ['8', '9'].map((n) => ({
      shown: batch('failureList', 'cancelPlanOrders', async () => cancelOf([{ orderId: `fu-plan-${n}`, clientOid: n }])),
      computed: () => ({ orderId: `fu-plan-${n}`, clientOid: n }),
    })),
  },
  '2.3': {
    fields: RECORDS['2.3']!,
    scenes: [
      {
        options: TWO_PAIRS,
        shown: (x) => data(x.call('spotSymbols', { symbol: 'BTCUSDT' })),
        computed: () => ({
          symbol: 'BTCUSDT',
          baseCoin: 'BTC',
          quoteCoin: 'USDT',
          minTradeAmount: '0.00010',
          maxTradeAmount: '20.00000',
          takerFeeRate: '0.001',
          makerFeeRate: '0.001',
          pricePrecision: '2',
          quantityPrecision: '5',
          quotePrecision: '8',
          status: 'online',
          minTradeUSDT: '5',
        }),
      },
      {
        options: TWO_PAIRS,
        shown: async (x) => (await data(x.call('spotSymbols')))[1],
        computed: () => ({
          symbol: 'ETHBTC',
          baseCoin: 'ETH',
          quoteCoin: 'BTC',
          minTradeAmount: '0.05',
          maxTradeAmount: '300.00',
          takerFeeRate: '0.0012',
          makerFeeRate: '0.0007',
          pricePrecision: '4',
          quantityPrecision: '2',
          quotePrecision: '6',
          status: 'offline',
          minTradeUSDT: '0.002',
        }),
      },
    ],
  },
  '2.4': {
    fields: RECORDS['2.4']!,
    scenes: [
      {
        options: TOLD_COINS,
        shown: (x) => data(x.call('coins', { coin: 'BTC' })),
        computed: () => ({ coinId: '41', coin: 'BTC', transfer: 'false', chains: [CHAIN] }),
      },
      {
        options: TOLD_COINS,
        shown: (x) => data(x.call('coins', { coin: 'USDT' })),
        computed: () => ({ coinId: '2', coin: 'USDT', transfer: 'true', chains: [MADE_CHAIN] }),
      },
    ],
  },
  '2.4 chain': {
    fields: RECORDS['2.4 chain']!,
    scenes: [
      { options: TOLD_COINS, shown: async (x) => (await data(x.call('coins', { coin: 'BTC' }))).chains[0], computed: () => CHAIN },
      { options: TOLD_COINS, shown: async (x) => (await data(x.call('coins', { coin: 'USDT' }))).chains[0], computed: () => MADE_CHAIN },
    ],
  },
  '2.5': {
    fields: RECORDS['2.5']!,
    fixed: ['type', 'dest'],
    scenes: [
      {
        shown: withdrawal(
          {
            account: 'alice',
            coin: 'BTC',
            amount: '1.5',
            fee: '0.0004',
            status: 'pending',
            chain: 'BTC',
            toAddress: 'bc1q',
            tag: 'memo',
            orderId: '77',
          },
          {
            account: 'alice',
            coin: 'BTC',
            amount: '1.5',
            fee: '0.0004',
            status: 'failed',
            chain: 'BTC',
            toAddress: 'bc1q',
            tag: 'memo',
            orderId: '77',
          },
          1_000,
        ),
        computed: () => ({
          orderId: '77',
          tradeId: 'w-77',
          coin: 'BTC',
          type: 'withdraw',
          dest: 'on_chain',
          size: '1.5',
          fee: '0.0004',
          status: 'failed',
          fromAddress: 'paper-1',
          toAddress: 'bc1q',
          chain: 'BTC',
          tag: 'memo',
          cTime: String(START),
          uTime: String(START + 1_000),
        }),
      },
      {
        shown: withdrawal({ account: 'bob', coin: 'USDT', amount: '20' }, { account: 'bob', coin: 'USDT', amount: '20' }, 2_500),
        computed: () => ({
          orderId: '1000002',
          tradeId: 'w-1000002',
          coin: 'USDT',
          type: 'withdraw',
          dest: 'on_chain',
          size: '20',
          fee: '0',
          status: 'completed',
          fromAddress: 'paper-2',
          toAddress: 'paper',
          chain: 'USDT-PAPER',
          tag: '',
          cTime: String(START + 2_500),
          uTime: String(START + 2_500),
        }),
      },
    ],
  },
  '2.6': {
    fields: RECORDS['2.6']!,
    scenes: [
      {
        // Each trade of the kit exists for both products, and each has an id. 0.5 at 60,000 in the kit, then 1.5 at 60,600 and 2.0 at
        // 59,700: 30,000 + 90,900 + 119,400 = 240,300 for 4.
        shown: (x) => {
          x.time += 60_000;
          x.trade('BTCUSDT', '60600', '1.5');
          x.time += 60_000;
          x.trade('BTCUSDT', '59700', '2');
          return data(x.call('tickers', { symbol: 'BTCUSDT' }));
        },
        computed: () => ({
          symbol: 'BTCUSDT',
          priceChange: '-300.0',
          priceChangePercent: '-0.500',
          weightedAvgPrice: '60075',
          lastPrice: '59700.0',
          lastQty: '2.000',
          openPrice: '60000.0',
          highPrice: '60600.0',
          lowPrice: '59700.0',
          volume: '4.000',
          quoteVolume: '240300.00',
          openTime: START,
          closeTime: START + 120_000,
          firstId: 1,
          lastId: 6,
          count: 3,
        }),
      },
      {
        // A day and ten minutes later, the kit's trade of 2 at 2,400 is outside the window: 3 at 2,500 and 1 at 2,540 remain.
        shown: (x) => {
          x.time += 87_000_000;
          x.trade('ETHUSDT', '2500', '3');
          x.time += 1_000;
          x.trade('ETHUSDT', '2540', '1');
          return data(x.call('tickers', { symbol: 'ETHUSDT' }));
        },
        computed: () => ({
          symbol: 'ETHUSDT',
          priceChange: '40.00',
          priceChangePercent: '1.600',
          weightedAvgPrice: '2510',
          lastPrice: '2540.00',
          lastQty: '1.00',
          openPrice: '2500.00',
          highPrice: '2540.00',
          lowPrice: '2500.00',
          volume: '4.00',
          quoteVolume: '10040.00',
          openTime: START + 87_000_000,
          closeTime: START + 87_001_000,
          firstId: 4,
          lastId: 5,
          count: 2,
        }),
      },
    ],
  },
  '2.7': {
    fields: RECORDS['2.7']!,
    scenes: [
      {
        shown: (x) => data(x.call('bookTickers', { symbol: 'BTCUSDT' })),
        computed: () => ({ symbol: 'BTCUSDT', bidPrice: '59999.9', bidQty: '5.000', askPrice: '60000.1', askQty: '5.000', ts: START }),
      },
      {
        shown: async (x) => {
          x.time += 9;
          x.quote('ETHUSDT', '2410.00', '1.25', '2410.05', '3');
          return (await data(x.call('bookTickers')))[1];
        },
        computed: () => ({ symbol: 'ETHUSDT', bidPrice: '2410.00', bidQty: '1.25', askPrice: '2410.05', askQty: '3.00', ts: START + 9 }),
      },
    ],
  },
  '2.8': {
    fields: RECORDS['2.8']!,
    scenes: [
      {
        shown: async (x) => (await data(x.call('trades', { symbol: 'BTCUSDT' })))[0],
        computed: () => ({ symbol: 'BTCUSDT', tradeId: '1', price: '60000.0', size: '0.500', side: 'BUY', ts: START }),
      },
      {
        shown: async (x) => {
          x.sim.trade(1, 241_000, 75, SELL, START + 5, 99);
          x.sim.trade(1, 241_000, 75, BUY, START + 5, 100);
          return (await data(x.call('trades', { symbol: 'ETHUSDT' })))[1];
        },
        computed: () => ({ symbol: 'ETHUSDT', tradeId: '99', price: '2410.00', size: '0.75', side: 'SELL', ts: START + 5 }),
      },
    ],
  },
};
