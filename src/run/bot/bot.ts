/**
 * The live bot on a venue over HTTP. Commands of the kernel pass the order lane and the durable gate (journal) before they leave; queries
 * pass the poll lane. Local state is in the store before a command is sent.
 * size: the one place where the parts of a running bot are joined
 */
import { exitCode } from '../../base/exit-codes.ts';
import { Failure } from '../../base/failure.ts';
import type { BotConfig, Credentials } from '../../config/model.ts';
import type { ClientIds } from '../../domain/client-ids.ts';
import { LONG } from '../../domain/codes.ts';
import type { Command, IdentitySpec } from '../../domain/command.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import type { RatePause, RawAnswer } from '../../edge/http/call.ts';
import type { VenueCounts } from '../../edge/http/http-venue.ts';
import { LiveClock } from '../../edge/time/live-clock.ts';
import { VenueClock } from '../../edge/time/venue-clock.ts';
import { KernelInbox } from '../../engine/inbox.ts';
import { Kernel } from '../../engine/kernel.ts';
import type { Position } from '../../engine/strategy/types.ts';
import { OrderLane } from '../../engine/polling/lane.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import type { LogOutput } from '../../edge/log/log.ts';
import type { Log } from '../../ports/log.ts';
import { StoreError, type JournalRecord, type Store } from '../../ports/store.ts';
import type { Inbox } from '../../ports/venue.ts';
import { LANE_BUCKETS, laneRates } from '../setup/bot-parts.ts';
import type { AccountLock } from '../../edge/file/account-lock.ts';
import { guardAccount } from './account-guard.ts';
import { kernelSettings, type Preflight } from './preflight.ts';
import { ClockWatch } from './clock-watch.ts';
import { connectVenue, type Connection } from './connect.ts';
import { openDoor, type Door } from './door.ts';
import { DurableGate } from './durable-gate.ts';
import { DurableHalts } from './durable-halts.ts';
import { DurableLosses } from './durable-losses.ts';
import { BusinessLog } from './business-log.ts';
import { IDS_KEY, recover, type Recovered, type Saved } from './recovered.ts';
import { StepClock } from '../setup/step-clock.ts';
import { openStore } from './open-store.ts';
import { ordersLeft, type OrderLeft } from './orders-left.ts';
import type { Operable } from './operable.ts';
import { operatedBot } from './operated.ts';
import { reportLastDeath } from './last-death.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { withParamsSet } from './params-set.ts';
import { openRecorder } from '../session/open-recorder.ts';
import type { Recorder } from '../session/recorder.ts';
import { recordedHistory } from '../market/recorded-history.ts';
import { traced, tracedLane } from './trace.ts';
import { openTapeRecorder } from '../record/open-tape-recorder.ts';
import type { AnswerRecorder } from '../record/answer-recorder.ts';
import { EventLoop } from './event-loop.ts';
import type { RunningBot } from './running-bot.ts';

/** Interval of snapshots (live orders, halts, strategy states), so that a restart reads only the end of the journal. */
const SNAPSHOT_EVERY_MS = 5_000;
/** Interval of checks that the store still exists. */
const STORE_LOOK_MS = 1_000;
/** Added to the venue's timeout before a bot takes over an expired lease. */
const SETTLE_MARGIN_MS = 2_000;
/** A clean stop waits at most this long for commands in flight and for cancels. */
const STOP_WITHIN_MS = 6_000;
/** During a stop a cancel without effect is repeated at this interval. */
const CANCEL_AGAIN_MS = 500;

/** Starts the bot. It trades once local state and venue agree. @throws Failure, StoreError, BaseUrlError */
export async function openBot(config: BotConfig, preflight: Preflight, log: LogOutput): Promise<RunningBot> {
  const { credentials } = config;
  if (credentials === null) throw new Failure('credentials-missing', { what: 'expected credentials, found none' });
  const clock = new LiveClock();
  const lock = await guardAccount(config, credentials);
  let store: Store | null = null;
  let door: Door | null = null;
  try {
    store = await openStore(config.store, config.bot, log, { account: lock.account, settleMs: config.venue.timeoutMs + SETTLE_MARGIN_MS });
    // Opened before the halt file is read, so that no halt command in between is lost.
    door = await openDoor(config, stateFolder(config), log);
    reportLastDeath(stateFolder(config), log, clock.now());
    const memory = await recover(store, config.bot, clock.now(), lock.lastEpoch);
    lock.noteEpoch(memory.ids.epoch);
    return new Bot({ ...preflight, config, credentials, clock, lock, store, door, memory, log });
  } catch (error) {
    await door?.close();
    await store?.close();
    lock.release();
    throw error;
  }
}

