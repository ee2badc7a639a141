/**
 * A kernel on the real simulator behind a faulty venue, judged by the simulator's own ledger: reported fills against real ones, and
 * positions with resting orders against the limit. Kills leave only the journal.
 */
import { Random } from '../../../src/base/random.ts';
import { OPEN } from '../../../src/domain/codes.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import type { KernelSnapshot } from '../../../src/engine/recovery/registry.ts';
import type { SavedLosses } from '../../../src/engine/risk/loss-scope.ts';
import { recordingJournal } from '../../../src/engine/recovery/records.ts';
import { foldRecords } from '../../../src/engine/recovery/registry.ts';
import { defineStrategy, type AnyStrategy } from '../../../src/engine/strategy/definition/define.ts';
import type { Market } from '../../../src/engine/intents/market-types.ts';
import type { StrategyContext } from '../../../src/engine/strategy/definition/types.ts';
import type { JournalRecord } from '../../../src/ports/store.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { FUTURES, TRIGGER } from '../../../src/sim/state/kinds.ts';
import { SimPort } from '../../../src/sim/port/port.ts';
import { answerOf } from '../../../src/sim/port/answers.ts';
import type { CashReason, SimFill, SimOrder } from '../../../src/sim/state/types.ts';
import emaCross from '../../../strategies/ema-cross.ts';
import quoter from '../../../strategies/quoter.ts';
import { differences } from '../stores/live-and-folded.ts';
import { btc, IDENTITY, ManualClock, MemoryLog, POLLS, START } from '../engine/engine-kit.ts';
import { blockagesOf, FaultyVenue, type MarginSteps } from './faulty-venue.ts';
import { WIDE_LIMITS } from '../specs.ts';
import { StaleLists, type ListFaults } from './stale-lists.ts';

export interface FaultWorld {
  readonly seed: number;
  readonly upMs: number;
  readonly downMs: number;
  /** Share of commands and reads that fail. */
  readonly rate: number;
  readonly lists: ListFaults;
  /** True if single lists and commands are blocked for seconds, each in its own interval. */
  readonly blockages: boolean;
  /** Number of steps between kills. */
  readonly life: number;
  readonly steps: number;
  readonly strategy: 'chaos' | 'ema-cross' | 'quoter';
  readonly fillModel: 'touch' | 'through' | 'queue';
  /** Longest lag of a list; default that of the kernel. Also the time scale of a schedule. */
  readonly settleMs?: number | undefined;
  /** The number of symbols, whether trigger orders (E13) are placed, and whether the venue gives fired ones its own ids. */
  readonly symbols?: number | undefined;
  readonly triggers?: 'none' | 'named' | 'hidden' | undefined;
}

const SYMBOLS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'] as const;

/** Largest position in lots. */
export const MOST_LOTS = 30;

/** Random quotes, orders, modifies and cancels until `isCalm` returns true. */
function chaos(random: Random, isCalm: () => boolean, hasTriggers: boolean): AnyStrategy {
  const act = (market: Market, ctx: StrategyContext): void => {
    if (isCalm()) return;
    const side = random.below(2) === 0 ? 'LONG' : 'SHORT';
    const leg = side === 'LONG' ? market.long : market.short;
    const size = (1 + random.below(20)) * market.lot;
    const price = market.mid + (random.below(21) - 10) * market.tick;
    const { orders } = market;
    const any = orders[random.below(Math.max(1, orders.length))]?.number ?? 0;
    const what = random.below(hasTriggers ? 17 : 14);
    if (what >= 14) {
      const trigger = market.mid + (random.below(31) - 15) * market.tick;
      ctx.placeTrigger({ market, side, size, trigger, ...(what === 16 ? { limit: trigger } : {}) });
      return;
    }
    if (what === 0) ctx.open(market, side, { size });
    else if (what === 1) ctx.close(market, side);
    else if (what < 5) ctx.modify(any, { limit: price });
    else if (what < 7) ctx.cancel(any);
    else if (what < 9) ctx.quote(market, side === 'LONG' ? 'BUY' : 'SELL', price, random.below(3) * 5 * market.lot);
    else if (what < 11 && leg.free > 0) ctx.limit(market, side, 'CLOSE', price, Math.min(size, leg.free));
    else ctx.limit(market, side, 'OPEN', price, size, random.below(2) === 0);
  };
  return defineStrategy({
    name: 'chaos',
    create: () => ({
      onQuote: act,
      onOrder(event, ctx) {
        if (random.below(5) === 0) act(event.order.market, ctx);
      },
      onStop: (ctx) => ctx.cancelAll(),
    }),
  });
}

/** Real fills by order, and the reported ones. */
class Judge {
  readonly filled = new Map<number, number>();
  readonly told = new Map<number, number>();
  readonly wrong: string[] = [];
  readonly breaches: string[] = [];
  /** The largest position with all its resting orders. */
  worst = 0;
  placed = 0;
  isDirty = false;

  fill(f: SimFill): void {
    this.filled.set(f.tag, (this.filled.get(f.tag) ?? 0) + f.size);
    this.isDirty = true;
  }
  order(): void {
    this.placed++;
    this.isDirty = true;
  }
  ended(): void {}
  /** Result of own trading in money: profit less fees. */
  result = 0;

