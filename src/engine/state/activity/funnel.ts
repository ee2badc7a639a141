/** Counts of a strategy in a market, from bars to fills. */
export type FunnelCounts = Omit<Funnel, 'counts' | 'clear' | 'add'>;

export class Funnel {
  /** Bars given to `onBar` or `onBars`. */
  bars = 0;
  /** Calls of `onQuote`, `onTrade`, `onBar` and `onBars`. */
  calls = 0;
  /** Moments at which it asked for at least one order. */
  signals = 0;
  /** Orders asked for, opening and closing; cancels do not count. */
  intents = 0;
  /** Of these: allowed by every rule. */
  allowed = 0;
  /** Accepted by the venue, or shown by it later. */
  accepted = 0;
  /** Filled at least in part. */
  filled = 0;

  get counts(): FunnelCounts {
    const { bars, calls, signals, intents, allowed, accepted, filled } = this;
    return { bars, calls, signals, intents, allowed, accepted, filled };
  }

  clear(): void {
    this.bars = 0;
    this.calls = 0;
    this.signals = 0;
    this.intents = 0;
    this.allowed = 0;
    this.accepted = 0;
    this.filled = 0;
  }

  add(other: Readonly<Funnel>): void {
    this.bars += other.bars;
    this.calls += other.calls;
    this.signals += other.signals;
    this.intents += other.intents;
    this.allowed += other.allowed;
    this.accepted += other.accepted;
    this.filled += other.filled;
  }
}
