/**
 * The events of a live kernel, told to the log one by one before the kernel takes them. With the tape and the exchange's ledger that is
 * all it takes to go through the same run again, which proves where it differs from a backtest and why.
 */
import { EVENT_NAMES, type EngineEvent } from '../../engine/event.ts';
import type { EventTaker } from '../../engine/inbox.ts';
import type { OrderLane } from '../../engine/polling/lane.ts';
import type { Log } from '../../ports/log.ts';

export type Waiting = Pick<OrderLane, 'nextDue' | 'drain'>;

/** Event name of the lines. */
export const STEP = 'step';
/** The order lane let go of commands that had to wait: no event of the kernel, but a moment of its own. */
export const DRAIN = 'drain';

/** A line of the log: `at` is the kernel's time in the step; `query` is the question, or the operator's command, as JSON. */
export interface StepLine {
  readonly event: typeof STEP;
  /** A name of `EVENT_NAMES`, or "drain". */
  readonly input: string;
  readonly at: number;
  readonly seq?: number;
  readonly text?: string;
  /** Of "journal-away": 1 when it went, 0 when it came back. */
  readonly size?: number;
  readonly query?: string;
  readonly sentAt?: number;
  readonly venueTime?: number;
}

/** Tells each event to the log and hands it on. */
export function traced(kernel: EventTaker, log: Log): EventTaker {
  return {
    step(event) {
      log.debug(STEP, marketOf(event));
      kernel.step(event);
    },
  };
}

/** Tells when the order lane lets go of commands that had to wait. */
export function tracedLane(lane: Waiting, log: Log): Waiting {
  return {
    get nextDue() {
      return lane.nextDue;
    },
    drain(now) {
      log.debug(STEP, { input: DRAIN, at: now });
      lane.drain(now);
    },
  };
}

function marketOf({ kind, at, seq, size, text, query, command, sentAt, venueTime }: EngineEvent): Record<string, unknown> {
  const input = EVENT_NAMES[kind]!;
  if (input === 'answered') return { input, at, query: JSON.stringify(query), sentAt, venueTime };
  if (input === 'failed') return { input, at, query: JSON.stringify(query) };
  if (input === 'operate') return { input, at, query: JSON.stringify(command) };
  if (input === 'clock-skew') return { input, at, text };
  if (input === 'journal-away') return { input, at, size };
  return { input, at, seq };
}
