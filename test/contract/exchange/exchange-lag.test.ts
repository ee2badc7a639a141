/** Lagging reads show the venue as it was: compared with its answers at that time, across restarts and operator commands. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../../src/base/random.ts';
import { ENDPOINTS, type EndpointName } from '../../../src/contract/endpoints/endpoints.ts';
import type { SwitchValues } from '../../../src/contract/switches.ts';
import { openLedger, type Ledger } from '../../../src/edge/file/ledger/ledger.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createExchange, createVenueApi, type Exchange, type VenueApiOptions } from '../../../src/sim/api/api.ts';
import { withLags } from '../../../src/sim/api/lagged.ts';
import type { SimSpec } from '../../../src/sim/state/types.ts';
import { ALICE, BOB } from '../../support/exchange/exchange-client.ts';
import { instrumentsOf, SPECS, START } from '../../support/exchange/exchange-kit.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'lag-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const LAGS = { lagHistory: 900, lagPending: 400, lagPositions: 400 };

class Venue {
  time = START;
  readonly ledger: Ledger;
  readonly exchange: Exchange;

  constructor(path: string, switches: Partial<SwitchValues>) {
    const names = new Map([ALICE, BOB].map((one) => [one.key, one.name]));
    this.ledger = openLedger(path, { identity: 'x', clock: { now: () => this.time }, names, snapshotBytes: 60_000 });
    const instruments = instrumentsOf(SPECS);
    const accounts = [ALICE, BOB].map(({ name }) => ({ name, futures: '20000', spot: { USDT: '50000', BTC: '1' } }));
    const spec: SimSpec = { instruments, accounts, fillModel: 'touch', leverage: 10, historyLimit: 200, keepTrades: 100, crossing: true };
    const sim = new VenueSim(spec, this.ledger.sink);
    const keys = new Map([ALICE, BOB].map((one, index) => [one.key, index]));
    const options: VenueApiOptions = { instruments, clock: this.ledger.clock, accounts: keys, switches };
    this.exchange = withLags(createExchange(sim, createVenueApi(sim, options)), spec, options);
    this.ledger.start(this.exchange);
  }

  call(name: EndpointName, params: object, caller: string): any {
    const { method } = ENDPOINTS[name];
    const body = method === 'POST' ? JSON.stringify(params) : '';
    return this.ledger.handler(ENDPOINTS[name], { method, target: '', body, params, header: () => undefined, caller }).envelope.data;
  }

  reads(): { history: unknown; pending: unknown; positions: unknown } {
    const each = (name: EndpointName, params: object): unknown => [ALICE, BOB].map(({ key }) => this.call(name, params, key));
    return {
      history: each('orderHistory', { limit: '100' }),
      pending: each('pendingOrders', { limit: '100' }),
      positions: [each('positions', {}), each('symbolPositions', { symbol: 'BTCUSDT' })],
    };
  }
}

/** One step of both venues: the market, an order or cancel, or the operator. */
function step(venues: readonly Venue[], random: Random, count: number): void {
  const dice = random.below(12);
  const mid = 600_000 + random.below(100) - 50;
  const size = 5 + random.below(40);
  const caller = random.below(2) === 0 ? ALICE.key : BOB.key;
  const order = {
    symbol: 'BTCUSDT',
    marginMode: 'CROSS',
    size: `0.0${1 + random.below(9)}`,
    clientOid: `c-${count}`,
    side: random.below(2) === 0 ? 'LONG' : 'SHORT',
    tradeSide: random.below(3) === 0 ? 'CLOSE' : 'OPEN',
    orderType: 'LIMIT',
    price: ((mid + random.below(40) - 20) / 10).toFixed(1),
    presetStopLossPrice: random.below(4) === 0 ? '59990.0' : undefined,
  };
  const target = `c-${Math.max(0, count - 1 - random.below(20))}`;
  for (const { ledger, ...venue } of venues.map((one) => ({ ledger: one.ledger, time: one.time, one }))) {
    if (dice < 4) ledger.quote(0, mid - 1, size, mid + 1, size, venue.time);
    else if (dice < 5) ledger.trade(0, mid, size, size % 2, venue.time, count + 1);
    else if (dice < 6) ledger.advance(venue.time);
    else if (dice < 9) venue.one.call('placeOrder', order, caller);
    else if (dice < 11) venue.one.call('cancelOrders', { orderIdList: [{ clientOid: target }] }, caller);
    else ledger.command(size % 2 === 0 ? 'spike' : 'freeze', size % 2 === 0 ? { symbol: 'BTCUSDT', percent: 1 } : { symbol: 'ETHUSDT' });
  }
}

describe('lagging reads', () => {
  it.each([1, 2, 3])('answer what the venue answered at that time (seed %i)', (seed) => {
    const random = new Random(seed);
    const live = new Venue(join(folder, 'live'), {});
    let path = join(folder, 'late');
    let late = new Venue(path, LAGS);
    const seen: { readonly time: number; readonly answers: ReturnType<Venue['reads']> }[] = [];
    const asOf = (time: number): ReturnType<Venue['reads']> | undefined => seen.findLast((one) => one.time <= time)?.answers;
    let compared = 0;
    const shown = new Set<string>();
    for (let count = 0; count < 400; count++) {
      live.time += random.below(4) === 0 ? 0 : random.below(120);
      late.time = live.time;
      step([live, late], random, count);
      seen.push({ time: live.time, answers: live.reads() });
      if (count % 90 === 89) {
        // Killed after an answer (everything is on disk before it), and started again.
        late.reads();
        if (count % 180 === 89) late.ledger.snapshot();
        const copy = join(folder, `late-${count}`);
        cpSync(path, copy, { recursive: true, filter: (name) => !name.endsWith('lock') });
        path = copy;
        late = new Venue(path, LAGS);
        late.time = live.time;
      }
      const [then, before] = [asOf(live.time - 400), asOf(live.time - 900)];
      if (then === undefined || before === undefined) continue;
      expect(late.reads()).toEqual({ history: before.history, pending: then.pending, positions: then.positions });
      compared++;
      shown.add(JSON.stringify(then.pending));
    }
    expect(compared).toBeGreaterThan(350);
    expect(shown.size).toBeGreaterThan(100);
  });

  it('change only reads: the ledger equals that of a venue without lag', () => {
    const random = new Random(8);
    const venues = [new Venue(join(folder, 'a'), {}), new Venue(join(folder, 'b'), LAGS)];
    for (let count = 0; count < 300; count++) {
      for (const venue of venues) venue.time += 50;
      step(venues, random, count);
    }
    const [plain, late] = venues.map(
      (venue) => JSON.parse(JSON.stringify(venue.exchange.snapshot())) as { sim: unknown; venueApi: unknown },
    );
    expect({ sim: late!.sim, venueApi: late!.venueApi }).toEqual(plain);
  });

  it('start with the current state if enabled later, and end if disabled', () => {
    const path = join(folder, 'x');
    const first = new Venue(path, {});
    first.call(
      'placeOrder',
      {
        symbol: 'BTCUSDT',
        marginMode: 'CROSS',
        size: '0.01',
        clientOid: 'a',
        side: 'LONG',
        tradeSide: 'OPEN',
        orderType: 'LIMIT',
        price: '50000.0',
      },
      ALICE.key,
    );
    first.ledger.close();
    const second = new Venue(path, LAGS);
    const answers = second.reads();
    expect((answers.pending as any)[0].entrustedList).toHaveLength(1);
    second.ledger.close();
    const third = new Venue(path, {});
    expect(third.reads()).toEqual(answers);
    third.ledger.close();
  });
});
