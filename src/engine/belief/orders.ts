/**
 * The order tracker: own orders as columns, in slots that are used again. What may follow a state is domain/order.ts' table,
 * asserted here. Exposure (what the legs would be if every live order filled) is kept up to date with every change. @hot
 */
import { assert } from '../../base/assert.ts';
import { CLOSE, LIMIT, MODIFY, OPEN, PLACE, PLACE_SPOT } from '../../domain/codes.ts';
import type { Command } from '../../domain/command.ts';
import { FILLED, isEnded, ORDER_STATES, SUBMITTING, TRANSITIONS } from '../../domain/order.ts';
import { SeqIndex } from './seq-index.ts';

const LEGAL = Uint16Array.from(TRANSITIONS, (to) => to.reduce((mask, state) => mask | (1 << state), 0));

export class Orders {
  /** Columns by slot. `seq` is 0 for a free slot and for an order that was refused before it had a number. */
  seq = new Float64Array(0);
  state = new Uint8Array(0);
  /** PLACE, PLACE_TRIGGER or PLACE_SPOT (an order made by MODIFY is a PLACE). */
  kind = new Uint8Array(0);
  instrument = new Int32Array(0);
  /** LONG or SHORT; for spot BUY or SELL. */
  side = new Uint8Array(0);
  effect = new Uint8Array(0);
  type = new Uint8Array(0);
  postOnly = new Uint8Array(0);
  marginMode = new Uint8Array(0);
  price = new Float64Array(0);
  size = new Float64Array(0);
  filled = new Float64Array(0);
  /** 1 once `filled` cannot change any more. */
  settled = new Uint8Array(0);
  createdAt = new Float64Array(0);
  /** When the last own command about it was made or answered: a read that began before proves nothing against it. */
  sentAt = new Float64Array(0);
  endedAt = new Float64Array(0);
  strategy = new Int32Array(0);
  /** Number of the order that this one replaces, 0 for none. */
  replaces = new Float64Array(0);
  /** Lots counted in the exposure for this order. */
  reserved = new Float64Array(0);
  /** Reads in a row in which it should have been and was not. */
  missing = new Uint8Array(0);
  /** 1 when it is to be cancelled as soon as its present command has an outcome. */
  cancelWanted = new Uint8Array(0);
  /** Who still needs the slot: queued events. */
  pins = new Uint16Array(0);
  /** Neighbours in the list of its instrument, −1 at the ends. */
  previous = new Int32Array(0);
  next = new Int32Array(0);
  readonly venueId: string[] = [];

  /** First and last slot per instrument, −1 for none; oldest first. */
  readonly head: Int32Array;
  readonly tail: Int32Array;
  /** Live orders per instrument, and a counter of changes to the set of live orders. */
  readonly live: Int32Array;
  readonly version: Int32Array;
  /** Per leg (2 · instrument + side): lots that live orders may still open or close. */
  readonly opening: Float64Array;
  readonly closing: Float64Array;
  liveTotal = 0;

  readonly #index = new SeqIndex();
  #free = -1;

  constructor(instruments: number) {
    this.head = new Int32Array(instruments).fill(-1); // hot-ok: construction
    this.tail = new Int32Array(instruments).fill(-1); // hot-ok: construction
    this.live = new Int32Array(instruments); // hot-ok: construction
    this.version = new Int32Array(instruments); // hot-ok: construction
    this.opening = new Float64Array(instruments * 2); // hot-ok: construction
    this.closing = new Float64Array(instruments * 2); // hot-ok: construction
    this.#grow();
  }

  /** The slot of order `seq`, or −1 when it is not known (any more). */
  slotOf(seq: number): number {
    return this.#index.get(seq);
  }

