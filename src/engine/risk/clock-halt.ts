/** Halts opens while the venue's clock and ours disagree. The halt ends by itself. */
import type { Core } from '../state/core.ts';
import type { Halts } from '../state/halts.ts';
import type { HaltScope } from '../state/halts.ts';

/** The shared state that this file uses. */
interface ClockHaltCore extends Core {
  readonly halts: Halts;
}

const BOT: HaltScope = { kind: 'bot' };
const CODE = 'clock-skew';

export class ClockHalt {
  readonly #core: ClockHaltCore;

  constructor(core: ClockHaltCore) {
    this.#core = core;
  }

  /** Raises the halt with this reason; "" ends it. */
  set(why: string): void {
    const { halts } = this.#core;
    if (why !== '') {
      halts.raise({ scope: BOT, code: CODE, detail: why, by: 'bot' });
      return;
    }
    halts.lift(BOT, CODE, 'the clocks agree', 'bot');
  }
}