interface BotParts extends Preflight {
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly clock: LiveClock;
  readonly lock: AccountLock;
  readonly store: Store;
  readonly door: Door;
  readonly memory: Recovered;
  readonly log: LogOutput;
}

class Bot implements RunningBot {
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  readonly traded: readonly string[];
  readonly clock: LiveClock;
  readonly startedAt: number;
  readonly failed: Promise<number>;
  readonly #log: Log;
  readonly #lock: AccountLock;
  readonly #store: Store;
  readonly #door: Door;
  readonly #operable: Operable;
  readonly #shownInstruments: readonly Instrument[];
  readonly #gate: DurableGate;
  readonly #lane: OrderLane;
  /** null if sessions are not recorded. */
  readonly #recorder: Recorder | null;
  /** null if what the polls show is not recorded as a tape. */
  readonly #tape: AnswerRecorder | null;
  readonly #moment: StepClock;
  /** Receives outside events; each becomes a step of the kernel. */
  readonly #events: KernelInbox;
  readonly #turns: EventLoop;
  readonly #connection: Connection;
  readonly #news: BusinessLog;
  readonly #halts: DurableHalts;
  readonly #losses: DurableLosses;
  readonly #ids: ClientIds;
  readonly #lookout: NodeJS.Timeout;
  readonly #storeKind: string;
  #isStoreAway = false;
  readonly #clockWatch: ClockWatch;
  #fail: (code: number) => void = () => undefined;
  #hasToldFailure = false;
  /** True once the store has the status of the armed bot, which readers of a stopped bot are shown. */
  #isShown = false;
  #fills: number;
  #startEquity: number;
  #savedAt: number;
  #stopping: Promise<readonly OrderLeft[]> | null = null;

