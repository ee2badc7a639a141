/** Says why a bot cannot continue, and the exit code of its process. */
import { exitCode } from '../../base/failure/exit-codes.ts';
import { messageOf } from '../../base/failure/message-of.ts';
import type { Log } from '../../ports/log.ts';
import { mayPass } from '../../base/failure/store-failures.ts';
import { causeOf, StoreError } from '../../ports/store.ts';

export class BotFailure {
  /** Resolves with the exit code when the bot cannot continue. */
  readonly code: Promise<number>;
  readonly #log: Log;
  readonly #onBehind: (why: string) => void;
  readonly #onBug: (why: string) => void;
  #resolve: (code: number) => void = () => undefined;
  #isTold = false;

  /** `onBehind` and `onBug` halt opens beside the store before the process ends, so that the next start opens nothing. */
  constructor(log: Log, onBehind: (why: string) => void, onBug: (why: string) => void) {
    this.#log = log;
    this.#onBug = onBug;
    this.#onBehind = onBehind;
    this.code = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Work between the steps threw: local state cannot be trusted any more. The next start opens nothing. */
  stepThrew(error: unknown): void {
    this.#log.error('bot-failed', { error });
    this.#onBug(messageOf(error));
    this.#resolve(1);
  }

  unauthorized(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#log.error('gave-up', { why: 'the venue refused every signed read as unauthorized; starting again does not help' });
    this.#resolve(exitCode.configuration);
  }

  /** The next start begins a new epoch of client ids, and goes on. */
  fenced(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#resolve(exitCode.occupied);
  }

  journalFailed(error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#log.error('journal-failed', { error });
    const cause = error instanceof StoreError ? causeOf(error) : null;
    if (cause?.code === 'behind') this.#onBehind(cause.message);
    this.#resolve(codeOf(error));
  }
}

/** Exit code of a store failure, by the table of base/failure/store-failures.ts. */
function codeOf(failure: unknown): number {
  return failure instanceof StoreError && mayPass(causeOf(failure).code) ? exitCode.occupied : exitCode.configuration;
}
