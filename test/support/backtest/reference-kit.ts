/** The parts of a backtest wired by hand, with every command, fill and end recorded; run by both the fast and the naive driver. */
import { Digest } from '../../../src/base/digest.ts';
import { Random } from '../../../src/base/random.ts';
import type { Command } from '../../../src/domain/orders/command.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { CommandJournal } from '../../../src/engine/state/events/journal.ts';
import type { Leg } from '../../../src/engine/state/records/leg.ts';
import { Kernel } from '../../../src/engine/kernel.ts';
import { OrderThrottle, type CommandRates } from '../../../src/engine/polling/order-throttle.ts';
import { ReadThrottle } from '../../../src/engine/polling/read-throttle.ts';
import type { StrategySetup } from '../../../src/engine/strategy/definition/setup.ts';
import type { PollSettings } from '../../../src/engine/polling/schedule.ts';
import type { SavedHalt } from '../../../src/domain/messages/saved-halt.ts';
import { EquityCurve } from '../../../src/report/equity/equity-curve.ts';
import { FillLog } from '../../../src/report/fills/fill-log.ts';
import { Drive, type DriveDeps } from '../../../src/run/backtest/loop/drive.ts';
import { questionBuckets } from '../../../src/run/setup/bot-parts.ts';
import { feedOf } from '../../../src/run/setup/instruments/instruments.ts';
import { VirtualClock } from '../../../src/run/backtest/venue/virtual-clock.ts';
import { VenueSim } from '../../../src/sim/core/venue-core.ts';
import { SimPort, type LatencySpec } from '../../../src/sim/port/port.ts';
import { LATENCY_MODELS, type LatencyModel } from '../../../src/domain/models/latency.ts';
import type { FillModel, LedgerSink, SimFill, SimSpec } from '../../../src/sim/state/types.ts';
import { TapeMerge } from '../../../src/tape/merge.ts';
import type { Tape } from '../../../src/tape/tape.ts';
import type { TapeStream } from '../../../src/tape/file/stream.ts';
import { MemoryLog } from '../engine/engine-kit.ts';
import { WIDE_LIMITS } from '../specs.ts';

/** No limit on order commands. */
export const UNLIMITED: CommandRates = { order: Infinity, spot: Infinity, margin: Infinity };

export interface RunSpec {
  readonly instruments: readonly Instrument[];
  readonly strategies: readonly StrategySetup[];
  /** Polls of the bot; null = every tick. */
  readonly polls: PollSettings | null;
  readonly fillModel: FillModel;
  readonly upMs: number;
  readonly downMs: number;
  readonly jitterMs?: number;
  /** Without the read throttle, queries leave at once, whatever their number. Default true. */
  readonly hasReadThrottle?: boolean;
  readonly rates?: CommandRates;
  readonly maxIntentsPerSecond?: number;
  readonly maxOpenOrders?: number;
  readonly deposit?: string;
  readonly seed?: number;
  readonly from?: number;
  readonly to?: number;
  readonly botFrom?: number;
  readonly sampleMs?: number;
  /** True if rows are mirrored to the spot instrument of their symbol. Default false. */
  readonly hasSpot?: boolean;
  /** Creates the venue, if it is not the plain simulator. */
  readonly simOf?: (spec: SimSpec, sink: LedgerSink) => VenueSim;
}

/** Records what the bot and the venue did. */
class RunRecord implements LedgerSink, CommandJournal {
  readonly fills = new FillLog();
  /** Every command as received by the venue, in order. */
  readonly commands: Command[] = [];
  /** Everything else that was journaled, as text. */
  readonly words: string[] = [];

  order(orderNo: number): void {
    this.words.push(`order ${orderNo}`);
  }
  cash(account: number, coin: string, amount: number, why: string, orderNo: number): void {
    this.words.push(`cash ${account} ${coin} ${amount} ${why} ${orderNo}`);
  }
  command(command: Command): void {
    this.commands.push({ ...command });
  }
  outcome(seq: number, status: string, venueId: string, why: string, time: number): void {
    this.words.push(`outcome ${seq} ${status} ${venueId} ${why} ${time}`);
  }
  halt({ scope, code, seq, detail }: SavedHalt, time: number): void {
    this.words.push(`halt ${scope} ${code} ${seq} ${detail} ${time}`);
  }
  note(kind: string, data: object, time: number): void {
    this.words.push(`${kind} ${JSON.stringify(data)} ${time}`);
  }
  lift({ scope, code, seq }: SavedHalt, why: string, _by: string, time: number): void {
    this.words.push(`lift ${scope} ${code} ${seq} ${why} ${time}`);
  }
  fired(seq: number, what: string, lots: number, ticks: number, venueId: string, time: number): void {
    this.words.push(`fired ${seq} ${what} ${lots} ${ticks} ${venueId} ${time}`);
  }
  /** The ledger's end of an order has two numbers, the journal's four. */
  ended(...what: readonly (number | boolean)[]): void {
    this.words.push(`ended ${what.join(' ')}`);
  }
  settled(seq: number, filled: number, time: number): void {
    this.words.push(`settled ${seq} ${filled} ${time}`);
  }
  leg({ index, proven, provenAt, shownAt, unexplained }: Leg): void {
    this.words.push(`leg ${index} ${proven} ${Math.max(0, provenAt, shownAt)} ${unexplained}`);
  }
  fill(...what: readonly [SimFill] | readonly number[]): void {
    const [f] = what;
    if (typeof f !== 'object') this.words.push(`known fill ${(what as readonly number[]).join(' ')}`);
    else this.fills.add(f.time, f.instrument, f.side, f.effect, f.price, f.size, f.fee, f.realised, f.liquidity, f.tag);
  }

