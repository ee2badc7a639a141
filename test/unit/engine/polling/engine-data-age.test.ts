/** An opening command is sent only while its market data is fresh, however long it waits for its turn or its connection. */
import { expect, test } from 'vitest';
import { CLOSE, LIMIT, OPEN, PLACE } from '../../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../../src/domain/orders/command.ts';
import type { VenueClient } from '../../../../src/edge/http/call.ts';
import { HttpVenue } from '../../../../src/edge/http/http-venue.ts';
import { OrderThrottle } from '../../../../src/engine/polling/order-throttle.ts';
import { btc, ManualClock, MemoryLog, pushedRig, RecordingVenue, type Rig } from '../../../support/engine/engine-kit.ts';
import { NO_THROTTLE } from '../../../support/engine/live-read-throttle.ts';

const RISK = { staleAfterMs: 1_000 };
const TIMINGS = { marketValidMs: 5_000, limitValidMs: 5_000, closeValidMs: 20_000 };

/** Time passes without a new quote. */
function pass({ clock, kernel }: Rig, ms: number): void {
  clock.time += ms;
  kernel.inbox.onTrade(0, 10_001, 1, 0);
}

test('an open may be sent while its quote is fresh, a close for its whole validity [P5]', () => {
  const r = pushedRig({}, { risk: RISK, timings: TIMINGS });
  const [m] = r.ctx().markets;
  const held = r.ctx().open(m!, 'LONG', { size: '0.01' });
  r.venue.accepted(held, 'v1');
  r.venue.pushedFill(held, 10, 10_000);
  pass(r, 600);
  r.ctx().open(m!, 'LONG', { size: '0.01' });
  r.ctx().limit(m!, 'LONG', 'OPEN', 999, '0.01');
  r.ctx().close(m!, 'LONG');
  pass(r, 400);
  const last = r.ctx().limit(m!, 'LONG', 'OPEN', 998, '0.01');
  expect(last).toBeGreaterThan(0);
  expect(r.venue.commands.map(({ validMs }) => validMs)).toEqual([1_000, 400, 400, 20_000, 1]);
  const fresh = pushedRig({}, { risk: { staleAfterMs: 60_000 }, timings: TIMINGS });
  fresh.ctx().limit(fresh.ctx().markets[0]!, 'LONG', 'OPEN', 999, '0.01');
  expect(fresh.venue.last().validMs).toBe(5_000);
});

test('a modify that opens more is limited by the age of the quote [P5]', () => {
  const r = pushedRig({}, { risk: RISK, timings: TIMINGS });
  const [m] = r.ctx().markets;
  const n = r.ctx().limit(m!, 'LONG', 'OPEN', 999, '0.01');
  r.venue.accepted(n, 'v1');
  pass(r, 700);
  r.ctx().modify(n, { limit: 999.5 });
  expect(r.venue.last().validMs).toBe(300);
});

test('an open that waits in the throttle beyond the age of its quote is never sent [P5]', () => {
  const clock = new ManualClock();
  const venue = new RecordingVenue();
  const throttle = new OrderThrottle({ orders: venue, clock, rates: { order: 10, spot: 10, margin: 10 } });
  const unsent: [number, string][] = [];
  throttle.connect({ take: ({ seq, text }) => void unsent.push([seq, text]) });
  const r = pushedRig({}, { risk: RISK, timings: TIMINGS, orders: throttle, clock });
  const [m] = r.ctx().markets;
  throttle.backOff('order', 'open', clock.time + 900);
  clock.time += 300;
  const n = r.ctx().limit(m!, 'LONG', 'OPEN', 999, '0.01');
  clock.time += 699;
  throttle.drain(clock.time);
  expect([venue.commands.length, unsent]).toEqual([1, []]);
  throttle.backOff('order', 'open', clock.time + 900);
  r.kernel.inbox.onQuote(0, 10_000, 5_000, 10_002, 5_000);
  const late = r.ctx().limit(m!, 'LONG', 'OPEN', 999, '0.01');
  clock.time += 1_001;
  throttle.drain(clock.time);
  expect([venue.commands.map(({ seq }) => seq), unsent]).toEqual([[n], [[late, 'expired-in-queue']]]);
});

test.each([
  [OPEN, 'expired'],
  [CLOSE, null],
] as const)('a command of effect %i that waits too long for a connection: %s [P5]', (effect, told) => {
  const clock = new ManualClock();
  let veto: (() => string | null) | undefined;
  let why: string | null = null;
  const client = {
    call: (_endpoint: unknown, _params: unknown, options: { veto?: () => string | null }) => {
      veto = options.veto;
      return new Promise(() => undefined);
    },
  } as unknown as VenueClient;
  const venue = new HttpVenue({
    client,
    turns: NO_THROTTLE,
    clock,
    log: new MemoryLog(),
    instruments: [btc()],
    clientIdOf: (seq) => `tw-1-${seq}`,
    crossWord: 'CROSS',
    vetoOf: () => why,
  });
  venue.attach({} as never, {} as never);
  const command: Command = {
    ...emptyCommand(),
    kind: PLACE,
    type: LIMIT,
    effect,
    seq: 1,
    price: 9_990,
    size: 10,
    time: clock.time,
    validMs: 400,
  };
  venue.execute(command as Approved<Command>);
  clock.time += 400;
  expect(veto?.()).toBe(null);
  clock.time += 1;
  expect(veto?.()).toBe(told);
  why = 'leg-was-flat';
  expect(veto?.()).toBe(told ?? 'leg-was-flat');
});
