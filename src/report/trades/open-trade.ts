/** The trade that is open on a leg, from its fills. */
import { LegExits } from './trip-exits.ts';

/** One leg, with the trade that is open on it. Trades follow one another in the same object. */
export class Leg {
  openedAt = 0;
  size = 0;
  largest = 0;
  entryLots = 0;
  entryTicks = 0;
  exitLots = 0;
  exitTicks = 0;
  pnl = 0;
  fees = 0;
  /** Label number of its first fill, and the number of its order (0 if the bot did not place it). */
  label = 0;
  order = 0;
  readonly exits = new LegExits();

  begin(openedAt: number, label: number, order: number): void {
    this.openedAt = openedAt;
    this.size = 0;
    this.largest = 0;
    this.entryLots = 0;
    this.entryTicks = 0;
    this.exitLots = 0;
    this.exitTicks = 0;
    this.pnl = 0;
    this.fees = 0;
    this.label = label;
    this.order = order;
    this.exits.reset();
  }
}