  constructor(parts: BotParts) {
    const { config, clock, instruments, memory, log, store } = parts;
    this.instruments = instruments;
    const wanted = new Set(parts.strategies.flatMap((strategy) => strategy.instruments));
    this.traded = instruments.filter((i) => wanted.has(i.index)).map(tradedName);
    this.clock = clock;
    this.startedAt = clock.now();
    this.#moment = new StepClock(clock);
    this.#log = log;
    this.#lock = parts.lock;
    this.#store = store;
    this.#door = parts.door;
    this.#fills = memory.fills;
    this.#startEquity = memory.startEquity;
    this.#savedAt = clock.now();
    const legOf = (instrument: Instrument, side: number): Position => {
      const market = this.kernel.markets[instrument.index]!;
      return side === LONG ? market.long : market.short;
    };
    this.#news = new BusinessLog({ log, instruments, legOf }, memory);
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    this.#ids = memory.ids;
    this.#storeKind = config.store.kind;
    this.#tape = openTapeRecorder(parts);
    const inbox = this.#inbox();
    const venueClock = new VenueClock(clock);
    const vetoOf = (command: Command): string | null => this.kernel.vetoOf(command);
    const onRateLimit = (asked: RatePause): void => this.#backOff(asked);
    const isExitOpen = (): boolean => this.kernel.hasOpenExit;
    const onWaiting = (): void => this.#turns.take(() => undefined);
    const own = { ids: memory.ids, inbox, moment: this.#moment, venueClock, vetoOf, isExitOpen, onRateLimit, onWaiting };
    const onAnswer = parts.config.record.answers ? (answer: RawAnswer): void => this.#recorder?.answer(answer) : undefined;
    this.#connection = connectVenue({ ...parts, ...own, onAnswer });
    const { polls } = this.#connection;
    this.#gate = new DurableGate(store, memory.position, polls, inbox);
    this.#lane = new OrderLane({ venue: this.#gate, clock: this.#moment, rates: laneRates(config) });
    this.#lane.connect(inbox, vetoOf);
    this.#halts = new DurableHalts(stateFolder(config), log);
    this.#losses = new DurableLosses(stateFolder(config), log);
    const restored = this.#losses.restored(this.#halts.restored(memory.snapshot, clock.now()));
    this.#recorder = openRecorder({ ...parts, snapshot: restored, startedAt: this.startedAt });
    this.kernel = this.#makeKernel(parts, { bot: config.bot, epoch: memory.ids.epoch });
    const isTraced = config.logLevel === 'debug';
    const recorded = this.#recorder?.taker(this.kernel) ?? this.kernel;
    const taker = isTraced ? traced(recorded, log) : recorded;
    this.#events = taker === this.kernel ? this.kernel.inbox : new KernelInbox(taker, this.#moment);
    this.#turns = new EventLoop({
      clock,
      moment: this.#moment,
      kernel: this.kernel,
      inbox: this.#events,
      lane: isTraced ? tracedLane(this.#lane, log) : this.#lane,
      polls,
      gate: this.#gate,
      beforeCommit: () => {
        const isFirst = !this.#isShown && this.kernel.phase === 'armed';
        if (isFirst || clock.now() - this.#savedAt >= SNAPSHOT_EVERY_MS) this.#save();
      },
      afterTurn: () => this.#afterTurn(),
      onBroken: (error) => {
        log.error('bot-failed', { error });
        this.#fail(1);
      },
    });
    if (restored !== null) this.kernel.restore(restored);
    this.#losses.begin(this.kernel.snapshot());
    const halt = (why: string): void => this.#turns.take(() => this.#events.clockHalt(why));
    this.#clockWatch = new ClockWatch({ clock, venueClock, log, halt });
    const [kernel, events, turns, gate] = [this.kernel, this.#events, this.#turns, this.#gate];
    this.#operable = operatedBot({ ...parts, bot: this, ids: this.#ids, setups: parts.strategies, kernel, events, turns, gate });
    this.#shownInstruments = instruments.filter((i) => wanted.has(i.index));
    const past = recordedHistory({ ...parts, wanted: this.kernel.barsWanted, until: clock.now() });
    this.#turns.take(() => {
      for (const { instrument, timeframe, rows, until } of past) this.#events.recorded(instrument, timeframe, rows, until);
      this.#events.start();
    });
    parts.door.serve(this.#operable);
    this.#lookout = setInterval(() => void this.#lookAtStore(), STORE_LOOK_MS);
  }

  get fills(): number {
    return this.#fills;
  }

  get startEquity(): number {
    if (this.#startEquity === 0 && this.kernel.phase === 'armed') {
      const { equity } = this.kernel.status();
      if (Number.isFinite(equity)) this.#startEquity = equity;
    }
    return this.#startEquity;
  }

  counts(): VenueCounts {
    return this.#connection.venue.counts();
  }

  stop(): Promise<readonly OrderLeft[]> {
    return (this.#stopping ??= this.#stop());
  }

  rotateEpoch(): number {
    let epoch = 0;
    this.#turns.take(() => {
      this.#events.rotateEpoch();
      epoch = this.#ids.epoch;
      this.#lock.noteEpoch(epoch);
      this.#save();
    });
    return epoch;
  }

