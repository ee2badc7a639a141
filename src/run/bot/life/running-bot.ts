/** The interface of a running bot for the command line and the control interface. */
import type { Instrument } from '../../../domain/instrument.ts';
import type { VenueCounts } from '../../../edge/http/http-venue.ts';
import type { LiveClock } from '../../../edge/time/live-clock.ts';
import type { Kernel } from '../../../engine/kernel.ts';
import type { DayProfit } from '../store/day-profit.ts';
import type { OrderLeft } from './orders-left.ts';

export interface HowToStop {
  /** A person or a process manager wants it, so the watchdog need not act. Default true. */
  readonly isAsked?: boolean;
  /** It is opened again in this process: whoever follows it waits. */
  readonly opensAgain?: boolean;
  /** Takes the orders that are left while the stream of changes is still open, so that a monitor hears what is logged of them. */
  readonly onLeft?: (left: readonly OrderLeft[]) => void;
}

export interface RunningBot {
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  /** Traded symbols: "BTCUSDT" for futures, "spot:BTCUSDT" for spot. */
  readonly traded: readonly string[];
  readonly clock: LiveClock;
  readonly startedAt: number;
  counts(): VenueCounts;
  /** The venue's clock minus ours in milliseconds; null before enough answers. */
  readonly clockOffsetMs: number | null;
  /** Fills reported since the journal began. */
  readonly fills: number;
  /** Orders placed since the journal began, trigger and spot orders included. */
  readonly placed: number;
  /** Equity when the journal began, in money; 0 while unknown. */
  readonly startEquity: number;
  readonly days: DayProfit;
  /** Resolves with the exit code when the bot cannot continue. */
  readonly failed: Promise<number>;
  /** Resolves when an operator has changed which strategies run: the bot is to be stopped and opened again. */
  readonly changed: Promise<void>;
  /** Lets strategies cancel, waits for commands in flight, saves the state. Resolves with the orders left at the venue. Can be called twice. */
  stop(how?: HowToStop): Promise<readonly OrderLeft[]>;
  /**
   * Confirms that unknown orders with our name are from a lost journal. Starts a new epoch, lifts the halts that waited for this, and applies
   * the configured policy to those orders. Returns the new epoch.
   */
  rotateEpoch(): number;
  /** Fulfils `changed`. */
  openAgain(): void;
  /** A watchdog has cancelled the opening orders of this process: it opens nothing any more, and ends. */
  endFenced(why: string): void;
}
