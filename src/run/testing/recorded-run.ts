/** One run of strategies on a tape. Everything they do is recorded, and a function may choose the venue's answers. */
import type { BotConfig } from '../../config/model.ts';
import type { Command } from '../../domain/orders/command.ts';
import { OPEN, SIDES, type SideName } from '../../domain/codes.ts';
import { formatLots, type Instrument } from '../../domain/instrument.ts';
import type { AnyStrategy } from '../../engine/strategy/definition/define.ts';
import type { Query } from '../../ports/venue.ts';
import type { RunReport } from '../../report/run-report.ts';
import { prepareBacktest } from '../backtest/backtest.ts';
import type { VirtualClock } from '../backtest/venue/virtual-clock.ts';
import { tradedBy } from '../setup/bot-parts.ts';
import { FaultPort, type CommandFate, type ReadFate } from './fault-port.ts';
import { RunRecord } from './record.ts';

export interface RecordedSpec {
  readonly strategy: AnyStrategy;
  readonly params: Readonly<Record<string, unknown>>;
  /** Empty: all futures of the tape. */
  readonly symbols: readonly string[];
  /** Folder of the tape. */
  readonly tape: string;
  /** Milliseconds since 1970 that count as time 0. */
  readonly start: number;
  readonly config: BotConfig;
  readonly everyTick: boolean;
  readonly seed: number;
  readonly faults?: VenueFaults | undefined;
  /** Milliseconds since 1970 at which the run ends. Default: with the tape. */
  readonly to?: number | undefined;
  /** Milliseconds since 1970 at which the strategy is created again, as after a restart of the bot. */
  readonly restartAt?: number | undefined;
  /** What programs outside say to the strategy; times in milliseconds since 1970. */
  readonly signals?: readonly SaidSignal[] | undefined;
}

export interface SaidSignal {
  readonly at: number;
  readonly text: string;
}

export interface VenueFaults {
  command(command: Command, instruments: readonly Instrument[]): CommandFate | null;
  read(query: Query): ReadFate | null;
}

/** A leg that is held at the end. */
export interface HeldPosition {
  /** As the venue names it. */
  readonly symbol: string;
  /** The leg (position side): LONG or SHORT. */
  readonly side: SideName;
  /** Size in base coin. */
  readonly size: string;
}

export interface RecordedRun {
  readonly report: RunReport;
  readonly record: RunRecord;
  /** Legs that are not flat at the end, by the venue's own books. */
  readonly positions: readonly HeldPosition[];
  /** Orders that rest at the venue at the end. */
  readonly resting: number;
  /** Those of them that would open or add to a position. */
  readonly restingOpens: number;
}

/** What is sent when the bot stops has so long to arrive. */
const GRACE_MS = 10_000;

/** Runs it to the end of the tape. @throws Failure, StrategyError, ParamError */
export async function runRecorded(spec: RecordedSpec): Promise<RecordedRun> {
  const { config, everyTick, faults, seed, start, strategy, tape } = spec;
  let clock: VirtualClock | null = null;
  const record = new RunRecord(() => Math.max(0, (clock?.now() ?? start) - start));
  const backtest = await prepareBacktest(
    { strategies: [], tape, config, everyTick, speed: 1, seed, to: spec.to },
    {
      setups: (instruments) => {
        record.instruments = instruments;
        const choice = { file: strategy.name, params: {}, symbols: spec.symbols };
        return [{ name: strategy.name, strategy, params: spec.params, instruments: tradedBy(choice, instruments) }];
      },
      graceMs: GRACE_MS,
      restartAt: spec.restartAt,
      signals: spec.signals?.map((one) => ({ ...one, strategy: strategy.name, from: 'test' })),
      log: (quiet) => record.log(quiet),
      journal: (counting) => record.journal(counting),
      port: (port, own) => {
        clock = own;
        if (faults === undefined) return port;
        const { upMs, downMs } = config.simulation;
        const { timeoutMs } = config.venue;
        const command = (sent: Command): CommandFate | null => faults.command(sent, record.instruments);
        return new FaultPort({ port, clock: own, tripMs: upMs + downMs, timeoutMs, command, read: (query) => faults.read(query) });
      },
    },
  );
  const report = backtest.run();
  const { instruments, sim } = backtest;
  const futures = instruments.filter(({ product }) => product === 'futures');
  const positions = futures.flatMap((one) =>
    sim
      .positions(0, one.index)
      .filter(({ total }) => total > 0)
      .map(({ side, total }) => ({ symbol: one.symbol, side: SIDES[side] ?? 'LONG', size: formatLots(total, one) })),
  );
  const resting = futures.flatMap(({ index }) => sim.pending(0, index));
  return { report, record, positions, resting: resting.length, restingOpens: resting.filter(({ effect }) => effect === OPEN).length };
}
