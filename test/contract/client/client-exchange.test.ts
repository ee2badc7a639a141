import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import * as codes from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import { parseBaseUrl } from '../../../src/edge/http/base-url.ts';
import { VenueClient } from '../../../src/edge/http/call.ts';
import { HttpVenue } from '../../../src/edge/http/http-venue.ts';
import { HttpTransport } from '../../../src/edge/http/transport.ts';
import { startServer } from '../../../src/edge/serve/server.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { createVenueApi } from '../../../src/sim/api/api.ts';
import type { Dialect } from '../../../src/venue/dialect.ts';
import { dialectOf } from '../../../src/venue/registry/dialects.ts';
import { DIALECT_NAMES } from '../../../src/venue/names.ts';
import { RecordingInbox, type InboxEvent } from '../../support/exchange/scripted-venue.ts';
import { BTC, ETH, instrumentsOf, Recorder, SPOT_BTC, specOf } from '../../support/sim/sim-kit.ts';
import { NO_THROTTLE } from '../../support/engine/live-read-throttle.ts';

const clock = new LiveClock();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** The HTTP client against the paper exchange, over a real socket. */
async function tradeIn(dialect: Dialect): Promise<{
  /** What the exchange still waits for; null: nothing. */
  start: { missing: string | null };
  sim: VenueSim;
  venue: HttpVenue;
  run: (fields: Partial<Command>) => Promise<InboxEvent>;
  ask: (query: Query) => Promise<Answer>;
}> {
  const instruments = instrumentsOf(BTC, ETH, { ...SPOT_BTC, symbol: 'BTCUSDT' });
  const sim = new VenueSim(specOf(instruments), new Recorder());
  sim.quote(0, 400_000, 5_000, 400_001, 5_000, clock.now());
  sim.quote(1, 300_000, 5_000, 300_001, 5_000, clock.now());
  sim.quote(2, 4_000_000, 5_000_000, 4_000_001, 5_000_000, clock.now());
  const venueApi = createVenueApi(sim, { dialect, instruments, clock, accounts: new Map([['key', 0]]), checkReplies: true });
  const accounts = [{ key: 'key', secret: 'secret', passphrase: 'pass' }];
  const start = { missing: null as string | null };
  const waitsFor = (): string | null => start.missing;
  const server = await startServer({ dialect, handler: venueApi.handler, accounts, waitsFor, now: () => clock.now(), port: 0 });
  const transport = new HttpTransport({ base: parseBaseUrl(server.url), clock });
  const credentials = { key: new Secret('key'), secret: new Secret('secret'), passphrase: new Secret('pass') };
  const client = new VenueClient({ transport, clock, credentials, dialect });
  const quiet = (): void => undefined;
  const log: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const venue = new HttpVenue({ client, dialect, turns: NO_THROTTLE, clock, log, instruments, clientIdOf: (seq) => `tw-1-${seq}` });
  const inbox = new RecordingInbox();
  venue.attach(inbox, inbox);
  closers.push(
    () => server.close(100),
    () => transport.close(),
  );
  let count = 0;
  const next = async (): Promise<InboxEvent> => (await inbox.until(++count))[count - 1] as InboxEvent;
  return {
    start,
    sim,
    venue,
    run: (fields) => {
      venue.execute(Object.assign(emptyCommand(), fields) as Approved<Command>);
      return next();
    },
    ask: async (query) => {
      venue.query(query);
      const event = await next();
      if (event.kind !== 'answered') throw new Error(`an answer was expected, found ${JSON.stringify(event)}`);
      return event.answer;
    },
  };
}

const buy = { kind: codes.PLACE, instrument: 0, side: codes.LONG, effect: codes.OPEN, type: codes.LIMIT, size: 100 };

