/** Profit of spot trading. Only purchases and sales count; a deposited coin is neither profit nor loss. @hot */
import { SELL } from '../../domain/codes.ts';
import { Holding } from '../../domain/holding.ts';
import type { Instrument } from '../../domain/instrument.ts';

/** Sum over the spot instruments of a run. `bidOf` gives the last bid in ticks. */
export class SpotBook {
  realised = 0;
  fees = 0;
  /** By instrument index; null if not counted. */
  readonly holdings: readonly (Holding | null)[];
  readonly #bidOf: (instrument: number) => number;

  /** Counts the spot instruments of `coin`. */
  constructor(instruments: readonly Instrument[], coin: string, bidOf: (instrument: number) => number) {
    this.holdings = instruments.map((one) => {
      return one.product === 'spot' && one.quoteCoin === coin ? new Holding(one.unitValue) : null;
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
