/** A venue in a test says what the test wants: each call reaches the inbox as one event. */
import type { Rejection } from '../../../src/domain/orders/outcome.ts';
import type { Answer, Query } from '../../../src/ports/venue.ts';
import { SILENT_INBOX, VenueEvent, type Inbox } from '../../../src/ports/venue-event.ts';

export class SayingVenue {
  inbox: Inbox;
  readonly #event = new VenueEvent();

  constructor(inbox: Inbox = SILENT_INBOX) {
    this.inbox = inbox;
  }

  accepted(seq: number, venueId: string): void {
    this.inbox.take(this.#event.accepted(seq, venueId));
  }
  rejected(seq: number, rejection: Rejection): void {
    this.inbox.take(this.#event.rejected(seq, rejection));
  }
  unsent(seq: number, cause: string): void {
    this.inbox.take(this.#event.unsent(seq, cause));
  }
  unknown(seq: number, cause: string): void {
    this.inbox.take(this.#event.unknown(seq, cause));
  }
  answered(query: Query, answer: Answer, sentAt: number, venueTime: number): void {
    this.inbox.take(this.#event.answered(query, answer, sentAt, venueTime));
  }
  failed(query: Query, cause: string): void {
    this.inbox.take(this.#event.failed(query, cause));
  }
  pushedFill(seq: number, size: number, price: number): void {
    this.inbox.take(this.#event.pushedFill(seq, size, price));
  }
  pushedOwnFill(instrument: number, side: number, effect: number, size: number, price: number): void {
    this.inbox.take(this.#event.pushedOwnFill(instrument, side, effect, size, price));
  }
  pushedEnd(seq: number, how: number): void {
    this.inbox.take(this.#event.pushedEnd(seq, how));
  }
}
