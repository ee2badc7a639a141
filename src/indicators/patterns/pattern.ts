/** Builds a kernel from a function that looks at the last bars. */
import { BarKernel, type Candle } from '../core/inputs.ts';
import { Window } from './window.ts';

/** What is seen: 100 or 80 bullish, −100 or −80 bearish, 0 nothing. */
export type Detect = (bars: Window, penetration: number) => number;

/** The kernel of a pattern that looks `lookback` bars back, its means included. */
export function pattern(lookback: number, detect: Detect): new (penetration?: number) => BarKernel {
  return class extends BarKernel {
    bars = new Window();
    penetration: number;

    constructor(penetration = 0) {
      super();
      this.penetration = penetration;
    }

    override step(bar: Candle): void {
      this.bars.push(bar);
      if (this.bars.count <= lookback) return;
      this.isReady = true;
      this.value = detect(this.bars, this.penetration);
    }
  };
}

/** A pattern that is confirmed when one of the next three closes passes the bar before it: then the value is ±200. */
export function confirmed(lookback: number, since: number, detect: Detect): new () => BarKernel {
  return class extends BarKernel {
    bars = new Window();
    found = 0;
    foundAt = -10;
    high = 0;
    low = 0;

    override step(bar: Candle): void {
      const { bars } = this;
      bars.push(bar);
      if (bars.count <= since) return;
      const now = detect(bars, 0);
      let value = now;
      if (now !== 0) {
        this.found = now;
        this.foundAt = bars.count;
        this.high = bars.high(1);
        this.low = bars.low(1);
      } else if (bars.count <= this.foundAt + 3 && (this.found > 0 ? bar.close > this.high : bar.close < this.low)) {
        value = 2 * this.found;
        this.foundAt = -10;
      }
      if (bars.count <= lookback) return;
      this.isReady = true;
      this.value = value;
    }
  };
}
