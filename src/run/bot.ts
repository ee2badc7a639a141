/**
 * The bot on a venue over HTTP, in real time: every event is one turn of the kernel, and every turn ends with the journal made
 * durable before anything it commanded leaves.
 */
import { Failure } from '../base/failure.ts';
import type { BotConfig } from '../config/model.ts';
import { limitFor } from '../config/model.ts';
import { API_PREFIX } from '../contract/endpoint.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { formatClientId } from '../domain/command.ts';
import type { Instrument } from '../domain/instrument.ts';
import { parseBaseUrl } from '../edge/http/base-url.ts';
import { VenueClient } from '../edge/http/call.ts';
import { HttpVenue, type VenueCounts } from '../edge/http/http-venue.ts';
import { HttpTransport } from '../edge/http/transport.ts';
import { PollLane } from '../edge/pace/poll-lane.ts';
import { Alarm, LiveClock } from '../edge/time/live-clock.ts';
import { Kernel } from '../engine/kernel.ts';
import { OrderLane } from '../engine/lane.ts';
import { foldRecords, recordingJournal } from '../engine/records.ts';
import type { KernelSnapshot } from '../engine/options.ts';
import type { Log } from '../ports/log.ts';
import type { JournalRecord, Store } from '../ports/store.ts';
import type { Inbox } from '../ports/venue.ts';
import { LANE_BUCKETS, laneRates, pollSettings, riskLimits, strategySetups, timings } from './bot-parts.ts';
import { DurableGate } from './durable-gate.ts';
import { instrumentsOf } from './instruments.ts';
import { openStore } from './open-store.ts';

/** Live orders, halts and strategies' states are saved this often, so that a restart reads little of the journal. */
const SNAPSHOT_EVERY_MS = 5_000;
/** A clean stop waits this long for what is in flight. */
const STOP_WITHIN_MS = 10_000;

export interface RunningBot {
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  readonly clock: LiveClock;
  counts(): VenueCounts;
  /** Fills told of since the journal began. */
  readonly fills: number;
  /** Equity in the quote coin when the journal began; a statistic. */
  readonly startEquity: number;
  /** Resolves when the bot cannot go on: the exit code. */
  readonly failed: Promise<number>;
  /** Lets strategies cancel, waits for what is in flight, writes everything down. Safe to call twice. */
  stop(): Promise<void>;
}

