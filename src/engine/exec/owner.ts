/** Whose an order is: a strategy as the order path sees it, or nobody. */
import { Recent } from '../rules/flood.ts';

export class Owner {
  /** Index of the strategy; −1 for nobody. */
  declare readonly index: number;
  /** For the journal and the log; "" for nobody. */
  declare readonly name: string;
  /** When its last intents were. */
  declare readonly recent: Recent;
  /** Whether it is told of its orders. */
  hearsOrders = false;
  /** Halts of this strategy. Kept by exec/halts.ts. */
  halts = 0;

  /** At most `intents` in a second. */
  constructor(index: number, name: string, intents: number) {
    this.index = index;
    this.name = name;
    this.recent = new Recent(Math.max(1, Math.floor(intents)));
  }
}