  /** A new order in SUBMITTING from the command that asks for it; `command.seq` 0 makes one that is only shown (a refusal). */
  add(command: Command, strategy: number): number {
    if (this.#free < 0) this.#grow();
    const slot = this.#free;
    this.#free = this.next[slot]!;
    const i = command.instrument;
    this.seq[slot] = command.seq;
    this.state[slot] = SUBMITTING;
    this.kind[slot] = command.kind === MODIFY ? PLACE : command.kind;
    this.instrument[slot] = i;
    this.side[slot] = command.side;
    this.effect[slot] = command.effect;
    this.type[slot] = command.type;
    this.postOnly[slot] = command.postOnly;
    this.marginMode[slot] = command.marginMode;
    this.price[slot] = command.price;
    this.size[slot] = command.size;
    this.filled[slot] = 0;
    this.settled[slot] = 0;
    this.createdAt[slot] = command.time;
    this.sentAt[slot] = command.time;
    this.endedAt[slot] = 0;
    this.strategy[slot] = strategy;
    this.replaces[slot] = command.kind === MODIFY ? command.target : 0;
    this.reserved[slot] = 0;
    this.missing[slot] = 0;
    this.pins[slot] = 0;
    this.cancelWanted[slot] = 0;
    this.venueId[slot] = '';
    if (command.seq !== 0) this.#index.set(command.seq, slot);
    this.#link(slot, i);
    this.live[i]!++;
    this.liveTotal++;
    this.version[i]!++;
    return slot;
  }

  /** Counts `lots` of the order in the exposure of its leg, instead of what was counted before. Spot orders have no leg. */
  reserve(slot: number, lots: number): void {
    if (this.kind[slot] === PLACE_SPOT) return;
    const leg = 2 * this.instrument[slot]! + this.side[slot]!;
    const change = lots - this.reserved[slot]!;
    if (this.effect[slot] === CLOSE) this.closing[leg]! += change;
    else this.opening[leg]! += change;
    this.reserved[slot] = lots;
  }

  /** Moves the order to `to`. Ending takes it out of the exposure. */
  transition(slot: number, to: number): void {
    const from = this.state[slot]!;
    if ((LEGAL[from]! & (1 << to)) === 0) this.#illegal(slot, from, to);
    this.state[slot] = to;
    if (to < FILLED) return;
    this.reserve(slot, 0);
    const i = this.instrument[slot]!;
    this.live[i]!--;
    this.liveTotal--;
    this.version[i]!++;
  }

  /** True when the order may move to `to`. */
  may(slot: number, to: number): boolean {
    return (LEGAL[this.state[slot]!]! & (1 << to)) !== 0;
  }

  /** `lots` more of it filled. The sum never exceeds the size. */
  fill(slot: number, lots: number): void {
    const filled = this.filled[slot]! + lots;
    assert(lots > 0, 'a fill is above zero');
    assert(filled <= this.size[slot]!, 'an order fills at most its size');
    this.filled[slot] = filled;
    if (this.state[slot]! < FILLED) this.reserve(slot, Math.max(0, this.reserved[slot]! - lots));
  }

  remaining(slot: number): number {
    return this.size[slot]! - this.filled[slot]!;
  }

  /** Gives the slot back when the order has ended, its fills are final and nobody needs it. */
  releaseIfDone(slot: number): void {
    if (this.state[slot]! < FILLED || this.settled[slot] === 0 || this.pins[slot] !== 0) return;
    if (this.seq[slot]! !== 0) this.#index.delete(this.seq[slot]!);
    this.#unlink(slot);
    this.seq[slot] = 0;
    this.next[slot] = this.#free;
    this.#free = slot;
  }

  isLive(slot: number): boolean {
    return !isEnded(this.state[slot]!);
  }

  /** True for a live order of an instrument's book that the venue lists among the pending ones. */
  isListed(slot: number): boolean {
    return this.kind[slot] === PLACE && this.type[slot] === LIMIT && this.state[slot]! < FILLED;
  }

  isOpening(slot: number): boolean {
    return this.effect[slot] === OPEN && this.kind[slot] !== PLACE_SPOT;
  }

  #link(slot: number, i: number): void {
    const tail = this.tail[i]!;
    this.previous[slot] = tail;
    this.next[slot] = -1;
    if (tail < 0) this.head[i] = slot;
    else this.next[tail] = slot;
    this.tail[i] = slot;
  }

  #unlink(slot: number): void {
    const i = this.instrument[slot]!;
    const before = this.previous[slot]!;
    const after = this.next[slot]!;
    if (before < 0) this.head[i] = after;
    else this.next[before] = after;
    if (after < 0) this.tail[i] = before;
    else this.previous[after] = before;
  }

  #illegal(slot: number, from: number, to: number): never {
    const names = ORDER_STATES;
    assert(false, 'order ' + this.seq[slot]! + ' cannot go from ' + names[from]! + ' to ' + names[to]!);
  }

  #grow(): void {
    const old = this.seq.length;
    const size = old === 0 ? 64 : old * 2;
    this.seq = grown(this.seq, new Float64Array(size)); // hot-ok: growth
    this.state = grown(this.state, new Uint8Array(size)); // hot-ok: growth
    this.kind = grown(this.kind, new Uint8Array(size)); // hot-ok: growth
    this.instrument = grown(this.instrument, new Int32Array(size)); // hot-ok: growth
    this.side = grown(this.side, new Uint8Array(size)); // hot-ok: growth
    this.effect = grown(this.effect, new Uint8Array(size)); // hot-ok: growth
    this.type = grown(this.type, new Uint8Array(size)); // hot-ok: growth
    this.postOnly = grown(this.postOnly, new Uint8Array(size)); // hot-ok: growth
    this.marginMode = grown(this.marginMode, new Uint8Array(size)); // hot-ok: growth
    this.price = grown(this.price, new Float64Array(size)); // hot-ok: growth
    this.size = grown(this.size, new Float64Array(size)); // hot-ok: growth
    this.filled = grown(this.filled, new Float64Array(size)); // hot-ok: growth
    this.settled = grown(this.settled, new Uint8Array(size)); // hot-ok: growth
    this.createdAt = grown(this.createdAt, new Float64Array(size)); // hot-ok: growth
    this.sentAt = grown(this.sentAt, new Float64Array(size)); // hot-ok: growth
    this.endedAt = grown(this.endedAt, new Float64Array(size)); // hot-ok: growth
    this.strategy = grown(this.strategy, new Int32Array(size)); // hot-ok: growth
    this.replaces = grown(this.replaces, new Float64Array(size)); // hot-ok: growth
    this.reserved = grown(this.reserved, new Float64Array(size)); // hot-ok: growth
    this.missing = grown(this.missing, new Uint8Array(size)); // hot-ok: growth
    this.cancelWanted = grown(this.cancelWanted, new Uint8Array(size)); // hot-ok: growth
    this.pins = grown(this.pins, new Uint16Array(size)); // hot-ok: growth
    this.previous = grown(this.previous, new Int32Array(size)); // hot-ok: growth
    this.next = grown(this.next, new Int32Array(size)); // hot-ok: growth
    for (let slot = size - 1; slot >= old; slot--) {
      this.venueId[slot] = '';
      this.next[slot] = this.#free;
      this.#free = slot;
    }
  }
}

function grown<T extends Float64Array | Int32Array | Uint16Array | Uint8Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
