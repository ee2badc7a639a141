/**
 * Profit of spot trading. Only purchases and sales count; a deposited coin is neither profit nor loss. Average cost: selling q of Q lots
 * releases floor(entryValue · q / Q) of their cost. @hot
 */
import { assert } from '../base/assert.ts';
import { SELL } from '../domain/codes.ts';
import type { Instrument } from '../domain/instrument.ts';
import { mulDivFloor } from '../domain/scale.ts';

/** Lots of one instrument that were bought and not yet sold. Negative: lots sold from a deposit. */
export class SpotHolding {
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

/** Sum over the spot instruments of a run. `bidOf` gives the last bid in ticks. */
export class SpotBook {
  realised = 0;
  fees = 0;
  /** By instrument index; null if not counted. */
  readonly holdings: readonly (SpotHolding | null)[];
  readonly #bidOf: (instrument: number) => number;

  /** Counts the spot instruments of `coin`. */
  constructor(instruments: readonly Instrument[], coin: string, bidOf: (instrument: number) => number) {
    this.holdings = instruments.map((one) => {
      return one.product === 'spot' && one.quoteCoin === coin ? new SpotHolding(one.unitValue) : null;
    });
    this.#bidOf = bidOf;
  }

  /** Books a fill of a counted instrument. Its fee is in the quote coin. */
  add(instrument: number, side: number, price: number, size: number, fee: number): void {
    const holding = this.holdings[instrument];
    if (holding === null || holding === undefined) return;
    this.realised += holding.take(side === SELL, price, size);
    this.fees += fee;
  }

  unrealised(): number {
    let sum = 0;
    for (let i = 0; i < this.holdings.length; i++) {
      const holding = this.holdings[i]!;
      if (holding !== null && holding.lots !== 0) sum += holding.unrealised(this.#bidOf(i));
    }
    return sum;
  }

  /** Realised plus unrealised profit minus fees. */
  net(): number {
    return this.realised - this.fees + this.unrealised();
  }

  /** Absolute value of all holdings at the last bid. */
  exposure(): number {
    let sum = 0;
    for (let i = 0; i < this.holdings.length; i++) {
      const holding = this.holdings[i]!;
      if (holding !== null) sum += this.#bidOf(i) * Math.abs(holding.lots) * holding.unitValue;
    }
    return sum;
  }
}
