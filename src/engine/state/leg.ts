/**
 * One leg (LONG or SHORT of an instrument) as believed. Its total is what fills prove; a read of the venue's positions only proposes. What
 * may be there beyond the total, and what may be gone of it, is kept beside it, and risk judges by the worse end. Entry prices are
 * statistics and therefore doubles. @hot
 */
import { AssertionError } from '../../base/assert.ts';

export class Leg {
  /** 2 · instrument + side. */
  declare readonly index: number;
  /** Lots that fills prove, or that reads have shown often enough. */
  total = 0;
  /** Lots that live orders may still open or close. */
  opening = 0;
  closing = 0;
  /** Lots that ended orders may have opened or closed beyond what is known of them. */
  mayOpen = 0;
  mayClose = 0;
  /** Lots by which a read shows more, or less, than own orders can explain. */
  above = 0;
  below = 0;
  /** While it is not settled what the leg is: nothing is opened on it. */
  isDoubted = false;
  /** Average entry price in ticks; NaN when flat or unknown. */
  entry = Number.NaN;
  /** Whether `entry` is the average of exactly the lots in `total`: since a read that showed them, fills of known prices opened and none closed. */
  isEntryExact = false;
  /** The average entry price in ticks as reads show it, and since which of the venue's times they have shown the same. */
  shownEntry = Number.NaN;
  entrySince = Infinity;
  /** The entry price before the last change that closed: of what an exit at the venue has closed already. */
  lastEntry = Number.NaN;
  /** Money, as last read. */
  margin = 0;
  realised = 0;
  /** Lots that no order of anybody holds, as last read; Infinity while that is not known. */
  available = Infinity;
  /** The margin mode that the venue last showed while the leg was held; −1 while it is not known. */
  marginMode = -1;
  /** Prices in quote coin as last read; NaN before. */
  mark = Number.NaN;
  liquidation = Number.NaN;
  /** When the total last changed by something else than a position read: an older read proves nothing against it. */
  changedAt = -Infinity;
  /** The venue's time of the newest own fill that is in the total: a leg that the venue last changed before it does not hold that fill. */
  provenAt = -Infinity;
  /** The newest `uTime` that a read has shown of the leg: the venue never goes behind it. */
  shownAt = -Infinity;

  /** Halts of this leg alone. Kept by state/halts.ts. */
  halts = 0;
  /** Whether a strategy is told when it changes. */
  isTold = false;

  constructor(index: number) {
    this.index = index;
  }

  /** The most and the least that the leg may be, live orders apart. */
  get most(): number {
    return this.total + this.mayOpen + this.above;
  }
  get least(): number {
    const least = this.total - this.mayClose - this.below;
    return least > 0 ? least : 0;
  }

  /** A fill of ours opened `lots` at `price` ticks (0: not known). */
  opened(lots: number, price: number, now: number): void {
    const before = this.total;
    const after = before + lots;
    if (price > 0) {
      if (before === 0 || Number.isNaN(this.entry)) this.entry = price;
      else this.entry = (this.entry * before + price * lots) / after;
    } else this.isEntryExact = false;
    this.total = after;
    this.changedAt = now;
  }

  /** A fill of ours closed `lots`. More than the total means that the belief was behind; the leg is flat then. */
  closed(lots: number, now: number): void {
    if (lots <= 0) throw new AssertionError('a fill is above zero'); // hot-ok: a bug
    const after = this.total > lots ? this.total - lots : 0;
    this.total = after;
    // Of fills that open, nobody knows whether the venue took them before this one or after.
    this.isEntryExact = false;
    if (this.entry > 0) this.lastEntry = this.entry;
    if (after === 0) this.entry = Number.NaN;
    this.changedAt = now;
  }

  /** It is `lots`, whatever fills say: reads have shown so. */
  adopt(lots: number): void {
    this.total = lots;
    this.isEntryExact = false;
    if (this.entry > 0) this.lastEntry = this.entry;
    if (lots === 0) this.entry = Number.NaN;
  }
}
