/** A backtest of a session gives each message the time that the recording shows. */
import { expect, it } from 'vitest';
import { CANCEL, LONG, OPEN, PLACE } from '../../../src/domain/codes.ts';
import { emptyCommand, type Approved, type Command } from '../../../src/domain/orders/command.ts';
import type { OrderReport, TradeReport } from '../../../src/domain/report.ts';
import type { Lots, Millis, Ticks } from '../../../src/domain/amounts/units.ts';
import { defaultConfig } from '../../../src/config/defaults.ts';
import { EVENT_NAMES } from '../../../src/engine/event.ts';
import type { Query } from '../../../src/ports/venue.ts';
import { ACCEPTED, ANSWERED } from '../../../src/ports/venue-event.ts';
import { SayingVenue } from '../../support/engine/saying-venue.ts';
import type { BacktestPort } from '../../../src/run/backtest/venue/backtest-port.ts';
import { VirtualClock } from '../../../src/run/backtest/venue/virtual-clock.ts';
import { RecordedPort } from '../../../src/run/live/counterfactual/recorded-port.ts';
import { Recording } from '../../../src/run/live/counterfactual/recording.ts';
import { ASK, COMMAND, HEAD, recordedConfig, type Head } from '../../../src/run/session/entries.ts';

const { bot } = defaultConfig();

const command = (kind: number, seq: number, time: number, target = 0): Command => ({
  ...emptyCommand(),
  kind,
  seq,
  time,
  target,
  instrument: 0,
  side: LONG,
  effect: OPEN,
});

const historyOf = (clientId: string): Query => ({ kind: 'history', instrument: 0, clientId, since: 0 });

/** Order 1 is placed and cancelled; a read shows both. Of the cancel of order 9 no read shows when it arrived. */
function recorded(): Recording {
  const ids = { epochs: [{ epoch: 7, from: 1 }], lostUpTo: 0, seen: 0 };
  const head: Partial<Head> = { kind: HEAD, config: recordedConfig(defaultConfig()), ids, instruments: [] };
  const recording = new Recording(head as Head);
  const took = (one: Command, until: number): void => {
    recording.take({ kind: COMMAND, body: one });
    recording.take({ kind: ACCEPTED, at: until, seq: one.seq });
  };
  took(command(PLACE, 1, 1_000), 1_030);
  took(command(CANCEL, 2, 1_200, 1), 1_240);
  took(command(CANCEL, 3, 1_300, 9), 1_340);
  recording.take({ kind: ASK, body: { ...historyOf(`${bot}-7-1`) } });
  const order: Partial<OrderReport> = {
    clientId: `${bot}-7-1`,
    createdAt: 1_024 as Millis,
    status: 'cancelled',
    updatedAt: 1_231 as Millis,
  };
  const answer = { kind: 'history', orders: [order as OrderReport], next: '' } as const;
  recording.take({ kind: ANSWERED, at: 1_420, query: 1, sentAt: 1_410, venueTime: 1_416, answer });
  recording.end();
  return recording;
}

it('the records of an order show when it and its cancel arrived; other commands were on the way up for the same part of their time', () => {
  const { tripOf } = recorded();
  expect([1, 2, 3].map((seq) => tripOf.get(seq))).toEqual([
    { sentAt: 1_000, up: 24, down: 6 },
    { sentAt: 1_200, up: 31, down: 9 },
    // 55 of 70 ms of the first two were the way up.
    { sentAt: 1_300, up: 31, down: 9 },
  ]);
});

