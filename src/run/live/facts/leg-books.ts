/** Positions computed from fills: size and entry value of each leg. */
import { LONG } from '../../../domain/codes.ts';
import { Holding } from '../../../domain/holding.ts';
import type { Instrument } from '../../../domain/instrument.ts';

/** Sizes and entry values of all legs. */
export class LegBooks {
  readonly #instruments: readonly Instrument[];
  readonly #legs = new Map<number, Holding>();

  constructor(instruments: readonly Instrument[]) {
    this.#instruments = instruments;
  }

  /** Books a fill; returns its realised profit before fees. */
  take(instrument: number, side: number, isClose: boolean, price: number, lots: number): number {
    const leg = 2 * instrument + side;
    const { unitValue } = this.#instruments[instrument]!;
    const holding = this.#legs.get(leg) ?? new Holding(unitValue);
    this.#legs.set(leg, holding);
    const isSell = (side === LONG) === isClose;
    // A close larger than the leg closes only the leg: the rest closes a position that these fills do not show.
    const size = isClose ? Math.min(lots, Math.abs(holding.lots)) : lots;
    return size === 0 ? 0 : holding.take(isSell, price, size);
  }

  /** Lots of a leg. */
  lotsOf(leg: number): number {
    return Math.abs(this.#legs.get(leg)?.lots ?? 0);
  }

  /** Average entry price of a leg in ticks; 0 if it is flat. */
  averageOf(leg: number): number {
    const { lots, entryValue, unitValue } = this.#legs.get(leg) ?? new Holding(1);
    return lots === 0 ? 0 : Math.round(entryValue / (Math.abs(lots) * unitValue));
  }

  /** Unrealised profit of all legs, and the sum of their values, at these prices (ticks, by instrument; 0 if there is none). */
  at(priceOf: (instrument: number) => number): { readonly unrealised: number; readonly exposure: number } {
    let unrealised = 0;
    let exposure = 0;
    for (const [leg, { lots, entryValue, unitValue }] of this.#legs) {
      const price = priceOf(leg >> 1);
      if (lots === 0 || price === 0) continue;
      const value = Math.round(price * Math.abs(lots) * unitValue);
      unrealised += lots > 0 ? value - entryValue : entryValue - value;
      exposure += value;
    }
    return { unrealised, exposure };
  }
}
