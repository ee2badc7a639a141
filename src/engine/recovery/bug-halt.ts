/**
 * Halts opens after a bug in a bot that trades. A check of our own state that fails ends the process, which leaves a halt of opens that
 * only a person ends (run/bot/bot-failure.ts). The next process rebuilds its state from journal and venue. If the bug comes back there,
 * while that halt stands, only the step ends: positions need closes, cancels and reads, and a bot that is started again and again gives
 * them none.
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

/** Checks that are told with their stack, and counted one by one. */
const TOLD_MOST = 100;

export class BugHalt {
  readonly #core: BugCore;
  readonly #told = new Set<string>();

  constructor(core: BugCore) {
    this.#core = core;
  }

  /** True while opens are halted for a bug. */
  get isHalted(): boolean {
    const { halts } = this.#core;
    return halts.count > 0 && halts.find({ kind: 'bot' }, 'assertion-failed') !== null;
  }

  /** Logs and counts a check that failed while opens are halted for a bug. @throws the error, if it is none of our code */
  failed(error: unknown): void {
    if (!isBug(error)) throw error;
    const { counters, log } = this.#core;
    // Without what was found, which may differ each time.
    const check = error.message.split(': found ')[0]!;
    if (!this.#told.has(check) && this.#told.size >= TOLD_MOST) return counters.add('assertion-failed', 'others');
    counters.add('assertion-failed', check);
    if (this.#told.has(check)) return;
    this.#told.add(check);
    log.error('assertion-failed', { error });
  }
}

/** True for a failed check, and for what JavaScript throws where no value of the expected kind is. */
function isBug(error: unknown): error is Error {
  return error instanceof AssertionError || error instanceof TypeError || error instanceof RangeError;
}