/** Starts the bot: it reconciles with the venue first and trades when belief agrees. @throws Failure */
export async function openBot(config: BotConfig, log: Log): Promise<RunningBot> {
  if (config.credentials === null) throw new Failure('configuration', { what: 'expected credentials, found none' });
  const clock = new LiveClock();
  const instruments = instrumentsOf(config.instruments);
  const strategies = await strategySetups(config.strategies, instruments);
  const store = await openStore(config.store, config.bot);
  const memory = await recall(store, clock.now());
  const identity = { bot: config.bot, epoch: memory.epoch };

  const fallback = { perSecond: limitFor(config.limits, 'private') };
  const buckets = Object.fromEntries(Object.values(ENDPOINTS).map(({ cost }) => [cost.bucket, { perSecond: limitFor(config.limits, cost.bucket) }]));
  const limiter = new PollLane({ clock, buckets, fallback });
  const base = parseBaseUrl(config.venue.baseUrl);
  const transport = new HttpTransport({ base, clock, timeoutMs: config.venue.timeoutMs });
  const client = new VenueClient({
    transport,
    clock,
    credentials: config.credentials,
    apiPrefix: base.mount + API_PREFIX,
    signedPrefix: config.venue.signedPrefix,
    onRateLimit(bucket, until) {
      limiter.backOff(bucket, until);
      const laneBucket = LANE_BUCKETS[bucket];
      if (laneBucket !== undefined) lane.backOff(laneBucket, until);
      log.warn('rate-limited', { bucket, untilMs: until });
    },
  });
  const http = new HttpVenue({
    client,
    limiter,
    clock,
    log,
    instruments,
    clientIdOf: (seq) => formatClientId(identity, seq),
    crossWord: config.venue.marginModeWord,
  });
  let resolveFailed: (code: number) => void = () => undefined;
  const failed = new Promise<number>((resolve) => {
    resolveFailed = resolve;
  });

  // Each event is one turn: the kernel takes its step, then the journal is made durable, then commands leave, then the next
  // alarm is set.
  let isTaking = false;
  const turn = (step: () => void): void => {
    try {
      step();
      if (isTaking) return;
      isTaking = true;
      settle();
    } catch (error) {
      log.error('bot-failed', { error });
      resolveFailed(1);
    } finally {
      isTaking = false;
    }
  };
  const settle = (): void => {
    saveSometimes();
    const pending = gate.flush();
    if (pending === null) afterFlush();
    else void pending.then(() => turn(() => undefined));
  };
  const afterFlush = (): void => {
    if (gate.failure !== null) {
      log.error('journal-failed', { error: gate.failure });
      resolveFailed(78);
    }
    const now = clock.now();
    if (lane.nextDue <= now) lane.drain(now);
    alarm.setAt(Math.min(kernel.nextTimer, lane.nextDue));
  };
  const inbox: Inbox = {
    accepted: (...args) => turn(() => kernel.accepted(...args)),
    rejected: (...args) => turn(() => kernel.rejected(...args)),
    unsent: (...args) => turn(() => kernel.unsent(...args)),
    unknown: (...args) => turn(() => kernel.unknown(...args)),
    answered: (...args) => turn(() => kernel.answered(...args)),
    failed: (...args) => turn(() => kernel.failed(...args)),
  };
  const gate = new DurableGate(store, memory.position, http, inbox);
  const lane = new OrderLane({ venue: gate, clock, rates: laneRates(config) });
  const kernel = new Kernel({
    instruments,
    venue: lane,
    clock,
    log,
    journal: recordingJournal(instruments, (record) => {
      if (record.kind === 'fill') fills++;
      gate.append(record);
    }),
    identity,
    strategies,
    risk: riskLimits(config, instruments),
    polls: pollSettings(config),
    seed: config.seed,
    timings: timings(config),
  });
  http.attach(inbox);
  lane.connect(inbox);
  const alarm = new Alarm(clock, (now) =>
    turn(() => {
      if (lane.nextDue <= now) lane.drain(now);
      if (kernel.nextTimer <= now) kernel.runTimers(now);
    }),
  );
  let { fills, startEquity } = memory;
  let savedAt = clock.now();
  const save = (): void => {
    savedAt = clock.now();
    const saved: Memory['saved'] = { after: gate.position, kernel: kernel.snapshot(), fills, startEquity: equityAtStart() };
    gate.put('snapshot', JSON.stringify(saved));
  };
  const equityAtStart = (): number => {
    if (startEquity === 0 && kernel.phase === 'armed') startEquity = kernel.status().equity;
    return Number.isFinite(startEquity) ? startEquity : 0;
  };
  const saveSometimes = (): void => {
    if (clock.now() - savedAt >= SNAPSHOT_EVERY_MS) save();
  };
  if (memory.snapshot !== null) kernel.restore(memory.snapshot);
  turn(() => kernel.start());

  const stop = async (): Promise<void> => {
    turn(() => kernel.stop());
    const deadline = clock.now() + STOP_WITHIN_MS;
    while (clock.now() < deadline && gate.failure === null && !kernel.isQuiet) await pause();
    await http.drain();
    alarm.stop();
    if (gate.failure === null) {
      save();
      await gate.flush();
    }
    await limiter.stop();
    await transport.close();
    await store.close();
  };
  let stopping: Promise<void> | null = null;
  return {
    kernel,
    instruments,
    clock,
    counts: () => http.counts(),
    get fills() {
      return fills;
    },
    get startEquity() {
      return equityAtStart();
    },
    failed,
    stop: () => (stopping ??= stop()),
  };
}

/** What the store remembers: the journal's epoch, live orders as of the last commit, and where the journal ends. */
interface Memory {
  readonly epoch: number;
  readonly snapshot: KernelSnapshot | null;
  readonly position: number;
  readonly fills: number;
  readonly startEquity: number;
  /** What is saved now and then under "snapshot"; records after `after` are folded onto it. */
  readonly saved: { readonly after: number; readonly kernel: KernelSnapshot; readonly fills: number; readonly startEquity: number };
}

async function recall(store: Store, now: number): Promise<Omit<Memory, 'saved'>> {
  const known = await store.get('epoch');
  if (known === null) {
    const epoch = Math.floor(now / 1000);
    store.put('epoch', String(epoch));
    await store.commit();
    return { epoch, snapshot: null, position: await store.last(), fills: 0, startEquity: 0 };
  }
  const text = await store.get('snapshot');
  const saved = text === null ? null : (JSON.parse(text) as Memory['saved']);
  const records: JournalRecord[] = [];
  for await (const record of store.read((saved?.after ?? 0) + 1)) records.push(record);
  return {
    epoch: Number(known),
    snapshot: foldRecords(saved?.kernel ?? null, records),
    position: await store.last(),
    fills: (saved?.fills ?? 0) + records.filter((record) => record.kind === 'fill').length,
    startEquity: saved?.startEquity ?? 0,
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}