  cash(_account: number, _coin: string, amount: number, why: CashReason): void {
    if (why === 'realised' || why === 'fee') this.result += amount;
  }

  /** Records a reported fill; more reported than filled is an error. */
  tell(seq: number, lots: number, time: number): void {
    const told = (this.told.get(seq) ?? 0) + lots;
    this.told.set(seq, told);
    const filled = this.filled.get(seq) ?? 0;
    if (told > filled) this.wrong.push(`${time - START}: order ${seq} told ${told}, filled ${filled}`);
  }

  /** Fills that were never reported, once all is quiet. */
  unreported(): (readonly [seq: number, filled: number, told: number])[] {
    const all = [...this.filled].map(([seq, lots]) => [seq, lots, this.told.get(seq) ?? 0] as const);
    return all.filter(([, filled, told]) => told !== filled);
  }
}

export class FaultRun {
  readonly clock = new ManualClock();
  readonly log = new MemoryLog();
  readonly sim: VenueSim;
  readonly judge = new Judge();
  /** Positions whose exposure was less than their resting orders. */
  readonly uncounted: string[] = [];
  /** What a kill left in the journal and the kernel knew otherwise. */
  readonly unlike: string[] = [];
  readonly #instruments: Instrument[];
  readonly #world: FaultWorld;
  readonly #random: Random;
  readonly records: JournalRecord[] = [];
  /** Ports of earlier kernels whose messages are still on their way to the venue. */
  readonly #ports: SimPort[] = [];
  readonly #venues: FaultyVenue[] = [];
  readonly #lists: StaleLists;
  readonly #steps: MarginSteps = { lastSeq: 0, overlapping: [] };
  readonly #hidden: Set<string> | null;
  #isCalm = false;
  kernel: Kernel;

  constructor(world: FaultWorld) {
    this.#world = world;
    this.#random = new Random(world.seed);
    this.#instruments = SYMBOLS.slice(0, world.symbols ?? 1).map((symbol, i) => btc(i, symbol));
    this.#hidden = world.triggers === 'hidden' ? new Set() : null;
    const accounts = [{ name: 'a', futures: '1000000', spot: {} }];
    const { fillModel } = world;
    const spec = { instruments: this.#instruments, accounts, fillModel, leverage: 10, historyLimit: 10_000, keepTrades: 1000 };
    const sim = new VenueSim(spec, this.judge);
    this.sim = sim;
    for (const { index } of this.#instruments) sim.quote(index, 9_999, 50, 10_001, 50, START);
    const asker = { account: 0, identity: IDENTITY, futures: this.#instruments.map(({ index }) => index) };
    this.#lists = new StaleLists(world.lists, this.#random.fork(), () => ({
      pending: answerOf(sim, asker, { kind: 'pending', instrument: -1 }) as never,
      positions: answerOf(sim, asker, { kind: 'positions', instrument: -1 }) as never,
    }));
    this.kernel = this.#boot(null);
  }

  trade(): void {
    const { life, steps } = this.#world;
    const random = this.#random;
    const mids = this.#instruments.map(() => 10_000);
    for (let step = 1; step <= steps; step++) {
      this.#until(this.clock.time + 1 + random.below(300));
      for (const { index } of this.#instruments) {
        const mid = (mids[index]! += random.below(7) - 3);
        this.sim.trade(index, mid + (random.below(3) - 1), 1 + random.below(30), random.below(2), this.clock.time, step);
        this.sim.quote(index, mid - 1, 1 + random.below(60), mid + 1, 1 + random.below(60), this.clock.time);
      }
      this.#checkLimits();
      this.#checkExposure();
      if (step % life === 0) this.#kill();
    }
  }

