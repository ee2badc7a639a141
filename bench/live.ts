/**
 * Measures the live path in one process: from a parsed poll answer to the bytes of an order in the socket, with the durable journal in
 * between. Real kernel, risk rules, SQLite store, signer and HTTP client; the other end of the socket is a process that accepts
 * everything. `node bench/live.ts [seconds]`; quotes are answered a thousand times
 * a second, every fifth answer makes the strategy place an order. The session is recorded in every second slice of a second, so that the
 * cost of the recording is a difference between slices of one process.
 */
import { ClientIds } from '../src/domain/client-ids.ts';
import { fork } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret } from '../src/base/secret.ts';
import { defaultConfig } from '../src/config/defaults.ts';
import type { AccountReport, QuoteReport } from '../src/domain/report.ts';
import type { Lots, Millis, Money, Ticks } from '../src/domain/units.ts';
import { openEmbeddedStore } from '../src/edge/embedded/store.ts';
import { createLog } from '../src/edge/log/log.ts';
import { LiveClock } from '../src/edge/time/live-clock.ts';
import { StepClock } from '../src/run/setup/step-clock.ts';
import { Kernel } from '../src/engine/kernel.ts';
import { OrderLane } from '../src/engine/polling/lane.ts';
import { recordingJournal } from '../src/engine/recovery/records.ts';
import { defineStrategy } from '../src/index.ts';
import type { Answer, Inbox, Query, Venue } from '../src/ports/venue.ts';
import { pollSettings, riskLimits } from '../src/run/setup/bot-parts.ts';
import { connectVenue } from '../src/run/bot/connect.ts';
import { DurableGate } from '../src/run/bot/durable-gate.ts';
import { instrumentsOf } from '../src/run/setup/instruments.ts';
import { EventLoop } from '../src/run/bot/event-loop.ts';
import { type EventTaker, KernelInbox } from '../src/engine/inbox.ts';
import { HEAD, recordedConfig } from '../src/run/session/entries.ts';
import { environmentOf } from '../src/run/session/environment.ts';
import { Recorder } from '../src/run/session/recorder.ts';
import { orderFloor } from './floor.ts';

const EVERY = 5;
const KEEP = 8;
const SLICE_MS = 1_000;

/** Places a small order on every fifth quote, and cancels the oldest when there are many. */
const placer = defineStrategy({
  name: 'placer',
  create() {
    let seen = 0;
    const mine: number[] = [];
    return {
      onQuote(market, ctx) {
        if (++seen % EVERY !== 0) return;
        mine.push(ctx.limit(market, 'LONG', 'OPEN', market.bid - 10 * market.tick, 0.001));
        if (mine.length > KEEP) ctx.cancel(mine.shift()!);
      },
    };
  },
});

/** Accepts every write, with ids as a venue gives them. */
function accepter(): void {
  let next = 1;
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => (text += String(part)));
    request.on('end', () => {
      const body = JSON.parse(text || '{}') as { clientOid?: string; orderIdList?: { clientOid?: string; orderId?: string }[] };
      const data =
        body.orderIdList === undefined
          ? { orderId: `fu-${next++}`, clientOid: body.clientOid }
          : { successList: body.orderIdList.map((o) => ({ orderId: o.orderId ?? 'fu-0', clientOid: o.clientOid ?? '' })), failureList: [] };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ code: '00000', msg: 'success', requestTime: Date.now(), data }));
    });
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? Number.NaN;
}

/** Sums the time that the recorder takes, without the parts of the bot that it calls. */
class Stopwatch {
  ms = 0;

  time(work: () => void): void {
    const from = performance.now();
    work();
    this.ms += performance.now() - from;
  }

  leaveOut(work: () => void): void {
    const from = performance.now();
    work();
    this.ms -= performance.now() - from;
  }
}

/** What slices without recording, or those with it, measured. */
class Slices {
  readonly orders: number[] = [];
  /** CPU of the process for each answer, one figure per slice. */
  readonly cpuUs: number[] = [];

  get cpu(): number {
    return Math.round(quantile(this.cpuUs, 0.5) * 10) / 10;
  }
}

