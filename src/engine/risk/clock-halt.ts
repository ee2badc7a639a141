/** The halt of opens while the clock of the venue and ours do not agree. It ends by itself, and with it what only the clocks caused. */
import type { Core } from '../state/core.ts';
import type { HaltScope } from '../state/halts.ts';

const BOT: HaltScope = { kind: 'bot' };
const CODE = 'clock-skew';
/** A refusal as unauthorized that came at most so long before the halt was the clock's fault: a timestamp is checked like a key. */
const BEFORE_MS = 10_000;

export class ClockHalt {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Halts for the reason given; "" ends the halt. */
  set(why: string): void {
    const { halts } = this.#core;
    if (why !== '') {
      halts.raise({ scope: BOT, code: CODE, detail: why, by: 'bot' });
      return;
    }
    const ended = halts.lift(BOT, CODE, 'the clocks agree', 'bot');
    const refused = halts.find(BOT, 'unauthorized');
    if (ended === null || refused === null || refused.since < ended.since - BEFORE_MS) return;
    halts.end(refused, 'the venue refused it while the clocks did not agree', 'bot');
  }
}