  /** Runs until nothing is in doubt: longer than the horizon, twice. */
  rest(): void {
    this.#isCalm = true;
    // A trigger order that its cancel did not find is searched for longer, and its fills are undecided for the horizon after that.
    const hasTriggers = (this.#world.triggers ?? 'none') !== 'none';
    const quietMs = Math.min(hasTriggers ? 250_000 : 100_000, (hasTriggers ? 30 : 8) * (this.#world.settleMs ?? Infinity));
    this.#until(this.clock.time + quietMs);
    this.kernel.inbox.stop();
    this.#until(this.clock.time + quietMs);
  }

  /** Profit less fees as counted by the loss limits, across all kills. */
  counted(): number {
    const last = this.records.findLast(({ kind }) => kind === 'losses');
    return (last?.data as unknown as SavedLosses | undefined)?.scopes['bot']?.realised ?? 0;
  }

  /** Lots of all positions at the venue. */
  truth(): number[] {
    const truth = this.#instruments.flatMap(() => [0, 0]);
    for (const position of this.sim.positions(0, -1)) truth[2 * position.instrument + position.side] = position.total;
    return truth;
  }

  /** Only the journal remains; messages that were sent still arrive. */
  #kill(): void {
    for (const venue of this.#venues) venue.isDead = true;
    const snapshot = foldRecords(null, this.records);
    this.unlike.push(...differences(this.kernel.snapshot(), snapshot));
    this.kernel.close();
    this.#until(this.clock.time + this.#random.below(3_000));
    this.kernel = this.#boot(snapshot);
  }

  #boot(snapshot: KernelSnapshot | null): Kernel {
    const { clock, log, sim } = this;
    const { upMs, downMs, rate, seed, settleMs } = this.#world;
    const port = new SimPort({ sim, account: 0, identity: IDENTITY, latency: { upMs, downMs }, clock, push: false });
    const venue = new FaultyVenue(port, clock, this.#random.fork(), rate, this.#lists, this.#steps, this.#hidden);
    if (this.#world.blockages) venue.blockages = blockagesOf(this.#random.fork(), START);
    port.connect(venue.outcomes, venue.answers);
    this.#ports.push(port);
    this.#venues.push(venue);
    const lot = this.#instruments[0]!.lotSize;
    const kernel = new Kernel({
      instruments: this.#instruments,
      orders: venue,
      reads: venue,
      clock,
      log,
      journal: recordingJournal(this.#instruments, (record) => {
        this.records.push(record);
        if (record.kind === 'fill') this.judge.tell(record.seq, Number(record.data['lots']), clock.time);
      }),
      identity: IDENTITY,
      strategies: [this.#setup()],
      risk: {
        ...WIDE_LIMITS,
        maxIntentsPerSecond: Infinity,
        maxConsecutiveLosses: 1_000,
        maxOpenOrders: 8,
        maxPosition: { '*': String(MOST_LOTS * Number(lot)) },
      },
      polls: POLLS,
      timings: settleMs === undefined ? {} : { settleMs, horizonMs: 4 * settleMs },
      seed,
    });
    venue.inbox = kernel.inbox;
    if (snapshot !== null) kernel.restore(snapshot);
    this.#lists.started(clock.time);
    kernel.inbox.start();
    return kernel;
  }

  #setup(): { strategy: AnyStrategy; instruments: number[]; params?: Record<string, unknown> } {
    const { strategy } = this.#world;
    const instruments = this.#instruments.map(({ index }) => index);
    const hasTriggers = (this.#world.triggers ?? 'none') !== 'none';
    const size = String(10 * Number(this.#instruments[0]!.lotSize));
    if (strategy === 'ema-cross')
      return { strategy: emaCross, instruments, params: { fast: 2, slow: 4, bar: '500ms', size: String(3 * Number(size)) } };
    if (strategy === 'quoter')
      return { strategy: quoter, instruments, params: { size, maxInventory: 1, spread: 0, postOnly: this.#random.below(2) === 0 } };
    return { strategy: chaos(this.#random.fork(), () => this.#isCalm, hasTriggers), instruments };
  }

  #until(time: number): void {
    const { clock, sim } = this;
    const parties = [...this.#ports, ...this.#venues];
    for (;;) {
      const { kernel } = this;
      const due = Math.min(sim.nextDue, kernel.nextTimer, ...parties.map((one) => one.nextDue));
      if (due > time) break;
      clock.time = Math.max(clock.time, due);
      if (sim.nextDue <= clock.time) sim.advance(clock.time);
      for (const one of parties) if (one.nextDue <= clock.time) one.run();
      this.#lists.note(clock.time);
      if (kernel.nextTimer <= clock.time) kernel.inbox.runTimers(clock.time);
      this.#checkLimits();
    }
    clock.time = time;
  }

  /** Resting orders that may fill at once. */
  resting(): SimOrder[] {
    return this.#pending(FUTURES);
  }

  /** Trigger orders that wait for their price. */
  waiting(): SimOrder[] {
    return this.#pending(TRIGGER);
  }

  #pending(wanted: number): SimOrder[] {
    return this.#instruments.flatMap(({ index }) => this.sim.pending(0, index)).filter(({ kind }) => kind === wanted);
  }

  /** No position with all its resting orders is above its limit. */
  #checkLimits(): void {
    const { judge } = this;
    if (!judge.isDirty) return;
    judge.isDirty = false;
    const most = this.truth();
    for (const order of this.resting()) {
      if (order.effect === OPEN) most[2 * order.instrument + order.side]! += order.size - order.filled;
    }
    for (const lots of most) {
      judge.worst = Math.max(judge.worst, lots);
      if (lots > MOST_LOTS) judge.breaches.push(`${this.clock.time - START}: ${most.join(', ')} long and short, at most ${MOST_LOTS}`);
    }
  }

  /** Every resting order is in the exposure with all that it may still fill. */
  #checkExposure(): void {
    for (const market of this.kernel.markets) {
      for (const leg of [market.long, market.short]) {
        const own = market.orders.filter((one) => one.state === 'working' && one.side === leg.side);
        const sum = (effect: string): number => own.filter((one) => one.effect === effect).reduce((lots, one) => lots + one.remaining, 0);
        const isCounted = leg.opening > sum('OPEN') - market.lot / 2 && leg.closing > sum('CLOSE') - market.lot / 2;
        if (!isCounted) this.uncounted.push(`${market.symbol} ${leg.side} at ${this.clock.time}`);
      }
    }
  }
}
