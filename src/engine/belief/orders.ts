/**
 * The order tracker: own orders as records that are used again, in a list per instrument and in a table by number. What may follow a
 * state is domain/order.ts' table, asserted here. Exposure (what the legs would be if every live order filled) is kept up to date
 * with every change. @hot
 */
import { assert, AssertionError } from '../../base/assert.ts';
import { CLOSE, MODIFY, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { FILLED, ORDER_STATES, SUBMITTING, TRANSITIONS } from '../../domain/order.ts';
import type { Leg } from './leg.ts';

const LEGAL = Uint16Array.from(TRANSITIONS, (to) => to.reduce((mask, state) => mask | (1 << state), 0));

/** One own order as believed. Only `Orders` and exec/ending.ts change what others count on. */
export class Order {
  /** 0 for a free record and for an order that was refused before it had a number. */
  seq = 0;
  state = SUBMITTING;
  /** PLACE, PLACE_TRIGGER or PLACE_SPOT (an order made by MODIFY is a PLACE). */
  kind = PLACE;
  instrument = 0;
  /** LONG or SHORT; for spot BUY or SELL. */
  side = 0;
  /** The leg it works on; of no meaning for spot. */
  leg: Leg;
  effect = 0;
  type = 0;
  postOnly = 0;
  marginMode = 0;
  /** Ticks, 0 for a market order. */
  price = 0;
  /** Lots. */
  size = 0;
  filled = 0;
  /** The part of `filled` that only the position shows: no record of the order proves it. */
  inferred = 0;
  /** Once `filled` cannot change any more. */
  isSettled = false;
  createdAt = -Infinity;
  /** When the last own command about it was made or answered: a read that began before proves nothing against it. */
  sentAt = -Infinity;
  endedAt = -Infinity;
  /** Index of the strategy that owns it, −1 for none. */
  strategy = -1;
  /** Number of the order that this one replaces, 0 for none. */
  replaces = 0;
  /** Lots counted in the exposure for this order. */
  reserved = 0;
  /** Reads in a row in which it should have been and was not. */
  missing = 0;
  /** When it is to be cancelled as soon as its present command has an outcome. */
  isCancelWanted = false;
  /** Who still needs the record: queued events. */
  pins = 0;
  venueId = '';
  /** Neighbours in the list of its instrument; `next` also links free records. */
  previous: Order | null = null;
  next: Order | null = null;
  /** Place in the pool: which view shows it. */
  readonly place: number;

  constructor(place: number, leg: Leg) {
    this.place = place;
    this.leg = leg;
  }

  get remaining(): number {
    return this.size - this.filled;
  }

  get isAlive(): boolean {
    return this.state < FILLED;
  }

  /** True when the order may move to `to`. */
  may(to: number): boolean {
    return (LEGAL[this.state]! & (1 << to)) !== 0;
  }
}

export class Orders {
  /** First and last order per instrument; oldest first. */
  readonly head: (Order | null)[] = [];
  readonly #tail: (Order | null)[] = [];
  /** Live orders per instrument, and a counter of changes to the set of live orders. */
  readonly live: Int32Array;
  readonly version: Int32Array;
  liveTotal = 0;
  readonly #legs: readonly Leg[];

  /** By number: linear probing; the number is the hash, because numbers that are live together are close together. */
  #table: (Order | null)[] = [];
  #mask = 0;
  #known = 0;
  #pool = 0;
  #free: Order | null = null;

  constructor(legs: readonly Leg[]) {
    this.#legs = legs;
    const instruments = legs.length / 2;
    for (let i = 0; i < instruments; i++) {
      this.head.push(null);
      this.#tail.push(null);
    }
    this.live = new Int32Array(instruments); // hot-ok: construction
    this.version = new Int32Array(instruments); // hot-ok: construction
    this.#widen();
  }

  /** Order `seq`, or null when it is not known (any more). */
  find(seq: number): Order | null {
    const mask = this.#mask;
    const table = this.#table;
    let at = seq & mask;
    for (let found = table[at]!; found !== null; found = table[at]!) {
      if (found.seq === seq) return found;
      at = (at + 1) & mask;
    }
    return null;
  }

  /** A new order in SUBMITTING from the command that asks for it; `command.seq` 0 makes one that is only shown (a refusal). */
  add(command: Command, strategy: number): Order {
    const i = command.instrument;
    const leg = this.#legs[2 * i + command.side]!;
    const order = this.#free ?? new Order(this.#pool++, leg); // hot-ok: the pool grows
    this.#free = order.next;
    order.seq = command.seq;
    order.state = SUBMITTING;
    order.kind = command.kind === MODIFY ? PLACE : command.kind;
    order.instrument = i;
    order.side = command.side;
    order.leg = leg;
    order.effect = command.effect;
    order.type = command.type;
    order.postOnly = command.postOnly;
    order.marginMode = command.marginMode;
    order.price = command.price;
    order.size = command.size;
    order.filled = 0;
    order.inferred = 0;
    order.isSettled = false;
    order.createdAt = command.time;
    order.sentAt = command.time;
    order.strategy = strategy;
    order.replaces = command.kind === MODIFY ? command.target : 0;
    order.reserved = 0;
    order.missing = 0;
    order.isCancelWanted = false;
    order.pins = 0;
    order.venueId = '';
    if (command.seq !== 0) this.#index(order);
    this.#link(order, i);
    this.live[i]!++;
    this.liveTotal++;
    this.version[i]!++;
    return order;
  }

  /** Counts `lots` of the order in the exposure of its leg, instead of what was counted before. Spot orders have no leg. */
  reserve(order: Order, lots: number): void {
    const change = lots - order.reserved;
    if (change === 0 || order.kind === PLACE_SPOT) return;
    if (order.effect === CLOSE) order.leg.closing += change;
    else order.leg.opening += change;
    order.reserved = lots;
  }

  /** Moves the order to `to`. Ending takes it out of the exposure. */
  transition(order: Order, to: number): void {
    if (!order.may(to)) illegal(order, to);
    order.state = to;
    if (to < FILLED) return;
    this.reserve(order, 0);
    const i = order.instrument;
    this.live[i]!--;
    this.liveTotal--;
    this.version[i]!++;
  }

  /** `lots` more of it filled. The sum never exceeds the size. */
  fill(order: Order, lots: number): void {
    const filled = order.filled + lots;
    assert(lots > 0, 'a fill is above zero');
    assert(filled <= order.size, 'an order fills at most its size');
    order.filled = filled;
    if (order.state < FILLED) this.reserve(order, Math.max(0, order.reserved - lots));
  }

  /** Gives the record back when the order has ended, its fills are final and nobody needs it. */
  releaseIfDone(order: Order): void {
    if (order.state < FILLED || !order.isSettled || order.pins !== 0) return;
    if (order.seq !== 0) this.#unindex(order.seq);
    this.#unlink(order);
    order.seq = 0;
    order.previous = null;
    order.next = this.#free;
    this.#free = order;
  }

  #link(order: Order, i: number): void {
    const tail = this.#tail[i]!;
    order.previous = tail;
    order.next = null;
    if (tail === null) this.head[i] = order;
    else tail.next = order;
    this.#tail[i] = order;
  }

  #unlink(order: Order): void {
    const before = order.previous;
    const after = order.next;
    if (before === null) this.head[order.instrument] = after;
    else before.next = after;
    if (after === null) this.#tail[order.instrument] = before;
    else after.previous = before;
  }

  #index(order: Order): void {
    if (this.#known * 2 > this.#mask) this.#widen();
    const mask = this.#mask;
    const table = this.#table;
    let at = order.seq & mask;
    while (table[at]! !== null) at = (at + 1) & mask;
    table[at] = order;
    this.#known++;
  }

  /** Takes the number out and moves those behind it up, so that no search ends too early. */
  #unindex(seq: number): void {
    const mask = this.#mask;
    const table = this.#table;
    let hole = seq & mask;
    while (table[hole]!.seq !== seq) hole = (hole + 1) & mask;
    this.#known--;
    for (let at = (hole + 1) & mask; ; at = (at + 1) & mask) {
      const moved = table[at]!;
      if (moved === null) break;
      const home = moved.seq & mask;
      // It may fill the hole when its home is not cyclically between the hole (exclusive) and its place (inclusive).
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        table[hole] = moved;
        hole = at;
      }
    }
    table[hole] = null;
  }

  #widen(): void {
    const old = this.#table;
    const size = old.length === 0 ? 256 : old.length * 2;
    this.#table = Array.from({ length: size }, () => null); // hot-ok: growth
    this.#mask = size - 1;
    this.#known = 0;
    for (let k = 0; k < old.length; k++) if (old[k]! !== null) this.#index(old[k]!);
  }
}

function illegal(order: Order, to: number): never {
  const text = 'order ' + order.seq + ' cannot go from ' + ORDER_STATES[order.state]! + ' to ' + ORDER_STATES[to]!;
  throw new AssertionError(text); // hot-ok: a bug
}