  /** One digest over the commands, one over everything else. */
  digests(): { fills: string; commands: string; words: string } {
    const commands = new Digest();
    for (const command of this.commands) commands.text(JSON.stringify(command));
    const words = new Digest();
    for (const word of this.words) words.text(word);
    return { fills: this.fills.digest(), commands: commands.hex(), words: words.hex() };
  }
}

/** Jitter of both directions, each from a generator of its own. */
export function jitterOf(jitterMs: number, random: Random): Pick<LatencySpec, 'up' | 'down'> {
  const one = (): LatencyModel => LATENCY_MODELS.jitter.make({ jitterMs, spikeChance: 0, spikeMs: 0, delays: [] }, random.fork());
  return { up: one(), down: one() };
}

export interface Rig {
  readonly course: RunRecord;
  readonly parts: DriveDeps;
  readonly streams: readonly TapeStream[];
  readonly log: MemoryLog;
}

/** Creates all parts of a run on the tape, ready for a driver. */
export function rigOf(tape: Tape, spec: RunSpec): Rig {
  const { instruments, polls } = spec;
  const course = new RunRecord();
  const clock = new VirtualClock();
  const log = new MemoryLog();
  const identity = { bot: 'tw', epoch: 0 };
  const deposit = spec.deposit ?? '1000000';
  const venue: SimSpec = {
    instruments,
    accounts: [{ name: 'bot', futures: deposit, spot: { USDT: deposit } }],
    fillModel: spec.fillModel,
    leverage: 20,
    historyLimit: 2000,
    keepTrades: polls === null ? 0 : 5000,
    keepStats: polls !== null,
  };
  const sim = spec.simOf?.(venue, course) ?? new VenueSim(venue, course);
  const jitterMs = spec.jitterMs ?? 0;
  const latency = { upMs: spec.upMs, downMs: spec.downMs, ...jitterOf(jitterMs, new Random(spec.seed ?? 1)) };
  const port = new SimPort({ sim, account: 0, identity, latency, clock, push: polls === null, nameOrders: true });
  const readThrottle =
    polls === null || spec.hasReadThrottle === false ? null : new ReadThrottle({ reads: port, clock, ...questionBuckets(polls) });
  const throttle = new OrderThrottle({ orders: port, clock, rates: spec.rates ?? UNLIMITED });
  const kernel = new Kernel({
    instruments,
    orders: throttle,
    reads: readThrottle ?? port,
    clock,
    log,
    journal: course,
    identity,
    strategies: spec.strategies,
    risk: {
      ...WIDE_LIMITS,
      maxOpenOrders: spec.maxOpenOrders ?? 50,
      priceCollar: 0.5,
      staleAfterMs: 3_600_000,
      maxIntentsPerSecond: spec.maxIntentsPerSecond ?? Infinity,
    },
    polls,
    seed: spec.seed ?? 1,
  });
  throttle.connect(kernel.inbox, (command) => kernel.vetoOf(command));
  readThrottle?.connect(kernel.inbox);
  port.connect(kernel.inbox, readThrottle ?? kernel.inbox);
  const streams = tape.open();
  const parts: DriveDeps = {
    merge: new TapeMerge(streams, spec.from, spec.to),
    feeds: streams.map((stream) => feedOf(stream.symbol, instruments, () => spec.hasSpot ?? false)),
    sim,
    port,
    polls: readThrottle,
    kernel,
    throttle,
    clock,
    seesRows: polls === null,
    curve: new EquityCurve(sim.equity(0)),
    sampleMs: spec.sampleMs ?? 1000,
    botFrom: spec.botFrom ?? -Infinity,
  };
  return { course, parts, streams, log };
}

/** The complete result of a run as plain values for comparison. */
export function outcomeOf({ course, parts }: Rig): Record<string, unknown> {
  const { sim, kernel, curve } = parts;
  sim.audit();
  return {
    ...course.digests(),
    commandCount: course.commands.length,
    fillCount: course.fills.length,
    venue: sim.snapshot(),
    localState: kernel.snapshot(),
    status: kernel.status(),
    equity: [curve.end, curve.maxDrawdown, curve.samples, curve.exposed, curve.points],
  };
}

/** Runs the rig with the fast driver. */
export function runFast(rig: Rig): { rows: number; first: number; last: number } {
  const drive = new Drive(rig.parts);
  drive.run();
  const { rows, first, last } = drive;
  return { rows, first, last };
}

/** Polls with periods down to `quotes` ms, with rate limits that allow them. */
export function pollsOf(quotes: number, trades = quotes * 2, orders = quotes * 2): PollSettings {
  const one = { bucket: 'all', weight: 1 };
  return {
    periods: {
      quotes,
      stats: 5000,
      trades,
      account: 1000,
      pending: orders,
      history: 0,
      positions: orders,
      withdrawals: 0,
      'spot-symbols': 0,
    },
    budget: {
      calls: {
        quotes: one,
        stats: one,
        trades: one,
        account: one,
        pending: one,
        history: one,
        positions: one,
        withdrawals: one,
        'spot-symbols': one,
      },
      buckets: { all: { perSecond: 100_000, orderShare: 0 } },
    },
  };
}
