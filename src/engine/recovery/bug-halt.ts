/**
 * What a bug leads to in a bot that trades. A check of our own state that fails ends the step where it is. Opens are halted then, until a
 * person resumes, also over restarts. The bot goes on with its next step, because positions need closes, cancels and reads. So nothing is
 * started again and again for a bug that comes back, and a restart in between reads the venue as always.
 */
import { AssertionError } from '../../base/failure/assert.ts';
import type { Core } from '../state/core.ts';
import type { EventCounters } from '../state/events/event-counters.ts';
import type { Halts } from '../state/halts.ts';

/** The shared state that this file uses. */
interface BugCore extends Core {
  readonly counters: EventCounters;
  readonly halts: Halts;
}

/** Steps that may fail one after another while work is left to do. */
export const FAILURES_MOST = 100;

/** Errors that are told with their stack; later ones are only counted. */
const TOLD_MOST = 100;

export class BugHalt {
  readonly #core: BugCore;
  readonly #told = new Set<string>();
  /** Bugs from before the first step. */
  readonly #early: unknown[] = [];

  constructor(core: BugCore) {
    this.#core = core;
  }

  /** Halts opens for this error. @throws the error, if it is none of our code */
  failed(error: unknown): void {
    if (!isBug(error)) throw error;
    const { counters, halts, log } = this.#core;
    const { message } = error;
    counters.add('assertion-failed', message);
    if (!this.#told.has(message) && this.#told.size < TOLD_MOST) {
      this.#told.add(message);
      log.error('assertion-failed', { error });
    }
    halts.raise({ scope: { kind: 'bot' }, code: 'assertion-failed', detail: message, by: 'bot' });
  }

  /** The same before the first step: opens are halted with it. @throws the error, if it is none of our code */
  early(error: unknown): void {
    if (!isBug(error)) throw error;
    this.#early.push(error);
  }

  /** The first step has begun. */
  begun(): void {
    for (const error of this.#early.splice(0)) this.failed(error);
  }
}

/** True for a failed check, and for what JavaScript throws where no value of the expected kind is. */
function isBug(error: unknown): error is Error {
  return error instanceof AssertionError || error instanceof TypeError || error instanceof RangeError;
}
