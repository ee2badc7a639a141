/**
 * Lots at their average cost: reducing Q lots by q releases floor(entryValue · q / Q) of their cost, so nothing is lost to rounding. @hot
 */
import { assert } from '../base/failure/assert.ts';
import { mulDivFloor } from './amounts/scale.ts';

/** Lots of one instrument that were bought and not yet sold. Negative: lots sold from a deposit. */
export class Holding {
  /** Signed. */
  lots = 0;
  /** Cost of the lots, or proceeds if negative. Money, 10⁻⁸. */
  entryValue = 0;
  readonly unitValue: number;

  constructor(unitValue: number) {
    this.unitValue = unitValue;
  }

  /** The part of a fill of `size` that reduces the holding; the rest increases it. */
  closes(isSell: boolean, size: number): number {
    return this.lots !== 0 && this.lots < 0 !== isSell ? Math.min(size, Math.abs(this.lots)) : 0;
  }

  /** Books a fill. Returns its realised profit before fees. */
  take(isSell: boolean, price: number, size: number): number {
    const held = Math.abs(this.lots);
    const closing = this.closes(isSell, size);
    let realised = 0;
    if (closing > 0) {
      const released = closing === held ? this.entryValue : mulDivFloor(this.entryValue, closing, held);
      const value = price * closing * this.unitValue;
      realised = isSell ? value - released : released - value;
      this.entryValue -= released;
    }
    this.entryValue += price * (size - closing) * this.unitValue;
    this.lots += isSell ? -size : size;
    assert(this.entryValue <= Number.MAX_SAFE_INTEGER, 'the cost of a holding is an exact integer');
    return realised;
  }

  /** Profit if all of it were sold, or bought back, at `price`. */
  unrealised(price: number): number {
    const value = price * Math.abs(this.lots) * this.unitValue;
    return this.lots < 0 ? this.entryValue - value : value - this.entryValue;
  }
}
