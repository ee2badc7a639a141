/** The bars of one symbol of a backtest on bars, one after the other. @hot */
import type { BarSource } from '../../../tape/bars/finer-bars.ts';
import type { ReadBar } from '../../../tape/bars/bar-reader.ts';

export class BarSymbol {
  declare private readonly source: BarSource;
  private to = Infinity;
  /** Start and end of the next bar; Infinity if there is none. */
  start = Infinity;
  end = Infinity;

  constructor(source: BarSource) {
    this.source = source;
  }

  /** The next bar; the object may be reused by the one after it. */
  get bar(): ReadBar {
    return this.source.bar;
  }

  /** Moves to the first bar that starts at `from` or later. Bars must end by `to`. */
  begin(from: number, to: number): void {
    this.to = to;
    do this.next();
    while (this.start < from);
  }

  next(): void {
    const { source, to } = this;
    const hasBar = source.next() && source.bar.end <= to;
    this.start = hasBar ? source.bar.start : Infinity;
    this.end = hasBar ? source.bar.end : Infinity;
  }
}