describe.each(DIALECT_NAMES)('on the paper exchange, in the dialect %s', (name) => {
  const dialect = dialectOf(name);
  const trade = (): ReturnType<typeof tradeIn> => tradeIn(dialect);

  it('an order rests, is listed, is modified, is cancelled, and appears in history', async () => {
    const { run, ask } = await trade();
    const placed = await run({ ...buy, seq: 1, price: 399_000 });
    expect(placed).toMatchObject({ kind: 'accepted', seq: 1 });
    const pending = await ask({ kind: 'pending', instrument: -1 });
    expect(pending).toMatchObject({
      orders: [{ instrument: 0, clientId: 'tw-1-1', price: 399_000, size: 100, status: 'open', side: codes.LONG, effect: codes.OPEN }],
    });
    const venueId = placed.kind === 'accepted' ? placed.venueId : '';
    expect(
      await run({ kind: codes.MODIFY, instrument: 0, seq: 2, target: 1, targetVenueId: venueId, price: 398_000, size: 100 }),
    ).toMatchObject({
      kind: 'accepted',
      seq: 2,
    });
    expect(await ask({ kind: 'pending', instrument: 0 })).toMatchObject({ orders: [{ clientId: 'tw-1-2', price: 398_000, size: 100 }] });
    expect(await run({ kind: codes.CANCEL, instrument: 0, seq: 3, target: 2 })).toMatchObject({ kind: 'accepted', seq: 3 });
    expect(await run({ kind: codes.CANCEL, instrument: 0, seq: 4, target: 2 })).toMatchObject({
      kind: 'rejected',
      seq: 4,
      rejection: { reason: 'order-not-found' },
    });
    expect(await ask({ kind: 'pending', instrument: -1 })).toEqual({ kind: 'pending', orders: [] });
    expect(await ask({ kind: 'history', instrument: 0, clientId: 'tw-1-2', since: 0 })).toMatchObject({
      orders: [{ clientId: 'tw-1-2', status: 'cancelled' }],
    });
  });

  it('a write that it refuses while it starts is unknown: a 503 of a venue proves nothing, and reads show that there is no order', async () => {
    const { start, run, ask } = await trade();
    start.missing = '1 of 2 records of its ledger are read';
    const fields = { seq: 1, price: 399_000 };
    expect(await run({ ...buy, ...fields })).toMatchObject({ kind: 'unknown', seq: 1, cause: 'unavailable' });
    start.missing = null;
    expect(await ask({ kind: 'pending', instrument: 0 })).toEqual({ kind: 'pending', orders: [] });
    expect(await ask({ kind: 'history', instrument: 0, clientId: 'tw-1-1', since: 0 })).toEqual({ kind: 'history', orders: [] });
    expect(await run({ ...buy, ...fields })).toMatchObject({ kind: 'accepted', seq: 1 });
  });

  it('a fill appears in position, account and history, exact to the last digit', async () => {
    const { run, ask } = await trade();
    await run({ ...buy, seq: 1, type: codes.MARKET });
    expect(await ask({ kind: 'positions', instrument: -1 })).toMatchObject({
      positions: [{ instrument: 0, side: codes.LONG, total: 100, available: 100, locked: 0, entryPrice: 40_000.1 }],
    });
    expect(await ask({ kind: 'positions', instrument: 0 })).toMatchObject({ positions: [{ total: 100 }] });
    expect(await ask({ kind: 'history', instrument: 0, clientId: 'tw-1-1', since: 0 })).toMatchObject({
      orders: [{ status: 'filled', averagePrice: 40_000.1, fee: 240_000_600 }],
    });
    const answer = await ask({ kind: 'account', instrument: 0 });
    if (answer.kind !== 'account') throw new Error('an account was expected');
    const { equity, available, locked, unrealised } = answer.account;
    expect(equity).toBe(available + locked + unrealised);
    expect(equity).toBe(10_000_000_000_000 - 240_000_600 + unrealised);
  });

  it('more orders than one page are all read', async () => {
    const { venue, run, ask } = await trade();
    for (let seq = 1; seq <= 120; seq++) await run({ ...buy, seq, size: 1, price: 390_000 + seq });
    const answer = await ask({ kind: 'pending', instrument: -1 });
    if (answer.kind !== 'pending') throw new Error('orders were expected');
    expect(new Set(answer.orders.map((order) => order.clientId)).size).toBe(120);
    expect(venue.counts().endpoints.E18?.requests).toBe(2);
  });

  it('market data come in ticks and lots', async () => {
    const { sim, ask } = await trade();
    for (let i = 1; i <= 5; i++) sim.trade(0, 400_000 + (i % 2), i, codes.BUY, clock.now(), i);
    const all = await ask({ kind: 'quotes', instrument: -1 });
    expect(all).toMatchObject({
      quotes: [
        { instrument: 0, bid: 400_000, bidSize: 5_000, ask: 400_001 },
        { instrument: 1, bid: 300_000 },
      ],
    });
    expect(await ask({ kind: 'quotes', instrument: 1 })).toMatchObject({ quotes: [{ instrument: 1 }] });
    const trades = await ask({ kind: 'trades', instrument: 0, before: '', limit: 1000 });
    expect(trades.kind === 'trades' && new Set(trades.trades.map((one) => one.size))).toEqual(new Set([1, 2, 3, 4, 5]));
    expect(await ask({ kind: 'stats', instrument: 0 })).toMatchObject({ kind: 'stats', stats: [{ instrument: 0, last: 400_001 }] });
  });

  it('every other command is accepted', async () => {
    const { run } = await trade();
    const plan = { kind: codes.PLACE_TRIGGER, instrument: 0, side: codes.LONG, size: 10, trigger: 450_000, seq: 1 };
    expect(await run(plan)).toMatchObject({ kind: 'accepted', venueId: expect.stringMatching(/^fu-plan-/) as string });
    expect(await run({ kind: codes.CANCEL_TRIGGER, instrument: 0, seq: 2, target: 1 })).toMatchObject({ kind: 'accepted' });
    expect(await run({ kind: codes.SET_MARGIN_MODE, instrument: 0, seq: 3, marginMode: codes.ISOLATED })).toMatchObject({
      kind: 'accepted',
    });
    expect(await run({ ...buy, seq: 4, type: codes.MARKET, marginMode: codes.ISOLATED })).toMatchObject({ kind: 'accepted' });
    expect(await run({ kind: codes.ADJUST_MARGIN, instrument: 0, seq: 5, side: codes.LONG, amount: 1_000_000_001 })).toMatchObject({
      kind: 'accepted',
    });
    expect(await run({ kind: codes.ADJUST_MARGIN, instrument: 0, seq: 6, side: codes.SHORT, amount: 1 })).toMatchObject({
      kind: 'rejected',
      rejection: { reason: 'no-position' },
    });
    const spot = await run({
      kind: codes.PLACE_SPOT,
      instrument: 2,
      seq: 7,
      side: codes.BUY,
      type: codes.LIMIT,
      price: 3_900_000,
      size: 10_000,
    });
    expect(spot).toMatchObject({ kind: 'accepted' });
    const targetVenueId = spot.kind === 'accepted' ? spot.venueId : '';
    expect(await run({ kind: codes.CANCEL_SPOT, instrument: 2, seq: 8, target: 7, targetVenueId })).toMatchObject({ kind: 'accepted' });
  });

  it('a record of a partly filled order has a filled size where the dialect has one', async () => {
    const { run, ask } = await trade();
    await run({ ...buy, seq: 1, price: 400_001, size: 8_000 });
    const answer = await ask({ kind: 'pending', instrument: -1 });
    const [order] = answer.kind === 'pending' ? answer.orders : [];
    const position = await ask({ kind: 'positions', instrument: 0 });
    const [leg] = position.kind === 'positions' ? position.positions : [];
    expect(leg!.total).toBeGreaterThan(0);
    expect(order).toMatchObject({ status: 'partial', clientId: 'tw-1-1' });
    expect(order!.filled).toBe(name === 'mix-v2' ? leg!.total : undefined);
    expect(Math.sign(order!.fee), 'a fee that was paid is above zero in every dialect').toBe(1);
  });

  it('refusals arrive as reasons', async () => {
    const { run } = await trade();
    await run({ ...buy, seq: 1, price: 399_000 });
    expect(await run({ ...buy, seq: 1, price: 399_000 })).toMatchObject({
      kind: 'rejected',
      rejection: { reason: 'duplicate-client-id', code: name === 'mix-v2' ? '40786' : '40011' },
    });
    expect(await run({ ...buy, seq: 2, size: 99_000, price: 399_000 })).toMatchObject({
      kind: 'rejected',
      rejection: { reason: 'insufficient-balance' },
    });
    expect(await run({ ...buy, seq: 3, effect: codes.CLOSE, price: 410_000 })).toMatchObject({
      kind: 'rejected',
      rejection: { reason: 'no-position' },
    });
    expect(await run({ ...buy, seq: 4, force: 1, price: 410_000 })).toMatchObject({
      kind: 'rejected',
      rejection: { reason: 'would-take' },
    });
  });
});