  #inbox(): Inbox {
    const take = (step: () => void): void => this.#turns.take(step);
    return {
      accepted: (...args) => take(() => this.#events.accepted(...args)),
      rejected: (...args) => take(() => this.#events.rejected(...args)),
      unsent: (...args) => take(() => this.#events.unsent(...args)),
      unknown: (...args) => take(() => this.#events.unknown(...args)),
      answered: (query, answer, sentAt, venueTime) => {
        this.#tape?.answered(query, answer, venueTime > 0 ? venueTime : this.clock.now());
        take(() => this.#events.answered(query, answer, sentAt, venueTime));
      },
      failed: (...args) => take(() => this.#events.failed(...args)),
    };
  }

  #makeKernel(parts: BotParts, identity: IdentitySpec): Kernel {
    return new Kernel({
      ...kernelSettings(parts.config, { ...parts, strategies: withParamsSet(parts.strategies, parts.memory.snapshot, parts.log) }),
      venue: this.#recorder?.venue(this.#lane) ?? this.#lane,
      clock: this.#moment,
      log: parts.log,
      journal: recordingJournal(parts.instruments, (record) => this.#record(record)),
      identity,
      ids: this.#ids,
      journalEnd: parts.memory.journalEnd,
    });
  }

  #record(record: JournalRecord): void {
    this.#recorder?.journal(record);
    if (record.kind === 'fill') this.#fills++;
    this.#gate.append(this.#news.add(record));
    this.#losses.record(record);
    if (record.kind === 'halt' || record.kind === 'lift') this.#halts.stand(this.kernel.halts());
  }

  #backOff({ bucket, lane, until }: RatePause): void {
    const own = LANE_BUCKETS[bucket];
    if (own !== undefined && lane !== 'read') this.#turns.take(() => this.#lane.backOff(own, lane, until));
  }

  #save(): void {
    this.#savedAt = this.clock.now();
    this.#isShown ||= this.kernel.phase === 'armed';
    const saved: Saved = {
      after: this.#gate.position,
      kernel: this.#recorder?.snapshot(() => this.kernel.snapshot()) ?? this.kernel.snapshot(),
      fills: this.#fills,
      startEquity: this.startEquity,
      reasons: this.#news.reasons(),
      booked: this.#news.booked(),
      shown: { status: this.#operable.status(), bot: this.#ids.bot, instruments: this.#shownInstruments },
    };
    this.#gate.put('snapshot', JSON.stringify(saved));
    this.#gate.put(IDS_KEY, JSON.stringify(this.#ids.saved()));
  }

  #afterTurn(): void {
    this.#news.tell();
    this.#recorder?.afterTurn();
    if (this.#gate.isSettled) this.#halts.settled();
    if (this.kernel.isUnauthorized && !this.#hasToldFailure) {
      this.#hasToldFailure = true;
      this.#log.error('gave-up', { why: 'the venue refused every signed read as unauthorized; starting again does not help' });
      this.#fail(78);
    }
    if (this.#gate.failure === null || this.#hasToldFailure) return;
    this.#hasToldFailure = true;
    this.#log.error('journal-failed', { error: this.#gate.failure });
    this.#fail(codeOf(this.#gate.failure));
  }

  /** Detects a deleted, replaced or emptied store even if nothing is written. */
  async #lookAtStore(): Promise<void> {
    if (this.#gate.failure !== null) return;
    const isAway = this.#store.isAway === true;
    if (isAway !== this.#isStoreAway) {
      this.#isStoreAway = isAway;
      this.#log.warn(isAway ? 'journal-away' : 'journal-back', { store: this.#storeKind });
      this.#turns.take(() => {
        if (isAway) this.#gate.dropWaiting();
        this.#events.journalAway(isAway);
      });
    }
    if (isAway) return this.#turns.take(() => this.#gate.dropWaiting());
    try {
      await this.#store.check();
    } catch (error) {
      this.#turns.take(() => this.#gate.fail(error));
    }
  }

  async #stop(): Promise<readonly OrderLeft[]> {
    const { kernel } = this;
    const { venue } = this.#connection;
    this.#turns.take(() => this.#events.stop());
    const deadline = this.clock.now() + STOP_WITHIN_MS;
    const isSound = (): boolean => !this.#turns.isBroken && this.#gate.failure === null;
    const isBusy = (): boolean => !kernel.isQuiet || kernel.cancelsOutstanding > 0;
    for (let again = this.clock.now() + CANCEL_AGAIN_MS; !this.#turns.isBroken && isBusy() && this.clock.now() < deadline; await pause()) {
      if (this.clock.now() < again) continue;
      again = this.clock.now() + CANCEL_AGAIN_MS;
      this.#turns.take(() => this.#events.cancelAgain());
    }
    await venue.drain();
    // Commands still waiting in the lane are ended as unsent: nothing is sent any more.
    this.#turns.take(() => this.#lane.drain(Infinity));
    await this.#gate.settled();
    if (isSound()) {
      this.#save();
      await this.#gate.settled();
    }
    const left = ordersLeft(kernel.liveOrders(), this.#ids);
    this.#turns.take(() => kernel.close());
    this.#turns.end();
    this.#recorder?.close();
    this.#clockWatch.stop();
    clearInterval(this.#lookout);
    await this.#connection.close();
    await this.#tape?.close().catch((error: unknown) => this.#log.warn('tape-recording-stopped', { error }));
    await this.#door.close();
    await this.#store.close();
    this.#lock.release();
    return left;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 10);
  });
}

/** Exit code of a store failure. A store that is away or taken may be free at the next start; a damaged one is not. */
function codeOf(failure: unknown): number {
  const code = failure instanceof StoreError ? failure.code : '';
  return code === 'unreachable' || code === 'locked' ? exitCode.occupied : exitCode.configuration;
}
