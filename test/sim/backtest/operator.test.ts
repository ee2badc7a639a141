/** Operator commands of the venue, each by its effect on the venue and on its readers. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi, type Exchange } from '../../../src/sim/api/api.ts';
import { OPERATOR_COMMANDS, problemsOfCommand } from '../../../src/sim/api/operator-commands.ts';
import { BTC, ETH, instrumentsOf, Recorder, SPOT_BTC, specOf } from '../../support/sim/sim-kit.ts';

let exchange: Exchange;
let sim: VenueSim;
let recorder: Recorder;
let time = 0;

function build(): { exchange: Exchange; sim: VenueSim; recorder: Recorder } {
  const instruments = instrumentsOf(BTC, ETH, SPOT_BTC);
  const sink = new Recorder();
  const venue = new VenueSim(specOf(instruments), sink);
  const venueApi = createVenueApi(venue, {
    instruments,
    clock: { now: () => time },
    accounts: new Map([['key', 0]]),
    checkReplies: true,
  });
  return { exchange: createExchange(venue, venueApi), sim: venue, recorder: sink };
}

beforeEach(() => {
  time = 1_000;
  ({ exchange, sim, recorder } = build());
  exchange.quote(0, 400_000, 5_000, 400_010, 5_000, time);
  exchange.trade(0, 400_005, 10, 0, time, 7);
  exchange.quote(1, 300_000, 5_000, 300_010, 5_000, time);
  exchange.quote(2, 4_000_000, 500_000, 4_000_100, 500_000, time);
  exchange.trade(2, 4_000_050, 10, 0, time, 7);
});

const run = (name: string, given: object): object => exchange.command(name, given, time);

function ask(name: EndpointName, params: object = {}): { code: string; msg: string; data: any } {
  const endpoint = ENDPOINTS[name];
  const request = { method: endpoint.method, target: '', body: '', params, header: () => undefined, caller: 'key' };
  return exchange.handler(endpoint, request).envelope;
}

const LONG = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', size: '0.010' };
const RESTING = { ...LONG, orderType: 'LIMIT', price: '39000.0' };
const DONE = { done: true };

describe('the operator', () => {
  it('trades as the owner of the account, by any write', () => {
    const done = run('call', { account: 'demo', endpoint: 'E12', params: { ...RESTING, clientOid: 'human-1' } });
    expect(done).toEqual({ done: true, code: '00000', msg: 'success', data: { orderId: 'fu-1', clientOid: 'human-1' } });
    expect(ask('pendingOrders', { limit: '10' }).data.entrustedList).toMatchObject([{ clientOid: 'human-1' }]);
    expect(run('call', { account: 'demo', endpoint: 'E12', params: { ...RESTING, size: '0' } })).toMatchObject({
      done: true,
      code: expect.stringMatching(/^4/),
    });
    expect(run('call', { account: 'nobody', endpoint: 'E12', params: RESTING })).toEqual({ refused: 'there is no account "nobody"' });
  });

  it('cancels an order of any kind, once', () => {
    ask('placeOrder', RESTING);
    ask('placePlanOrder', { ...LONG, triggerPrice: '50000.0', triggerPriceType: 'LAST' });
    const spot = { side: 'buy', orderType: 'limit', price: '30000.00', size: '0.001000' };
    ask('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [spot] });
    for (const orderId of ['fu-1', 'fu-plan-2', '3']) {
      expect(run('cancel', { orderId })).toEqual(DONE);
      expect(run('cancel', { orderId })).toEqual({ refused: 'order-not-found' });
    }
    expect(run('cancel', { orderId: 'fu-2' })).toEqual({ refused: 'order-not-found' });
    expect(sim.pending(0, -1)).toEqual([]);
    sim.audit();
  });

  it('takes a symbol offline: unknown to all, without market, and its orders can be cancelled', () => {
    ask('placeOrder', { ...RESTING, clientOid: 'a' });
    ask('placePlanOrder', { ...LONG, triggerPrice: '50000.0', triggerPriceType: 'LAST', clientOid: 'b' });
    expect(run('offline', { symbol: 'BTCUSDT' })).toEqual(DONE);
    expect(ask('placeOrder', RESTING).code).not.toBe('00000');
    expect(ask('bookTickers', { symbol: 'BTCUSDT' }).code).toBe('40034');
    expect(ask('bookTickers').data.map((one: { symbol: string }) => one.symbol)).toEqual(['ETHUSDT']);
    exchange.quote(0, 100, 5_000, 110, 5_000, ++time);
    expect(sim.bookTicker(0)?.bid).toBe(400_000);
    expect(ask('cancelOrders', { orderIdList: [{ clientOid: 'a' }] }).data.successList).toHaveLength(1);
    expect(ask('cancelPlanOrders', { symbol: 'BTCUSDT', orderIdList: [{ clientOid: 'b' }] }).data.successList).toHaveLength(1);
    expect(run('online', { symbol: 'BTCUSDT' })).toEqual(DONE);
    expect(ask('bookTickers').data.map((one: { symbol: string }) => one.symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
    expect(ask('placeOrder', RESTING).code).toBe('00000');
  });

  it('delists a symbol: its orders are cancelled, its positions closed at the market, and it never comes back', () => {
    ask('placeOrder', { ...LONG, orderType: 'MARKET' });
    ask('placeOrder', { ...LONG, side: 'SHORT', orderType: 'MARKET' });
    ask('placeOrder', RESTING);
    ask('placePlanOrder', { ...LONG, triggerPrice: '50000.0', triggerPriceType: 'LAST' });
    ask('placeOrder', { ...LONG, symbol: 'ETHUSDT', orderType: 'MARKET' });
    const bought = { side: 'buy', orderType: 'limit', price: '30000.00', size: '0.001000' };
    ask('placeSpotOrders', { symbol: 'BTCUSDT', orderList: [bought] });
    expect(run('delist', { symbol: 'BTCUSDT' })).toEqual(DONE);
    expect(sim.positions(0, -1)).toMatchObject([{ instrument: 1 }]);
    expect(sim.pending(0, -1)).toEqual([]);
    expect(recorder.fills.slice(-2)).toMatchObject([{ price: 400_000 }, { price: 400_010 }]);
    expect(ask('bookTickers', { symbol: 'BTCUSDT' }).code).toBe('40034');
    expect(run('online', { symbol: 'BTCUSDT' })).toEqual({ refused: 'the symbol is delisted' });
    const saved = JSON.parse(JSON.stringify(exchange.snapshot())) as unknown;
    ({ exchange, sim, recorder } = build());
    exchange.restore(saved);
    expect(run('online', { symbol: 'BTCUSDT' })).toEqual({ refused: 'the symbol is delisted' });
    sim.audit();
  });

  it.each([
    ['ban', '40300'],
    ['maintenance', '50300'],
  ])('%s refuses every request until it ends, also after a restart', (name, code) => {
    expect(run(name, { on: true })).toEqual(DONE);
    const saved = JSON.parse(JSON.stringify(exchange.snapshot())) as unknown;
    ({ exchange, sim, recorder } = build());
    exchange.restore(saved);
    for (const asked of [ask('bookTickers'), ask('placeOrder', { ...LONG, orderType: 'MARKET' })]) expect(asked.code).toBe(code);
    exchange.quote(0, 300_000, 1, 300_010, 1, ++time);
    expect(sim.bookTicker(0)?.bid).toBe(name === 'maintenance' ? 400_000 : 300_000);
    const byHand = run('call', { account: 'demo', endpoint: 'E12', params: RESTING });
    if (name === 'maintenance') expect(byHand).toEqual({ refused: 'the venue is under maintenance' });
    else expect(byHand).toMatchObject({ code: '00000' });
    expect(run(name, { on: false })).toEqual(DONE);
    expect(ask('bookTickers').code).toBe('00000');
  });

  it('fires nothing on an offline symbol: triggers by mark keep waiting, also after a restart', () => {
    // The mark is held at the last trade, and moves towards the mid price of a book that has run away while nothing trades.
    const plan = { ...LONG, triggerPrice: '40050.0', triggerPriceType: 'MARK' };
    expect(ask('placePlanOrder', plan).code).toBe('00000');
    time = 2_000;
    exchange.advance(time);
    exchange.quote(0, 401_000, 5_000, 401_010, 5_000, time + 1);
    run('offline', { symbol: 'BTCUSDT' });
    const wait = (): void => {
      for (let k = 0; k < 40; k++) exchange.advance((time += 1_000));
    };
    wait();
    const saved = JSON.parse(JSON.stringify(exchange.snapshot())) as unknown;
    ({ exchange, sim, recorder } = build());
    exchange.restore(saved);
    wait();
    expect(sim.markPrice(0)).toBeLessThan(400_100);
    expect(run('spike', { symbol: 'BTCUSDT', percent: 10 })).toEqual({ refused: 'the symbol is offline' });
    expect(recorder.fills).toEqual([]);
    run('online', { symbol: 'BTCUSDT' });
    wait();
    expect(sim.markPrice(0)).toBeGreaterThan(400_500);
    expect(recorder.fills).toMatchObject([{ price: 401_010 }]);
    sim.audit();
  });

  it('freezes a market, whose last prices are still served, and unfreezes it', () => {
    const before = ask('bookTickers', { symbol: 'BTCUSDT' }).data;
    run('freeze', { symbol: 'BTCUSDT' });
    time += 60_000;
    exchange.quote(0, 1, 1, 2, 1, time);
    exchange.trade(0, 1, 1, 0, time, 8);
    exchange.quote(1, 300_001, 1, 300_002, 1, time);
    expect(ask('bookTickers', { symbol: 'BTCUSDT' }).data).toEqual(before);
    expect(sim.bookTicker(1)?.bid).toBe(300_001);
    expect(ask('placeOrder', { ...LONG, orderType: 'MARKET' }).code).toBe('00000');
    run('thaw', { symbol: 'BTCUSDT' });
    exchange.quote(0, 400_001, 1, 400_002, 1, time);
    expect(sim.bookTicker(0)?.bid).toBe(400_001);
  });

  it('makes the price jump for a row, with its own id', () => {
    expect(run('spike', { symbol: 'BTCUSDT', percent: -50 })).toEqual(DONE);
    expect(sim.bookTicker(0)).toMatchObject({ bid: 200_000, ask: 200_010 });
    expect(sim.bookTicker(2)).toMatchObject({ bid: 2_000_000, ask: 2_000_100 });
    exchange.trade(0, 400_000, 1, 0, ++time, 8);
    const ids = sim.trades(0, { limit: 10 }).map(({ id }) => id);
    expect(ids).toEqual([9, 8, 7]);
    expect(sim.trades(0, { limit: 10 })[1]?.price).toBe(200_000);
    run('spike', { symbol: 'BTCUSDT', percent: 100 });
    expect(sim.ticker(0)).toMatchObject({ lastId: 10, last: 400_010 });
  });

  it('never lets the price jump beyond the exact range, however often', () => {
    const jump = (): object => run('spike', { symbol: 'BTCUSDT', percent: 1_000 });
    const tooFar = { refused: expect.stringContaining('exact') as string };
    run('deposit', { account: 'demo', wallet: 'futures', coin: 'USDT', amount: '20000000' });
    expect(ask('placeOrder', { ...LONG, side: 'SHORT', orderType: 'MARKET', size: '100.000' }).code).toBe('00000');
    // 5 BTC are held and 95 are offered: 44 million at 440,000.0, more than 2^52 of 10^-8 at 484,000.0.
    expect(jump()).toEqual(DONE);
    expect(jump()).toEqual(tooFar);
    expect(run('spike', { symbol: 'BTCUSDT', percent: 10 })).toEqual(tooFar);
    run('liquidate', { account: 'demo', symbol: 'BTCUSDT', side: 'SHORT' });
    // Then one coin of 4.84 million is the maximum.
    expect([jump(), jump()]).toEqual([DONE, tooFar]);
    expect(ask('tickers').code).toBe('00000');
    expect(ask('bookTickers').data[0]).toMatchObject({ bidPrice: '4840000.0' });
    sim.audit();
  });

  it('changes a margin mode if nothing prevents it', () => {
    const change = { account: 'demo', symbol: 'BTCUSDT', marginMode: 'ISOLATED' };
    ask('placeOrder', { ...LONG, orderType: 'MARKET' });
    expect(run('margin-mode', change)).toEqual({ refused: 'margin-mode-conflict' });
    run('liquidate', { account: 'demo', symbol: 'BTCUSDT', side: 'LONG' });
    expect(run('margin-mode', change)).toEqual(DONE);
    expect(sim.marginMode(0, 0)).toBe(1);
    expect(ask('placeOrder', { ...RESTING, orderType: 'MARKET', marginMode: 'ISOLATED' }).code).toBe('00000');
    expect(ask('placeOrder', RESTING).code).toBe('40013');
  });

  it('liquidates a position and cancels its orders', () => {
    ask('placeOrder', { ...LONG, orderType: 'MARKET' });
    ask('placeOrder', RESTING);
    expect(run('liquidate', { account: 'demo', symbol: 'BTCUSDT', side: 'SHORT' })).toEqual({ refused: 'no-position' });
    expect(run('liquidate', { account: 'demo', symbol: 'BTCUSDT', side: 'LONG' })).toEqual(DONE);
    expect(sim.positions(0, -1)).toEqual([]);
    expect(sim.pending(0, -1)).toEqual([]);
    expect(recorder.moves.filter(({ why }) => why === 'liquidation')).toHaveLength(1);
    sim.audit();
  });

  it('deposits and withdraws money, never more than is free', () => {
    const futures = { account: 'demo', wallet: 'futures', coin: 'USDT' };
    expect(run('deposit', { ...futures, amount: '0.00000001' })).toEqual(DONE);
    expect(sim.totals(0).deposits).toBe(100_000e8 + 1);
    expect(run('deposit', { ...futures, amount: '-100000.00000002' })).toEqual({ refused: 'insufficient-balance' });
    expect(run('deposit', { ...futures, amount: '-100000.00000001' })).toEqual(DONE);
    expect(sim.equity(0)).toBe(0);
    const spot = { account: 'demo', wallet: 'spot' };
    expect(run('deposit', { ...spot, coin: 'BTC', amount: '2' })).toEqual(DONE);
    expect(run('deposit', { ...spot, coin: 'DOGE', amount: '2' })).toEqual({ refused: 'coin-not-found' });
    expect(sim.balances(0).find(({ coin }) => coin === 'BTC')?.free).toBe(3e8);
    expect(run('deposit', { ...futures, amount: '99999999999999' })).toEqual({ refused: 'the amount is out of range' });
    // Each wallet accepts 2^52 of 10^-8, whatever the other holds, so that profits fit.
    const most = '45035996.27370496';
    for (const wallet of [futures, { ...spot, coin: 'USDT' }]) {
      const held = wallet === futures ? '0' : '10000';
      expect(run('deposit', { ...wallet, amount: '45035996.27370497' })).toEqual({ refused: 'the amount is out of range' });
      expect(run('deposit', { ...wallet, amount: wallet === futures ? most : '45025996.27370496' })).toEqual(DONE);
      expect(run('deposit', { ...wallet, amount: '0.00000001' })).toEqual({ refused: 'the amount is out of range' });
      expect(run('deposit', { ...wallet, amount: `-${held}.00000001` })).toEqual(DONE);
    }
    expect(ask('account', { symbol: 'BTCUSDT' }).data).toMatchObject({ available: '45035996.27370495' });
    sim.audit();
  });

  it('records withdrawals, newest first', () => {
    expect(run('withdrawal', { account: 'demo', coin: 'USDT', amount: '12.5', fee: '1', toAddress: '0xabc' })).toEqual({
      done: true,
      orderId: '1000001',
    });
    time += 5;
    run('withdrawal', { account: 'demo', coin: 'BTC', amount: '1', status: 'pending' });
    const list = ask('withdrawals', { startTime: '0', endTime: String(time) }).data;
    expect(list).toMatchObject([
      { orderId: '1000002', coin: 'BTC', size: '1', status: 'pending', cTime: String(time) },
      { orderId: '1000001', coin: 'USDT', size: '12.5', fee: '1', status: 'completed', toAddress: '0xabc' },
    ]);
    expect(run('withdrawal', { account: 'demo', coin: 'USDT', amount: '-1' })).toHaveProperty('refused');
  });

  it('is completely contained in the snapshot', () => {
    for (const [name, given] of [
      ['freeze', { symbol: 'ETHUSDT' }],
      ['offline', { symbol: 'BTCUSDT' }],
      ['spike', { symbol: 'BTCUSDT', percent: 1 }],
      ['withdrawal', { account: 'demo', coin: 'USDT', amount: '1' }],
    ] as const) {
      run(name, given);
    }
    const saved = JSON.parse(JSON.stringify(exchange.snapshot())) as unknown;
    const other = build().exchange;
    other.restore(saved);
    expect(JSON.parse(JSON.stringify(other.snapshot()))).toEqual(saved);
    const before = { handler: exchange.handler };
    exchange = other;
    for (const name of ['bookTickers', 'withdrawals'] as const) {
      const params = name === 'withdrawals' ? { startTime: '0', endTime: '9999' } : {};
      const restored = ask(name, params).data;
      exchange = { ...other, handler: before.handler };
      expect(restored).toEqual(ask(name, params).data);
      exchange = other;
    }
    other.quote(1, 1, 1, 2, 1, time);
    expect(ask('bookTickers').data).toMatchObject([{ symbol: 'ETHUSDT', bidPrice: '3000.00' }]);
  });
});

describe('a command', () => {
  it('is refused with an explanation if the command is invalid', () => {
    expect(problemsOfCommand('spikes', {})[0]).toMatchObject({ what: 'there is no command "spikes"', hint: 'did you mean "spike"?' });
    expect(problemsOfCommand('spike', { symbol: 'BTCUSDT', precent: 5 })).toHaveLength(2);
    expect(problemsOfCommand('deposit', { account: 'a', wallet: 'futures', coin: 'USDT', amount: '1e3' })).toHaveLength(1);
    expect(problemsOfCommand('toString', {})).toHaveLength(1);
    for (const name of Object.keys(OPERATOR_COMMANDS)) expect(run(name, {}), name).toHaveProperty('refused');
  });

  it('is refused for an unknown symbol', () => {
    expect(run('freeze', { symbol: 'NOPE' })).toEqual({ refused: 'there is no symbol "NOPE"' });
  });
});
