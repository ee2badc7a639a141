/**
 * Market trades (E8) of one symbol, as far as they were read: they show when a bracket may have fired, because brackets watch the last
 * trade (A62). It is asked for the trades with every other read.
 */
import { LONG } from '../../../src/domain/codes.ts';

/** Prices in ticks, 0 for none. */
export interface Triggers {
  readonly takeProfit: number;
  readonly stopLoss: number;
}

export class MarketTrades {
  readonly #times: number[] = [];
  readonly #prices: number[] = [];
  /** Every trade up to this venue time was read. */
  readUntil = -Infinity;

  traded(price: number, time: number): void {
    this.#times.push(time);
    this.#prices.push(price);
  }

  /** When the market first reached one of the triggers from `since` on; the end of what was read, if it has not by then. */
  reached(side: number, all: readonly Triggers[], since: number): number {
    const up = side === LONG ? 1 : -1;
    const isReached = (price: number): boolean =>
      all.some(
        ({ stopLoss, takeProfit }) => (takeProfit > 0 && (price - takeProfit) * up >= 0) || (stopLoss > 0 && (stopLoss - price) * up >= 0),
      );
    const from = this.#times.findIndex((time) => time >= since);
    // Before its first trade a market has no price that is known.
    if (from <= 0 || this.readUntil < since) return since;
    if (isReached(this.#prices[from - 1]!)) return since;
    for (let k = from; k < this.#times.length && this.#times[k]! <= this.readUntil; k++)
      if (isReached(this.#prices[k]!)) return this.#times[k]!;
    return this.readUntil;
  }
}
