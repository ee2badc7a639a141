/**
 * One process of the bot from its start to its end: the kernel, the order throttle, the gate of the journal, the loop and the clocks are those
 * of the program. Store, network and time are those of the simulation.
 */
import { OPEN, PLACE_SPOT } from '../../../src/domain/codes.ts';
import { isMargin, laneOf, LANES, makesOrder } from '../../../src/domain/orders/command-traits.ts';
import type { ClientIds } from '../../../src/domain/orders/client-ids.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { LiveClock } from '../../../src/edge/time/live-clock.ts';
import { VenueClock } from '../../../src/edge/time/venue-clock.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import type { OperatorCommand, OperatorResult } from '../../../src/engine/operator/command.ts';
import { OrderThrottle } from '../../../src/engine/polling/order-throttle.ts';
import { KeyGate } from '../../../src/engine/state/key-gate.ts';
import { ReadThrottle } from '../../../src/engine/polling/read-throttle.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { JournalRecord, Store } from '../../../src/ports/store.ts';
import type { Query } from '../../../src/ports/venue.ts';
import type { Inbox } from '../../../src/ports/venue-event.ts';
import { AskedHalts } from '../../../src/run/bot/store/asked-halts.ts';
import { ClockWatch } from '../../../src/run/bot/life/clock-watch.ts';
import { STORE_LOOK_MS, StoreWatch } from '../../../src/run/bot/life/store-watch.ts';
import { DurableGate } from '../../../src/run/bot/store/durable-gate.ts';
import { EventLoop } from '../../../src/run/bot/life/event-loop.ts';
import { Operations } from '../../../src/run/bot/control/operations.ts';
import { IDS_KEY, recover, type Recovered } from '../../../src/run/bot/store/recovered.ts';
import { questionBuckets } from '../../../src/run/setup/bot-parts.ts';
import { StepClock } from '../../../src/run/setup/step-clock.ts';
import { POLLS, START } from '../../support/engine/engine-kit.ts';
import { WIDE_LIMITS } from '../../support/specs.ts';
import type { Caller, Network } from './network.ts';
import type { Configured } from '../changes.ts';
import { HeardClocks } from './clocks.ts';
import type { Requests } from './requests.ts';
import { hasPeople } from '../trades.ts';
import { HORIZON, type Boundary, type Plan } from '../plan.ts';

const SNAPSHOT_EVERY_MS = 5_000;
const CLOCK_LOOK_MS = 500;
const ASKED_LOOK_MS = 200;
const RATES = { order: 20, spot: 10, margin: 5 };

export interface World {
  readonly plan: Plan;
  readonly instruments: readonly Instrument[];
  readonly network: Network;
  readonly now: () => number;
  /** What the clock of the machine says. */
  readonly wall: () => number;
  readonly after: (ms: number, life: Life | null, run: () => void) => void;
  readonly requests: Requests;
  readonly boundary: (life: Life, where: Boundary) => void;
  readonly note: (text: string) => void;
  readonly leaving: (life: Life, command: Command) => void;
  readonly told: (life: Life, id: string, lots: number) => void;
  readonly logged: (life: Life, level: string, event: string, fields: Readonly<Record<string, unknown>>) => void;
  /** The bot says that a scope was flattened. */
  readonly flat: (life: Life, scope: string) => void;
  readonly failed: (life: Life) => void;
}

/** What the journal holds, by client id; of a command its strategy. */
export interface Journaled {
  readonly commands: Map<string, string>;
  /** Orders that were asked for, by the reason of their command. */
  readonly asked: Map<string, Set<string>>;
  /** Opening orders of the random strategy that have none of its reasons. */
  readonly undecided: Set<string>;
  readonly accepted: Set<string>;
  readonly told: Map<string, number>;
  /** Lots of orders without a name that have explained changes of legs, and those that were told as brackets; by venue id. */
  readonly explained: Map<string, number>;
  readonly exits: Set<string>;
}

export class Life implements Caller {
  isDead = false;
  pausedUntil = 0;
  /** Time when the next due step is, in the world's time. */
  alarmAt = Infinity;
  readonly name: string;
  readonly clock: LiveClock;
  readonly kernel: Kernel;
  readonly gate: DurableGate;
  readonly loop: EventLoop;
  readonly outcomes: Inbox;
  readonly answers: Inbox;
  readonly ids: ClientIds;
  readonly clocks = new HeardClocks();
  readonly configured: Configured;
  readonly begunAt: number;
  /** Legs that the start named because no strategy trades them. */
  readonly named = new Set<string>();
  /** What is durable, and what the strategy was told in this life and the lives before it that left a record. */
  readonly durable: Journaled;
  /** Records that no commit covers yet. */
  #pending: JournalRecord[] = [];
  readonly told: Map<string, number>;
  readonly store: Store;
  readonly #world: World;
  readonly #throttle: OrderThrottle;
  readonly #polls: ReadThrottle;
  readonly #venueClock: VenueClock;
  readonly #clockWatch: ClockWatch;
  readonly #memory: Recovered;
  readonly #operations: Operations;
  readonly #asked: AskedHalts;
  /** By bucket and lane: until when the venue wants nothing, and since when. */
  readonly #paused = new Map<string, { readonly from: number; readonly until: number }>();
  #savedAt: number;
  #hasFailed = false;
  #dueAt = Infinity;

