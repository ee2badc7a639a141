/** Who wanted an order and why, as small numbers: reasons are few words said often. What a fill is labelled with. @hot */

export interface FillLabel {
  /** Name of the strategy; "" where none is known. */
  readonly strategy: string;
  /** What the strategy gave as its reason, or what the venue did; "" for none. */
  readonly reason: string;
}

/** Labels fit 16 bits: a strategy that says something else every time has the last one for all that is beyond. */
const MOST = 65_535;
const BEYOND = '(too many different reasons)';

export class FillLabels {
  /** By number; 0 is "nothing known". */
  readonly all: FillLabel[] = [{ strategy: '', reason: '' }]; // hot-ok: construction
  /** Orders with each label. */
  readonly orders: number[] = [0]; // hot-ok: construction
  readonly #known = new Map([['', new Map([['', 0]])]]); // hot-ok: construction
  /** By number of the order. */
  #ofOrder = new Uint16Array(1024);
  #room = 1024;
  /** The label asked for last: most often it is the next one as well. */
  #last = 0;
  #lastStrategy = '';
  #lastReason = '';

  /** The number of the label. */
  number(strategy: string, reason: string): number {
    if (this.#lastReason === reason && this.#lastStrategy === strategy) return this.#last;
    return this.#find(strategy, reason);
  }

  #find(strategy: string, reason: string): number {
    let reasons = this.#known.get(strategy);
    if (reasons === undefined) this.#known.set(strategy, (reasons = new Map<string, number>())); // hot-ok: once a strategy
    let label = reasons.get(reason);
    if (label === undefined) {
      label = Math.min(this.all.length, MOST);
      if (label < MOST) reasons.set(reason, label);
      if (this.all.length <= label) this.#add(strategy, label < MOST ? reason : BEYOND);
    }
    this.#last = label;
    this.#lastStrategy = strategy;
    this.#lastReason = reason;
    return label;
  }

  /** Order `seq` has the label of this strategy and reason; where it gives no reason, that of the order it replaces (0: none). */
  order(seq: number, strategy: string, reason: string, replaces: number): void {
    const label = replaces > 0 && reason === '' ? this.of(replaces) : this.number(strategy, reason);
    if (seq >= this.#room) this.#grow(seq);
    this.#ofOrder[seq] = label;
    if (replaces === 0) this.count(label);
  }

  /** One more order has the label. */
  count(label: number): void {
    this.orders[label] = this.orders[label]! + 1;
  }

  /** The label of order `seq`. */
  of(seq: number): number {
    return seq < this.#room ? this.#ofOrder[seq]! : 0;
  }

  #add(strategy: string, reason: string): void {
    this.all.push({ strategy, reason }); // hot-ok: once a label
    this.orders.push(0);
  }

  #grow(seq: number): void {
    const before = this.#ofOrder;
    this.#room = Math.max(2 * before.length, seq + 1);
    this.#ofOrder = new Uint16Array(this.#room); // hot-ok: growth
    this.#ofOrder.set(before);
  }
}
