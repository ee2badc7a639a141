/**
 * Positions per leg and the account as believed. A leg's total is moved by fills of our own orders and corrected by what the
 * venue reports; entry prices are statistics and therefore doubles. @hot
 */
import { assert } from '../../base/assert.ts';
import { CLOSE } from '../../domain/codes.ts';

export class Portfolio {
  /** Columns by leg (2 · instrument + side). */
  readonly total: Float64Array;
  /** Average entry price in ticks (a statistic); NaN when flat or unknown. */
  readonly entry: Float64Array;
  /** Money, as last read. */
  readonly margin: Float64Array;
  readonly realised: Float64Array;
  /** Prices in quote coin as last read; NaN before. */
  readonly mark: Float64Array;
  readonly liquidation: Float64Array;
  /** When the total last changed by something else than a position read: an older read proves nothing against it. */
  readonly changedAt: Float64Array;
  /** Reads in a row that differ from the total without an order that explains it. */
  readonly strikes: Uint8Array;
  /** Lots by which the total may be too high or too low, because fills were inferred that a proof has since shown to be another order's. */
  readonly high: Float64Array;
  readonly low: Float64Array;
  /** When the newest applied position read was asked for, by instrument. */
  readonly readAt: Float64Array;
  /** Money of E9 as last read; NaN before. */
  equity = Number.NaN;
  available = Number.NaN;
  locked = Number.NaN;
  unrealised = Number.NaN;

  constructor(instruments: number) {
    const legs = instruments * 2;
    this.total = new Float64Array(legs); // hot-ok: construction
    this.entry = new Float64Array(legs).fill(Number.NaN); // hot-ok: construction
    this.margin = new Float64Array(legs); // hot-ok: construction
    this.realised = new Float64Array(legs); // hot-ok: construction
    this.mark = new Float64Array(legs).fill(Number.NaN); // hot-ok: construction
    this.liquidation = new Float64Array(legs).fill(Number.NaN); // hot-ok: construction
    this.changedAt = new Float64Array(legs).fill(-Infinity); // hot-ok: construction
    this.strikes = new Uint8Array(legs); // hot-ok: construction
    this.high = new Float64Array(legs); // hot-ok: construction
    this.low = new Float64Array(legs); // hot-ok: construction
    this.readAt = new Float64Array(instruments).fill(-Infinity); // hot-ok: construction
  }

  /** A fill of ours opened `lots` at `price` ticks (0: not known). */
  opened(leg: number, lots: number, price: number, now: number): void {
    const before = this.total[leg]!;
    const after = before + lots;
    if (price > 0) {
      const entry = this.entry[leg]!;
      this.entry[leg] = before === 0 || Number.isNaN(entry) ? price : (entry * before + price * lots) / after;
    }
    this.total[leg] = after;
    this.changedAt[leg] = now;
  }

  /** A fill of ours closed `lots`. More than the total means that the belief was behind; the leg is flat then. */
  closed(leg: number, lots: number, now: number): void {
    assert(lots > 0, 'a fill is above zero');
    const after = Math.max(0, this.total[leg]! - lots);
    this.total[leg] = after;
    if (after === 0) this.entry[leg] = Number.NaN;
    this.changedAt[leg] = now;
  }

  /**
   * A fill of `lots` is proven beside what was inferred before: `others` lots were given to orders that compete for the same fills, so
   * the leg may hold them twice; `own` lots were given to this order, and may have been another's that is now counted short.
   */
  proven(leg: number, effect: number, lots: number, others: number, own: number): void {
    const twice = Math.min(others, lots);
    this.high[leg]! += effect === CLOSE ? own : twice;
    this.low[leg]! += effect === CLOSE ? twice : own;
  }

  /** Moves the total by as much of the read's `gap` as doubt allows. The lots moved, signed like the gap. */
  correct(leg: number, gap: number): number {
    const moved = gap < 0 ? -Math.min(this.high[leg]!, -gap) : Math.min(this.low[leg]!, gap);
    if (moved === 0) return 0;
    this.total[leg] = Math.max(0, this.total[leg]! + moved);
    if (moved < 0) this.high[leg]! += moved;
    else this.low[leg]! -= moved;
    return moved;
  }

  /** A read agreed with the total: there is no doubt about it. */
  agreed(leg: number): void {
    this.strikes[leg] = 0;
    this.high[leg] = 0;
    this.low[leg] = 0;
  }

  /** The venue says so and nothing of ours explains it. */
  adopt(leg: number, lots: number): void {
    this.total[leg] = lots;
    if (lots === 0) this.entry[leg] = Number.NaN;
    this.agreed(leg);
  }
}
