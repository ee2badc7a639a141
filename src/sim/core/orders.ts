/**
 * @hot Every order of every account as columns of recycled slots. A slot lives from acceptance until its order falls out of
 * the history, so an ended order costs no copy. Numbers grow forever; a number finds its slot by open addressing.
 */
/* Traits of an order, one bit each. The first three are the codes of domain/codes.ts, so `traits & SIDE_BIT` is the side. */
export const SIDE_BIT = 1;
export const EFFECT_BIT = 2;
export const SELL_BIT = 4;
export const MARKET_BIT = 8;
export const POST_ONLY_BIT = 16;
export const ISOLATED_BIT = 32;
/** It crossed when it arrived and no quote has shown since that it no longer does: it takes. */
export const TAKING_BIT = 64;
/** The venue made it: preset exit, liquidation, child of a plan order. */
export const BY_VENUE_BIT = 128;
/** At least one preset exit column is set; without this bit they are stale. */
export const EXITS_BIT = 256;
/** Plan: fires when the watched price is at or above the trigger; without it, at or below. */
export const UPWARD_BIT = 512;
export const BY_MARK_BIT = 1024;
export const PLAN_BIT = 2048;
export const SPOT_BIT = 4096;
export const LIQUIDATION_BIT = 8192;

/** Queue ahead of an order on a level that has not been the best since it joined. */
export const AHEAD_UNKNOWN = -1;

const DOUBLES = [
  'no',
  'tag',
  'parent',
  'key',
  'price',
  'size',
  'filled',
  'filledValue',
  'fee',
  'realised',
  'ahead',
  'hold',
  'holdPrice',
  'createdAt',
  'updatedAt',
  'trigger',
  'takeProfit',
  'takeProfitLimit',
  'stopLoss',
  'stopLossLimit',
] as const;
const INTEGERS = ['account', 'instrument', 'leg', 'traits', 'status'] as const;

export class Orders {
  capacity = 0;
  /** 0 in a free slot. */
  no = new Float64Array(0);
  tag = new Float64Array(0);
  parent = new Float64Array(0);
  /** Limit by which it matches: the price, or for a market order the farthest there is. */
  key = new Float64Array(0);
  price = new Float64Array(0);
  size = new Float64Array(0);
  filled = new Float64Array(0);
  filledValue = new Float64Array(0);
  fee = new Float64Array(0);
  realised = new Float64Array(0);
  /** Queue model: lots of others that must trade before it does, or AHEAD_UNKNOWN. */
  ahead = new Float64Array(0);
  /** Money (futures margin, spot coin) kept back for what is unfilled. */
  hold = new Float64Array(0);
  /** Price by which `hold` is reckoned. */
  holdPrice = new Float64Array(0);
  createdAt = new Float64Array(0);
  updatedAt = new Float64Array(0);
  trigger = new Float64Array(0);
  takeProfit = new Float64Array(0);
  takeProfitLimit = new Float64Array(0);
  stopLoss = new Float64Array(0);
  stopLossLimit = new Float64Array(0);
  account = new Int32Array(0);
  instrument = new Int32Array(0);
  /** Index of the futures leg it works on, −1 for spot. */
  leg = new Int32Array(0);
  traits = new Int32Array(0);
  status = new Int32Array(0);

  #free = new Int32Array(0);
  #freeCount = 0;
  /** Slot + 1 by number, 0 = empty; a power of two of at least twice the capacity. */
  #index = new Int32Array(0);
  #mask = 0;
  /** 32 − log2 of the index's size. */
  #shift = 32;

  constructor(capacity: number) {
    this.#grow(capacity);
  }

