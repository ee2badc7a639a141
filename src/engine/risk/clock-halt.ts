/**
 * Halts opens while the venue's clock and ours disagree. The halt ends by itself, together with an "unauthorized" halt that only the clocks
 * caused.
 */
import type { Core } from '../state/core.ts';
import type { HaltScope } from '../state/halts.ts';

const BOT: HaltScope = { kind: 'bot' };
const CODE = 'clock-skew';
/** A refusal as unauthorized up to this long before the halt counts as caused by the clocks: the timestamp is part of the signature. */
const BEFORE_MS = 10_000;

export class ClockHalt {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /** Raises the halt with this reason; "" ends it. */
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
