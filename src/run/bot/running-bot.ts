/** A bot that runs: what the command line and the control plane may ask of it. */
import type { Instrument } from '../../domain/instrument.ts';
import type { VenueCounts } from '../../edge/http/http-venue.ts';
import type { LiveClock } from '../../edge/time/live-clock.ts';
import type { Kernel } from '../../engine/kernel.ts';
import type { OrderLeft } from './orders-left.ts';

export interface RunningBot {
  readonly kernel: Kernel;
  readonly instruments: readonly Instrument[];
  /** What the strategies trade: "BTCUSDT" the futures, "spot:BTCUSDT" the spot instrument. */
  readonly traded: readonly string[];
  readonly clock: LiveClock;
  readonly startedAt: number;
  counts(): VenueCounts;
  /** Fills reported since the journal began. */
  readonly fills: number;
  /** Equity when the journal began, as money; 0 while it is not known. */
  readonly startEquity: number;
  /** Resolves when the bot cannot go on: the exit code. */
  readonly failed: Promise<number>;
  /** Lets strategies cancel, waits for what is in flight, writes everything down. Gives the orders left at the venue. Safe to call twice. */
  stop(): Promise<readonly OrderLeft[]>;
  /**
   * Says that orders with our name which the journal does not know are of a lost journal: ids are of a new epoch from now on, the halts that
   * waited for this are lifted, and the configured policy is applied to those orders. The new epoch.
   */
  rotateEpoch(): number;
}
