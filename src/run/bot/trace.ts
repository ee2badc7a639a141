/**
 * The steps of a live kernel, told to the log one by one: what came in and at which moment. With the tape and the exchange's ledger
 * that is all it takes to go through the same run again, which proves where it differs from a backtest and why.
 */
import type { Kernel } from '../../engine/kernel.ts';
import type { OrderLane } from '../../engine/lane.ts';
import type { Log } from '../../ports/log.ts';
import type { Query } from '../../ports/venue.ts';
import type { Moment } from '../moment.ts';

export type Steps = Pick<
  Kernel,
  'start' | 'stop' | 'operate' | 'nextTimer' | 'runTimers' | 'accepted' | 'rejected' | 'unsent' | 'unknown' | 'answered' | 'failed'
>;

export type Waiting = Pick<OrderLane, 'nextDue' | 'drain'>;

/** Event name of the lines. */
export const STEP = 'step';

/** A line of the log: `at` is the kernel's time in the step; `query` is the question as JSON. */
export interface StepLine {
  readonly event: typeof STEP;
  readonly input: Exclude<keyof Steps, 'nextTimer'> | 'drain';
  readonly at: number;
  readonly seq?: number;
  readonly query?: string;
  readonly sentAt?: number;
  readonly venueTime?: number;
}

/** Takes each step at one moment of `moment`, the kernel's clock, after a line about it. */
export function tracedSteps(kernel: Steps, moment: Moment, log: Log): Steps {
  const step = (line: Omit<StepLine, 'event' | 'at'>, run: () => void): void =>
    moment.hold((at) => {
      log.debug(STEP, { ...line, at });
      run();
    });
  const textOf = (query: Query): string => JSON.stringify(query);
  return {
    get nextTimer() {
      return kernel.nextTimer;
    },
    start: () => step({ input: 'start' }, () => kernel.start()),
    stop: () => step({ input: 'stop' }, () => kernel.stop()),
    runTimers: () => moment.hold((now) => step({ input: 'runTimers' }, () => kernel.runTimers(now))),
    operate: (command) =>
      moment.hold((at) => {
        log.debug(STEP, { input: 'operate', at, query: JSON.stringify(command) });
        return kernel.operate(command);
      }),
    accepted: (seq, venueId) => step({ input: 'accepted', seq }, () => kernel.accepted(seq, venueId)),
    rejected: (seq, rejection) => step({ input: 'rejected', seq }, () => kernel.rejected(seq, rejection)),
    unsent: (seq, cause) => step({ input: 'unsent', seq }, () => kernel.unsent(seq, cause)),
    unknown: (seq, cause) => step({ input: 'unknown', seq }, () => kernel.unknown(seq, cause)),
    answered: (query, answer, sentAt, venueTime) =>
      step({ input: 'answered', query: textOf(query), sentAt, venueTime }, () => kernel.answered(query, answer, sentAt, venueTime)),
    failed: (query, cause) => step({ input: 'failed', query: textOf(query) }, () => kernel.failed(query, cause)),
  };
}

/** Tells when the order lane lets go of commands that had to wait. */
export function tracedLane(lane: Waiting, log: Log): Waiting {
  return {
    get nextDue() {
      return lane.nextDue;
    },
    drain(now) {
      log.debug(STEP, { input: 'drain', at: now });
      lane.drain(now);
    },
  };
}
