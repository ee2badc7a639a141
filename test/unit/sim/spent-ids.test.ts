import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../../src/contract/endpoints/endpoints.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createVenueApi } from '../../../src/sim/api/api.ts';
import { SpentIds } from '../../../src/sim/state/ids/spent-ids.ts';
import { ClientIds } from '../../../src/sim/state/ids/wire-ids.ts';
import { BTC, instrumentsOf, specOf } from '../../support/sim/sim-kit.ts';

describe('ids of forgotten orders', () => {
  it('are recognised by the half million and more, others are not, and memory is limited', () => {
    const spent = new SpentIds();
    const many = 1_300_000;
    for (let k = 0; k < many; k++) spent.add(`0 bot-1-${k.toString(36)}`);
    let foreign = 0;
    for (let k = many - 524_288; k < many; k += 7) expect(spent.has(`0 bot-1-${k.toString(36)}`)).toBe(true);
    for (let k = 0; k < 100_000; k++) if (spent.has(`1 bot-1-${k.toString(36)}`)) foreign++;
    expect(foreign).toBe(0);
    const [young, old] = JSON.parse(JSON.stringify(spent.snapshot())) as number[][];
    expect(young!.length + old!.length).toBeLessThan(4 * 524_288);
  });

  it('are the same after a snapshot', () => {
    const spent = new SpentIds();
    for (let k = 0; k < 5_000; k++) spent.add(String(k));
    const copy = new SpentIds();
    copy.restore(JSON.parse(JSON.stringify(spent.snapshot())));
    for (let k = 0; k < 5_000; k++) expect(copy.has(String(k))).toBe(true);
    expect([copy.has('5000'), copy.has(''), spent.has('-1')]).toEqual([false, false, false]);
  });
});

it('a client id stays used long after the venue has forgotten its order', () => {
  const instruments = instrumentsOf(BTC);
  const sim = new VenueSim(specOf(instruments, { historyLimit: 20 }), null);
  const venueApi = createVenueApi(sim, { instruments, clock: { now: () => 1 }, accounts: new Map([['key', 0]]) });
  sim.quote(0, 400_000, 5_000, 400_010, 5_000, 1);
  const ask = (name: 'placeOrder' | 'cancelOrders', params: object): string => {
    const endpoint = ENDPOINTS[name];
    const request = { method: endpoint.method, target: '', body: '', params, header: () => undefined, caller: 'key' };
    return venueApi.handler(endpoint, request).envelope.code;
  };
  const order = { symbol: 'BTCUSDT', marginMode: 'CROSS', side: 'LONG', tradeSide: 'OPEN', size: '0.001', orderType: 'LIMIT' };
  const place = (clientOid: string): string => ask('placeOrder', { ...order, price: '30000.0', clientOid });
  expect(place('rests')).toBe('00000');
  for (let k = 0; k < 5_000; k++) {
    expect(place(`id-${k}`)).toBe('00000');
    expect(ask('cancelOrders', { orderIdList: [{ clientOid: `id-${k}` }] })).toBe('00000');
  }
  expect(sim.order(2)).toBeNull();
  expect([place('id-0'), place('id-4999'), place('rests'), place('new')]).toEqual(['40011', '40011', '40011', '00000']);
  expect(venueApi.idsOf(sim.order(1)!).clientOid).toBe('rests');
  const { claims } = (JSON.parse(JSON.stringify(venueApi.snapshot())) as { ids: { claims: unknown[] } }).ids;
  expect(claims.length).toBeLessThan(2_000);
});

describe('client ids over a sweep', () => {
  const use = (ids: ClientIds, account: number, id: string, orderNo: number): number => {
    const tag = ids.claim(id);
    ids.bind(account, id, orderNo);
    return tag;
  };

  it('stay with known orders, and stay used without them', () => {
    const ids = new ClientIds();
    const kept = use(ids, 0, 'kept', 1);
    const gone = use(ids, 0, 'gone', 2);
    use(ids, 1, 'kept', 3);
    ids.sweep(new Set([kept]));
    expect([ids.idOf(kept), ids.orderOf(0, 'kept'), ids.isSpent(0, 'kept')]).toEqual(['kept', 1, false]);
    expect([ids.idOf(gone), ids.orderOf(0, 'gone'), ids.isSpent(0, 'gone')]).toEqual(['', 0, true]);
    expect([ids.orderOf(1, 'kept'), ids.isSpent(1, 'kept'), ids.isSpent(1, 'gone')]).toEqual([0, true, false]);
  });

  it('of an id of two orders: the newer one has it', () => {
    const ids = new ClientIds();
    const first = use(ids, 0, 'same', 1);
    const second = use(ids, 0, 'same', 2);
    const copy = new ClientIds();
    copy.restore(JSON.parse(JSON.stringify(ids.snapshot())));
    for (const one of [ids, copy]) {
      expect(one.orderOf(0, 'same')).toBe(2);
      one.sweep(new Set([second]));
      expect([one.idOf(first), one.orderOf(0, 'same'), one.isSpent(0, 'same')]).toEqual(['', 2, false]);
    }
  });

  it('is due after 16,384 more, however many remained', () => {
    const ids = new ClientIds();
    const tags = new Set(Array.from({ length: 40_000 }, (_, k) => use(ids, 0, `a${k}`, k + 1)));
    ids.sweep(tags);
    for (let k = 1; k < 16_384; k++) use(ids, 0, `b${k}`, k);
    expect(ids.isSweepDue).toBe(false);
    use(ids, 0, 'one more', 1);
    expect(ids.isSweepDue).toBe(true);
  });

  it('is due when there are twice as many as remained', () => {
    const ids = new ClientIds();
    const tags = Array.from({ length: 4_095 }, (_, k) => use(ids, 0, `a${k}`, k + 1));
    expect(ids.isSweepDue).toBe(false);
    tags.push(use(ids, 0, 'last', 5_000));
    expect(ids.isSweepDue).toBe(true);
    ids.sweep(new Set(tags));
    expect(ids.isSweepDue).toBe(false);
    for (let k = 0; k < 4_096; k++) use(ids, 0, `b${k}`, 6_000 + k);
    expect(ids.isSweepDue).toBe(true);
  });
});