async function measure(seconds: number, port: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-live-'));
  const defaults = defaultConfig();
  const config = {
    ...defaults,
    venue: { ...defaults.venue, baseUrl: `http://127.0.0.1:${port}` },
    limits: { public: 1e6, private: 1e6 },
    poll: { ...defaults.poll, quotes: 1, stats: 0 },
    risk: { ...defaults.risk, maxOpenOrders: 1_000 },
  };
  const instruments = instrumentsOf(config.instruments);
  const clock = new LiveClock();
  const moment = new StepClock(clock);
  const log = createLog({ level: 'error', form: 'json' });
  const identity = { bot: 'bench', epoch: 1 };
  const credentials = { key: new Secret('key'), secret: new Secret('secret'), passphrase: new Secret('pass') };
  const ids = ClientIds.begin(identity);
  const store = openEmbeddedStore({ folder });
  const inbox: Inbox = {
    accepted: (...a) => turns.take(() => events.accepted(...a)),
    rejected: (...a) => turns.take(() => events.rejected(...a)),
    unsent: (...a) => turns.take(() => events.unsent(...a)),
    unknown: (...a) => turns.take(() => events.unknown(...a)),
    answered: (...a) => turns.take(() => events.answered(...a)),
    failed: (...a) => turns.take(() => events.failed(...a)),
  };
  const connection = connectVenue({
    config,
    credentials,
    ids,
    instruments,
    clock,
    log,
    inbox,
    moment,
    onWaiting: () => undefined,
    onRateLimit: () => undefined,
  });
  // Questions are answered here, those about quotes as often as the poller asks; writes take the real way.
  let taken = 0;
  let started = 0;
  const answerQuotes = (query: Query): void => {
    const bid = 600_000 + (taken % 50);
    const quote: QuoteReport = {
      instrument: 0,
      bid: bid as Ticks,
      bidSize: 500 as Lots,
      ask: (bid + 1) as Ticks,
      askSize: 500 as Lots,
      venueTime: clock.now() as Millis,
    };
    taken++;
    watch.ms = 0;
    started = performance.now();
    inbox.answered(query, { kind: 'quotes', quotes: [quote] }, clock.now(), clock.now());
  };
  const venue = {
    execute: (command: Parameters<typeof connection.venue.execute>[0]): void => connection.venue.execute(command),
    query(query: Query): void {
      if (query.kind === 'quotes') setImmediate(answerQuotes, query);
      else queueMicrotask(() => inbox.answered(query, emptyAnswer(query), clock.now(), clock.now()));
    },
  };
  const gate = new DurableGate(store, await store.last(), venue, inbox);
  const lane = new OrderLane({ venue: gate, clock, rates: { order: Infinity, spot: Infinity, margin: Infinity } });
  lane.connect(inbox);
  const watch = new Stopwatch();
  let recorder: Recorder | null = null;
  let recordedVenue: Venue = lane;
  const kernel = new Kernel({
    instruments,
    venue: {
      execute: (command) => recordedVenue.execute(command),
      query: (query) => recordedVenue.query(query),
    },
    clock,
    log,
    journal: recordingJournal(instruments, (record) => {
      watch.time(() => recorder?.journal(record));
      gate.append(record);
    }),
    identity,
    ids,
    strategies: [{ strategy: placer, instruments: [0] }],
    risk: { ...riskLimits(config), maxIntentsPerSecond: 1e6 },
    polls: pollSettings(config),
    seed: 1,
  });
  let taker: EventTaker = kernel;
  const events = new KernelInbox({ step: (event) => taker.step(event) }, moment);
  const record = (): void => {
    const head = {
      kind: HEAD,
      version: 1,
      startedAt: Date.now(),
      ...environmentOf([]),
      config: recordedConfig(config),
      instruments,
      strategies: [],
      identity,
      ids: ids.saved(),
      journalEnd: 0,
      snapshot: null,
    } as const;
    recorder = new Recorder({ config: config.record, folder: join(folder, 'sessions'), head, log });
    const inner = recorder.taker({ step: (event) => watch.leaveOut(() => kernel.step(event)) });
    taker = { step: (event) => watch.time(() => inner.step(event)) };
    const outside: Venue = {
      execute: (command) => watch.leaveOut(() => lane.execute(command)),
      query: (query) => watch.leaveOut(() => lane.query(query)),
    };
    const output = recorder.venue(outside);
    recordedVenue = {
      execute: (command) => watch.time(() => output.execute(command)),
      query: (query) => watch.time(() => output.query(query)),
    };
  };
  const recordNoMore = (): void => {
    recorder?.close();
    recorder = null;
    taker = kernel;
    recordedVenue = lane;
  };
  const fail = (error: unknown): void => {
    throw error;
  };
  const turns = new EventLoop({
    clock,
    moment,
    kernel,
    inbox: events,
    lane,
    polls: connection.polls,
    gate,
    beforeCommit: () => undefined,
    afterTurn: () => recorder?.afterTurn(),
    onBroken: fail,
  });

  let orders: number[] = [];
  const recording: number[] = [];
  diagnostics.subscribe('undici:client:sendHeaders', (message) => {
    const { request } = message as { request: { path: string } };
    if (!request.path.endsWith('/place-order')) return;
    orders.push((performance.now() - started) * 1000);
    if (recorder !== null) recording.push(watch.ms * 1000);
  });
  const floor = await orderFloor(port, seconds * 50);
  turns.take(() => events.start());
  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  await pause(2_000);
  if (kernel.phase !== 'armed') throw new Error(`the kernel is ${kernel.phase}`);
  const slices = { plain: new Slices(), recorded: new Slices() };
  const before = taken;
  const begun = performance.now();
  for (let k = 0; k < 2 * seconds; k++) {
    const slice = k % 2 === 0 ? slices.plain : slices.recorded;
    if (slice === slices.recorded) record();
    orders = slice.orders;
    const from = taken;
    const used = process.cpuUsage();
    await pause(SLICE_MS);
    recordNoMore(); // the last block is written in the slice
    const { user, system } = process.cpuUsage(used);
    slice.cpuUs.push((user + system) / (taken - from));
  }
  orders = slices.plain.orders;
  const answersPerSecond = ((taken - before) * 1000) / (performance.now() - begun);
  const { unknown, requests } = connection.venue.counts();
  console.log(
    JSON.stringify({
      answersPerSecond: Math.round(answersPerSecond),
      orders: orders.length,
      p50Us: Math.round(quantile(orders, 0.5)),
      p99Us: Math.round(quantile(orders, 0.99)),
      floorP50Us: Math.round(quantile(floor, 0.5)),
      floorP99Us: Math.round(quantile(floor, 0.99)),
      maxUs: Math.round(quantile(orders, 1)),
      cpuUsOfTurn: slices.plain.cpu,
      cpuUsOfRecordedTurn: slices.recorded.cpu,
      recordingP50Us: Math.round(quantile(recording, 0.5) * 10) / 10,
      requests,
      unknown,
    }),
  );
  turns.end();
  await connection.venue.drain();
  await connection.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

const RICH = 1e15 as Money;
const NONE = 0 as Money;
const ACCOUNT: AccountReport = {
  instrument: 0,
  equity: RICH,
  available: RICH,
  locked: NONE,
  unrealised: NONE,
  marginMode: 0,
  longLeverage: 20,
  shortLeverage: 20,
};

function emptyAnswer(query: Query): Answer {
  switch (query.kind) {
    case 'pending':
    case 'history':
      return { kind: query.kind, orders: [] };
    case 'positions':
      return { kind: 'positions', positions: [] };
    case 'account':
      return { kind: 'account', account: ACCOUNT };
    case 'withdrawals':
      return { kind: 'withdrawals', withdrawals: [] };
    case 'spot-symbols':
      return { kind: 'spot-symbols', symbols: [] };
    default:
      throw new Error(`no answer for ${query.kind}`);
  }
}

if (process.argv[2] === 'accept') {
  // Without this it would outlive a measurement that failed, and hold its output open.
  process.once('disconnect', () => process.exit());
  accepter();
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const child = fork(fileURLToPath(import.meta.url), ['accept']);
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
  try {
    await measure(Number(process.argv[2] ?? 8), port);
  } finally {
    child.kill();
  }
}
