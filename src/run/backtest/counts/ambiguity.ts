/** Bars of which nobody knows what happened first: two or more of our own prices lie in their range. */
export class Ambiguity {
  /** Bars that were played while something of ours was in their market. */
  bars = 0;
  ambiguous = 0;
  /** What the equity changed by in the ambiguous ones, in money. */
  profit = 0;
  /** Bars without a volume in which an own order filled, by price alone. */
  withoutVolume = 0;
  /** Gaps between two bars of a symbol over which an order waited. */
  gaps = 0;
  /** Liquidations that happened only if several symbols had their worst prices at one moment. */
  joint = 0;
  /** Times at which the optimistic reading might go another way. 0: it is the run as reported. */
  choices = 0;
  /** Equities along the paths since they were last asked for. */
  #passed: number[] = [];

  pass(equity: number): void {
    this.#passed.push(equity);
  }

  passed(): readonly number[] {
    return this.#passed;
  }

  /** The timers of the moment have looked at them. */
  begin(): void {
    if (this.#passed.length > 0) this.#passed = [];
  }
}
