/**
 * The live bot on a venue over HTTP, and what joins its parts. Everything from outside is an event: an answer, a command of a person, a timer.
 * The event loop (event-loop.ts) gives each to the kernel, commits the journal and lets commands out: orders through the order throttle
 * and the durable gate, queries through the read throttle. Opening is open-bot.ts, the clean stop end-trading.ts.
 * size: each part is made and joined once
 */
import type { Credentials } from '../../base/secret.ts';
import type { BotConfig } from '../../config/model.ts';
import type { ClientIds } from '../../domain/orders/client-ids.ts';
import { LONG } from '../../domain/codes.ts';
import type { Command, IdentitySpec } from '../../domain/orders/command.ts';
import { tradedName, type Instrument } from '../../domain/instrument.ts';
import type { RatePause, RawAnswer } from '../../edge/http/call.ts';
import type { VenueCounts } from '../../edge/http/http-venue.ts';
import type { LiveClock } from '../../edge/time/live-clock.ts';
import { VenueClock } from '../../edge/time/venue-clock.ts';
import { KernelInbox } from '../../engine/inbox.ts';
import { Kernel } from '../../engine/kernel.ts';
import type { Position } from '../../engine/intents/market-types.ts';
import { OrderThrottle } from '../../engine/polling/order-throttle.ts';
import { KeyGate } from '../../engine/state/key-gate.ts';
import { recordingJournal } from '../../engine/recovery/records.ts';
import type { LogOutput } from '../../edge/log/pino-log.ts';
import type { Log } from '../../ports/log.ts';
import type { JournalRecord, Store } from '../../ports/store.ts';
import type { Inbox } from '../../ports/venue-event.ts';
import { LANE_BUCKETS, commandRates } from '../setup/bot-parts.ts';
import type { AccountLock } from '../../edge/file/account-lock.ts';
import { kernelSettings, type Preflight } from './preflight.ts';
import { ClockWatch } from './life/clock-watch.ts';
import { connectVenue, type Connection } from './connect.ts';
import type { BotSocket } from './control/bot-socket.ts';
import { DurableGate } from './store/durable-gate.ts';
import { DurableHalts } from './store/durable-halts.ts';
import { DayProfit } from './store/day-profit.ts';
import { DurableLosses } from './store/durable-losses.ts';
import { BusinessLog } from './store/business-log.ts';
import type { Recovered } from './store/recovered.ts';
import { StepClock } from '../setup/step-clock.ts';
import type { OrderLeft } from './life/orders-left.ts';
import type { Operable } from './control/operable.ts';
import { operatedBot } from './control/operated.ts';
import { ChangeFeed } from './changes/change-feed.ts';
import { fedBot } from './changes/fed-bot.ts';
import { stateFolder } from '../setup/state-folder.ts';
import { additionOf } from './added-strategies.ts';
import { changedSetups } from './changed-setups.ts';
import { openRecorder } from '../session/open-recorder.ts';
import type { Recorder } from '../session/session-recorder.ts';
import { recordedHistory } from '../market/recorded-history.ts';
import { openTapeRecorder } from '../record/open-tape-recorder.ts';
import type { AnswerRecorder } from '../record/answer-recorder.ts';
import { BotFailure } from './bot-failure.ts';
import { endTrading } from './life/end-trading.ts';
import type { Heartbeat } from './life/heartbeat.ts';
import { EventLoop } from './life/event-loop.ts';
import { JournalUpkeep } from './store/journal-upkeep.ts';
import { Snapshots } from './store/snapshots.ts';
import { StoreWatch } from './life/store-watch.ts';
import type { HowToStop, RunningBot } from './life/running-bot.ts';

/** What is open when a bot begins. */
export interface BotDeps extends Preflight {
  readonly config: BotConfig;
  readonly credentials: Credentials;
  readonly clock: LiveClock;
  readonly lock: AccountLock;
  readonly store: Store;
  readonly socket: BotSocket;
  readonly recovered: Recovered;
  readonly hasOwnVenue: boolean;
  /** null without a watchdog. */
  readonly heartbeat: Heartbeat | null;
  readonly log: LogOutput;
}

