/** Hooks that a caller adds to a backtest. */
import type { Instrument } from '../../../domain/instrument.ts';
import type { CommandJournal } from '../../../engine/state/events/journal.ts';
import type { StrategySetup } from '../../../engine/strategy/definition/setup.ts';
import type { Log } from '../../../ports/log.ts';
import type { BacktestPort } from '../venue/backtest-port.ts';
import type { VirtualClock } from '../venue/virtual-clock.ts';

/** What a test of a strategy or a search puts between the parts of a run. */
export interface BacktestHooks {
  /** The strategies, instead of the files of the options. */
  readonly setups?: ((instruments: readonly Instrument[]) => readonly StrategySetup[]) | undefined;
  readonly log?: ((quiet: Log) => Log) | undefined;
  readonly journal?: ((counting: CommandJournal) => CommandJournal) | undefined;
  readonly port?: ((port: BacktestPort, clock: VirtualClock) => BacktestPort) | undefined;
  /** Milliseconds after the end in which the last commands still reach the venue. Default 0. */
  readonly graceMs?: number | undefined;
  /** Bars of history are read this many times as far back as the strategies ask for. Default 1. */
  readonly historyFactor?: number | undefined;
  /** Milliseconds between samples of the equity. Default: so many that a long run has 20,000. */
  readonly sampleMs?: number | undefined;
  /** False if nobody asks for excursions and markouts, which take time on each row after a fill. Default true. */
  readonly isWatched?: boolean | undefined;
  /** False if nobody asks for the chart of prices: then what strategies draw, and their indicators, are not kept. Default true. */
  readonly isDrawn?: boolean | undefined;
  /** Strategies are created again at this time with what `save` gives, as after a restart of the bot. */
  readonly restartAt?: number | undefined;
  /** What programs outside say to strategies, at their times. */
  readonly signals?: readonly GivenSignal[] | undefined;
}

/** A call of `onSignal`. */
export interface GivenSignal {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly strategy: string;
  readonly text: string;
  /** Who says it. */
  readonly from: string;
}
