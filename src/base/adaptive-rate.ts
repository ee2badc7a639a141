/**
 * A rate limit that adapts to refusals: halved when the other side answers "too many requests", restored step by step otherwise (additive
 * increase, multiplicative decrease). Time is an argument.
 */
export interface AdaptiveRateOptions {
  /** The lowest share of the full rate. Default 1/16. */
  readonly least?: number | undefined;
  /** Share of the full rate that is restored per second without a refusal. Default 0.05. */
  readonly perSecond?: number | undefined;
}

export class AdaptiveRate {
  readonly #least: number;
  readonly #perMs: number;
  #share = 1;
  #since = -Infinity;

  constructor({ least = 1 / 16, perSecond = 0.05 }: AdaptiveRateOptions = {}) {
    this.#least = least;
    this.#perMs = perSecond / 1_000;
  }

  /** The share of the full rate that may be used at `now`: 1 after a long time without refusals. */
  share(now: number): number {
    if (this.#share === 1) return 1;
    return Math.min(1, this.#share + Math.max(0, now - this.#since) * this.#perMs);
  }

  /** A request was refused at `now`. Nothing is sent before `until`, and recovery begins there. Refusals during a pause count once. */
  refused(now: number, until: number): void {
    if (now >= this.#since) this.#share = Math.max(this.#least, this.share(now) / 2);
    this.#since = Math.max(this.#since, until);
  }
}
