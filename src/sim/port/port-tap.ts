/**
 * @hot Pushes an account's fills and ends to the bot at once. An order that the venue created has no bot number, so its fill is reported by
 * leg.
 */
import type { PushInbox } from '../../ports/venue.ts';
import type { SimFill, SimTap } from '../state/types.ts';

export class PortTap implements SimTap {
  declare private inbox: PushInbox;

  /** Sets the receiver. Call it before the first event. */
  connect(inbox: PushInbox): void {
    this.inbox = inbox;
  }

  filled(fill: SimFill): void {
    const inbox = this.inbox;
    const tag = fill.tag;
    if (tag > 0) inbox.pushedFill(tag, fill.size, fill.price, fill.fee, fill.liquidity);
    else inbox.pushedOwnFill(fill.instrument, fill.side, fill.effect, fill.size, fill.price);
  }

  ended(_orderNo: number, tag: number, how: number): void {
    if (tag !== 0) this.inbox.pushedEnd(tag, how);
  }
}
