/**
 * Commands whose outcome is not known yet. A command that places an order is marked on the order's own record, which is kept until the
 * outcome. Other commands have records here, in a ring indexed by the low bits of their number. The ring grows if an old command still
 * occupies a slot. @hot
 */
import * as codes from '../../../domain/codes.ts';
import type { Order, Orders } from './orders.ts';

const { MODIFY } = codes;

/** One command in flight. Records are reused. */
class InFlightCommand {
  /** 0 for a free record. */
  seq = 0;
  kind = 0;
  instrument = 0;
  sentAt = -Infinity;
  /** The order that the command acts on or places, and that order's number when it was sent. */
  made: Order | null = null;
  orderSeq = 0;

  /** The order, or null if there is none or its record has been reused for another number. */
  get order(): Order | null {
    const order = this.made;
    return order !== null && order.seq === this.orderSeq ? order : null;
  }
}

export class InFlight {
  declare private readonly orders: Orders;
  /** Commands that place no order, by `seq & mask`. */
  #ring: InFlightCommand[] = Array.from({ length: 16 }, () => new InFlightCommand());
  #mask = 15;
  /** Result record that describes a command which places an order. */
  readonly #ofOrder = new InFlightCommand();

  constructor(orders: Orders) {
    this.orders = orders;
  }

  /** The command that places `order` leaves: its record is kept until the outcome is known. */
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

  /** Removes command `seq`. Returns its record, valid until the next command leaves, or null. */
  take(seq: number): InFlightCommand | null {
    const order = this.orders.find(seq);
    if (order === null || !order.isInFlight) return this.takeOther(seq);
    const entry = this.#ofCommand(order);
    order.isInFlight = false;
    this.orders.releaseIfDone(order);
    return entry;
  }

  /** The same for a command that places no order. */
  takeOther(seq: number): InFlightCommand | null {
    const entry = this.#ring[seq & this.#mask]!;
    // 0 is the number of no command, and of each free record.
    if (entry.seq !== seq || seq === 0) return null;
    entry.seq = 0;
    return entry;
  }

  /** Number of commands in flight. This method and the next ones scan all orders: not for the hot path. */
  get count(): number {
    let count = 0;
    for (let k = 0; k < this.#ring.length; k++) if (this.#ring[k]!.seq !== 0) count++;
    const { of } = this.orders;
    for (let i = 0; i < of.length; i++) {
      for (const order of of[i]!.known()) if (order.isInFlight) count++;
    }
    return count;
  }

  /** The oldest command in flight, or null; valid until the next command leaves. */
  oldest(): InFlightCommand | null {
    let oldest: InFlightCommand | null = null;
    for (let k = 0; k < this.#ring.length; k++) {
      const entry = this.#ring[k]!;
      if (entry.seq !== 0 && (oldest === null || entry.seq < oldest.seq)) oldest = entry;
    }
    const { of } = this.orders;
    for (let i = 0; i < of.length; i++) {
      const order = of[i]!.oldestInFlight();
      if (order !== null && (oldest === null || order.seq < oldest.seq)) oldest = this.#ofCommand(order);
    }
    return oldest;
  }

  /** True while a command about order `seq` is in flight. */
  concerns(seq: number): boolean {
    for (let k = 0; k < this.#ring.length; k++) if (this.#ring[k]!.seq !== 0 && this.#ring[k]!.orderSeq === seq) return true;
    const order = this.orders.find(seq);
    return order !== null && order.isInFlight;
  }

  /** The command that places `order`. */
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

  /** Grows the ring until the slot of `seq` is free, and returns it. */
  #makeRoom(seq: number): InFlightCommand {
    while (this.#ring[seq & this.#mask]!.seq !== 0) this.#grow();
    return this.#ring[seq & this.#mask]!;
  }

  /** Doubles the ring; every record moves to its slot under the wider mask. */
  #grow(): void {
    const old = this.#ring;
    const size = old.length * 2;
    this.#ring = Array.from({ length: size }, () => new InFlightCommand()); // hot-ok: growth
    this.#mask = size - 1;
    for (let k = 0; k < old.length; k++) if (old[k]!.seq !== 0) this.#ring[old[k]!.seq & this.#mask] = old[k]!;
  }
}
