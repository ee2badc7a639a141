/** @hot Pushes an account's fills and ends to a bot at the moment they happen. What the venue ordered itself has no number there, only a leg. */
import type { PushInbox } from '../../ports/venue.ts';
import type { SimFill, SimTap } from '../types.ts';

export class PushTap implements SimTap {
  readonly #inbox: PushInbox;

  constructor(inbox: PushInbox) {
    this.#inbox = inbox;
  }

  filled(fill: SimFill): void {
    if (fill.tag > 0) this.#inbox.pushedFill(fill.tag, fill.size, fill.price, fill.fee, fill.liquidity);
    else this.#inbox.pushedOwnFill(fill.instrument, fill.side, fill.effect, fill.size, fill.price);
  }

  ended(_orderNo: number, tag: number, how: number): void {
    if (tag > 0) this.#inbox.pushedEnd(tag, how);
  }
}
