/** The order created by a fired trigger order: it is found, listed and cancelled by the client id that it shows. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Served } from '../../support/exchange/switch-kit.ts';

let x: Served;
beforeEach(async () => {
  x = await Served.open({});
});
afterEach(() => x.close());

const plan = (triggerPrice: string, extra = {}) => ({
  symbol: 'BTCUSDT',
  marginMode: 'CROSS',
  size: '0.001',
  side: 'LONG',
  triggerPriceType: 'LAST',
  clientOid: 'plan-1',
  triggerPrice,
  ...extra,
});

/** A trade at `share` of the bid price. */
function tradeAt(share: number): void {
  const btc = x.running.instruments.find((one) => one.product === 'futures' && one.symbol === 'BTCUSDT')!;
  const { bid, time } = x.running.sim.bookTicker(btc.index)!;
  x.running.sim.trade(btc.index, Math.floor(bid * share), 1, 1, time, 1e9);
}

const shareOfBid = async (share: number): Promise<string> =>
  (Number((await x.data('bookTickers', { symbol: 'BTCUSDT' })).bidPrice) * share).toFixed(1);

describe('the order of a fired trigger order', () => {
  it('is found, cancelled and modified by its client id while it rests', async () => {
    await x.data('placePlanOrder', plan(await shareOfBid(0.9), { price: '20000.0' }));
    tradeAt(0.8);
    const [pending] = await x.listed('pendingOrders');
    expect(pending).toMatchObject({ clientOid: 'plan-1', price: '20000.00', status: 'NEW' });
    const again = await x.call('placePlanOrder', plan(await shareOfBid(0.9)));
    expect(again.body.msg).toBe('Custom ID already exists');
    const modified = await x.data('modifyOrder', { symbol: 'BTCUSDT', clientOid: 'plan-1', newClientOid: 'plan-2', newPrice: '20001.0' });
    const { successList } = await x.data('cancelOrders', { orderIdList: [{ clientOid: 'plan-2' }] });
    expect(successList).toEqual([{ orderId: modified.orderId, clientOid: 'plan-2' }]);
    const replaced = await x.listed('orderHistory', { clientOid: 'plan-1' });
    expect(replaced.map((one) => [one.orderId, one.status])).toEqual([[pending.orderId, 'CANCELED']]);
  });

  it('is found by its client id in the history after its fill', async () => {
    await x.data('placePlanOrder', plan(await shareOfBid(0.9)));
    tradeAt(0.8);
    x.pass(2_000);
    await x.data('positions');
    const found = await x.listed('orderHistory', { clientOid: 'plan-1' });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ clientOid: 'plan-1', status: 'FILLED', size: '0.001', orderType: 'MARKET' });
  });

  it('is in the history as canceled if the account cannot afford it', async () => {
    const { available } = await x.data('account', { symbol: 'BTCUSDT' });
    const price = await shareOfBid(0.9);
    const size = ((Number(available) / Number(price)) * 15).toFixed(3);
    await x.data('placePlanOrder', plan(price, { size }));
    await x.data('placeOrder', x.order({ size, price: '20000.0', marginMode: 'CROSS' }));
    await x.data('placeOrder', x.order({ size, price: '20000.0', marginMode: 'CROSS' }));
    tradeAt(0.8);
    const [found] = await x.listed('orderHistory', { clientOid: 'plan-1' });
    expect(found).toMatchObject({ clientOid: 'plan-1', status: 'CANCELED', priceAvg: '0', size });
  });

  it('accepts no client id with control characters', async () => {
    for (const clientOid of ['a\nb', 'a\u0000', '\u001b[2J', 'a\u007f']) {
      expect((await x.call('placeOrder', x.order({ clientOid }))).body).toMatchObject({ code: '40001' });
      expect((await x.call('placePlanOrder', plan('20000.0', { clientOid }))).body).toMatchObject({ code: '40001' });
    }
  });
});
