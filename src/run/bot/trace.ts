/**
 * Logs every event of a live kernel before the kernel takes it. With the tape and the exchange's ledger the run can be repeated, which shows
 * where and why it differs from a backtest.
 */
import { EVENT_NAMES, type EngineEvent } from '../../engine/event.ts';
import type { EventTaker } from '../../engine/inbox.ts';
import type { OrderLane } from '../../engine/polling/lane.ts';
import type { Log } from '../../ports/log.ts';

export type Waiting = Pick<OrderLane, 'nextDue' | 'drain'>;

/** Event name of the lines. */
export const STEP = 'step';
/** The order lane released waiting commands. Not an event of the kernel, but it happens at a time of its own. */
export const DRAIN = 'drain';

/** A log line. `at` is the kernel's time of the step; `query` is the query or the operator's command as JSON. */
export interface StepLine {
  readonly event: typeof STEP;
  /** A name of `EVENT_NAMES`, or "drain". */
  readonly input: string;
  readonly at: number;
  readonly seq?: number;
  readonly text?: string;
  /** For "journal-away": 1 when the store went away, 0 when it came back. */
  readonly size?: number;
  readonly query?: string;
  readonly sentAt?: number;
  readonly venueTime?: number;
}

/** Logs each event and passes it on. */
export function traced(kernel: EventTaker, log: Log): EventTaker {
  return {
    step(event) {
      log.debug(STEP, lineOf(event));
      kernel.step(event);
    },
  };
}

/** Logs when the order lane releases waiting commands. */
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

function lineOf({ kind, at, seq, size, text, query, command, sentAt, venueTime }: EngineEvent): Record<string, unknown> {
  const input = EVENT_NAMES[kind]!;
  if (input === 'answered') return { input, at, query: JSON.stringify(query), sentAt, venueTime };
  if (input === 'failed') return { input, at, query: JSON.stringify(query) };
  if (input === 'operate') return { input, at, query: JSON.stringify(command) };
  if (input === 'clock-skew') return { input, at, text };
  if (input === 'journal-away') return { input, at, size };
  return { input, at, seq };
}
