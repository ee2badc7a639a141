/** Keeps the last fills of the exchange for its page. It passes everything on to the ledger's sink. */
import type { LedgerSink, SimFill } from '../../../sim/state/types.ts';

/** A copy of a fill, because the simulator reuses its object. */
export type KeptFill = Readonly<SimFill>;

export class RecentFills {
  readonly sink: LedgerSink;
  readonly #kept: KeptFill[] = [];
  #heard = 0;

  constructor(limit: number, next: LedgerSink | null) {
    this.sink = {
      order: (orderNo) => next?.order(orderNo),
      ended: (orderNo, how) => next?.ended(orderNo, how),
      cash: (account, coin, amount, why, orderNo, wallet) => next?.cash(account, coin, amount, why, orderNo, wallet),
      step: (step) => next?.step?.(step),
      fill: (fill) => {
        this.#kept[this.#heard++ % limit] = { ...fill };
        next?.fill(fill);
      },
    };
  }

  /** The fills, newest first, including those of a replayed ledger. */
  list(): KeptFill[] {
    return this.#kept.toSorted((x, y) => y.fillNo - x.fillNo);
  }
}
