/** Watches a strategy whose file was just replaced. Its first fault ends the trial, and the file before comes back. */
import { MINUTE_MS } from '../../../base/time/time-spans.ts';
import { FOLLOWS_FROM } from '../../../domain/orders/refusals.ts';

/** Refused orders within a minute that are too many. */
const REFUSALS_MOST = 10;

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

  /** An order of the strategy was refused. `isTooLarge`: it alone, without any other order or position, is more than a limit allows. */
  refused(rule: string, detail: string, isTooLarge: boolean, now: number): void {
    if (!this.isOn(now)) return;
    if (isTooLarge) return this.#failed(`it asks for more than its size: ${rule}, ${detail}`);
    if (rule === '' || rule === 'pass' || rule in FOLLOWS_FROM) return;
    this.#refusals.push(now);
    while (this.#refusals[0]! <= now - MINUTE_MS) this.#refusals.shift();
    if (this.#refusals.length >= REFUSALS_MOST)
      this.#failed(`${REFUSALS_MOST} orders were refused within a minute, the last by ${rule}: ${detail}`);
  }
}
