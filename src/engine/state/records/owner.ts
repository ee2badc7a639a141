/** The owner of an order: a strategy as the order path needs it, or none. */
import { MINUTE_MS } from '../../../base/time/time-spans.ts';
import type { Hours } from '../../../domain/time/hours.ts';
import { RateWindow } from '../limits/rate-window.ts';
import { Activity } from '../activity/activity.ts';
import type { Trial } from './trial.ts';

export class Owner {
  /** Index of the strategy; −1 for none. */
  readonly index: number;
  /** Name for journal and log; "" for none. */
  readonly name: string;
  /** Times of its last intents, for the rate limit. */
  readonly recent: RateWindow;
  /** Times of its last opening orders; null if their rate is not limited. */
  readonly openRate: RateWindow | null;
  /** Hours in which it may open; null for always. */
  readonly hours: Hours | null;
  /** True if the strategy has a handler for order events. */
  hasOrderHandler = false;
  /** Instruments of which it was told that sizes are rounded down by much. */
  readonly toldRounding = new Set<number>();
  /** Number of halts of this strategy. Counted by state/halts.ts. */
  halts = 0;
  /** Instruments in which the strategy may open; null for all that it trades. */
  openIn: ReadonlySet<number> | null = null;
  /** Set while its file is on trial; it may be over. */
  trial: Trial | null = null;
  /** What it last did, by instrument. */
  readonly activity: readonly Activity[];

  /** `instruments`: their number. Limits: `intents` per second, `opens` opening orders per minute, trading `hours`. */
  constructor(index: number, name: string, instruments: number, intents: number, opens = Infinity, hours: Hours | null = null) {
    this.activity = Array.from({ length: instruments }, () => new Activity());
    this.hours = hours;
    this.openRate = opens === Infinity ? null : new RateWindow(opens, MINUTE_MS);
    this.index = index;
    this.name = name;
    this.recent = new RateWindow(Math.max(1, Math.floor(intents)));
  }
}
