/** An exchange with a ledger in this process, with its own clock, and random steps for it. */
import assert from 'node:assert/strict';
import type { Random } from '../../../src/base/random.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import { SUCCESS_CODE, type Reply } from '../../../src/contract/envelope.ts';
import { openLedger, type Ledger } from '../../../src/edge/file/ledger/ledger.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi, type VenueApi } from '../../../src/sim/api/api.ts';
import type { SimSpec } from '../../../src/sim/state/types.ts';
import { ALICE, BOB } from './exchange-client.ts';
import { instrumentsOf, SPECS, START } from './exchange-kit.ts';

export class Exchange {
  time = START;
  readonly ledger: Ledger;
  readonly sim: VenueSim;
  readonly venueApi: VenueApi;
  constructor(path: string, fillModel: 'touch' | 'queue', snapshotBytes: number, spec: Partial<SimSpec> = {}) {
    const names = new Map([ALICE, BOB].map((one) => [one.key, one.name]));
    this.ledger = openLedger(path, {
      identity: fillModel,
      clock: { now: () => this.time },
      names,
      snapshotBytes,
      segmentBytes: 4 * snapshotBytes,
    });
    const instruments = instrumentsOf(SPECS);
    const accounts = [ALICE, BOB].map(({ name }) => ({ name, futures: '20000', spot: { USDT: '50000', BTC: '1' } }));
    this.sim = new VenueSim(
      { instruments, accounts, fillModel, leverage: 10, historyLimit: 50, keepTrades: 100, ...spec },
      this.ledger.sink,
    );
    const keys = new Map([ALICE, BOB].map((one, index) => [one.key, index]));
    this.venueApi = createVenueApi(this.sim, { instruments, clock: this.ledger.clock, accounts: keys, checkReplies: true });
    this.ledger.start(createExchange(this.sim, this.venueApi));
  }

  call(name: EndpointName, params: object, caller = ALICE.key): Reply {
    const body = JSON.stringify(params);
    return this.ledger.handler(ENDPOINTS[name], {
      method: 'POST',
      target: '',
      body,
      params: JSON.parse(body),
      header: () => undefined,
      caller,
    });
  }

  /** The answer to a read, which must be a success. */
  read(name: EndpointName, query: Readonly<Record<string, string>>, caller = ALICE.key): unknown {
    const { path: target } = ENDPOINTS[name];
    const request = { method: 'GET', target, body: '', params: query, header: () => undefined, caller };
    const { envelope } = this.ledger.handler(ENDPOINTS[name], request);
    assert.equal(envelope.code, SUCCESS_CODE, envelope.msg);
    return envelope.data;
  }

  state(): unknown {
    return JSON.parse(JSON.stringify({ sim: this.sim.snapshot(), venueApi: this.venueApi.snapshot() }));
  }
}

/** One random step: the market moves, time passes, or someone writes. */
export function step(exchange: Exchange, random: Random, count: number): void {
  exchange.time += random.below(400);
  const dice = random.below(12);
  const kind = random.below(5);
  const price = 600_000 + random.below(200) - 100;
  const caller = random.below(2) === 0 ? ALICE.key : BOB.key;
  const clientOid = `c-${count}`;
  const one = { symbol: 'BTCUSDT', marginMode: 'CROSS', size: `0.0${1 + random.below(9)}`, clientOid };
  const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
  const tradeSide = random.below(3) === 0 ? 'CLOSE' : 'OPEN';
  const at = `${(price + random.below(40) - 20) / 10}`;
  if (dice === 10) exchange.ledger.command(...operatorsMove(random, at));
  else if (dice === 11) {
    const hasActed = random.below(2) === 0;
    const note = { fault: 'drop', phase: hasActed ? 'after' : 'before', rule: 1, endpoint: 'E12', asked: at, caller, hasActed } as const;
    exchange.ledger.fault(note);
  } else if (dice < 4) exchange.ledger.quote(0, price - 1, 20 + random.below(50), price + 1, 20 + random.below(50), exchange.time);
  else if (dice < 5) exchange.ledger.trade(0, price, 10, random.below(2), exchange.time, count);
  else if (dice < 6) exchange.ledger.advance(exchange.time);
  else if (dice < 8)
    exchange.call('placeOrder', { ...one, side, tradeSide, orderType: 'LIMIT', price: at, presetStopLossPrice: '59000.0' }, caller);
  else if (kind === 0) exchange.call('placeOrder', { ...one, side, tradeSide, orderType: 'MARKET' }, caller);
  else if (kind === 1) {
    exchange.call('placePlanOrder', { ...one, side, triggerPrice: at, triggerPriceType: 'MARK' }, caller);
  } else if (kind === 2) {
    exchange.call(
      'placeSpotOrders',
      { symbol: 'BTCUSDT', orderList: [{ side: 'buy', orderType: 'limit', price: '59999.00', size: '0.001' }] },
      caller,
    );
  } else {
    const target = `c-${Math.max(0, count - 1 - random.below(20))}`;
    if (random.below(2) === 0) exchange.call('cancelOrders', { orderIdList: [{ clientOid: target }] }, caller);
    else exchange.call('modifyOrder', { symbol: 'BTCUSDT', clientOid: target, newClientOid: clientOid, newPrice: at }, caller);
  }
}

/** A random operator command, valid or not. */
function operatorsMove(random: Random, price: string): [name: string, given: object] {
  const symbol = random.below(4) === 0 ? 'ETHUSDT' : 'BTCUSDT';
  const account = random.below(5) === 0 ? 'nobody' : random.below(2) === 0 ? 'alice' : 'bob';
  const order = { symbol, marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', orderType: 'LIMIT', size: '0.05', price };
  const moves: readonly [string, object][] = [
    ['call', { account, endpoint: 'E12', params: order }],
    ['cancel', { orderId: `fu-${1 + random.below(200)}` }],
    ['offline', { symbol: 'ETHUSDT' }],
    ['online', { symbol }],
    [random.below(4) === 0 ? 'freeze' : 'thaw', { symbol }],
    ['spike', { symbol, percent: random.below(40) - 20 }],
    ['margin-mode', { account, symbol, marginMode: 'ISOLATED' }],
    ['liquidate', { account, symbol, side: random.below(2) === 0 ? 'LONG' : 'SHORT' }],
    ['deposit', { account, wallet: 'futures', coin: 'USDT', amount: `${random.below(400) - 100}.00000001` }],
    ['deposit', { account, wallet: 'spot', coin: 'BTC', amount: '-0.5' }],
    ['withdrawal', { account, coin: 'USDT', amount: '12.5' }],
    ['nonsense', { symbol }],
  ];
  return moves[random.below(moves.length)]!;
}
