/**
 * Commands whose outcome is not known yet. One that makes an order is on the record of that order, which is kept until then; the others
 * have records of their own here: their numbers are near each other and flights are short, so a number is a place. No search, no list.
 * An old flight that stands in the way makes the ring grow. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Order, Orders } from './orders.ts';

const { ADJUST_MARGIN, MODIFY } = codes;

/** One command on its way; the records are used again. */
class InFlightCommand {
  /** 0 for a free record. */
  seq = 0;
  kind = 0;
  instrument = 0;
  sentAt = -Infinity;
  /** The order acted on, or made, and its number at that time. */
  made: Order | null = null;
  orderSeq = 0;

  /** The order, or null when there is none or it is gone: a record that is used again has another number. */
  get order(): Order | null {
    const order = this.made;
    return order !== null && order.seq === this.orderSeq ? order : null;
  }
}

/** Looks after the oldest flight once it is armed, until none is left. */
export interface Watch {
  arm(): void;
}

export class InFlight {
  watch: Watch | null = null;
  /** While the watch is armed. */
  isWatched = false;
  declare private readonly orders: Orders;
  /** By `seq & mask`: of commands that make no order. */
  #ring: InFlightCommand[] = Array.from({ length: 16 }, () => new InFlightCommand()); // hot-ok: construction
  #mask = 15;
  /** What is told of a command that makes an order. */
  readonly #ofOrder = new InFlightCommand();

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** The command that makes `order` leaves: its record is kept until the outcome is known. */
  addOrder(order: Order): void {
    order.isInFlight = true;
  }

  /** Any other command leaves, about `order` or none. */
  add(seq: number, kind: number, instrument: number, order: Order | null, sentAt: number): void {
    const free = this.#ring[seq & this.#mask]!;
    const entry = free.seq === 0 ? free : this.#makeRoom(seq);
    entry.seq = seq;
    entry.kind = kind;
    entry.instrument = instrument;
    entry.sentAt = sentAt;
    entry.made = order;
    entry.orderSeq = order === null ? 0 : order.seq;
  }

  /** The command has left: somebody looks after it from now on. */
  keepWatch(): void {
    if (!this.isWatched) this.watch?.arm();
  }

  /** Command `seq` is on its way no more; what it was, valid until another command leaves, or null. */
  take(seq: number): InFlightCommand | null {
    const order = this.orders.find(seq);
    if (order === null || !order.isInFlight) return this.takeOther(seq);
    const entry = this.#ofCommand(order);
    order.isInFlight = false;
    this.orders.releaseIfDone(order);
    return entry;
  }

  /** The same for a command that makes no order. */
  takeOther(seq: number): InFlightCommand | null {
    const entry = this.#ring[seq & this.#mask]!;
    if (entry.seq !== seq) return null;
    entry.seq = 0;
    return entry;
  }

  /** How many there are. This and what follows walks all: for reads, not for the hot path. */
  get count(): number {
    let count = 0;
    for (let k = 0; k < this.#ring.length; k++) if (this.#ring[k]!.seq !== 0) count++;
    const { of } = this.orders;
    for (let i = 0; i < of.length; i++) {
      for (const order of of[i]!.known()) if (order.isInFlight) count++;
    }
    return count;
  }

  /** The oldest, null for none; valid until another command leaves. */
  oldest(): InFlightCommand | null {
    let oldest: InFlightCommand | null = null;
    for (let k = 0; k < this.#ring.length; k++) {
      const entry = this.#ring[k]!;
      if (entry.seq !== 0 && (oldest === null || entry.seq < oldest.seq)) oldest = entry;
    }
    const { of } = this.orders;
    for (let i = 0; i < of.length; i++) {
      for (const order of of[i]!.known()) {
        if (order.isInFlight && (oldest === null || order.seq < oldest.seq)) oldest = this.#ofCommand(order);
      }
    }
    return oldest;
  }

  /** True while a command about order `seq` is on its way. */
  concerns(seq: number): boolean {
    for (let k = 0; k < this.#ring.length; k++) if (this.#ring[k]!.seq !== 0 && this.#ring[k]!.orderSeq === seq) return true;
    const order = this.orders.find(seq);
    return order !== null && order.isInFlight;
  }

  /** True while a margin step of the instrument is on its way. */
  isAdjusting(instrument: number): boolean {
    for (let k = 0; k < this.#ring.length; k++) {
      const entry = this.#ring[k]!;
      if (entry.seq !== 0 && entry.kind === ADJUST_MARGIN && entry.instrument === instrument) return true;
    }
    return false;
  }

  /** The command that makes `order`. */
  #ofCommand(order: Order): InFlightCommand {
    const entry = this.#ofOrder;
    entry.seq = order.seq;
    entry.kind = order.replaces === 0 ? order.kind : MODIFY;
    entry.instrument = order.instrument;
    entry.sentAt = order.createdAt;
    entry.made = order;
    entry.orderSeq = order.seq;
    return entry;
  }

  /** A free record at the place of `seq`, where an old flight stands. */
  #makeRoom(seq: number): InFlightCommand {
    while (this.#ring[seq & this.#mask]!.seq !== 0) this.#grow();
    return this.#ring[seq & this.#mask]!;
  }

  /** Doubles the ring; every flight moves to its place under the wider mask. */
  #grow(): void {
    const old = this.#ring;
    const size = old.length * 2;
    this.#ring = Array.from({ length: size }, () => new InFlightCommand()); // hot-ok: growth
    this.#mask = size - 1;
    for (let k = 0; k < old.length; k++) if (old[k]!.seq !== 0) this.#ring[old[k]!.seq & this.#mask] = old[k]!;
  }
}
