/** Labels of fills: strategy and reason as a small number, because the same few reasons occur often. @hot */
import { OrderRows } from './order-rows.ts';
import type { PageStore } from './row-pages.ts';

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
  /** Orders from the first one to below `#since` have the label `#early` (-1 if there are none); only those of the others are kept. */
  #first = 0;
  #since = Infinity;
  #early = -1;
  readonly #ofOrder: OrderRows;
  /** Number of orders per label. */
  readonly #orders: number[] = [];
  /** The label of the last lookup; usually the next lookup has the same. */
  #last = 0;
  #lastStrategy = '';
  #lastReason = '';

  /** Without a store the labels of all orders stay in memory. */
  constructor(openStore: (() => PageStore) | null = null) {
    this.#ofOrder = new OrderRows(1, openStore);
  }

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
    this.count(label);
    if (label !== this.#only) this.#note(seq, label);
  }

  /** Order `seq` replaces `replaced`. Without its own reason it takes over that label. */
  modified(seq: number, strategy: string, reason: string, replaced: number): void {
    if (reason !== '' || replaced <= 0) this.#note(seq, this.number(strategy, reason));
    else if (this.#only === -1) this.#note(seq, this.of(replaced));
  }

  /** Keeps the label of order `seq`. Needed only once there are two different ones. */
  #note(seq: number, label: number): void {
    if (label === this.#only) return;
    if (this.#early === -1 && this.#since === Infinity) {
      this.#only = label;
      this.#early = label;
      this.#first = seq;
      return;
    }
    if (this.#since === Infinity) this.#since = seq;
    this.#only = -1;
    this.#ofOrder.set(seq, 0, label);
  }

  /** Counts an order with this label, such as one that the bot did not place. */
  count(label: number): void {
    this.#orders[label] = (this.#orders[label] ?? 0) + 1;
  }

  /** Number of orders by label. A modify is not a new order. */
  orders(): number[] {
    return this.all.map((_, label) => this.#orders[label] ?? 0); // hot-ok: once at the end
  }

  /** The label of order `seq`. */
  of(seq: number): number {
    if (seq < this.#since) return this.#early >= 0 && seq >= this.#first ? this.#early : 0;
    return this.#ofOrder.get(seq, 0);
  }

  #add(strategy: string, reason: string): void {
    this.all.push({ strategy, reason }); // hot-ok: once a label
  }
}
