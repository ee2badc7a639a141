/** The state that every part of the kernel uses: the time of the step, timers, instruments, the journal and the log. */
import type { TimerQueue } from '../../base/time/timer-queue.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Log } from '../../ports/log.ts';
import type { CommandJournal } from './events/journal.ts';

export interface KernelTimings {
  /** Time without an outcome after which a command counts as unknown. Default 30,000. */
  readonly commandTimeoutMs?: number | undefined;
  /** How long a command may wait before it is sent: market orders, limit orders, closing orders. Cancels never expire. */
  readonly marketValidMs?: number | undefined; // 5,000
  readonly limitValidMs?: number | undefined; // 30,000
  readonly closeValidMs?: number | undefined; // 60,000
  /** Longest lag of any list of the venue: a read this long after a fill shows that fill. Default 12,000; at most the horizon. */
  readonly settleMs?: number | undefined;
  /** Time after sending when an order that no read has shown is presumed not landed. Default 60,000. */
  readonly horizonMs?: number | undefined;
  /** How long a presumed order is still watched for. Default 86,400,000. */
  readonly watchMs?: number | undefined;
  /** Wait after the end of a bar, by venue time, before it is closed without a later trade; Infinity if whoever feeds it ends it. Default 1,000. */
  readonly barGraceMs?: number | undefined;
  /** How many times as fast as real time the market moves: bars by time last so many times less. Default 1. */
  readonly barSpeed?: number | undefined;
}

export type Timings = { readonly [K in keyof KernelTimings]-?: number };

/** The parts extend this by what else they use of the local state; `assembly.ts` gives each the whole of it (`kernel-state.ts`). */
export interface Core {
  /** Time of the current step; −Infinity before the first. */
  readonly now: number;
  readonly timerQueue: TimerQueue;
  readonly instruments: readonly Instrument[];
  readonly journal: CommandJournal;
  readonly log: Log;
  readonly timings: Timings;
}
