/** Stop-loss and take-profit that orders were placed with, by order number. Takes no memory in runs without brackets. @hot */

export class OrderBrackets {
  /** Two numbers per order: stop-loss and take-profit in ticks, 0 for none. */
  #ticks = new Float64Array(0);

  /** Notes the bracket of order `seq`. */
  note(seq: number, stopLoss: number, takeProfit: number): void {
    if (stopLoss === 0 && takeProfit === 0) return;
    if (2 * seq + 1 >= this.#ticks.length) this.#grow(seq);
    this.#ticks[2 * seq] = stopLoss;
    this.#ticks[2 * seq + 1] = takeProfit;
  }

  /** Order `seq` replaces `replaced` and keeps its bracket where it names none. */
  replace(seq: number, replaced: number, stopLoss: number, takeProfit: number): void {
    if (this.#ticks.length > 0) this.note(seq, stopLoss || this.stopLoss(replaced), takeProfit || this.takeProfit(replaced));
    else this.note(seq, stopLoss, takeProfit);
  }

  /** In ticks; 0 for none. */
  stopLoss(seq: number): number {
    return this.#ticks[2 * seq] ?? 0;
  }

  /** In ticks; 0 for none. */
  takeProfit(seq: number): number {
    return this.#ticks[2 * seq + 1] ?? 0;
  }

  #grow(seq: number): void {
    const before = this.#ticks;
    this.#ticks = new Float64Array(Math.max(2 * before.length, 2 * seq + 2, 1024)); // hot-ok: growth
    this.#ticks.set(before);
  }
}