  constructor(world: World, name: string, store: Store, memory: Recovered, durable: Journaled, configured: Configured) {
    const { plan, instruments, network } = world;
    this.#world = world;
    this.configured = configured;
    this.begunAt = world.now();
    this.name = name;
    this.store = store;
    this.durable = durable;
    this.told = new Map(durable.told);
    this.#memory = memory;
    this.ids = memory.ids;
    this.clock = new LiveClock({ wall: world.wall, steady: () => world.now() - START });
    const stepClock = new StepClock(this.clock);
    this.#venueClock = new VenueClock(this.clock);
    this.#savedAt = this.clock.now();
    this.outcomes = { take: (event) => this.loop.take(() => this.kernel.inbox.take(event)) };
    const isExitOpen = (): boolean => this.kernel.hasOpenExit;
    const keyGate = new KeyGate();
    const venue = network.connect(this);
    this.#polls = new ReadThrottle({ reads: venue, clock: stepClock, ...questionBuckets(POLLS), isExitOpen, keyGate });
    this.#polls.connect(this.outcomes);
    this.answers = this.#polls;
    this.gate = new DurableGate(this.#watched(store), memory.position, venue, this.outcomes);
    this.#throttle = new OrderThrottle({ orders: this.gate, clock: stepClock, rates: RATES, keyGate });
    this.#throttle.connect(this.outcomes, (command) => this.kernel.vetoOf(command));
    const lot = Number(instruments[0]!.lotSize);
    this.kernel = new Kernel({
      instruments,
      orders: this.#throttle,
      reads: this.#polls,
      clock: stepClock,
      keyGate,
      log: this.#log(),
      journal: recordingJournal(instruments, (record) => this.#record(record)),
      identity: { bot: 'tw', epoch: memory.ids.epoch },
      ids: memory.ids,
      journalEnd: memory.journalEnd,
      isNewJournal: memory.isNew,
      strategies: configured.strategies,
      risk: {
        ...WIDE_LIMITS,
        maxIntentsPerSecond: plan.hostile === 'floods' ? 50 : Infinity,
        maxConsecutiveLosses: 1_000,
        maxOpenOrders: 8,
        maxPosition: { '*': String(configured.mostLots * lot) },
        maxNotionalTotal: plan.mostTotal === Infinity ? 'off' : String(plan.mostTotal),
      },
      external: hasPeople(plan) ? { position: 'adopt' } : {},
      marginMode: plan.strategy === 'margin' ? 'ISOLATED' : 'CROSS',
      polls: POLLS,
      timings: { settleMs: plan.settleMs, horizonMs: HORIZON * plan.settleMs },
      seed: plan.seed,
    });
    this.loop = new EventLoop({
      clock: this.clock,
      stepClock,
      kernel: this.kernel,
      inbox: this.kernel.inbox,
      throttle: this.#throttle,
      polls: this.#polls,
      gate: this.gate,
      beforeCommit: () => {
        if (this.clock.now() - this.#savedAt >= SNAPSHOT_EVERY_MS) this.#save();
      },
      afterTurn: () => {
        if (this.gate.failure === null || this.#hasFailed) return;
        this.#hasFailed = true;
        world.failed(this);
      },
      onBroken: (error) => {
        throw error;
      },
      alarm: (due) => ({ setAt: (at) => this.#setAlarm(at, due), stop: () => this.#setAlarm(Infinity, due) }),
    });
    const { gate, loop } = this;
    this.#asked = new AskedHalts({
      requests: world.requests.seenBy(() => this.isDead),
      operate: async (command) => (await this.#operations.operate(command, world.now())).result,
      durable: () => gate.durable(),
      epoch: () => Infinity,
      fenced: () => undefined,
      soon: (work) => world.after(0, this, work),
      now: () => this.clock.now(),
      log: this.#log(),
    });
    this.#operations = new Operations({
      kernel: this.kernel,
      events: this.kernel.inbox,
      gate,
      loop,
      durable: () => gate.durable(),
      asked: this.#asked,
      now: () => this.clock.now(),
      machineNow: world.now,
      begunAt: this.begunAt,
    });
    if (memory.snapshot !== null) this.kernel.restore(memory.snapshot);
    const halt = (why: string): void => this.loop.take(() => this.kernel.inbox.clockHalt(why));
    this.#clockWatch = new ClockWatch({ clock: this.clock, venueClock: this.#venueClock, log: this.#log(), halt });
    // Its timer is one of the system: the world looks at the clocks instead.
    this.#clockWatch.stop();
    this.loop.take(() => this.kernel.inbox.start());
    this.#asked.look();
    this.#every(ASKED_LOOK_MS, () => this.#asked.look());
    this.#every(CLOCK_LOOK_MS, () => this.#clockWatch.look());
    // A store that fails after the end of this process tells nobody.
    const alive = { take: (work: () => void) => (this.isDead ? undefined : loop.take(work)) };
    const storeWatch = new StoreWatch({
      store,
      kind: 'redis',
      gate,
      loop: alive,
      events: this.kernel.inbox,
      ids: this.ids,
      lock: { noteEpoch: () => undefined },
      snapshots: { save: () => this.#save() },
      upkeep: { look: async () => undefined },
      log: this.#log(),
    });
    this.#every(STORE_LOOK_MS, () => void storeWatch.look());
  }

  /** A process that reads its journal and begins. @throws StoreError */
  static async begin(world: World, name: string, store: Store, configured: () => Configured): Promise<Life> {
    const memory = await recover(store, 'tw', world.wall());
    const durable: Journaled = {
      commands: new Map(),
      asked: new Map(),
      undecided: new Set(),
      accepted: new Set(),
      told: new Map(),
      explained: new Map(),
      exits: new Set(),
    };
    for await (const record of store.read(1)) note(durable, record, (seq) => memory.ids.idOf(seq));
    return new Life(world, name, store, memory, durable, configured());
  }

  /** The process is gone. */
  die(): void {
    this.isDead = true;
    this.alarmAt = Infinity;
    this.loop.end();
  }

  /** The alarm rings. */
  ring(): void {
    const due = this.#due;
    const now = this.clock.now();
    if (now < this.#dueAt) return this.#arm();
    this.#dueAt = Infinity;
    this.alarmAt = Infinity;
    due(now);
  }

  idOf(seq: number): string {
    return this.ids.idOf(seq);
  }

  veto(command: Command): string | null {
    const { time, validMs } = command;
    if (validMs > 0 && this.clock.now() > time + validMs) return 'expired';
    return this.kernel.vetoOf(command) ?? this.#asked.vetoOf(command);
  }

  boundary(where: Boundary): boolean {
    if (!this.isDead) this.#world.boundary(this, where);
    return this.isDead;
  }

  leaving(command: Command): void {
    this.#world.leaving(this, command);
  }

  /** True if the venue asked for a pause of the command's bucket and lane, and more than `forMs` ago. */
  isPaused({ kind, effect }: Command, forMs: number): boolean {
    const pause = this.#paused.get(`${bucketOf(kind)} ${LANES[laneOf(kind, effect)]!}`);
    const now = this.clock.now();
    return pause !== undefined && now < pause.until && now > pause.from + forMs;
  }

  backOff(kind: number, lane: 'cancel' | 'close' | 'open', until: number): void {
    const bucket = bucketOf(kind);
    this.#paused.set(`${bucket} ${lane}`, { from: this.clock.now(), until });
    this.loop.take(() => this.#throttle.backOff(bucket, lane, until));
  }

  backOffReads(kind: Query['kind'], until: number): void {
    const { bucket } = POLLS.budget.calls[kind];
    this.loop.take(() => this.#polls.backOff(bucket, until));
  }

  sample(requestTime: number, sentAt: number): void {
    this.#venueClock.sample(requestTime, sentAt, this.clock.now());
  }

  /** The time that a request would be signed with now. */
  signed(): number {
    return this.#venueClock.now();
  }

  /** Whether the venue's time is known well enough to choose a clock by. */
  get knowsVenueTime(): boolean {
    return this.#venueClock.offset !== null;
  }

  now(): number {
    return this.clock.now();
  }

  /** What the operator is told, once it is durable; null when the process died before. */
  async operate(command: OperatorCommand, askedAt: number): Promise<OperatorResult | null> {
    const { result, isDurable } = await this.#operations.operate(command, askedAt);
    return isDurable && !this.isDead ? result : null;
  }

  rotateEpoch(): void {
    this.loop.take(() => {
      this.kernel.inbox.rotateEpoch();
      this.#save();
    });
  }

  stop(): void {
    this.loop.take(() => this.kernel.inbox.stop());
  }

  cancelAgain(): void {
    this.loop.take(() => this.kernel.inbox.cancelAgain());
  }

  #due: (now: number) => void = () => undefined;

  #setAlarm(at: number, due: (now: number) => void): void {
    this.#due = due;
    this.#dueAt = at;
    if (at === Infinity) this.alarmAt = Infinity;
    else this.#arm();
  }

  #arm(): void {
    this.alarmAt = this.#world.now() + Math.max(0, Math.ceil(this.#dueAt - this.clock.now()));
  }

  #every(ms: number, work: () => void): void {
    this.#world.after(ms, this, () => {
      work();
      this.#every(ms, work);
    });
  }

  #save(): void {
    this.#savedAt = this.clock.now();
    const saved = { after: this.gate.position, kernel: this.kernel.snapshot(), fills: 0, startEquity: this.#memory.startEquity };
    if (!this.kernel.mayKeep(saved.kernel)) return;
    this.gate.put('snapshot', JSON.stringify(saved));
    this.gate.put(IDS_KEY, JSON.stringify(this.ids.saved()));
  }

  #record(record: JournalRecord): void {
    if (this.isDead) return;
    const { kind, seq, data } = record;
    if (kind === 'fill') {
      const id = this.idOf(seq);
      this.told.set(id, (this.told.get(id) ?? 0) + Number(data['lots']));
      this.#world.told(this, id, Number(data['lots']));
    } else if (kind === 'lift' && data['code'] === 'flatten' && data['by'] === 'bot') this.#world.flat(this, String(data['scope']));
    this.gate.append(record);
  }

  /** The store, with an eye on what of it is durable. */
  #watched(store: Store): Store {
    const { boundary } = this.#world;
    const settle = (batch: readonly JournalRecord[]): void => {
      for (const record of batch) note(this.durable, record, (seq) => this.idOf(seq));
    };
    const isDisk = this.#world.plan.store === 'disk';
    return {
      get isAway() {
        return store.isAway ?? false;
      },
      get maySend() {
        return store.maySend ?? true;
      },
      get era() {
        return store.era ?? 0;
      },
      get risk() {
        return store.risk ?? '';
      },
      append: (record) => {
        this.#pending.push(record);
        return store.append(record);
      },
      put: (key, value) => store.put(key, value),
      commit: () => {
        const batch = this.#pending;
        this.#pending = [];
        if (!isDisk) boundary(this, 'commit');
        const written = store.commit();
        if (written === null) {
          settle(batch);
          return null;
        }
        return written.then(() => {
          if (this.isDead) return new Promise<void>(() => undefined);
          settle(batch);
          if (!isDisk) boundary(this, 'durable');
          return undefined;
        });
      },
      get: (key) => store.get(key),
      read: (from) => store.read(from),
      check: () => store.check(),
      last: () => store.last(),
      close: () => store.close(),
    };
  }