it('a command or a read takes as long as the same one of the session, whatever its number is called there', () => {
  const clock = new VirtualClock();
  const seen: unknown[] = [];
  const [orders, reads] = [new SayingVenue(), new SayingVenue()];
  const behind: BacktestPort = {
    nextDue: Infinity,
    run: () => undefined,
    connect: (outcomes, answers) => void ([orders.inbox, reads.inbox] = [outcomes, answers]),
    execute: ({ seq }) => {
      seen.push(['arrived', seq, clock.time]);
      orders.accepted(seq, 'id');
    },
    query: (query) => {
      seen.push(['asked', query.kind, clock.time]);
      reads.answered(query, { kind: 'history', orders: [], next: '' } as never, clock.time, clock.time);
    },
  };
  const uses = { latency: true, polls: false, refusals: false, unknowns: false };
  const port = new RecordedPort({ port: behind, clock, recording: recorded(), uses, sent: () => undefined, timedFrom: 900 });
  port.connect(
    { take: ({ kind, seq }) => void seen.push([EVENT_NAMES[kind], seq, clock.time]) },
    { take: ({ kind, query, sentAt }) => void seen.push([EVENT_NAMES[kind], query!.kind, clock.time, 'sent', sentAt]) },
  );
  const until = (time: number): void => {
    for (; port.nextDue <= time; port.run()) clock.time = port.nextDue;
    clock.time = time;
  };
  until(800);
  port.execute(command(PLACE, 0, 800) as Approved<Command>);
  until(1_005);
  port.execute(command(PLACE, 1, 1_005) as Approved<Command>);
  // The session has no cancel of this number: the nearest cancel is taken, and not the order before it.
  until(1_050);
  port.execute(command(CANCEL, 5, 1_050, 1) as Approved<Command>);
  until(1_400);
  port.query(historyOf(`${bot}-0-1`));
  until(2_000);
  expect(seen).toEqual([
    ['arrived', 0, 800],
    ['accepted', 0, 800],
    ['arrived', 1, 1_029],
    ['accepted', 1, 1_035],
    ['arrived', 5, 1_081],
    ['accepted', 5, 1_090],
    ['asked', 'history', 1_416],
    ['answered', 'history', 1_420, 'sent', 1_410],
  ]);
});

it('a page of trades that the session did not ask for has the trades that it saw', () => {
  const recording = new Recording({ ...recorded().head });
  const trade = (id: number): TradeReport => ({
    instrument: 0,
    price: 1 as Ticks,
    size: 1 as Lots,
    aggressor: 0,
    venueTime: 1_000 as Millis,
    tradeId: String(id),
  });
  const pages: readonly (readonly [before: string, ids: readonly number[]])[] = [
    ['', [12, 11]],
    ['11', [10, 9, 8]],
    ['', [14, 13, 12]],
  ];
  for (const [k, [before, ids]] of pages.entries()) {
    recording.take({ kind: ASK, body: { kind: 'trades', instrument: 0, before, limit: 3 } });
    const answer = { kind: 'trades', trades: ids.map(trade) } as const;
    recording.take({ kind: ANSWERED, at: 1_000 + 100 * k, query: k + 1, sentAt: 990 + 100 * k, venueTime: 996 + 100 * k, answer });
  }
  recording.end();
  const clock = new VirtualClock();
  clock.time = 1_150;
  const behind = { nextDue: Infinity, run: () => undefined, connect: () => undefined } as unknown as BacktestPort;
  const uses = { latency: false, polls: true, refusals: false, unknowns: false };
  const port = new RecordedPort({ port: behind, clock, recording, uses, sent: () => undefined });
  const seen: unknown[] = [];
  port.connect(
    { take: () => undefined },
    { take: ({ answer }) => void seen.push([clock.time, answer?.kind === 'trades' ? answer.trades.map(({ tradeId }) => tradeId) : null]) },
  );
  // The second of these was asked and answered earlier in the session.
  for (const before of ['12', '11', '8']) port.query({ kind: 'trades', instrument: 0, before, limit: 3 });
  for (; port.nextDue <= 2_000; port.run()) clock.time = port.nextDue;
  expect(seen).toEqual([
    [1_160, ['11', '10', '9']],
    [1_160, ['10', '9', '8']],
    [1_160, []],
  ]);
});
