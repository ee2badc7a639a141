/**
 * One own order as believed, in a record that is used again. What may follow a state is domain/order.ts' table, and is asked here. @hot
 */
import * as codes from '../../domain/codes.ts';
import * as states from '../../domain/order.ts';
import { TRANSITIONS } from '../../domain/order.ts';
import type { Owner } from './owner.ts';
import type { Quote } from './quote.ts';
import type { InstrumentContext } from './instrument-context.ts';
import type { Leg } from './leg.ts';

const { PLACE } = codes;
const { FILLED, SUBMITTING } = states;

/** Which state may follow which, a bit for each pair: for the states in which an order lives, and for those that end it, from FILLED on. */
const LIVES = pairs(0);
const ENDS = pairs(FILLED);

function pairs(first: number): number {
  let bits = 0;
  for (let from = 0; from < FILLED; from++) {
    for (const to of TRANSITIONS[from]!) if (to >= first && to < first + FILLED) bits |= 1 << (FILLED * (to - first) + from);
  }
  return bits;
}

/** Only `Orders` and orders/ending.ts change what others count on. */
export class Order {
  /** 0 for a free record and for an order that was refused before it had a number. */
  seq = 0;
  state = SUBMITTING;
  /** PLACE, PLACE_TRIGGER or PLACE_SPOT (an order made by MODIFY is a PLACE). */
  kind = PLACE;
  /** Where it is. */
  declare context: InstrumentContext;
  /** LONG or SHORT; for spot BUY or SELL. */
  side = 0;
  /** The leg it works on; of no meaning for spot. */
  declare leg: Leg;
  effect = 0;
  type = 0;
  postOnly = 0;
  marginMode = 0;
  /** Ticks, 0 for a market order. */
  price = 0;
  /** The price in ticks that it would have met when it was decided on; 0 for one that rests, once it was judged, and where nothing asks. */
  decided = 0;
  /** Lots. */
  size = 0;
  filled = 0;
  /** Lots that it may have filled beyond `filled`, once it has ended: counted in its leg until a record or the position decides. */
  unsure = 0;
  /** Whether a record has told how it ended. */
  isEndRead = false;
  /** Average price of its fills in ticks, as its last record tells; 0 when none has told of a fill. */
  average = 0;
  /** What its fills took of profit by its last record, in money, and the venue's time of its making. */
  realised = 0;
  madeAt = Infinity;
  /** Ticks · lots of the fills that were told. */
  worth = 0;
  /**
   * The most that it had filled by its last record, when the read of that began, and times of the venue that it is no older than: the newest
   * of any order, and the newest at which one of the same leg had traded.
   */
  shownMost = Infinity;
  shownAt = -Infinity;
  shownFresh = -Infinity;
  shownTraded = -Infinity;
  recordAt = -Infinity;
  /** Money that its last record shows as fees of its fills, and as profit that they took. */
  fee = 0;
  profit = 0;
  /** The venue's time of the record that told them. */
  bookedAt = -Infinity;
  /** Once `filled` cannot change any more. */
  isSettled = false;
  createdAt = -Infinity;
  /** When the last own command about it was made or answered: a read that began before proves nothing against it. */
  sentAt = -Infinity;
  endedAt = -Infinity;
  /** Whose it is. */
  declare owner: Owner;
  /** Number of the order that this one replaces, 0 for none, and the record which that had when this one was made. */
  replaces = 0;
  before: Order = this;
  /** Lots counted in the exposure for this order. */
  reserved = 0;
  /** Reads in a row in which it should have been and was not. */
  missing = 0;
  /** When it is to be cancelled as soon as its present command has an outcome. */
  isCancelWanted = false;
  /** It was a trigger order and has fired: the venue knows it by its venue id, perhaps not by our client id. */
  isTriggered = false;
  /** While the command that makes it has no outcome yet (state/in-flight.ts): its record is kept until then. */
  isInFlight = false;
  /** Who still needs the record: queued events. */
  references = 0;
  venueId = '';
  /** The standing quote that it is, or was made for. */
  quote: Quote | null = null;
  /** Its place in the ring is another's by now, or it never had one, because it has no number. */
  isEvicted = false;
  /** Neighbours in the list of its desk. */
  previous: Order | null = null;
  next: Order | null = null;
  /** Place in the pool: which view shows it. */
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

  /** The record becomes another order: nothing has been read of it yet. */
  forgetRecords(): void {
    this.isEndRead = false;
    this.average = 0;
    this.worth = 0;
    this.realised = 0;
    this.madeAt = Infinity;
    this.shownMost = Infinity;
    this.shownAt = -Infinity;
    this.shownFresh = -Infinity;
    this.shownTraded = -Infinity;
    this.recordAt = -Infinity;
    this.fee = 0;
    this.profit = 0;
    this.bookedAt = -Infinity;
  }

  /** The order that this one replaces, or null when there is none or it is gone. */
  get replaced(): Order | null {
    const { before, replaces } = this; // hot-ok: a pattern, nothing is made
    return replaces !== 0 && before.seq === replaces ? before : null;
  }

  /** It is to replace `order`. */
  follows(order: Order): void {
    this.kind = PLACE;
    this.replaces = order.seq;
    this.before = order;
  }

  get remaining(): number {
    return this.size - this.filled;
  }

  /** Lots that it may fill more than now when it is modified to `size`. */
  growth(size: number): number {
    const more = size - this.size + this.filled;
    return more > 0 ? more : 0;
  }

  get isAlive(): boolean {
    return this.state < FILLED;
  }

  /** True when the order may move to `to`. */
  may(to: number): boolean {
    if (!this.isAlive) return false;
    const froms = to < FILLED ? LIVES >> (FILLED * to) : ENDS >> (FILLED * (to - FILLED));
    return ((froms >> this.state) & 1) === 1;
  }
}