  /** A slot for order `no`; its other columns are stale and the caller's to write. */
  claim(no: number): number {
    if (this.#freeCount === 0) this.#grow(this.capacity * 2);
    const slot = this.#free[--this.#freeCount]!;
    this.no[slot] = no;
    this.#enter(no, slot);
    return slot;
  }

  /** The slot of order `no`, or −1. */
  find(no: number): number {
    const index = this.#index;
    const mask = this.#mask;
    for (let at = home(no, this.#shift); ; at = (at + 1) & mask) {
      const entry = index[at]!;
      if (entry === 0) return -1;
      if (this.no[entry - 1] === no) return entry - 1;
    }
  }

  /** Gives the slot back. Entries behind it in the probe chain move up, so that no tombstones gather. */
  release(slot: number): void {
    const index = this.#index;
    const mask = this.#mask;
    const shift = this.#shift;
    let hole = home(this.no[slot]!, shift);
    while (index[hole] !== slot + 1) hole = (hole + 1) & mask;
    for (let at = (hole + 1) & mask; index[at] !== 0; at = (at + 1) & mask) {
      const from = home(this.no[index[at]! - 1]!, shift);
      if (((at - from) & mask) >= ((at - hole) & mask)) {
        index[hole] = index[at]!;
        hole = at;
      }
    }
    index[hole] = 0;
    this.no[slot] = 0;
    this.#free[this.#freeCount++] = slot;
  }

  /** Rows as plain numbers, for a snapshot. */
  save(): Record<string, number[]> {
    const out: Record<string, number[]> = {}; // hot-ok: snapshot
    for (const name of DOUBLES) out[name] = Array.from(this[name]);
    for (const name of INTEGERS) out[name] = Array.from(this[name]);
    out['free'] = Array.from(this.#free.subarray(0, this.#freeCount));
    return out;
  }

  load(saved: Record<string, number[]>): void {
    const capacity = saved['no']!.length;
    this.capacity = 0;
    for (const name of DOUBLES) this[name] = new Float64Array(0); // hot-ok: snapshot
    for (const name of INTEGERS) this[name] = new Int32Array(0); // hot-ok: snapshot
    this.#grow(capacity);
    for (const name of DOUBLES) this[name].set(saved[name]!);
    for (const name of INTEGERS) this[name].set(saved[name]!);
    const free = saved['free']!;
    this.#free.set(free);
    this.#freeCount = free.length;
    this.#index.fill(0);
    for (let slot = 0; slot < capacity; slot++) if (this.no[slot] !== 0) this.#enter(this.no[slot]!, slot);
  }

  #enter(no: number, slot: number): void {
    const index = this.#index;
    let at = home(no, this.#shift);
    while (index[at] !== 0) at = (at + 1) & this.#mask;
    index[at] = slot + 1;
  }

  /** Columns come from one block and are staggered by a cache line, so that one row does not crowd one cache set. */
  #grow(capacity: number): void {
    const old = this.capacity;
    const stride = capacity * 8 + 64;
    const block = new ArrayBuffer(stride * (DOUBLES.length + INTEGERS.length)); // hot-ok: growth only
    let at = 0;
    for (const name of DOUBLES) {
      const next = new Float64Array(block, stride * at++, capacity); // hot-ok: growth only
      next.set(this[name]);
      this[name] = next;
    }
    for (const name of INTEGERS) {
      const next = new Int32Array(block, stride * at++, capacity); // hot-ok: growth only
      next.set(this[name]);
      this[name] = next;
    }
    this.#free = new Int32Array(capacity); // hot-ok: growth only
    this.#freeCount = 0;
    for (let slot = capacity - 1; slot >= old; slot--) this.#free[this.#freeCount++] = slot;
    let size = 16;
    this.#shift = 28;
    for (; size < capacity * 2; size *= 2) this.#shift--;
    this.#index = new Int32Array(size); // hot-ok: growth only
    this.#mask = size - 1;
    for (let slot = 0; slot < old; slot++) if (this.no[slot] !== 0) this.#enter(this.no[slot]!, slot);
    this.capacity = capacity;
  }
}

/** Where a number's probe chain begins. Numbers are scattered: runs of them would make one chain that every release walks. */
function home(no: number, shift: number): number {
  return Math.imul(no, 0x9e3779b1) >>> shift;
}
