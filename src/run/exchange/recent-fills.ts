/** The last fills of the exchange, for people who watch: it stands before the ledger's sink and passes everything on. */
import type { LedgerSink, SimFill } from '../../sim/state/types.ts';

/** What a fill was, copied: the simulator uses its object again. */
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

  /** Those of this process and those that a ledger's replay gave again, newest first. */
  list(): KeptFill[] {
    return this.#kept.toSorted((x, y) => y.fillNo - x.fillNo);
  }
}
