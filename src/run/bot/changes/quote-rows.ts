/** The quotes of a bot as rows, each time only those that have changed. */
import type { QuoteRow } from '../../../control/changes.ts';
import { tradedName, type Instrument } from '../../../domain/instrument.ts';
import type { Market } from '../../../engine/intents/market-types.ts';
import type { Kernel } from '../../../engine/kernel.ts';

export class QuoteRows {
  readonly #kernel: Kernel;
  readonly #instruments: readonly Instrument[];
  /** Bid, ask and last of each market as they were written last. */
  readonly #written: Float64Array;

  constructor(kernel: Kernel, instruments: readonly Instrument[]) {
    this.#kernel = kernel;
    this.#instruments = instruments;
    this.#written = new Float64Array(3 * kernel.markets.length);
  }

  changed(time: number): readonly QuoteRow[] {
    const written = this.#written;
    const rows: QuoteRow[] = [];
    for (const [i, market] of this.#kernel.markets.entries()) {
      if (!market.hasQuote) continue;
      const { bidTicks, askTicks } = market;
      const last = Number.isNaN(market.last) ? 0 : market.last;
      if (written[3 * i] === bidTicks && written[3 * i + 1] === askTicks && written[3 * i + 2] === last) continue;
      written.set([bidTicks, askTicks, last], 3 * i);
      rows.push(this.#rowOf(market, time));
    }
    return rows;
  }

  #rowOf({ index, bid, ask, last }: Market, time: number): QuoteRow {
    const instrument = this.#instruments[index]!;
    const price = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(instrument.priceDecimals));
    return { symbol: tradedName(instrument), bid: price(bid), ask: price(ask), last: price(last), time };
  }
}
