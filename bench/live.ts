/**
 * Measures the live path in one process: from a parsed poll answer to the bytes of an order in the socket, with the durable journal in
 * between. Real kernel, risk rules, SQLite store, signer and HTTP client; the other end of the socket is a process that accepts
 * everything. `node bench/live.ts [seconds]`; quotes are answered a thousand times a second, every fifth answer makes the strategy place an
 * order. The session is recorded in every second slice of a second, so that the cost of the recording is a difference between slices of
 * one process.
 */
import { ClientIds } from '../src/domain/orders/client-ids.ts';
import { fork } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Secret } from '../src/base/secret.ts';
import { defaultConfig } from '../src/config/defaults.ts';
import type { QuoteReport } from '../src/domain/report.ts';
import type { Lots, Millis, Ticks } from '../src/domain/amounts/units.ts';
import { openEmbeddedStore } from '../src/edge/embedded/embedded-store.ts';
import { createLog } from '../src/edge/log/pino-log.ts';
import { LiveClock } from '../src/edge/time/live-clock.ts';
import { StepClock } from '../src/run/setup/step-clock.ts';
import { Kernel } from '../src/engine/kernel.ts';
import { OrderThrottle } from '../src/engine/polling/order-throttle.ts';
import { recordingJournal } from '../src/engine/recovery/records.ts';
import type { Query } from '../src/ports/venue.ts';
import { VenueEvent, type Inbox } from '../src/ports/venue-event.ts';
import { pollSettings, riskLimits } from '../src/run/setup/bot-parts.ts';
import { connectVenue } from '../src/run/bot/connect.ts';
import { DurableGate } from '../src/run/bot/store/durable-gate.ts';
import { instrumentsOf } from '../src/run/setup/instruments/instruments.ts';
import { EventLoop } from '../src/run/bot/life/event-loop.ts';
import { KernelInbox } from '../src/engine/inbox.ts';
import { HEAD, recordedConfig } from '../src/run/session/entries.ts';
import { environmentOf } from '../src/run/session/recorded-environment.ts';
import { orderFloor } from './floor.ts';
import { emptyAnswer, placer } from './live/bot.ts';
import { SwitchedRecording } from './live/recording.ts';
import { quantile, Slices, Stopwatch } from './live/slices.ts';

const SLICE_MS = 1_000;

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
  const stepClock = new StepClock(clock);
  const log = createLog({ level: 'error', form: 'json' });
  const identity = { bot: 'bench', epoch: 1 };
  const credentials = { key: new Secret('key'), secret: new Secret('secret'), passphrase: new Secret('pass') };
  const ids = ClientIds.begin(identity);
  const store = openEmbeddedStore({ folder });
  const inbox: Inbox = { take: (event) => turns.take(() => events.take(event)) };
  const said = new VenueEvent();
  const connection = connectVenue({
    config,
    credentials,
    ids,
    instruments,
    clock,
    log,
    outcomes: inbox,
    answers: inbox,
    stepClock,
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
    inbox.take(said.answered(query, { kind: 'quotes', quotes: [quote] }, clock.now(), clock.now()));
  };
  const reads = {
    query(query: Query): void {
      if (query.kind === 'quotes') setImmediate(answerQuotes, query);
      else queueMicrotask(() => inbox.take(said.answered(query, emptyAnswer(query), clock.now(), clock.now())));
    },
  };
  const gate = new DurableGate(store, await store.last(), connection.venue, inbox);
  const throttle = new OrderThrottle({ orders: gate, clock, rates: { order: Infinity, spot: Infinity, margin: Infinity } });
  throttle.connect(inbox);
  const watch = new Stopwatch();
  const recording = new SwitchedRecording(throttle, reads, watch, {
    folder: join(folder, 'sessions'),
    log,
    config: config.record,
    head: () => ({
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
    }),
  });
  const kernel = new Kernel({
    instruments,
    orders: recording.orders,
    reads: recording.reads,
    clock,
    log,
    journal: recordingJournal(instruments, (record) => {
      recording.journal(record);
      gate.append(record);
    }),
    identity,
    ids,
    strategies: [{ strategy: placer, instruments: [0] }],
    risk: { ...riskLimits(config), maxIntentsPerSecond: 1e6 },
    polls: pollSettings(config),
    seed: 1,
  });
  recording.connect(kernel);
  const events = new KernelInbox(recording, stepClock);
  const fail = (error: unknown): void => {
    throw error;
  };
  const turns = new EventLoop({
    clock,
    stepClock,
    kernel,
    inbox: events,
    throttle,
    polls: connection.polls,
    gate,
    beforeCommit: () => undefined,
    afterTurn: () => recording.afterTurn(),
    onBroken: fail,
  });

  let orders: number[] = [];
  const recordingUs: number[] = [];
  diagnostics.subscribe('undici:client:sendHeaders', (message) => {
    const { request } = message as { request: { path: string } };
    if (!request.path.endsWith('/place-order')) return;
    orders.push((performance.now() - started) * 1000);
    if (recording.isOn) recordingUs.push(watch.ms * 1000);
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
    if (slice === slices.recorded) recording.begin();
    orders = slice.orders;
    const from = taken;
    const used = process.cpuUsage();
    await pause(SLICE_MS);
    recording.end(); // the last block is written in the slice
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
      recordingP50Us: Math.round(quantile(recordingUs, 0.5) * 10) / 10,
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

const child = fork(fileURLToPath(new URL('live/accepter.ts', import.meta.url)));
const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)));
try {
  await measure(Number(process.argv[2] ?? 8), port);
} finally {
  child.kill();
}
