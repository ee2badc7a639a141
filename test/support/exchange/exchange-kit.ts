/** A paper exchange on a loopback socket with a market that the test controls. */
import assert from 'node:assert/strict';
import type { EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { type RunningServer, startServer } from '../../../src/edge/serve/server.ts';
import type { ServerOptions } from '../../../src/edge/serve/server-options.ts';
import { createInstrument, parseLots, parseTicks, type Instrument, type InstrumentSpec } from '../../../src/domain/instrument.ts';
import { BUY } from '../../../src/domain/codes.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createVenueApi, type VenueApi, type VenueApiOptions } from '../../../src/sim/api/api.ts';
import type { FillModel, SimAccountSpec } from '../../../src/sim/state/types.ts';
import { ALICE, BOB, callOver, type CallOptions, type HttpReply } from './exchange-client.ts';

export const START = 1_723_075_200_000;

const futures = (symbol: string, baseCoin: string, tickSize: string, lotSize: string, maxSize: string): InstrumentSpec => ({
  symbol,
  product: 'futures',
  baseCoin,
  quoteCoin: 'USDT',
  tickSize,
  lotSize,
  minSize: lotSize,
  maxSize,
  makerFeeRate: '0.0002',
  takerFeeRate: '0.0005',
});

/** BTCUSDT and ETHUSDT futures, a futures symbol without a market, and BTCUSDT spot. */
export const SPECS: readonly InstrumentSpec[] = [
  futures('BTCUSDT', 'BTC', '0.1', '0.001', '50'),
  { ...futures('ETHUSDT', 'ETH', '0.01', '0.01', '500'), minSize: '0.05' },
  futures('NEWUSDT', 'NEW', '0.0001', '1', '1000000'),
  {
    symbol: 'BTCUSDT',
    product: 'spot',
    baseCoin: 'BTC',
    quoteCoin: 'USDT',
    tickSize: '0.01',
    lotSize: '0.00001',
    minSize: '0.0001',
    maxSize: '20',
    minNotional: '5',
    makerFeeRate: '0.001',
    takerFeeRate: '0.001',
  },
];

export type Params = Readonly<Record<string, unknown>>;

/** A LIMIT order of BTCUSDT that rests below the market. */
export function limitOrder(extra: Params = {}): Params {
  return {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: '0.010',
    side: 'LONG',
    tradeSide: 'OPEN',
    orderType: 'LIMIT',
    price: '59000.0',
    ...extra,
  };
}

export interface KitOptions {
  readonly specs?: readonly InstrumentSpec[];
  readonly futures?: string;
  readonly fillModel?: FillModel;
  readonly venueApi?: Partial<VenueApiOptions>;
  readonly server?: Partial<ServerOptions>;
  readonly withoutMarket?: boolean;
  /** True if accounts trade with each other. */
  readonly crossing?: boolean;
}

export interface TestExchange {
  readonly url: string;
  readonly sim: VenueSim;
  readonly venueApi: VenueApi;
  readonly instruments: readonly Instrument[];
  readonly server: RunningServer;
  /** Venue and wall time, set by tests. */
  time: number;
  quote(symbol: string, bid: string, bidSize: string, ask: string, askSize: string): void;
  trade(symbol: string, price: string, size: string): void;
  call(name: EndpointName, params?: Params, options?: CallOptions): Promise<HttpReply>;
  /** The `data` of a call that must succeed, at the current time. */
  data(name: EndpointName, params?: Params, options?: CallOptions): Promise<any>;
  close(): Promise<void>;
}

const SIM_ACCOUNTS = (deposit: string): SimAccountSpec[] =>
  [ALICE, BOB].map(({ name }) => ({ name, futures: deposit, spot: { USDT: '50000', BTC: '1' } }));

export function instrumentsOf(specs: readonly InstrumentSpec[]): Instrument[] {
  return specs.map((spec, index) => createInstrument(spec, index));
}

export async function startExchange(options: KitOptions = {}): Promise<TestExchange> {
  const instruments = instrumentsOf(options.specs ?? SPECS);
  const sim = new VenueSim(
    {
      instruments,
      accounts: SIM_ACCOUNTS(options.futures ?? '10000'),
      fillModel: options.fillModel ?? 'touch',
      leverage: 10,
      historyLimit: 1_000,
      keepTrades: 2_000,
      crossing: options.crossing,
    },
    null,
  );
  const clock = { now: (): number => exchange.time };
  const venueApi = createVenueApi(sim, {
    instruments,
    clock,
    accounts: new Map([ALICE, BOB].map((account, index) => [account.key, index])),
    checkReplies: true,
    ...options.venueApi,
  });
  const server = await startServer({ handler: venueApi.handler, accounts: [ALICE, BOB], now: clock.now, port: 0, ...options.server });
  let tradeId = 0;
  const find = (symbol: string): Instrument[] => instruments.filter((one) => one.symbol === symbol);
  const exchange: TestExchange = {
    url: server.url,
    sim,
    venueApi,
    instruments,
    server,
    time: START,
    quote(symbol, bid, bidSize, ask, askSize) {
      for (const one of find(symbol)) {
        const size = (text: string): number => parseLots(text, one, 'down');
        sim.quote(one.index, parseTicks(bid, one), size(bidSize), parseTicks(ask, one), size(askSize), exchange.time);
      }
    },
    trade(symbol, price, size) {
      for (const one of find(symbol)) {
        sim.trade(one.index, parseTicks(price, one), parseLots(size, one, 'down'), BUY, exchange.time, ++tradeId);
      }
    },
    call: (name, params = {}, how = {}) => callOver(server.url, exchange.time, name, params, how),
    async data(name, params, how) {
      const { status, body } = await exchange.call(name, params, how);
      assert.deepEqual([status, body.code, body.msg, body.requestTime], [200, '00000', 'success', exchange.time], name);
      return body.data;
    },
    close: () => server.close(),
  };
  if (options.withoutMarket !== true) {
    exchange.quote('BTCUSDT', '59999.9', '5', '60000.1', '5');
    exchange.trade('BTCUSDT', '60000', '0.5');
    exchange.quote('ETHUSDT', '2399.99', '50', '2400.01', '50');
    exchange.trade('ETHUSDT', '2400', '2');
  }
  return exchange;
}
