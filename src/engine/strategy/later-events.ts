/** Events of strategies inside a bar of a backtest, which handlers hear when it has ended. */
import type { StrategyEvent } from '../state/events/strategy-events.ts';
import type { ManagedTrade } from '../trades/trade-types.ts';

interface LaterEvent {
  readonly event: StrategyEvent;
  /** The managed trade that it was about. */
  trade: ManagedTrade | null;
}

export class LaterEvents {
  readonly #events: LaterEvent[] = [];

  /** Keeps a copy of the event. */
  add(event: StrategyEvent): LaterEvent {
    const later = { event: { ...event }, trade: null };
    this.#events.push(later);
    return later;
  }

  /** The oldest; null if there is none. */
  next(): LaterEvent | null {
    return this.#events.length === 0 ? null : this.#events.shift()!;
  }
}
