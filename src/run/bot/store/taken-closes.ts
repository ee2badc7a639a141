/**
 * Takes over what a watchdog sent to close the positions of this bot while it was silent. Until all of it is in the journal, no close of the bot
 * itself leaves: the same lots could be closed twice.
 */
import { messageOf } from '../../../base/failure/message-of.ts';
import { hasNotLanded, type WatchdogClose } from '../../../domain/messages/watchdog.ts';
import type { NotedCloses, WatchdogCloses } from '../../../edge/file/beside/watchdog-closes.ts';
import type { OperatorCommand, OperatorResult } from '../../../engine/operator/command.ts';
import type { Log } from '../../../ports/log.ts';

export interface TakenDeps {
  readonly file: Pick<WatchdogCloses, 'isHeld' | 'path' | 'take' | 'imported'>;
  /** Executes a command, and resolves when it is in effect. */
  readonly operate: (command: OperatorCommand) => Promise<OperatorResult>;
  /** Resolves to true once what was operated is in the journal. */
  readonly durable: () => Promise<boolean>;
  readonly log: Log;
}

export class TakenCloses {
  readonly #deps: TakenDeps;
  #isTaking = false;
  #problem = '';

  constructor(deps: TakenDeps) {
    this.#deps = deps;
  }

  /** True while no close of this bot may leave. One look at the file system. */
  get isHeld(): boolean {
    return this.#deps.file.isHeld;
  }

  /** Why closes wait; "" if they do not. */
  get onHold(): string {
    const { isHeld, path } = this.#deps.file;
    return isHeld ? `the watchdog was closing positions: ${this.#problem || 'its orders are being taken over'}; see ${path}` : '';
  }

  /** Takes what is there. The journal has the orders before the first answer of the venue can show one. */
  look(): void {
    if (this.#isTaking || !this.#deps.file.isHeld) return;
    this.#isTaking = true;
    void this.#take().finally(() => (this.#isTaking = false));
  }

  async #take(): Promise<void> {
    const { durable, file, log, operate } = this.#deps;
    try {
      const noted = file.take();
      if (noted === null) return;
      const closes = landedOf(noted);
      log.warn('watchdog-closes', { closes: closes.length, epoch: noted.act?.epoch ?? 0 });
      const why = 'the bot lives again';
      const result = await operate({ name: 'import-closes', closes, by: 'watchdog', why });
      if (!result.ok) throw new Error(result.message);
      if (!(await durable())) throw new Error('the journal does not have them');
      file.imported();
      this.#problem = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== this.#problem)
        log.error('watchdog-closes-failed', { path: file.path, error, hint: 'it is tried again; no close leaves until then' });
      this.#problem = problem;
    }
  }
}

/** Those that may be at the venue. */
function landedOf({ closes }: NotedCloses): WatchdogClose[] {
  return closes
    .filter(({ fate }) => !hasNotLanded(fate))
    .map(({ clientId, side, size, symbol, time }) => ({ clientId, symbol, side, size, time }));
}
