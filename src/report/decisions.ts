/** Keeps what the bot saw when it decided on an order, for slippage and the time to a fill. Kept for the last 16,384 orders. @hot */
import type { Execution } from './run-report.ts';
import { formatMoney } from '../domain/instrument.ts';
import { MARKOUT_MS } from './market/markout-queue.ts';
import type { MarketWatch } from './market/market-watch.ts';

const ORDERS = 16_384;

export class Decisions {
  readonly #seq = new Float64Array(ORDERS);
  readonly #time = new Float64Array(ORDERS);
  /** Mid in ticks; 0 if the bot knew no quote. */
  readonly #mid = new Float64Array(ORDERS);
  /** 1 once the order has a fill. */
  readonly #isFilled = new Uint8Array(ORDERS);
  /** Sums over fills: shares, money, and their number. */
  share = 0;
  amount = 0;
  fills = 0;
  /** Orders with a fill, and the time that it took. */
  orders = 0;
  totalMs = 0;
  maxMs = 0;

  /** Order `seq` was placed, or replaced another one. `mid` is in ticks. */
  decided(seq: number, time: number, mid: number): void {
    const at = seq % ORDERS;
    this.#seq[at] = seq;
    this.#time[at] = time;
    this.#mid[at] = mid > 0 ? mid : 0;
    this.#isFilled[at] = 0;
  }

  /** A fill of order `seq`; `sign` is 1 for a buy. `unitValue` is the money of one lot at one tick. */
  filled(seq: number, time: number, sign: number, price: number, size: number, unitValue: number): void {
    const at = seq % ORDERS;
    if (this.#seq[at] !== seq) return;
    const mid = this.#mid[at]!;
    if (mid > 0) {
      const gain = sign * (mid - price);
      this.share += gain / mid;
      this.amount += gain * size * unitValue;
      this.fills++;
    }
    if (this.#isFilled[at] === 1) return;
    this.#isFilled[at] = 1;
    const took = time - this.#time[at]!;
    this.orders++;
    this.totalMs += took;
    if (took > this.maxMs) this.maxMs = took;
  }
}

/** What a report says about the quality of fills. */
export function executionOf(decisions: Decisions, watch: MarketWatch): Execution {
  // hot-ok: once at the end
  const { share, amount, fills, orders, totalMs, maxMs } = decisions;
  const { markoutSums, markoutFills } = watch;
  const markouts = MARKOUT_MS.map((afterMs, h) => {
    const count = markoutFills[h]!;
    return { afterMs, fills: count, share: count === 0 ? null : markoutSums[h]! / count };
  });
  return {
    markouts,
    slippage: { fills, share: fills === 0 ? null : share / fills, amount: formatMoney(Math.round(amount)) },
    timeToFill: { orders, meanMs: orders === 0 ? null : totalMs / orders, maxMs: orders === 0 ? null : maxMs },
  };
}
