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
  /** Lots that were given to orders by inference since the last read that agreed; by 2 · leg + effect. */
  readonly inferred: Float64Array;
  /** Lots of proven fills that inference may have given to another order before: the leg may be counted that much too high (or too low). */
  readonly doubled: Float64Array;
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
    this.inferred = new Float64Array(legs * 2); // hot-ok: construction
    this.doubled = new Float64Array(legs); // hot-ok: construction
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

  /** A fill is proven whose lots inference may already have given to another order of the leg and effect. */
  proven(leg: number, effect: number, lots: number): void {
    const inferred = this.inferred[2 * leg + effect]!;
    const twice = Math.min(inferred, lots);
    if (twice === 0) return;
    this.inferred[2 * leg + effect] = inferred - twice;
    this.doubled[leg]! += effect === CLOSE ? -twice : twice;
  }

  /** Takes back what was counted twice, as far as the read's `gap` shows it. The lots taken back, signed like the gap. */
  takeBack(leg: number, gap: number): number {
    const doubled = this.doubled[leg]!;
    if (doubled === 0 || doubled > 0 === gap > 0) return 0;
    const back = doubled > 0 ? -Math.min(doubled, -gap) : Math.min(-doubled, gap);
    this.total[leg] = Math.max(0, this.total[leg]! + back);
    this.doubled[leg] = doubled + back;
    return back;
  }

  /** A read agreed with the total: what was inferred was right. */
  agreed(leg: number): void {
    this.strikes[leg] = 0;
    this.inferred[2 * leg] = 0;
    this.inferred[2 * leg + 1] = 0;
    this.doubled[leg] = 0;
  }

  /** The venue says so and nothing of ours explains it. */
  adopt(leg: number, lots: number): void {
    this.total[leg] = lots;
    if (lots === 0) this.entry[leg] = Number.NaN;
    this.agreed(leg);
  }
}
