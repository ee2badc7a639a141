/**
 * True range of a bar.
 * @hot
 */
import type { Candle } from '../../core/inputs.ts';
import { Part } from '../../core/part.ts';

/** The largest of high − low and the distances of both from the close before; NaN for the first bar. */
export class TrueRange extends Part {
  last = Number.NaN;
  value = Number.NaN;

  /** False for the first bar. */
  push(bar: Candle): boolean {
    const { last } = this;
    this.last = bar.close;
    if (last !== last) return false;
    this.value = Math.max(bar.high - bar.low, Math.abs(bar.high - last), Math.abs(bar.low - last));
    return true;
  }
}
