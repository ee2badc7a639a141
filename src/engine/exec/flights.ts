/**
 * Commands whose outcome is not known yet. Numbers are consecutive and flights are short, so a command's number is its place: no
 * search, no list. An old flight that stands in the way makes the ring grow. @hot
 */
import * as codes from '../../domain/codes.ts';
import type { Order } from '../belief/orders.ts';

const { ADJUST_MARGIN } = codes;

/** One command on its way; the records are used again. */
class Flight {
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
  readonly isArmed: boolean;
  arm(): void;
}

export class Flights {
  count = 0;
  watch: Watch | null = null;
  /** By `seq & mask`. */
  #ring: Flight[] = Array.from({ length: 16 }, () => new Flight()); // hot-ok: construction
  #mask = 15;
  /** No flight has a number below this. */
  #low = 1;
  #high = 0;

  /** The flight of command `seq`, or null. */
  find(seq: number): Flight | null {
    const flight = this.#ring[seq & this.#mask]!;
    return flight.seq === seq ? flight : null;
  }

  /** `seq` is above that of every command before. */
  add(seq: number, kind: number, instrument: number, order: Order | null, sentAt: number): void {
    const free = this.#ring[seq & this.#mask]!;
    const flight = free.seq === 0 ? free : this.#makeRoom(seq);
    flight.seq = seq;
    flight.kind = kind;
    flight.instrument = instrument;
    flight.sentAt = sentAt;
    flight.made = order;
    flight.orderSeq = order === null ? 0 : order.seq;
    this.#high = seq;
    if (this.count++ === 0) this.#first(seq);
  }

  /** The only one on its way. */
  #first(seq: number): void {
    this.#low = seq;
    if (this.watch !== null && !this.watch.isArmed) this.watch.arm();
  }

  /** Command `seq` is on its way no more; its record, or null. The other fields stay until another command takes the record. */
  take(seq: number): Flight | null {
    const flight = this.find(seq);
    if (flight === null) return null;
    flight.seq = 0;
    this.count--;
    return flight;
  }

  /** The oldest, null for none. */
  oldest(): Flight | null {
    if (this.count === 0) return null;
    for (;;) {
      const flight = this.find(this.#low);
      if (flight !== null) return flight;
      this.#low++;
    }
  }

  /** True while a command about order `order` is on its way. Walks all: for reads, not for the hot path. */
  concerns(order: number): boolean {
    for (let seq = this.#low; seq <= this.#high && this.count > 0; seq++) {
      const flight = this.find(seq);
      if (flight !== null && flight.orderSeq === order) return true;
    }
    return false;
  }

  /** True while a margin step of the instrument is on its way. */
  isAdjusting(instrument: number): boolean {
    for (let seq = this.#low; seq <= this.#high && this.count > 0; seq++) {
      const flight = this.find(seq);
      if (flight !== null && flight.kind === ADJUST_MARGIN && flight.instrument === instrument) return true;
    }
    return false;
  }

  /** A free record at the place of `seq`, where an old flight stands. */
  #makeRoom(seq: number): Flight {
    while (this.#ring[seq & this.#mask]!.seq !== 0) this.#grow();
    return this.#ring[seq & this.#mask]!;
  }

  /** Doubles the ring; every flight moves to its place under the wider mask. */
  #grow(): void {
    const old = this.#ring;
    const size = old.length * 2;
    this.#ring = Array.from({ length: size }, () => new Flight()); // hot-ok: growth
    this.#mask = size - 1;
    for (let k = 0; k < old.length; k++) if (old[k]!.seq !== 0) this.#ring[old[k]!.seq & this.#mask] = old[k]!;
  }
}
