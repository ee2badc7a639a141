/** Labels of fills: strategy and reason as a small number, because the same few reasons occur often. @hot */

export interface FillLabel {
  /** Name of the strategy; "" if unknown. */
  readonly strategy: string;
  /** The strategy's reason, or the venue's action; "" for none. */
  readonly reason: string;
}

/** Labels have 16 bits. Reasons beyond that share the last label. */
const MOST = 65_535;
const BEYOND = '(too many different reasons)';

export class FillLabels {
  /** By number; 0 is the empty label. */
  readonly all: FillLabel[] = [{ strategy: '', reason: '' }];
  readonly #known = new Map([['', new Map([['', 0]])]]);
  /** The label of every order so far if all have the same; otherwise -1. */
  #only = -1;
  /** Orders from the first one to below `#since` have the label `#early` (-1 if there are none) and none of them replaces another. */
  #first = 0;
  #since = Infinity;
  #early = -1;
  #alike = 0;
  /** By order number: 2 · label, plus 1 if it replaces no order; a negative entry is the number of the order whose label it has. */
  #ofOrder = new Int32Array(0);
  #room = 0;
  /** Number of orders per label that the bot did not place. */
  readonly #others: number[] = [];
  /** The label of the last lookup; usually the next lookup has the same. */
  #last = 0;
  #lastStrategy = '';
  #lastReason = '';

  /** The number of the label; a new one if it is not known. */
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

  /** Order `seq` has the label of this strategy and reason. */
  placed(seq: number, strategy: string, reason: string): void {
    const label = this.number(strategy, reason);
    if (label === this.#only) this.#alike++;
    else this.#note(seq, 2 * label + 1);
  }

  /** Order `seq` replaces `replaced`. Without its own reason it takes over that label. */
  modified(seq: number, strategy: string, reason: string, replaced: number): void {
    if (reason === '' && replaced > 0) {
      if (this.#only === -1) this.#note(seq, -replaced);
      return;
    }
    const label = this.number(strategy, reason);
    if (label !== this.#only) this.#note(seq, 2 * label);
  }

  /** Stores the entry of order `seq`. Needed only once there are two different labels. */
  #note(seq: number, said: number): void {
    if (this.#early === -1 && this.#since === Infinity && said >= 0) {
      this.#only = said >> 1;
      this.#early = this.#only;
      this.#first = seq;
      this.#alike = said & 1;
      return;
    }
    if (this.#since === Infinity) this.#since = seq;
    this.#only = -1;
    if (seq >= this.#room) this.#grow(seq);
    this.#ofOrder[seq] = said;
  }

  /** Counts an order with this label that the bot did not place. */
  count(label: number): void {
    this.#others[label] = (this.#others[label] ?? 0) + 1;
  }

  /** Number of orders by label. A modify is not a new order. */
  orders(): number[] {
    const orders = this.all.map((_, label) => this.#others[label] ?? 0); // hot-ok: once at the end
    if (this.#early >= 0) orders[this.#early]! += this.#alike;
    for (let seq = 0; seq < this.#room; seq++) {
      const said = this.#ofOrder[seq]!;
      if (said > 0 && said % 2 === 1) orders[said >> 1]!++;
    }
    return orders;
  }

  /** The label of order `seq`. */
  of(seq: number): number {
    let first = seq;
    while (this.#said(first) < 0) first = -this.#said(first);
    const label = this.#said(first) >> 1;
    // Shortens the chain for later lookups.
    for (let at = seq; at !== first;) {
      const before = -this.#said(at);
      this.#ofOrder[at] = 2 * label;
      at = before;
    }
    return label;
  }

  #said(seq: number): number {
    if (seq < this.#since) return this.#early >= 0 && seq >= this.#first ? 2 * this.#early : 0;
    return seq < this.#room ? this.#ofOrder[seq]! : 0;
  }

  #add(strategy: string, reason: string): void {
    this.all.push({ strategy, reason }); // hot-ok: once a label
  }

  #grow(seq: number): void {
    const before = this.#ofOrder;
    this.#room = Math.max(2 * before.length, seq + 1, 1024);
    this.#ofOrder = new Int32Array(this.#room); // hot-ok: growth
    this.#ofOrder.set(before);
  }
}