  #log(): Log {
    const at =
      (level: string) =>
      (event: string, fields: Readonly<Record<string, unknown>> = {}) => {
        if (!this.isDead) this.#world.logged(this, level, event, fields);
      };
    return { debug: () => undefined, info: at('info'), warn: at('warn'), error: at('error') };
  }
}

function bucketOf(kind: number): 'spot' | 'margin' | 'order' {
  return kind === PLACE_SPOT ? 'spot' : isMargin(kind) ? 'margin' : 'order';
}

function note(durable: Journaled, { kind, seq, data }: JournalRecord, idOf: (seq: number) => string): void {
  if (kind === 'command') {
    const id = idOf(seq);
    durable.commands.set(id, String(data['strategy']));
    const reason = String(data['reason']);
    const isOpening = makesOrder(Number(data['kind'])) && data['effect'] === OPEN && String(data['strategy']).startsWith('chaos');
    const isNumbered = /^i\d+$/.test(reason);
    if (isOpening && !isNumbered && reason !== 'quote') durable.undecided.add(id);
    if (isNumbered) durable.asked.set(reason, (durable.asked.get(reason) ?? new Set()).add(id));
  } else if (kind === 'fill') durable.told.set(idOf(seq), (durable.told.get(idOf(seq)) ?? 0) + Number(data['lots']));
  else if (kind === 'outcome' && data['status'] === 'accepted') durable.accepted.add(idOf(seq));
  else if (kind === 'explained')
    durable.explained.set(String(data['venueId']), (durable.explained.get(String(data['venueId'])) ?? 0) + Number(data['lots']));
  else if (kind === 'exit') durable.exits.add(String(data['venueId']));
}