export class Bot implements RunningBot {
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  readonly clock: LiveClock;
  readonly startedAt: number;
  readonly failed: Promise<number>;
  readonly changed: Promise<void>;
  readonly #log: Log;
  readonly #lock: AccountLock;
  readonly #store: Store;
  readonly #socket: BotSocket;
  readonly #heartbeat: Heartbeat | null;
  readonly #operable: Operable;
  readonly #gate: DurableGate;
  readonly #throttle: OrderThrottle;
  /** null if sessions are not recorded. */
  readonly #recorder: Recorder | null;
  /** null if what the polls show is not recorded as a tape. */
  readonly #tape: AnswerRecorder | null;
  readonly #stepClock: StepClock;
  /** Receives outside events; each becomes a step of the kernel. */
  readonly #events: KernelInbox;
  readonly #loop: EventLoop;
  readonly #connection: Connection;
  readonly days: DayProfit;
  readonly #businessLog: BusinessLog;
  readonly #changes: ChangeFeed;
  readonly #halts: DurableHalts;
  readonly #losses: DurableLosses;
  readonly #ids: ClientIds;
  readonly #storeWatch: StoreWatch;
  readonly #clockWatch: ClockWatch;
  readonly #failure: BotFailure;
  readonly #snapshots: Snapshots;
  readonly #upkeep: JournalUpkeep;
  readonly #everTraded = new Set<number>();
  readonly #openAgain: () => void;
  #stopping: Promise<readonly OrderLeft[]> | null = null;

