/**
 * @hot Pushes an account's fills and ends to the bot at once. An order that the venue created has no bot number, so its fill is reported by
 * leg.
 */
import { VenueEvent, type Inbox } from '../../ports/venue-event.ts';
import type { SimFill, SimTap } from '../state/types.ts';

export class PortTap implements SimTap {
  declare private inbox: Inbox;
  private readonly event = new VenueEvent();

  /** Sets the receiver. Call it before the first event. */
  connect(inbox: Inbox): void {
    this.inbox = inbox;
  }

  filled(fill: SimFill): void {
    const { event } = this;
    const { tag } = fill;
    if (tag > 0) this.inbox.take(event.pushedFill(tag, fill.size, fill.price));
    else this.inbox.take(event.pushedOwnFill(fill.instrument, fill.side, fill.effect, fill.size, fill.price));
  }

  ended(_orderNo: number, tag: number, how: number): void {
    if (tag !== 0) this.inbox.take(this.event.pushedEnd(tag, how));
  }
}
