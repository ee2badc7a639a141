/** Stop-loss and take-profit that orders were placed with, by order number. Takes no memory in runs without brackets. @hot */
import { OrderRows } from './order-rows.ts';
import type { PageStore } from './row-pages.ts';

export class OrderBrackets {
  /** Stop-loss and take-profit in ticks, 0 for none. */
  readonly #ticks: OrderRows;

  /** Without a store everything stays in memory. */
  constructor(openStore: (() => PageStore) | null = null) {
    this.#ticks = new OrderRows(2, openStore);
  }

  /** Notes the bracket of order `seq`. */
  note(seq: number, stopLoss: number, takeProfit: number): void {
    if (stopLoss === 0 && takeProfit === 0) return;
    this.#ticks.set(seq, 0, stopLoss);
    this.#ticks.set(seq, 1, takeProfit);
  }

  /** Order `seq` replaces `replaced` and keeps its bracket where it names none. */
  replace(seq: number, replaced: number, stopLoss: number, takeProfit: number): void {
    this.note(seq, stopLoss || this.stopLoss(replaced), takeProfit || this.takeProfit(replaced));
  }

  /** In ticks; 0 for none. */
  stopLoss(seq: number): number {
    return this.#ticks.get(seq, 0);
  }

  /** In ticks; 0 for none. */
  takeProfit(seq: number): number {
    return this.#ticks.get(seq, 1);
  }
}