  constructor(deps: BotDeps) {
    const { config, clock, instruments, recovered, log, store } = deps;
    this.instruments = instruments;
    this.clock = clock;
    this.startedAt = clock.now();
    this.#stepClock = new StepClock(clock);
    this.#log = log;
    this.#lock = deps.lock;
    this.#store = store;
    this.#socket = deps.socket;
    this.#heartbeat = deps.heartbeat;
    const legOf = (instrument: Instrument, side: number): Position => {
      const market = this.kernel.markets[instrument.index]!;
      return side === LONG ? market.long : market.short;
    };
    this.#businessLog = new BusinessLog({ log, instruments, legOf }, recovered);
    this.days = new DayProfit(recovered.days);
    this.#changes = new ChangeFeed(
      fedBot(() => ({
        bot: this,
        ids: this.#ids,
        instruments,
        log,
        businessLog: this.#businessLog,
        gate: this.#gate,
        loop: this.#loop,
        operable: this.#operable,
      })),
    );
    const onBug = (detail: string): void =>
      this.#halts.stand([
        ...this.kernel.halts(),
        { scope: 'bot', code: 'assertion-failed', detail, since: clock.now(), by: 'bot', seq: 0 },
      ]);
    this.#failure = new BotFailure(log, (why) => this.#loop.take(() => this.#events.journalBehind(why)), onBug);
    this.failed = this.#failure.code;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.changed = promise;
    this.#openAgain = resolve;
    this.#ids = recovered.ids;
    this.#tape = openTapeRecorder(deps);
    const outcomes: Inbox = { take: (event) => this.#loop.take(() => this.#events.take(event)) };
    const answers = this.#tape?.answers(outcomes) ?? outcomes;
    const venueClock = new VenueClock(clock);
    const vetoOf = (command: Command): string | null => this.kernel.vetoOf(command) ?? deps.socket.asked.vetoOf(command);
    const onRateLimit = (asked: RatePause): void => this.#backOff(asked);
    const isExitOpen = (): boolean => this.kernel.hasOpenExit;
    const onWaiting = (): void => this.#loop.take(() => undefined);
    const keyGate = new KeyGate();
    const links = {
      ids: recovered.ids,
      outcomes,
      answers,
      keyGate,
      stepClock: this.#stepClock,
      venueClock,
      vetoOf,
      isExitOpen,
      onRateLimit,
      onWaiting,
    };
    const onAnswer = deps.config.record.answers ? (answer: RawAnswer): void => this.#recorder?.answer(answer) : undefined;
    this.#connection = connectVenue({ ...deps, ...links, onAnswer, scrub: (text) => log.scrub(text) });
    const { venue, polls } = this.#connection;
    this.#gate = new DurableGate(store, recovered.position, venue, outcomes);
    this.#throttle = new OrderThrottle({ orders: this.#gate, clock: this.#stepClock, rates: commandRates(config), keyGate });
    this.#throttle.connect(outcomes, vetoOf);
    this.#halts = new DurableHalts(stateFolder(config), log);
    this.#losses = new DurableLosses(stateFolder(config), log);
    const restored = this.#losses.restored(this.#halts.restored(recovered.snapshot, clock.now()));
    this.#recorder = openRecorder({ ...deps, snapshot: restored, startedAt: this.startedAt });
    this.kernel = this.#makeKernel(deps, { bot: config.bot, epoch: recovered.ids.epoch }, keyGate);
    this.#snapshots = new Snapshots({
      clock,
      kernel: this.kernel,
      gate: this.#gate,
      ids: this.#ids,
      businessLog: this.#businessLog,
      days: this.days,
      recorder: this.#recorder,
      instruments: () => instruments.filter(({ index }) => this.#touched.has(index)),
      recovered,
      status: () => this.#operable.status(),
    });
    this.#upkeep = new JournalUpkeep({ store, gate: this.#gate, snapshots: this.#snapshots, clock, log, keepDays: config.store.keepDays });
    this.#recorder?.keepWhy(this.kernel);
    const taker = this.#recorder?.taker(this.kernel);
    this.#events = taker === undefined ? this.kernel.inbox : new KernelInbox(taker, this.#stepClock);
    this.#loop = new EventLoop({
      clock,
      stepClock: this.#stepClock,
      kernel: this.kernel,
      inbox: this.#events,
      throttle: this.#throttle,
      polls,
      gate: this.#gate,
      beforeCommit: () => {
        this.#heartbeat?.nameLegs();
        this.#snapshots.saveIfDue();
      },
      afterTurn: () => this.#afterTurn(),
      onBroken: (error) => this.#failure.stepThrew(error),
    });
    if (restored !== null) this.kernel.restore(restored);
    this.#losses.begin(this.kernel.snapshot());
    const halt = (why: string): void => this.#loop.take(() => this.#events.clockHalt(why));
    this.#clockWatch = new ClockWatch({ clock, venueClock, log, halt });
    const [kernel, events, loop, gate, ids] = [this.kernel, this.#events, this.#loop, this.#gate, this.#ids];
    const [throttle, halts, upkeep, changes] = [this.#throttle, this.#halts, this.#upkeep, this.#changes];
    const addition: Operable['addition'] = (given) => additionOf({ config, instruments, setups: kernel.setups, now: clock.now() }, given);
    this.#operable = operatedBot({ ...deps, bot: this, addition, changes, ids, halts, kernel, events, loop, gate, throttle, upkeep });
    const past = recordedHistory({ ...deps, wanted: this.kernel.barsWanted, until: clock.now() });
    this.#loop.take(() => {
      for (const { instrument, timeframe, rows, until } of past) this.#events.recorded(instrument, timeframe, rows, until);
      this.#events.start();
    });
    deps.socket.serve(this.#operable);
    this.#storeWatch = new StoreWatch({
      ...deps,
      kind: config.store.kind,
      gate,
      loop,
      events,
      ids,
      snapshots: this.#snapshots,
      upkeep: this.#upkeep,
    });
    this.#storeWatch.start();
    this.#heartbeat?.begin({ kernel, ids, loop, events, clock });
  }

  get traded(): readonly string[] {
    const now = new Set(this.kernel.setups.flatMap((setup) => setup.instruments));
    return this.instruments.filter(({ index }) => now.has(index)).map(tradedName);
  }

  /** Instruments that a strategy trades, or has traded since the start. */
  get #touched(): ReadonlySet<number> {
    for (const { instruments } of this.kernel.setups) for (const index of instruments) this.#everTraded.add(index);
    return this.#everTraded;
  }

  get fills(): number {
    return this.#snapshots.fills;
  }

  get placed(): number {
    return this.#snapshots.placed;
  }

  get startEquity(): number {
    return this.#snapshots.startEquity;
  }

  get clockOffsetMs(): number | null {
    return this.#clockWatch.offsetMs;
  }

  counts(): VenueCounts {
    return this.#connection.venue.counts();
  }

  stop(how: HowToStop = {}): Promise<readonly OrderLeft[]> {
    return (this.#stopping ??= this.#stop(how));
  }

  rotateEpoch(): number {
    let epoch = 0;
    this.#loop.take(() => {
      this.#events.rotateEpoch();
      epoch = this.#ids.epoch;
      this.#lock.noteEpoch(epoch);
      this.#snapshots.save();
    });
    return epoch;
  }

  openAgain(): void {
    this.#openAgain();
  }

  endFenced(why: string): void {
    this.#log.error('fence-ends', { why });
    this.#failure.fenced();
  }

  #makeKernel(deps: BotDeps, identity: IdentitySpec, keyGate: KeyGate): Kernel {
    return new Kernel({
      ...kernelSettings(deps.config, { ...deps, strategies: changedSetups(deps.config, deps, deps.recovered.snapshot, deps.log) }),
      orders: this.#recorder?.orders(this.#throttle) ?? this.#throttle,
      reads: this.#recorder?.reads(this.#connection.polls) ?? this.#connection.polls,
      clock: this.#stepClock,
      keyGate,
      log: this.#recorder?.log(deps.log) ?? deps.log,
      journal: recordingJournal(deps.instruments, (record) => this.#record(record)),
      identity,
      ids: this.#ids,
      journalEnd: deps.recovered.journalEnd,
      isNewJournal: deps.recovered.isNew && !deps.hasOwnVenue,
    });
  }

  #record(record: JournalRecord): void {
    this.#recorder?.journal(record);
    this.#heartbeat?.record(record);
    this.#snapshots.count(record);
    const written = this.#businessLog.add(record);
    this.#gate.append(written);
    this.#changes.record(written, this.#gate.position);
    this.days.add(written);
    this.#losses.record(record, this.#gate.position);
    if (record.kind === 'halt' || record.kind === 'lift') this.#halts.stand(this.kernel.halts());
  }

  #backOff({ bucket, lane, until }: RatePause): void {
    const own = LANE_BUCKETS[bucket];
    if (own !== undefined && lane !== 'read') this.#loop.take(() => this.#throttle.backOff(own, lane, until));
  }

  #afterTurn(): void {
    this.#businessLog.tell();
    this.#recorder?.afterTurn();
    this.#losses.durable(this.#gate.durablePosition);
    if (this.#gate.isSettled) this.#halts.settled();
    if (this.kernel.isUnauthorized) this.#failure.unauthorized();
    if (this.#gate.failure !== null) this.#failure.journalFailed(this.#gate.failure);
  }

  async #stop({ isAsked = true, opensAgain = false, onLeft }: HowToStop): Promise<readonly OrderLeft[]> {
    const left = await endTrading({
      kernel: this.kernel,
      clock: this.clock,
      ids: this.#ids,
      events: this.#events,
      loop: this.#loop,
      throttle: this.#throttle,
      gate: this.#gate,
      venue: this.#connection.venue,
      save: () => {
        this.#upkeep.save();
        this.#snapshots.save();
      },
    });
    onLeft?.(left);
    this.#recorder?.close();
    this.#clockWatch.stop();
    this.#storeWatch.stop();
    await this.#connection.close();
    await this.#tape?.close().catch((error: unknown) => this.#log.warn('tape-recording-stopped', { error }));
    await this.#changes.end(opensAgain);
    await this.#socket.close();
    await this.#heartbeat?.end(isAsked);
    await this.#store.close();
    this.#lock.release();
    return left;
  }
}
