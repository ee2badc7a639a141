/** One own order in local state. Records are reused. @hot */
import { assert } from '../../../base/failure/assert.ts';
import * as codes from '../../../domain/codes.ts';
import * as states from '../../../domain/orders/order.ts';
import type { Owner } from './owner.ts';
import type { Quote } from './quote.ts';
import type { InstrumentContext } from './instrument-context.ts';
import type { Leg } from './leg.ts';

const { PLACE } = codes;
const { FILLED, SUBMITTING } = states;

/** When a complete read first did not show an order, by our clock and by the venue's. Milliseconds since 1970. */
export interface Absent {
  readonly at: number;
  readonly venueTime: number;
}

/** Only `Orders` and orders/ending.ts change the fields that counters depend on. */
export class Order {
  /** 0 for a free record, and for an order that was refused before it got a number. */
  seq = 0;
  state = SUBMITTING;
  /** PLACE, PLACE_TRIGGER or PLACE_SPOT. An order created by MODIFY is a PLACE. */
  kind = PLACE;
  /** Context of its instrument. */
  declare context: InstrumentContext;
  /** LONG or SHORT; for spot BUY or SELL. */
  side = 0;
  /** The leg that it opens or closes; without meaning for spot. */
  declare leg: Leg;
  effect = 0;
  type = 0;
  force = 0;
  marginMode = 0;
  /** Limit price in ticks; 0 for a market order. */
  price = 0;
  /** Price in ticks that fires a trigger order, 0 for other orders, and the price that is compared with it: BY_LAST or BY_MARK. */
  trigger = 0;
  triggerBy = 0;
  /**
   * Market price in ticks that it would have met at decision time. 0 for a resting order, after slippage was counted, or if no limit needs
   * it.
   */
  decisionPrice = 0;
  /** Lots. */
  size = 0;
  filled = 0;
  /** Lots of `filled` that its strategy was told; the events of the others wait. */
  delivered = 0;
  /** Lots that an ended order may have filled beyond `filled`. Counted in its leg until a record or the position decides. */
  maybeFilled = 0;
  /** True if a record has shown how it ended. */
  isEndRead = false;
  /** Average fill price in ticks by its last record; 0 before a fill. */
  average = 0;
  /** Realised profit of its fills in money by its last record, and the record's creation time at the venue. */
  realised = 0;
  madeAt = Infinity;
  /** Sum of price × lots of the reported fills, in ticks × lots. */
  worth = 0;
  /** True once a record has shown it open and unfilled, so long after it was sent that it would have been matched. */
  hasRested = false;
  /**
   * Upper bound of its filled lots by its last record, when that read began, and two venue times that the read is not older than: the
   * newest of any order, and the newest trade on the same leg.
   */
  shownMost = Infinity;
  shownAt = -Infinity;
  shownFresh = -Infinity;
  shownTraded = -Infinity;
  recordAt = -Infinity;
  /** Fees and realised profit of its fills in money, by its last record. */
  fee = 0;
  profit = 0;
  /** Venue time of the record with those fees. */
  bookedAt = -Infinity;
  /** True if positions proved fills of it since its last record: that record lacks their price, profit and fees. */
  isRecordDue = false;
  /** True if `filled` is final. */
  isSettled = false;
  createdAt = -Infinity;
  /** When the last own command about it was sent or answered: reads that began earlier are not compared with it. */
  sentAt = -Infinity;
  endedAt = -Infinity;
  /** While its outcome is unknown: since when complete reads have not shown it, in this process or one before; null before the first. */
  absent: Absent | null = null;
  /** The strategy that it belongs to. */
  declare owner: Owner;
  /** Number of the first order of unknown outcome that this one repeats, 0 for none. */
  repeats = 0;
  /** Number of the order that this one replaces, 0 for none, and that order's record at the time. */
  replaces = 0;
  before: Order = this;
  /** Lots counted in the leg's exposure for this order. */
  reserved = 0;
  /** Number of consecutive reads that should have shown it and did not. */
  missing = 0;
  /** True if it must be cancelled as soon as its present command has an outcome. */
  isCancelWanted = false;
  /** True if it was a trigger order and has fired: the venue knows it by venue id, perhaps not by our client id. */
  isTriggered = false;
  /** True while the command that places it has no outcome yet (state/records/in-flight.ts); its record is kept until then. */
  isInFlight = false;
  /** True once the venue has accepted it, or has shown it. */
  wasAccepted = false;
  /** Number of queued events that refer to the record. */
  references = 0;
  venueId = '';
  /** The managed quote that it belongs to. */
  quote: Quote | null = null;
  /** True if its slot in the ring belongs to another order, or if it has no number. */
  isEvicted = false;
  /** Neighbours in the list of its instrument. */
  previous: Order | null = null;
  next: Order | null = null;
  /** Index in the pool, which selects its view. */
  declare readonly place: number;

  constructor(place: number, context: InstrumentContext, owner: Owner) {
    this.place = place;
    this.context = context;
    this.leg = context.long;
    this.owner = owner;
  }

  get instrument(): number {
    return this.context.index;
  }

  /** Clears what was read about the previous order of this record. */
  forgetRecords(): void {
    this.isEndRead = false;
    this.average = 0;
    this.worth = 0;
    this.realised = 0;
    this.madeAt = Infinity;
    this.shownMost = Infinity;
    this.hasRested = false;
    this.shownAt = -Infinity;
    this.shownFresh = -Infinity;
    this.shownTraded = -Infinity;
    this.recordAt = -Infinity;
    this.fee = 0;
    this.profit = 0;
    this.bookedAt = -Infinity;
    this.isRecordDue = false;
  }

  /** The order that this one replaces; null if there is none or its record was reused. */
  get replaced(): Order | null {
    const { before, replaces } = this;
    return replaces !== 0 && before.seq === replaces ? before : null;
  }

  /** Marks this order as the replacement of `order`. */
  follows(order: Order): void {
    assert(order.seq > 0, 'a replaced order has a number', order.seq);
    assert(this.seq > order.seq, 'a replacement has a later number', this.seq);
    this.kind = PLACE;
    this.replaces = order.seq;
    this.before = order;
  }

  get remaining(): number {
    return this.size - this.filled;
  }

  /** Additional lots that it may fill if it is modified to `size`. */
  growth(size: number): number {
    const more = size - this.size + this.filled;
    return more > 0 ? more : 0;
  }

  get isAlive(): boolean {
    return this.state < FILLED;
  }
}
