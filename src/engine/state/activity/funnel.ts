/** The funnel of a strategy in a market: how many bars, calls and orders came how far. */
import type { FunnelCounts } from '../../../domain/messages/why.ts';

/** Counts of a strategy in a market, from bars to fills. */
export class Funnel implements FunnelCounts {
  bars = 0;
  calls = 0;
  signals = 0;
  intents = 0;
  allowed = 0;
  accepted = 0;
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
