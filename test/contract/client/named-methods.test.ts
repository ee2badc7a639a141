/**
 * The named methods of the npm package bitget-api against an exchange that speaks the dialect mix-v2: market, account, an order from
 * placing to its end, a trigger order. And a kill -9, after which the exchange does what the aliases did once more.
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { createLog } from '../../../src/edge/log/pino-log.ts';
import { openExchange, type RunningExchange } from '../../../src/run/exchange/exchange.ts';
import { installed } from '../../support/processes/installed.ts';
import { demoAccount, exchangeOptions } from '../../support/exchange/served-kit.ts';
import { untilTraded } from '../../support/exchange/until-traded.ts';

type Method = (params?: object) => Promise<{ readonly code: string; readonly data: any }>;
interface Package {
  readonly RestClientV2: new (options: object, network: object) => Readonly<Record<string, Method>>;
}

const independent = await installed<Package>('bitget-api');
const quiet = createLog({ level: 'silent', form: 'json' });
const product = { productType: 'USDT-FUTURES' };
const btc = { ...product, symbol: 'BTCUSDT' };
const order = { ...btc, marginCoin: 'USDT', marginMode: 'crossed', size: '0.01', side: 'buy', tradeSide: 'open' };

describe.skipIf(independent === null)('named methods of npm bitget-api', () => {
  const folder = mkdtempSync(join(tmpdir(), 'named-methods-'));
  let exchange: RunningExchange;
  const open = async (state: string): Promise<RunningExchange> => {
    const config = { ...defaultConfig(), venue: { ...defaultConfig().venue, dialect: 'mix-v2' as const } };
    const opened = await openExchange(exchangeOptions({ config, state: join(folder, state) }), quiet);
    await untilTraded(opened);
    return opened;
  };
  const clientOf = ({ url }: RunningExchange): Readonly<Record<string, Method>> => {
    const { key, secret, passphrase } = demoAccount(0);
    return new independent!.RestClientV2({ apiKey: key, apiSecret: secret, apiPass: passphrase, baseUrl: url }, { proxy: false });
  };
  /** The data of a call that must succeed. */
  const call = async (name: string, params: object = {}, of = exchange): Promise<any> => {
    const { code, data } = await clientOf(of)[name]!(params).catch(({ body }: { body: never }) => body);
    expect([name, code]).toEqual([name, '00000']);
    return data;
  };
  const refusal = (name: string, params: object): Promise<unknown> =>
    clientOf(exchange)[name]!(params).catch(({ body }: { body: { code: string } }) => body.code);

  beforeAll(async () => {
    exchange = await open('first');
  });
  afterAll(async () => {
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('read time, contracts, one ticker, the best prices and trades', async () => {
    expect(Math.abs(Number((await call('getServerTime')).serverTime) - Date.now())).toBeLessThan(60_000);
    const contracts: any[] = await call('getFuturesContractConfig', product);
    expect(contracts.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    const specs = defaultConfig().instruments.filter((one) => one.product === 'futures');
    for (const [k, { tickSize, minSize, maxSize, takerFeeRate }] of specs.entries()) {
      const { priceEndStep, pricePlace, minTradeNum, maxOrderQty, takerFeeRate: rate } = contracts[k];
      expect(Number(priceEndStep) / 10 ** Number(pricePlace)).toBeCloseTo(Number(tickSize), 12);
      expect([minTradeNum, maxOrderQty, rate].map(Number)).toEqual([minSize, maxSize, takerFeeRate].map(Number));
    }
    expect(await call('getFuturesContractConfig', btc)).toHaveLength(1);
    expect(await call('getFuturesContractConfig', { productType: 'COIN-FUTURES' })).toEqual([]);
    expect(await call('getFuturesAllTickers', product)).toHaveLength(2);
    const [ticker] = await call('getFuturesTicker', btc);
    expect(ticker).toMatchObject({ symbol: 'BTCUSDT' });
    const { bids, asks } = await call('getFuturesMergeDepth', btc);
    expect(Number(bids[0][0])).toBeLessThan(Number(asks[0][0]));
    expect(await call('getFuturesRecentTrades', { ...btc, limit: '3' })).toHaveLength(3);
    expect(await call('getFuturesHistoricTrades', { ...btc, limit: '3' })).toHaveLength(3);
    expect(await refusal('getFuturesTicker', { ...btc, symbol: 'NONE' })).toBe('40034');
  });

  it('follow an order by its ids from pending to its end', async () => {
    const placed = await call('futuresSubmitOrder', { ...order, orderType: 'limit', force: 'gtc', price: '30000.0', clientOid: 'named-1' });
    expect(await call('getFuturesOrder', { ...btc, orderId: placed.orderId })).toMatchObject({ clientOid: 'named-1', status: 'live' });
    expect(await call('getFuturesOrder', { ...btc, clientOid: 'named-1' })).toMatchObject({ orderId: placed.orderId });
    expect((await call('getFuturesOpenOrders', btc)).entrustedList).toHaveLength(1);
    await call('futuresModifyOrder', { ...btc, orderId: placed.orderId, newClientOid: 'named-2', newSize: '0.02', newPrice: '30001.0' });
    expect(await call('futuresCancelOrder', { ...btc, clientOid: 'named-2' })).toMatchObject({ clientOid: 'named-2' });
    expect(await call('getFuturesOrder', { ...btc, clientOid: 'named-2' })).toMatchObject({ status: 'canceled', size: '0.020' });
    expect(await refusal('futuresCancelOrder', { ...btc, clientOid: 'named-2' })).toBe('22001');
    expect(await refusal('getFuturesOrder', { ...btc, clientOid: 'named-3' })).toBe('40109');
    expect(await refusal('getFuturesOrder', btc)).toBe('40109');
    expect((await call('getFuturesOpenOrders', btc)).entrustedList).toEqual([]);
  });

  it('see the account and close a position', async () => {
    await call('setFuturesMarginMode', { ...btc, marginCoin: 'USDT', marginMode: 'crossed' });
    await call('futuresSubmitOrder', { ...order, orderType: 'market', clientOid: 'named-4' });
    expect(await call('getFuturesPositions', product)).toMatchObject([{ symbol: 'BTCUSDT', total: '0.010' }]);
    expect(await call('getFuturesPosition', { ...btc, marginCoin: 'USDT' })).toHaveLength(1);
    const [account] = await call('getFuturesAccountAssets', product);
    expect(account).toEqual(expect.objectContaining({ marginCoin: 'USDT' }));
    expect(await call('getFuturesAccountAsset', { ...btc, marginCoin: 'USDT' })).toMatchObject({ marginCoin: 'USDT' });
    await call('futuresSubmitOrder', { ...order, tradeSide: 'close', orderType: 'market', clientOid: 'named-5' });
    expect(await call('getFuturesPositions', product)).toEqual([]);
    const { entrustedList } = await call('getFuturesHistoricOrders', btc);
    expect(entrustedList.map(({ clientOid }: any) => clientOid)).toEqual(['named-5', 'named-4', 'named-2', 'named-1']);
  });

  it('list and cancel trigger orders, which pending orders do not list', async () => {
    const plan = {
      ...order,
      planType: 'normal_plan',
      triggerPrice: '30000.0',
      triggerType: 'mark_price',
      orderType: 'limit',
      price: '30001.0',
    };
    const placed = await call('futuresSubmitPlanOrder', { ...plan, clientOid: 'named-6' });
    await call('futuresSubmitPlanOrder', { ...plan, clientOid: 'named-7', triggerType: 'fill_price', triggerPrice: '30002.0' });
    const pending = async (): Promise<any[]> => (await call('getFuturesPlanOrders', { ...btc, planType: 'normal_plan' })).entrustedList;
    expect(await pending()).toMatchObject([
      { clientOid: 'named-7', triggerPrice: '30002.00', triggerType: 'fill_price', planStatus: 'live' },
      { orderId: placed.orderId, clientOid: 'named-6', triggerPrice: '30000.00', triggerType: 'mark_price', size: '0.010' },
    ]);
    expect((await call('getFuturesOpenOrders', btc)).entrustedList).toEqual([]);
    const orderIdList = [{ orderId: placed.orderId }];
    await call('futuresCancelPlanOrder', { ...btc, marginCoin: 'USDT', planType: 'normal_plan', orderIdList });
    expect((await pending()).map(({ clientOid }) => clientOid)).toEqual(['named-7']);
  });

  it('leave a ledger that another process continues: what an alias did is done once more', async () => {
    cpSync(join(folder, 'first'), join(folder, 'second'), { recursive: true, filter: (from) => !from.endsWith('lock') });
    const again = await open('second');
    const history = async (of: RunningExchange): Promise<unknown> =>
      (await call('getFuturesHistoricOrders', btc, of)).entrustedList.map(({ orderId, clientOid, status }: any) => [
        orderId,
        clientOid,
        status,
      ]);
    expect(await history(again)).toEqual(await history(exchange));
    await again.close();
  });
});
