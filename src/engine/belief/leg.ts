/**
 * One leg (LONG or SHORT of an instrument) as believed: its total is moved by fills of our own orders and corrected by what the venue
 * reports. Entry prices are statistics and therefore doubles. @hot
 */
import { AssertionError } from '../../base/assert.ts';
import * as codes from '../../domain/codes.ts';

const { CLOSE } = codes;

export class Leg {
  /** 2 · instrument + side. */
  declare readonly index: number;
  /** Lots. */
  total = 0;
  /** Lots that live orders may still open or close. */
  opening = 0;
  closing = 0;
  /** Average entry price in ticks; NaN when flat or unknown. */
  entry = Number.NaN;
  /** Money, as last read. */
  margin = 0;
  realised = 0;
  /** Prices in quote coin as last read; NaN before. */
  mark = Number.NaN;
  liquidation = Number.NaN;
  /** When the total last changed by something else than a position read: an older read proves nothing against it. */
  changedAt = -Infinity;
  /** Reads in a row that differ from the total without an order that explains it. */
  strikes = 0;
  /** Lots by which the total may be too high or too low, because fills were inferred that a proof has since shown to be another order's. */
  high = 0;
  low = 0;

  /** Halts of this leg alone. Kept by exec/halts.ts. */
  halts = 0;
  /** Whether a strategy is told when it changes. */
  isTold = false;

  constructor(index: number) {
    this.index = index;
  }

  /** A fill of ours opened `lots` at `price` ticks (0: not known). */
  opened(lots: number, price: number, now: number): void {
    const before = this.total;
    const after = before + lots;
    if (price > 0) {
      if (before === 0 || Number.isNaN(this.entry)) this.entry = price;
      else this.entry = (this.entry * before + price * lots) / after;
    }
    this.total = after;
    this.changedAt = now;
  }

  /** A fill of ours closed `lots`. More than the total means that the belief was behind; the leg is flat then. */
  closed(lots: number, now: number): void {
    if (lots <= 0) throw new AssertionError('a fill is above zero'); // hot-ok: a bug
    const after = this.total > lots ? this.total - lots : 0;
    this.total = after;
    if (after === 0) this.entry = Number.NaN;
    this.changedAt = now;
  }

  /**
   * A fill of `lots` is proven beside what was inferred before: `others` lots were given to orders that compete for the same fills, so
   * the leg may hold them twice; `own` lots were given to this order, and may have been another's that is now counted short.
   */
  proven(effect: number, lots: number, others: number, own: number): void {
    const twice = Math.min(others, lots);
    this.high += effect === CLOSE ? own : twice;
    this.low += effect === CLOSE ? twice : own;
  }

  /** Moves the total by as much of the read's `gap` as doubt allows. The lots moved, signed like the gap. */
  correct(gap: number): number {
    const moved = gap < 0 ? -Math.min(this.high, -gap) : Math.min(this.low, gap);
    if (moved === 0) return 0;
    this.total = Math.max(0, this.total + moved);
    if (moved < 0) this.high += moved;
    else this.low -= moved;
    return moved;
  }

  /** A read agreed with the total: there is no doubt about it. */
  agreed(): void {
    this.strikes = 0;
    this.high = 0;
    this.low = 0;
  }

  /** The venue says so and nothing of ours explains it. */
  adopt(lots: number): void {
    this.total = lots;
    if (lots === 0) this.entry = Number.NaN;
    this.agreed();
  }
}
