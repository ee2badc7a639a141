/** Whose an order is: a strategy as the order path sees it, or nobody. */
import type { Hours } from '../../domain/hours.ts';
import { RateWindow } from './rate-window.ts';

const MINUTE_MS = 60_000;

export class Owner {
  /** Index of the strategy; −1 for nobody. */
  declare readonly index: number;
  /** For the journal and the log; "" for nobody. */
  declare readonly name: string;
  /** When its last intents were. */
  declare readonly recent: RateWindow;
  /** When its last opening orders were, where their number a minute is limited. */
  declare readonly openRate: RateWindow | null;
  /** When it may open, where it states that. */
  declare readonly hours: Hours | null;
  /** Whether it is told of its orders. */
  hearsOrders = false;
  /** Halts of this strategy. Kept by state/halts.ts. */
  halts = 0;

  /** At most `intents` in a second and `opens` opening orders in a minute, within `hours`. */
  constructor(index: number, name: string, intents: number, opens = Infinity, hours: Hours | null = null) {
    this.hours = hours;
    this.openRate = opens === Infinity ? null : new RateWindow(opens, MINUTE_MS);
    this.index = index;
    this.name = name;
    this.recent = new RateWindow(Math.max(1, Math.floor(intents)));
  }
}
