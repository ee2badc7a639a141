/** Watches a strategy whose file was just replaced. Its first fault ends the trial, and the file before comes back. */
import { LIMITS } from '../../../domain/limits.ts';

/** Refused orders within a minute that are too many. */
const REFUSALS_MOST = 10;
const MINUTE_MS = 60_000;

/** Rules of the limits on the size of orders and positions of a symbol: what asks for more is not what the operator meant. */
const SIZES: ReadonlySet<string> = new Set(
  Object.values(LIMITS)
    .filter(({ unit, reach }) => reach === 'symbol' && (unit === 'size' || unit === 'value'))
    .map(({ rule }) => rule),
);
/** Rules that refuse because of the bot's state, not because of the strategy. */
const NOT_ITS_FAULT: ReadonlySet<string> = new Set(['standing', 'known-position', 'pass', '']);

export class Trial {
  readonly endsAt: number;
  readonly #failed: (why: string) => void;
  readonly #refusals: number[] = [];

  /** `failed` is called within the step of the fault: it may not call the strategy. */
  constructor(endsAt: number, failed: (why: string) => void) {
    this.endsAt = endsAt;
    this.#failed = failed;
  }

  isOn(now: number): boolean {
    return now < this.endsAt;
  }

  /** The strategy threw, hung or ran away. */
  failed(why: string): void {
    this.#failed(why);
  }

  /** An order of the strategy was refused. */
  refused(rule: string, detail: string, now: number): void {
    if (!this.isOn(now) || NOT_ITS_FAULT.has(rule)) return;
    if (SIZES.has(rule)) return this.#failed(`it asks for more than its size: ${rule}, ${detail}`);
    this.#refusals.push(now);
    while (this.#refusals[0]! <= now - MINUTE_MS) this.#refusals.shift();
    if (this.#refusals.length >= REFUSALS_MOST)
      this.#failed(`${REFUSALS_MOST} orders were refused within a minute, the last by ${rule}: ${detail}`);
  }
}
